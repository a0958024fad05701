package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.SessionHold;
import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.InMemoryEntity;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.End;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Links that hold a session or wait for one (wire reference 7), with an entity that the test controls. */
class SessionLinksTest extends AmqpWireScenario {
    private static final int REJECTED = 0x25;
    private static final Symbol FILTER = Symbol.valueOf("com.microsoft:session-filter");
    private static final UnsignedLong GO_DESCRIPTOR = UnsignedLong.valueOf(0x137000000CL);
    private static final AmqpValues.Symbol SHOWN_FILTER = new AmqpValues.Symbol("com.microsoft:session-filter");
    private static final AmqpValues.Symbol LOCKED_UNTIL = new AmqpValues.Symbol("com.microsoft:locked-until-utc");

    private InMemoryEntity plain;

    /** Adds a queue with sessions, in addition to the plain queue of every scenario. */
    @BeforeEach
    void addQueueWithSessions() {
        plain = queue;
        queue = broker.first.add(
                QueueDescription.named("s").requiresSession(true).build(), 1 << 20);
    }

    private static Attach session(String name, long handle, String address, Object filter) {
        Map<Symbol, Object> filters = new LinkedHashMap<>();
        filters.put(FILTER, filter);
        Attach attach = RawPeer.receiver(name, handle, address);
        ((Source) attach.getSource()).setFilter(filters);
        return attach;
    }

    private static Attach waiting(String name, long handle, Object timeout) {
        return session(name, handle, "s", null)
                .setProperties(new HashMap<>(Map.of(Symbol.valueOf("com.microsoft:timeout"), timeout)));
    }

    private static Object grantedFilter(Frame attach) {
        return ((Map<?, ?>) ((Described) attach.field(5)).fields().get(7)).get(SHOWN_FILTER);
    }

    private static Object property(Frame attach, AmqpValues.Symbol name) {
        return ((Map<?, ?>) attach.field(13)).get(name);
    }

    private static String condition(Frame detach) {
        return ((AmqpValues.Symbol) ((Described) detach.field(2)).fields().get(0)).text();
    }

    private static String description(Frame detach) {
        return (String) ((Described) detach.field(2)).fields().get(1);
    }

    /** Reads a refusal, which is an attach without source and then a detach; returns the detach. */
    private static Frame refusal(RawPeer peer) throws IOException {
        assertThat(peer.next(ATTACH).field(5)).isNull();
        Frame detach = peer.frame();
        assertThat(detach.code()).isEqualTo(DETACH);
        assertThat(detach.field(1)).isEqualTo(true);
        return detach;
    }

    @Test
    @DisplayName("The filter comes back in its form, the end of the lock as ticks, the other fields unchanged"
            + " (wire 69, 70, 25)")
    void answersInTheShapeAsked() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, session("a", 0, "/S", "one"));
            Frame bare = peer.next(ATTACH);
            assertThat(grantedFilter(bare)).isEqualTo("one");
            assertThat(((Described) bare.field(5)).fields().get(0)).isEqualTo("/S");
            assertThat(property(bare, LOCKED_UNTIL))
                    .isEqualTo(621_355_968_000_000_000L + InMemoryEntity.SESSION_LOCKED_UNTIL_MS * 10_000);

            Attach described = session("b", 1, "s", new UnknownDescribedType(GO_DESCRIPTOR, "two"));
            peer.send(0, described.setProperties(new HashMap<>(Map.of(Symbol.valueOf("kept"), "yes"))));
            Frame answer = peer.next(ATTACH);
            assertThat(((Described) grantedFilter(answer)).code()).isEqualTo(0x137000000CL);
            assertThat(((Described) grantedFilter(answer)).value()).isEqualTo("two");
            assertThat(property(answer, new AmqpValues.Symbol("kept"))).isEqualTo("yes");

            peer.send(0, session("c", 2, "s", ""));
            assertThat(grantedFilter(peer.next(ATTACH))).isEqualTo("");
            assertThat(queue.commandsOf(Command.AcceptSession.class))
                    .extracting(Command.AcceptSession::sessionId)
                    .containsExactly("one", "two", "");
        }
    }

    @Test
    @DisplayName("A link that requests any session waits for its answer without delaying others (wire 71)")
    void waitsForTheNextSession() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, waiting("next", 0, UnsignedInteger.valueOf(59_000)));
            peer.send(0, session("described", 1, "s", new UnknownDescribedType(GO_DESCRIPTOR, null)));
            peer.send(0, RawPeer.sender("other", 2, "s"));
            assertThat(peer.next(ATTACH).field(0)).isEqualTo("other");
            assertThat(queue.commandsOf(Command.AcceptSession.class))
                    .extracting(Command.AcceptSession::waitMs)
                    .containsExactly(59_000L, 65_000L);
            queue.offerSession("first");
            queue.offerSession("second");
            Frame first = peer.next(ATTACH);
            assertThat(first.field(0)).isEqualTo("next");
            assertThat(grantedFilter(first)).isEqualTo("first");
            assertThat(((Described) grantedFilter(peer.next(ATTACH))).value()).isEqualTo("second");
        }
    }

    @Test
    @DisplayName("Refusals name the time that was waited, and the session (wire 71, 73)")
    void refusesWithTheTextsOfTheCloud() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, waiting("short", 0, UnsignedInteger.valueOf(2_020)));
            await(() -> queue.waitingCount() == 1);
            queue.endWaits();
            Frame late = refusal(peer);
            assertThat(condition(late)).isEqualTo("com.microsoft:timeout");
            assertThat(description(late))
                    .contains("did not complete within the allotted timeout of 00:00:02.020")
                    .contains("TrackingId:");
            peer.send(0, session("holder", 1, "s", "mine"));
            peer.next(ATTACH);
            peer.send(0, session("second", 2, "s", "mine"));
            Frame taken = refusal(peer);
            assertThat(condition(taken)).isEqualTo("com.microsoft:session-cannot-be-locked");
            assertThat(description(taken))
                    .startsWith(
                            "The requested session 'mine' cannot be accepted. It may be locked by another receiver.");
        }
    }

    @Test
    @DisplayName("A detach during the wait is answered and cancels the wait; the handle can be used again (wire 72)")
    void detachDuringTheWait() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, waiting("next", 5, UnsignedInteger.valueOf(59_000)));
            await(() -> queue.waitingCount() == 1);
            peer.send(0, new Detach().setHandle(5).setClosed(true));
            assertThat(refusal(peer).field(2)).as("error").isNull();
            await(() -> queue.waitingCount() == 0);
            peer.send(0, waiting("next", 5, UnsignedInteger.valueOf(59_000)));
            await(() -> queue.waitingCount() == 1);
            queue.offerSession("late");
            assertThat(grantedFilter(peer.next(ATTACH))).isEqualTo("late");
        }
    }

    @Test
    @DisplayName("A session that is granted while the client detaches is released (wire 72)")
    void detachCrossesTheGrant() throws Exception {
        try (RawPeer peer = authorized()) {
            for (int i = 0; i < 50; i++) {
                peer.send(0, waiting("next", 5, UnsignedInteger.valueOf(59_000)));
                await(() -> queue.waitingCount() == 1);
                peer.send(0, new Detach().setHandle(5).setClosed(true));
                synchronized (queue) {
                    if (queue.waitingCount() == 1) {
                        queue.offerSession("s" + i);
                    }
                }
                peer.next(ATTACH);
                peer.next(DETACH);
                await(() -> queue.receiverCount() == 0);
            }
        }
    }

    @Test
    @DisplayName("An end or a lost connection during the wait cancels the wait (wire 72)")
    void endDuringTheWait() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.begin(1);
            peer.send(1, waiting("next", 5, UnsignedInteger.valueOf(59_000)));
            await(() -> queue.waitingCount() == 1);
            peer.send(1, new End());
            peer.next(0x17);
            await(() -> queue.waitingCount() == 0);
            peer.send(0, waiting("next", 5, UnsignedInteger.valueOf(59_000)));
            await(() -> queue.waitingCount() == 1);
        }
        await(() -> queue.waitingCount() == 0);
    }

    @Test
    @DisplayName("Combinations that do not exist are not allowed (wire 75, DLQ-28)")
    void refusesInvalidCombinations() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("plain on sessions", 0, "s"));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:not-allowed");
            peer.send(0, session("session on plain", 1, "q", "x"));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:not-allowed");
            peer.send(0, session("session on a sub-queue", 2, "s/$DeadLetterQueue", null));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:not-allowed");
            peer.send(0, RawPeer.receiver("plain on a sub-queue", 3, "s/$DeadLetterQueue"));
            assertThat(peer.next(ATTACH).field(5)).isNotNull();
            assertThat(plain.commandsOf(Command.AcceptSession.class)).isEmpty();
            assertThat(queue.commandsOf(Command.AcceptSession.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("Filters and timeouts of a wrong type are refused (wire 3.8)")
    void refusesMalformedRequests() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, session("number", 0, "s", 7));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:invalid-field");
            peer.send(0, session("described number", 1, "s", new UnknownDescribedType(GO_DESCRIPTOR, 7)));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:invalid-field");
            peer.send(0, waiting("text", 2, "soon"));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:invalid-field");
            peer.send(0, waiting("negative", 3, -1));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:invalid-field");
            assertThat(queue.commandsOf(Command.AcceptSession.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("The end of the link frees the session, however it ends; the receive mode is passed on (SESS-12,"
            + " SESS-24)")
    void theEndOfTheLinkFreesTheSession() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(
                    0,
                    session("a", 0, "s", "one")
                            .setSenderSettleMode(org.apache.qpid.protonj2.types.transport.SenderSettleMode.SETTLED));
            peer.next(ATTACH);
            assertThat(queue.commandsOf(Command.AcceptSession.class).get(0).mode())
                    .isEqualTo(ReceiveMode.RECEIVE_AND_DELETE);
            peer.send(0, new Detach().setHandle(0).setClosed(true));
            peer.next(DETACH);
            await(() -> queue.receiverCount() == 0);
            peer.send(0, session("b", 1, "s", "one"));
            assertThat(peer.next(ATTACH).field(5)).isNotNull();
        }
        await(() -> queue.receiverCount() == 0);
    }

    @Test
    @DisplayName("A lost lock closes the link, and outcomes in transit are refused with the reason (wire 74, SESS-10)")
    void theLostLockClosesTheLink() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, session("a", 0, "s", "one"));
            peer.next(ATTACH);
            peer.send(0, RawPeer.sender("sender", 1, "s"));
            peer.next(FLOW);
            peer.message(0, 1, 0, RawPeer.message(new byte[] {1}));
            peer.message(0, 1, 1, RawPeer.message(new byte[] {2}));
            peer.flow(0, 0, 0, 2, false, false);
            peer.next(TRANSFER);
            peer.next(TRANSFER);
            queue.closeReceivers(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
            Frame detach = peer.next(DETACH);
            assertThat(condition(detach)).isEqualTo("com.microsoft:session-lock-lost");
            assertThat(description(detach)).startsWith("The session lock has expired on the MessageSession.");

            peer.settle(0, 0, 0, false, Accepted.getInstance());
            Frame answer = peer.next(DISPOSITION);
            Described outcome = (Described) answer.field(4);
            assertThat(outcome.code()).isEqualTo(REJECTED);
            assertThat(((AmqpValues.Symbol) ((Described) outcome.fields().get(0))
                                    .fields()
                                    .get(0))
                            .text())
                    .isEqualTo("com.microsoft:session-lock-lost");
            assertThat(queue.commandsOf(Command.CompleteMessages.class)).isEmpty();

            // Once the client has detached, there is no link to answer on.
            peer.send(0, new Detach().setHandle(0).setClosed(true));
            peer.settle(0, 1, 1, false, Accepted.getInstance());
            peer.send(0, session("b", 2, "s", "one"));
            assertThat(peer.frame().code()).isEqualTo(ATTACH);
        }
    }

    @Test
    @DisplayName("A request finds the session by its id or by the link, on this connection only (wire 77, 7.7)")
    void managesTheSessionOfItsConnection() throws Exception {
        try (RawPeer peer = authorized();
                RawPeer other = authorized()) {
            peer.send(0, session("my link", 0, "s", "one"));
            peer.next(ATTACH);
            openManagement(peer);
            openManagement(other);
            SessionHold hold = new SessionHold(
                    queue.commandsOf(Command.AcceptSession.class).get(0).receiverId(), "one");

            assertThat(status(request(peer, 0, Map.of("session-id", "one"), null)))
                    .isEqualTo(200L);
            assertThat(status(request(peer, 1, Map.of(), "my link"))).isEqualTo(200L);
            assertThat(queue.commandsOf(Command.RenewSessionLock.class))
                    .containsExactly(new Command.RenewSessionLock(hold), new Command.RenewSessionLock(hold));
            assertThat(status(request(peer, 2, Map.of("session-id", "two"), null)))
                    .isEqualTo(410L);
            assertThat(status(request(peer, 3, Map.of(), "another link"))).isEqualTo(410L);
            assertThat(status(request(other, 0, Map.of("session-id", "one"), "my link")))
                    .isEqualTo(410L);

            queue.closeReceivers(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
            peer.next(DETACH);
            assertThat(status(request(peer, 4, Map.of("session-id", "one"), null)))
                    .isEqualTo(410L);
            assertThat(queue.commandsOf(Command.RenewSessionLock.class)).hasSize(2);
        }
    }

    @Test
    @DisplayName("A session is browsed without a lock, and nothing is delivered (wire 3.3)")
    void browsesWithoutALock() throws Exception {
        try (RawPeer peer = authorized()) {
            Map<Symbol, Object> properties = new HashMap<>(Map.of(Symbol.valueOf("com.microsoft:peek-mode"), true));
            peer.send(0, session("browser", 0, "s", "one").setProperties(properties));
            assertThat(grantedFilter(peer.next(ATTACH))).isEqualTo("one");
            peer.flow(0, 0, 0, 5, true, false);
            assertThat(peer.next(FLOW).field(6)).isEqualTo(0L);
            peer.send(0, session("any", 1, "s", null).setProperties(properties));
            assertThat(condition(refusal(peer))).isEqualTo("amqp:not-allowed");
            assertThat(queue.commandsOf(Command.AcceptSession.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("A wait ends with the token that permits it (wire 2.5, 7.3)")
    void theWaitEndsWithTheToken() throws Exception {
        try (RawPeer peer = new RawPeer(gateway.plainPort()).anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 0, "$cbs"));
            peer.send(0, RawPeer.receiver("r", 1, "$cbs").setTarget(new Target().setAddress("me")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            peer.flow(0, 1, 0, 10, false, false);
            String token = dev.jitney.runtime.security.SharedAccessSignature.create(
                    "sb://first/s", "RootManageSharedAccessKey", InMemoryBroker.KEY, broker.nowMs.get() / 1000 + 10);
            peer.message(0, 0, 0, RawPeer.putToken("id", "me", "sb://first/s", token));
            peer.next(TRANSFER);
            peer.send(0, waiting("next", 5, UnsignedInteger.valueOf(59_000)));
            await(() -> queue.waitingCount() == 1);
            broker.nowMs.addAndGet(11_000);
            assertThat(condition(refusal(peer))).isEqualTo("amqp:link:detach-forced");
            await(() -> queue.waitingCount() == 0);
        }
    }

    @Test
    @DisplayName("Waiting links count like others, and one above the limit is refused at once (wire 1.6)")
    void waitsAreBounded() throws Exception {
        stop();
        gateway = new AmqpGateway(
                broker,
                AmqpGatewayOptions.plain("127.0.0.1", 0)
                        .withEventLoops(1)
                        .withLimits(new ConnectionLimits(65_536, 0, 20_000, 100_000, 10, 10, 200_000, 1 << 20, 100)));
        gateway.start();
        try (RawPeer peer = authorized()) {
            for (int i = 0; i < 10; i++) {
                peer.send(0, waiting("w" + i, i, UnsignedInteger.valueOf(0xffff_ffff)));
            }
            peer.begin(1);
            peer.send(1, waiting("w10", 0, UnsignedInteger.valueOf(1)));
            Frame refused = peer.next(ATTACH);
            assertThat(refused.field(0)).isEqualTo("w10");
            assertThat(condition(peer.next(DETACH))).isEqualTo("amqp:resource-limit-exceeded");
            assertThat(queue.waitingCount()).isEqualTo(10);
            assertThat(queue.commandsOf(Command.AcceptSession.class).get(0).waitMs())
                    .isEqualTo(0xffff_ffffL);
        }
        await(() -> queue.waitingCount() == 0);
    }

    private static void openManagement(RawPeer peer) throws IOException {
        peer.send(0, RawPeer.sender("requests", 10, "s/$management"));
        peer.send(0, RawPeer.receiver("responses", 11, "s/$management").setTarget(new Target().setAddress("me")));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(0, 11, 0, 100, false, false);
    }

    private static Frame request(RawPeer peer, int deliveryId, Map<String, Object> arguments, String linkName)
            throws IOException {
        Map<String, Object> application = new HashMap<>(Map.of("operation", "com.microsoft:renew-session-lock"));
        if (linkName != null) {
            application.put("associated-link-name", linkName);
        }
        Properties properties = new Properties();
        properties.setMessageId("id");
        properties.setReplyTo("me");
        peer.message(
                0,
                10,
                deliveryId,
                RawPeer.encode(properties, new ApplicationProperties(application), new AmqpValue<>(arguments)));
        return peer.next(TRANSFER);
    }

    private static Object status(Frame response) {
        List<Described> sections = RawPeer.sections(response.payload());
        return ((Map<?, ?>) sections.get(2).value()).get("statusCode");
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
