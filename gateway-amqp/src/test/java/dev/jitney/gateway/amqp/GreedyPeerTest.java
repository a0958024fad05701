package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.InMemoryEntity;
import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.memory.MemoryFigures;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that claim much memory: the budget of the process holds, and all memory is given back. */
@Timeout(120)
class GreedyPeerTest {
    private static final String RULE = "RootManageSharedAccessKey";
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int CLOSE = 0x18;
    private static final int MIB = 1 << 20;

    private final InMemoryBroker broker = new InMemoryBroker();
    private final InMemoryEntity queue =
            broker.first.add(QueueDescription.named("q").build(), MIB);
    private AmqpGateway gateway;

    private void start(long budgetBytes, ConnectionLimits limits) {
        gateway = new AmqpGateway(
                broker,
                AmqpGatewayOptions.plain("127.0.0.1", 0)
                        .withEventLoops(1)
                        .withLimits(limits)
                        .withMemory(new ClientMemory(budgetBytes)));
        gateway.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private RawPeer anonymous() throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).anonymous();
        peer.frame();
        peer.open("first").begin(0);
        return peer;
    }

    private RawPeer authorized() throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).plain(RULE, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    private static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private MemoryFigures memory() {
        return gateway.figures().memory();
    }

    private long held(MemoryPurpose purpose) {
        return memory().namespaces().values().stream()
                .mapToLong(claims -> claims.get(purpose))
                .sum();
    }

    private static Object condition(RawPeer peer) throws IOException {
        return ((AmqpValues.Symbol)
                        ((Described) peer.next(CLOSE).field(0)).fields().get(0))
                .text();
    }

    private static byte[] request(String operation, Map<String, ?> arguments) {
        Properties properties = new Properties();
        properties.setMessageId("id");
        properties.setReplyTo("me");
        return RawPeer.encode(
                properties,
                new ApplicationProperties(Map.of("operation", "com.microsoft:" + operation)),
                new AmqpValue<>(arguments));
    }

    private static RawPeer managing(RawPeer peer) throws IOException {
        peer.send(0, RawPeer.sender("s", 1, "q/$management"));
        peer.send(0, RawPeer.receiver("r", 2, "q/$management").setTarget(new Target().setAddress("me")));
        peer.next(ATTACH);
        peer.next(ATTACH);
        return peer;
    }

    @Test
    @DisplayName("The oldest connections without a token are closed when all of them together hold too much (QUOTA-8)")
    void theOldestUnauthenticatedConnectionsAreClosed() throws Exception {
        start(8 * MIB, ConnectionLimits.defaults());
        List<RawPeer> peers = new ArrayList<>();
        try (RawPeer known = authorized()) {
            for (int i = 0; i < 40; i++) {
                RawPeer peer = anonymous();
                peers.add(peer);
                peer.send(0, RawPeer.sender("s", 1, "$cbs"));
                peer.next(FLOW);
                peer.send(0, RawPeer.transfer(1, 0).setMore(true), new byte[60_000]);
                peer.send(0, RawPeer.transfer(1, 0).setMore(true), new byte[60_000]);
            }
            assertThat(condition(peers.get(0))).isEqualTo("amqp:connection:forced");
            until("some to be closed", () -> memory().closedUnauthenticated() > 10);
            RawPeer youngest = peers.get(39);
            youngest.send(0, RawPeer.transfer(1, 0).setMore(false), new byte[0]);
            assertThat(youngest.next(0x15).code()).isEqualTo(0x15);
            known.send(0, RawPeer.sender("still-here", 9, "q"));
            assertThat(known.next(ATTACH).field(6)).isNotNull();
        } finally {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
        until(
                "everything to be given back",
                () -> memory().unauthenticated().values().stream().allMatch(bytes -> bytes == 0));
    }

    @Test
    @DisplayName("A message or frame that does not arrive completely in time closes its connection (QUOTA-8)")
    void unfinishedMessagesHaveADeadline() throws Exception {
        start(64 * MIB, ConnectionLimits.defaults().withUnfinishedTimeout(500));
        try (RawPeer message = authorized();
                RawPeer frame = authorized()) {
            message.send(0, RawPeer.sender("a", 0, "q"));
            message.next(FLOW);
            message.send(0, RawPeer.transfer(0, 0).setMore(true), new byte[1_000]);
            assertThat(condition(message)).isEqualTo("amqp:connection:forced");
            frame.raw(new byte[] {0, 0, 1, 0, 2, 0, 0, 0, 0});
            assertThat(condition(frame)).isEqualTo("amqp:connection:forced");
        }
    }

    @Test
    @DisplayName("Reading pauses for a connection that holds more than its share of incomplete messages (QUOTA-8)")
    void whoHoldsTooMuchIsNotReadFrom() throws Exception {
        start(32 * MIB, ConnectionLimits.defaults().withUnfinishedTimeout(5_000));
        try (RawPeer greedy = authorized();
                RawPeer other = authorized()) {
            for (int i = 0; i < 600; i++) {
                greedy.send(0, RawPeer.sender("s" + i, i, "q"));
            }
            Thread writer = new Thread(() -> {
                try {
                    for (int i = 0; i < 600; i++) {
                        greedy.send(0, RawPeer.transfer(i, i).setMore(true), new byte[60_000]);
                    }
                } catch (IOException closed) {
                    // closes at the end of the test
                }
            });
            writer.start();
            until("half of the budget to be taken", () -> held(MemoryPurpose.UNFINISHED) > 9 * MIB);
            other.send(0, RawPeer.sender("s", 0, "q"));
            other.next(FLOW);
            other.message(0, 0, 0, RawPeer.message(new byte[1_000]));
            assertThat(other.next(0x15).code()).isEqualTo(0x15);
            assertThat(held(MemoryPurpose.UNFINISHED)).isLessThan(12 * MIB);
        }
        until("everything to be given back", () -> held(MemoryPurpose.UNFINISHED) + held(MemoryPurpose.STATE) == 0);
    }

    @Test
    @DisplayName("The messages of a batch count with their objects until they are answered (QUOTA-8)")
    void tinyMessagesCountWithTheirObjects() throws Exception {
        start(64 * MIB, ConnectionLimits.defaults());
        queue.holdSends();
        int count = 20_000;
        byte[] batch = HexFormat.of().parseHex("005375a00400537740".repeat(count));
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            for (int at = 0; at < batch.length; at += 60_000) {
                int end = Math.min(batch.length, at + 60_000);
                peer.send(
                        0,
                        RawPeer.transfer(0, 0).setMessageFormat(0x8001_3700).setMore(end < batch.length),
                        Arrays.copyOfRange(batch, at, end));
            }
            until("the send", () -> queue.heldSendCount() == 1);
            until("its memory", () -> held(MemoryPurpose.REQUESTS) > 300L * count);
            queue.answerSends();
            assertThat(((Described) peer.next(0x15).field(4)).code()).isEqualTo(0x24);
            until("the memory to be given back", () -> held(MemoryPurpose.REQUESTS) == 0);
        }
    }

    @Test
    @DisplayName("Requests with large answers run when there is credit for the answer (PEEK-7, QUOTA-8)")
    void largeAnswersWaitForCredit() throws Exception {
        start(64 * MIB, ConnectionLimits.defaults());
        try (RawPeer peer = managing(authorized())) {
            byte[] peek = request("peek-message", Map.of("from-sequence-number", 0L, "message-count", 10));
            byte[] renew = request("renew-lock", Map.of("lock-tokens", new UUID[] {new UUID(1, 2)}));
            for (int i = 0; i < 5; i++) {
                peer.message(0, 1, i, peek);
            }
            peer.message(0, 1, 5, renew);
            until(
                    "the small request",
                    () -> queue.commandsOf(Command.RenewLocks.class).size() == 1);
            assertThat(queue.commandsOf(Command.PeekMessages.class)).isEmpty();
            peer.flow(0, 2, 0, 3, false, false);
            until(
                    "answers that were waited for",
                    () -> queue.commandsOf(Command.PeekMessages.class).size() == 2);
            peer.flow(0, 2, 3, 10, false, false);
            until(
                    "the others",
                    () -> queue.commandsOf(Command.PeekMessages.class).size() == 5);
            for (int i = 0; i < 6; i++) {
                peer.next(TRANSFER);
            }
        }
        until("everything to be given back", () -> held(MemoryPurpose.RESPONSES) == 0);
    }

    @Test
    @DisplayName("A request whose answer can never fit is refused, and the connection continues (QUOTA-8, wire 6.6)")
    void anAnswerThatNeverFitsIsRefused() throws Exception {
        start(4 * MIB, ConnectionLimits.defaults());
        try (RawPeer peer = managing(authorized())) {
            peer.flow(0, 2, 0, 2, false, false);
            byte[] tooMany = request(
                    "receive-by-sequence-number",
                    Map.of("sequence-numbers", new long[4_000], "receiver-settle-mode", 1));
            peer.message(0, 1, 0, tooMany);
            assertThat(answer(peer))
                    .containsEntry("errorCondition", new AmqpValues.Symbol("com.microsoft:argument-out-of-range"));
            peer.message(0, 1, 1, request("renew-lock", Map.of("lock-tokens", new UUID[] {new UUID(1, 2)})));
            assertThat(answer(peer)).containsKey("statusCode");
            assertThat(queue.commandsOf(Command.RenewLocks.class)).hasSize(1);
        }
        until("everything to be given back", () -> held(MemoryPurpose.RESPONSES) + held(MemoryPurpose.REQUESTS) == 0);
    }

    /** Returns the application properties of the next answer. */
    private static Map<String, Object> answer(RawPeer peer) throws IOException {
        byte[] payload = peer.next(TRANSFER).payload();
        Map<String, Object> properties = new HashMap<>();
        for (Described section : RawPeer.sections(payload)) {
            if (section.code() == 0x74) {
                ((Map<?, ?>) section.value()).forEach((key, value) -> properties.put(String.valueOf(key), value));
            }
        }
        return properties;
    }

    @Test
    @DisplayName("A connection that sends many invalid tokens and no valid one is closed (wire 2.5)")
    void badTokensAreCounted() throws Exception {
        start(64 * MIB, ConnectionLimits.defaults());
        try (RawPeer peer = anonymous()) {
            peer.send(0, RawPeer.sender("s", 1, "$cbs"));
            peer.send(0, RawPeer.receiver("r", 2, "$cbs").setTarget(new Target().setAddress("me")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            try {
                for (int i = 0; i < 60; i++) {
                    peer.message(0, 1, i, RawPeer.putToken("id", "me", "sb://first/q", "SharedAccessSignature sr=x"));
                }
            } catch (SocketException closed) {
                // the gateway need not take all of them
            }
            try {
                assertThat(condition(peer)).isEqualTo("amqp:connection:forced");
            } catch (EOFException | SocketException reset) {
                // data sent after the close resets the connection
            }
        }
    }
}
