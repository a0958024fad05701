package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.InMemoryEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The checklist of the wire reference, section 11, as far as frames show it. */
@Timeout(60)
class AmqpWireTest {
    private static final int OPEN = 0x10;
    private static final int BEGIN = 0x11;
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int DETACH = 0x16;
    private static final int CLOSE = 0x18;
    private static final String RULE = "RootManageSharedAccessKey";

    private final InMemoryBroker broker = new InMemoryBroker();
    private InMemoryEntity queue;
    AmqpGateway gateway;

    @BeforeEach
    void start() {
        queue = broker.first.add(QueueDescription.named("q").build(), 256 * 1024);
        gateway =
                new AmqpGateway(broker, AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1));
        gateway.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    RawPeer peer() throws IOException {
        return new RawPeer(gateway.plainPort());
    }

    private RawPeer authorized() throws IOException {
        RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    private static void fullLength(Frame frame, int count) {
        assertThat(frame.performative().oneByteDescriptor()).isTrue();
        assertThat(frame.performative().constructor()).isIn(0xc0, 0xd0);
        assertThat(frame.performative().fields()).hasSize(count);
    }

    private static AmqpValues.Symbol symbol(String text) {
        return new AmqpValues.Symbol(text);
    }

    private static Described error(Frame frame, int index) {
        Described error = (Described) frame.field(index);
        assertThat(error.fields()).hasSize(3);
        assertThat((String) error.fields().get(1)).contains("TrackingId:").contains("Timestamp:");
        return error;
    }

    private static void condition(Frame frame, int index, String condition) {
        assertThat(error(frame, index).fields().get(0)).isEqualTo(symbol(condition));
    }

    @Test
    void saslHeaderIsAnsweredAndFourMechanismsOffered_wire1() throws Exception {
        try (RawPeer peer = peer()) {
            peer.raw(RawPeer.SASL);
            assertThat(peer.header()).isEqualTo(RawPeer.SASL);
            Frame mechanisms = peer.frame();
            assertThat(mechanisms.type()).isEqualTo(1);
            assertThat(mechanisms.code()).isEqualTo(0x40);
            assertThat(mechanisms.field(0))
                    .isEqualTo(List.of(symbol("MSSBCBS"), symbol("PLAIN"), symbol("ANONYMOUS"), symbol("EXTERNAL")));
        }
    }

    @Test
    void everyMechanismWithoutProofIsWelcome_wire2() throws Exception {
        for (String mechanism : List.of("MSSBCBS", "ANONYMOUS", "EXTERNAL")) {
            for (byte[] response : new byte[][] {null, new byte[0], "anonymous".getBytes()}) {
                try (RawPeer peer = peer().sasl(mechanism, response)) {
                    Frame outcome = peer.frame();
                    assertThat(outcome.code()).isEqualTo(0x44);
                    assertThat(outcome.field(0)).isEqualTo(0L);
                    assertThat((byte[]) outcome.field(1)).isEqualTo("Welcome!".getBytes());
                }
            }
        }
    }

    @Test
    void plainNeedsTheRightKey_wire3() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
        }
        try (RawPeer peer = peer().sasl("PLAIN", ("\0" + RULE + "\0wrong").getBytes())) {
            assertThat(peer.frame().field(0)).isEqualTo(1L);
            assertThat(peer.atEnd()).isTrue();
        }
    }

    @Test
    void aClientMaySkipSasl_wire4() throws Exception {
        try (RawPeer peer = peer().open("first")) {
            peer.begin(0);
            putToken(peer, 0, "q", "reply");
            peer.send(0, RawPeer.sender("s", 7, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
        }
    }

    private void putToken(RawPeer peer, int channel, String audience, String replyTo) throws IOException {
        peer.send(channel, RawPeer.sender("cbs-s", 100, "$cbs"));
        peer.send(
                channel,
                RawPeer.receiver("cbs-r", 101, "$cbs")
                        .setTarget(new org.apache.qpid.protonj2.types.messaging.Target().setAddress(replyTo)));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(channel, 101, 0, 10, false, false);
        peer.message(channel, 100, 0, RawPeer.putToken("id-1", replyTo, "sb://first/" + audience, token("q", 3600)));
        Frame response = peer.next(TRANSFER);
        Map<?, ?> application =
                (Map<?, ?>) RawPeer.sections(response.payload()).get(2).value();
        assertThat(application.get("status-code")).isEqualTo(202L);
        assertThat(application.get("status-description")).isEqualTo("Accepted");
        assertThat(RawPeer.sections(response.payload()).get(1).fields().get(5)).isEqualTo("id-1");
    }

    private String token(String path, long seconds) {
        return dev.jitney.runtime.security.SharedAccessSignature.create(
                "sb://first/" + path, RULE, InMemoryBroker.KEY, broker.nowMs.get() / 1000 + seconds);
    }

    @Test
    void openAndBeginAreFullLength_wire5_6_7() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.raw(RawPeer.AMQP);
            peer.header();
            peer.send(
                    0,
                    new org.apache.qpid.protonj2.types.transport.Open()
                            .setContainerId("c")
                            .setHostname("first:5671")
                            .setMaxFrameSize(65_536));
            Frame open = peer.frame();
            assertThat(open.code()).isEqualTo(OPEN);
            fullLength(open, 10);
            assertThat(open.field(0)).isNotNull();
            assertThat(open.field(2)).isEqualTo(65_536L);
            assertThat(open.field(4)).isEqualTo(120_000L);
            Frame begin = peer.begin(1);
            fullLength(begin, 8);
            assertThat(begin.field(0)).isEqualTo(1L);
            assertThat(begin.field(4)).isNotNull();
        }
    }

    @Test
    void attachEchoesWhatTheClientSaid_wire7_25_26_27() throws Exception {
        try (RawPeer peer = authorized()) {
            Attach attach = RawPeer.sender("s", 1, "amqps://h/q")
                    .setSource(null)
                    .setProperties(Map.of(Symbol.valueOf("com.example:any"), "kept"));
            peer.send(0, attach);
            Frame reply = peer.next(ATTACH);
            fullLength(reply, 14);
            assertThat(reply.field(0)).isEqualTo("s");
            assertThat(reply.field(2)).isEqualTo(true);
            assertThat(reply.field(3)).isNull();
            assertThat(reply.field(4)).isNull();
            assertThat(reply.field(5)).isNull();
            assertThat(((Described) reply.field(6)).fields()).hasSize(7).startsWith("amqps://h/q");
            assertThat((long) reply.field(10)).isEqualTo(256 * 1024);
            assertThat(reply.field(13)).isEqualTo(Map.of(symbol("com.example:any"), "kept"));
            Frame flow = peer.frame();
            fullLength(flow, 11);
            assertThat(flow.code()).isEqualTo(FLOW);
            assertThat((long) flow.field(6)).isBetween(100L, 1000L);

            peer.send(0, RawPeer.receiver("r", 2, "/q").setTarget((Target) null));
            reply = peer.next(ATTACH);
            assertThat(((Described) reply.field(5)).fields()).hasSize(11).startsWith("/q");
            assertThat(reply.field(3)).isEqualTo(0L);
            assertThat(reply.field(4)).isEqualTo(1L);
            assertThat(reply.field(6)).isNull();
            assertThat(reply.field(9)).isEqualTo(0L);
        }
    }

    @Test
    void noFrameExceedsTheClientsSize_wire8() throws Exception {
        for (int max : new int[] {512, 4096, 65_536}) {
            try (RawPeer peer = peer().sasl("PLAIN", ("\0" + RULE + "\0" + InMemoryBroker.KEY).getBytes())) {
                peer.frame();
                peer.open("first", max);
                peer.begin(0);
                byte[] body = new byte[100_000];
                Arrays.fill(body, (byte) 7);
                peer.send(0, RawPeer.sender("s", 0, "q"));
                peer.next(FLOW);
                byte[] message = RawPeer.message(body);
                for (int at = 0; at < message.length; at += 400) {
                    int end = Math.min(message.length, at + 400);
                    peer.send(
                            0,
                            RawPeer.transfer(0, 0).setMore(end < message.length),
                            Arrays.copyOfRange(message, at, end));
                }
                assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x24);
                peer.send(0, RawPeer.receiver("r", 1, "q").setSenderSettleMode(SenderSettleMode.SETTLED));
                peer.next(ATTACH);
                peer.flow(0, 1, 0, 1, false, false);
                int bytes = 0;
                Frame frame;
                int frames = 0;
                do {
                    frame = peer.next(TRANSFER);
                    assertThat(frame.sizeBytes()).isLessThanOrEqualTo(max);
                    fullLength(frame, 11);
                    if (frames++ == 0) {
                        assertThat((byte[]) frame.field(2)).hasSize(16);
                        assertThat(frame.field(1)).isEqualTo(0L);
                        assertThat(frame.field(3)).isEqualTo(0L);
                    } else {
                        assertThat(frame.field(1)).isNull();
                        assertThat(frame.field(2)).isNull();
                    }
                    bytes += frame.payload().length;
                } while (Boolean.TRUE.equals(frame.field(5)));
                assertThat(bytes).isGreaterThan(100_000);
            }
        }
    }

    @Test
    void anyHostnameOpensAndSelectsTheNamespace_wire11() throws Exception {
        for (String host : new String[] {"first", "first:5671", "FIRST.example", null, "other"}) {
            try (RawPeer peer = peer().anonymous()) {
                peer.frame();
                peer.open(host);
                peer.begin(0);
            }
        }
        broker.second.add(QueueDescription.named("only-second").build(), 1000);
        try (RawPeer peer = peer().sasl("PLAIN", ("\0" + RULE + "\0" + InMemoryBroker.KEY).getBytes())) {
            peer.frame();
            peer.open("second.example:5671");
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 0, "only-second"));
            Frame attach = peer.next(ATTACH);
            assertThat(attach.field(6))
                    .as("a credential of one namespace opens no other")
                    .isNull();
        }
    }

    @Test
    void aRefusedAttachIsAttachAndDetachAndNothingBetween_wire28_84() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 3, "missing"));
            Frame attach = peer.frame();
            fullLength(attach, 14);
            assertThat(attach.field(6)).isNull();
            assertThat(attach.field(5)).isNotNull();
            Frame detach = peer.frame();
            assertThat(detach.code()).isEqualTo(DETACH);
            fullLength(detach, 3);
            assertThat(detach.field(1)).isEqualTo(true);
            condition(detach, 2, "amqp:not-found");
            assertThat((String) error(detach, 2).fields().get(1))
                    .matches(".*The messaging entity 'sb://first.example/missing' could not be found.*");

            peer.send(0, new Detach().setHandle(3).setClosed(true));
            peer.send(0, RawPeer.receiver("s", 3, "missing"));
            attach = peer.frame();
            assertThat(attach.field(5)).isNull();
            condition(peer.frame(), 2, "amqp:not-found");
        }
    }

    @Test
    void attachWithoutATokenIsUnauthorized_wire22() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            Frame detach = peer.next(DETACH);
            condition(detach, 2, "amqp:unauthorized-access");
            assertThat((String) error(detach, 2).fields().get(1)).contains("'Listen' claim(s) are required");
        }
        try (RawPeer peer = peer().plain("sender", InMemoryBroker.KEY)) {
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 0, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
            peer.send(0, RawPeer.receiver("r", 1, "q"));
            condition(peer.next(DETACH), 2, "amqp:unauthorized-access");
        }
    }

    @Test
    void anExpiredTokenDetachesItsLinks_wire23() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            putToken(peer, 0, "q", "reply");
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            broker.nowMs.addAndGet(3_600_001);
            Frame detach = peer.next(DETACH);
            condition(detach, 2, "amqp:link:detach-forced");
            assertThat((String) error(detach, 2).fields().get(1)).contains("RenewToken");
        }
    }

    @Test
    void tokensAreRefusedWithTheWordsOfTheCloud_wire20() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            putToken(peer, 0, "q", "reply");
            peer.message(0, 100, 1, RawPeer.putToken("x", "reply", "sb://first/q", token("q", 3600) + "x"));
            Map<?, ?> application = (Map<?, ?>)
                    RawPeer.sections(peer.next(TRANSFER).payload()).get(2).value();
            assertThat(application.get("status-code")).isEqualTo(401L);
            assertThat(application.get("error-condition")).isEqualTo(symbol("com.microsoft:auth-failed"));
            peer.message(0, 100, 2, RawPeer.putToken("y", "reply", "sb://first/nope", token("nope", 3600)));
            application = (Map<?, ?>)
                    RawPeer.sections(peer.next(TRANSFER).payload()).get(2).value();
            assertThat(application.get("status-code")).isEqualTo(404L);
            assertThat((String) application.get("status-description"))
                    .contains("The messaging entity 'sb://first/nope' could not be found");
        }
    }

    @Test
    void addressFormsResolve_wire24() throws Exception {
        broker.first.add(QueueDescription.named("a/b c").build(), 1000);
        try (RawPeer peer = authorized()) {
            int handle = 0;
            for (String address : List.of("q", "/q", "amqps://h/q", "sb://h:5672/q", "Q", "a/b%20c")) {
                peer.send(0, RawPeer.sender("s" + handle, handle++, address));
                Frame attach = peer.next(ATTACH);
                assertThat(((Described) attach.field(6)).fields().get(0)).isEqualTo(address);
            }
            for (String address : List.of("q/$DeadLetterQueue", "q/$deadletterqueue", "q/$Transfer/$DeadLetterQueue")) {
                peer.send(0, RawPeer.receiver("r" + handle, handle++, address));
                Frame attach = peer.next(ATTACH);
                assertThat(((Described) attach.field(5)).fields().get(0)).isEqualTo(address);
            }
            peer.send(0, RawPeer.sender("dlq", handle, "q/$DeadLetterQueue"));
            condition(peer.next(DETACH), 2, "amqp:not-allowed");
        }
    }

    @Test
    void disabledEntitiesRefuseLinks_susp() throws Exception {
        broker.first.add(
                QueueDescription.named("off").status(EntityStatus.DISABLED).build(), 1000);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "off"));
            condition(peer.next(DETACH), 2, "com.microsoft:entity-disabled");
        }
    }

    private void fill(int count) throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            for (int i = 0; i < count; i++) {
                peer.message(0, 0, i, RawPeer.message(new byte[] {(byte) i}));
            }
            int settled = 0;
            while (settled < count) {
                Frame disposition = peer.next(DISPOSITION);
                fullLength(disposition, 6);
                assertThat(disposition.field(0)).isEqualTo(true);
                assertThat(disposition.field(3)).isEqualTo(true);
                long first = (long) disposition.field(1);
                long last = disposition.field(2) == null ? first : (long) disposition.field(2);
                assertThat(first).isEqualTo(settled);
                settled += (int) (last - first + 1);
            }
        }
    }

    @Test
    void settledReceiversGetSettledTransfersAndOthersDoNot_wire29_37() throws Exception {
        fill(4);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("d", 0, "q").setSenderSettleMode(SenderSettleMode.SETTLED));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 2, false, false);
            assertThat(peer.next(TRANSFER).field(4)).isEqualTo(true);
            assertThat(peer.next(TRANSFER).field(4)).isEqualTo(true);
            peer.send(0, RawPeer.receiver("p", 1, "q"));
            peer.next(ATTACH);
            peer.flow(0, 1, 0, 2, false, false);
            Frame third = peer.next(TRANSFER);
            assertThat(third.field(1)).isEqualTo(2L);
            assertThat(third.field(4)).isEqualTo(false);
            assertThat(peer.next(TRANSFER).field(1)).isEqualTo(3L);
            assertThat(queue.lockedCount()).isEqualTo(2);
            assertThat(queue.activeCount()).isZero();
        }
    }

    @Test
    void drainDeliversThenSaysSo_wire30() throws Exception {
        fill(3);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 4, "q"));
            long handle = (long) peer.next(ATTACH).field(1);
            peer.flow(0, 4, 0, 10, true, false);
            for (int i = 0; i < 3; i++) {
                assertThat(peer.frame().code()).isEqualTo(TRANSFER);
            }
            Frame flow = peer.frame();
            drained(flow, handle, 10);
        }
    }

    private static void drained(Frame flow, long handle, long deliveryCount) {
        assertThat(flow.code()).isEqualTo(FLOW);
        fullLength(flow, 11);
        assertThat(flow.field(4)).isEqualTo(handle);
        assertThat(flow.field(5)).isEqualTo(deliveryCount);
        assertThat(flow.field(6)).isEqualTo(0L);
        assertThat(flow.field(7)).isEqualTo(0L);
        assertThat(flow.field(8)).isEqualTo(true);
        assertThat(flow.field(9)).isEqualTo(false);
    }

    @Test
    void drainIsAnsweredWithoutMessagesAndWithoutCredit_wire31() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 4, "q"));
            long handle = (long) peer.next(ATTACH).field(1);
            peer.flow(0, 4, 0, 5, true, false);
            drained(peer.frame(), handle, 5);
            peer.flow(0, 4, 5, 0, true, false);
            drained(peer.frame(), handle, 5);
            peer.flow(0, 4, 5, 1, false, false);
            fill(1);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
        }
    }

    @Test
    void creditCanBeTakenBack_wire32() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 10, false, false);
            peer.flow(0, 0, 0, 1, false, true);
            Frame echo = peer.frame();
            assertThat(echo.code()).isEqualTo(FLOW);
            assertThat(echo.field(6)).isEqualTo(1L);
            fill(3);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
            // The next frame is the answer to a question, not a second message.
            peer.flow(0, 0, 1, 0, false, true);
            assertThat(peer.frame().code()).isEqualTo(FLOW);
        }
    }

    @Test
    void echoIsAnswered_wire33() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            peer.flow(0, 0, 0, 0, false, true);
            Frame flow = peer.frame();
            assertThat(flow.code()).isEqualTo(FLOW);
            assertThat((long) flow.field(6)).isGreaterThan(0);
            peer.send(
                    0,
                    new Flow()
                            .setNextIncomingId(0)
                            .setIncomingWindow(100)
                            .setNextOutgoingId(1)
                            .setOutgoingWindow(100)
                            .setEcho(true));
            flow = peer.frame();
            assertThat(flow.code()).isEqualTo(FLOW);
            assertThat(flow.field(4)).isNull();
        }
    }

    @Test
    void detachIsAnsweredAndNamesMayBeUsedAgain_wire34_35_36() throws Exception {
        fill(2);
        try (RawPeer peer = authorized();
                RawPeer other = authorized()) {
            peer.send(0, RawPeer.receiver("same", 0, "q"));
            peer.next(ATTACH);
            other.send(0, RawPeer.receiver("same", 0, "q"));
            other.next(ATTACH);
            peer.flow(0, 0, 0, 1, false, false);
            peer.next(TRANSFER);
            peer.send(0, new Detach().setHandle(0).setClosed(true));
            Frame detach = peer.frame();
            assertThat(detach.code()).isEqualTo(DETACH);
            assertThat(detach.field(1)).isEqualTo(true);
            assertThat(detach.field(2)).isNull();
            assertThat(queue.lockedCount()).isEqualTo(1);
            peer.send(0, RawPeer.receiver("same", 0, "q"));
            assertThat(peer.frame().code()).isEqualTo(ATTACH);
            peer.send(0, RawPeer.receiver("same", 1, "q"));
            condition(peer.next(DETACH), 2, "amqp:link:stolen");
            assertThat(peer.next(ATTACH).field(0)).isEqualTo("same");
        }
    }

    @Test
    void outcomesAreAppliedAndAcknowledged_wire47_48_50() throws Exception {
        fill(8);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 8, false, false);
            for (int i = 0; i < 8; i++) {
                peer.next(TRANSFER);
            }
            peer.settle(0, 0, 2, false, Accepted.getInstance());
            Frame ack = peer.next(DISPOSITION);
            assertThat(ack.performative().fields().subList(0, 4)).isEqualTo(List.of(false, 0L, 2L, true));
            assertThat(((Described) ack.field(4)).code()).isEqualTo(0x24);

            Rejected deadLetter = new Rejected()
                    .setError(new org.apache.qpid.protonj2.types.transport.ErrorCondition(
                            Symbol.valueOf("com.microsoft:dead-letter"),
                            null,
                            Map.of(
                                    Symbol.valueOf("DeadLetterReason"), "why",
                                    Symbol.valueOf("DeadLetterErrorDescription"), "how",
                                    Symbol.valueOf("k"), 1)));
            peer.settle(0, 3, 3, false, deadLetter);
            ack = peer.next(DISPOSITION);
            assertThat(((Described) ack.field(4)).code()).isEqualTo(0x25);
            assertThat(((Described) ack.field(4)).fields().get(0)).isNull();
            Command.DeadLetterMessages command =
                    queue.commandsOf(Command.DeadLetterMessages.class).get(0);
            assertThat(command.reason()).isEqualTo("why");
            assertThat(command.description()).isEqualTo("how");
            assertThat(command.propertiesToModify()).containsOnlyKeys("k");

            peer.settle(0, 4, 4, false, new Modified(false, true, Map.of(Symbol.valueOf("p"), "v")));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x27);
            assertThat(queue.commandsOf(Command.DeferMessages.class).get(0).propertiesToModify())
                    .containsOnlyKeys("p");
            peer.settle(0, 5, 5, false, new Modified(true, false));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x27);
            peer.settle(0, 6, 6, false, Released.getInstance());
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x26);
            assertThat(queue.activeCount()).isEqualTo(2);
        }
    }

    @Test
    void settledOutcomesAreAppliedSilentlyAndLostLocksAreReported_wire49_51() throws Exception {
        fill(3);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 3, false, false);
            for (int i = 0; i < 3; i++) {
                peer.next(TRANSFER);
            }
            peer.settle(0, 0, 0, true, Accepted.getInstance());
            peer.settle(0, 77, 99, false, Accepted.getInstance());
            peer.settle(0, 1, 1, false, Accepted.getInstance());
            assertThat(peer.next(DISPOSITION).field(1)).isEqualTo(1L);
            assertThat(queue.lockedCount()).isEqualTo(1);
            queue.loseLocks();
            peer.settle(0, 2, 2, false, Accepted.getInstance());
            Described rejected = (Described) peer.next(DISPOSITION).field(4);
            assertThat(rejected.code()).isEqualTo(0x25);
            Described error = (Described) rejected.fields().get(0);
            assertThat(error.fields().get(0)).isEqualTo(symbol("com.microsoft:message-lock-lost"));
        }
    }

    @Test
    void aMessageTooLargeIsSwallowedAndRejected_wire44() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            for (int i = 0; i < 20; i++) {
                peer.send(0, RawPeer.transfer(0, 0).setMore(i < 19), new byte[60_000]);
            }
            Frame disposition = peer.next(DISPOSITION);
            Described rejected = (Described) disposition.field(4);
            assertThat(((Described) rejected.fields().get(0)).fields().get(0))
                    .isEqualTo(symbol("amqp:link:message-size-exceeded"));
            peer.message(0, 0, 1, RawPeer.message(new byte[10]));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x24);
            assertThat(queue.activeCount()).isEqualTo(1);
        }
    }

    @Test
    void aShutSessionWindowHoldsTransfersBackAndEveryLinkGoesOnAfterwards() throws Exception {
        fill(4);
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            peer.begin(0, 1);
            peer.send(0, RawPeer.receiver("a", 0, "q"));
            peer.send(0, RawPeer.receiver("b", 1, "q"));
            peer.next(ATTACH);
            peer.next(ATTACH);
            window(peer, 0, 0, 1, 0L);
            window(peer, 0, 0, 1, 1L);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
            window(peer, 1, 0, 10, null);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
        }
    }

    @Test
    @DisplayName("PREF-5: a closed link gives back, uncounted, what was locked for it and never sent")
    void closingALinkReleasesWhatWasNotSent() throws Exception {
        fill(4);
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            peer.begin(0, 1);
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.send(
                    0,
                    new Flow()
                            .setNextIncomingId(0)
                            .setIncomingWindow(1)
                            .setNextOutgoingId(1)
                            .setOutgoingWindow(100)
                            .setHandle(0)
                            .setDeliveryCount(0)
                            .setLinkCredit(4));
            peer.next(TRANSFER);
            until(() -> queue.lockedCount() == 4);
            peer.send(0, new Detach().setHandle(0).setClosed(true));
            peer.next(DETACH);
            until(() -> queue.activeCount() == 3);
            assertThat(queue.lockedCount()).as("what was sent stays locked").isEqualTo(1);
            assertThat(queue.commandsOf(Command.AbandonMessages.class)).isEmpty();
        }
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("RECV-11: a receiver on a topic or subscription that does not exist is refused, its sub-queue too")
    void missingSubscriptionsAreRefused() throws Exception {
        try (RawPeer peer = authorized()) {
            int handle = 0;
            for (String path : List.of(
                    "t", "t/Subscriptions/s", "q/Subscriptions/s", "t/subscriptions/s/$DeadLetterQueue", "q/other")) {
                peer.send(0, RawPeer.receiver("r" + handle, handle, path));
                assertThat(peer.next(ATTACH).field(5)).as(path).isNull();
                condition(peer.next(DETACH), 2, "amqp:not-found");
                peer.send(0, new Detach().setHandle(handle).setClosed(true));
                handle++;
            }
            peer.send(0, RawPeer.receiver("fine", handle, "q"));
            assertThat(peer.next(ATTACH).field(5)).isNotNull();
        }
    }

    private static void window(RawPeer peer, int nextIncomingId, int deliveryCount, int window, Long handle)
            throws IOException {
        Flow flow = new Flow()
                .setNextIncomingId(nextIncomingId)
                .setIncomingWindow(window)
                .setNextOutgoingId(1)
                .setOutgoingWindow(100);
        if (handle != null) {
            flow.setHandle(handle).setDeliveryCount(deliveryCount).setLinkCredit(1);
        }
        peer.send(0, flow);
    }

    @Test
    void deletingAnEntityDetachesItsReceivers_wire86() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            queue.closeReceivers(dev.jitney.model.Rejection.of(dev.jitney.model.ErrorCode.ENTITY_NOT_FOUND));
            condition(peer.next(DETACH), 2, "amqp:link:detach-forced");
        }
    }

    @Test
    void shutdownTellsTheClient() throws Exception {
        try (RawPeer peer = authorized()) {
            gateway.close();
            condition(peer.next(CLOSE), 0, "amqp:connection:forced");
            assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
        }
    }

    @Test
    void beginAnswersAreFullLengthOnSparseChannels_wire6() throws Exception {
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            Frame begin = peer.begin(42);
            assertThat(begin.code()).isEqualTo(BEGIN);
            assertThat(begin.field(0)).isEqualTo(42L);
        }
    }
}
