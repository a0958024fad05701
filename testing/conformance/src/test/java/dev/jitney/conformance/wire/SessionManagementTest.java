package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.longs;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.uint;
import static dev.jitney.testing.amqp.Wire.uuids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of requests about sessions to the management node (checklist 63, 64 and 69 to 78). */
class SessionManagementTest extends RawSessionTest {
    private static final Instant END_OF_TIME = Instant.ofEpochMilli(253_402_300_799_999L);

    @Test
    @DisplayName("Wire 77: peek, deferred receive and settlement find the session through the associated link")
    void theLinkNamesTheSession() {
        sendTo("s", "m");
        sendTo("other", "o");
        RawLink holder = accept("s");
        RawDelivery delivery = holder.receiveOne();
        holder.settle(delivery, RawLink.modified(null, true, null));
        long number = delivery.message().sequenceNumber();
        try (RawRequests management = management()) {
            Node peeked = ask(
                            management,
                            "peek-message",
                            holder.name(),
                            map("from-sequence-number", 0L, "message-count", 10))
                    .value();
            assertThat(peeked.get("messages").size()).isEqualTo(1);
            Map<Object, Object> byNumber = map("sequence-numbers", longs(number), "receiver-settle-mode", uint(1));
            assertRefused(management.call("com.microsoft:receive-by-sequence-number", byNumber), 410, LOST);
            assertRefused(ask(management, "receive-by-sequence-number", "no link", byNumber), 410, LOST);
            Node received = ask(management, "receive-by-sequence-number", holder.name(), byNumber)
                    .value();
            UUID token = received.get("messages").at(0).get("lock-token").uuid();
            RawMessage settled = ask(
                    management,
                    "update-disposition",
                    holder.name(),
                    map("disposition-status", "completed", "lock-tokens", uuids(token)));
            assertThat(settled.applicationProperty("statusCode").number()).isEqualTo(200);
        }
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    private static RawMessage ask(RawRequests management, String operation, String linkName, Map<?, ?> body) {
        return management.send(map("operation", "com.microsoft:" + operation, "associated-link-name", linkName), body);
    }

    @Test
    @DisplayName("SESS-14: a deferred message is received by number within its session only")
    void deferredMessages() {
        sendTo("s", "m1", "m2", "m3");
        RawLink holder = accept("s");
        RawLink other = accept("other");
        RawDelivery first = holder.receiveOne();
        holder.settle(first, RawLink.modified(null, true, null));
        assertThat(text(holder.receiveOne())).as("the next message").isEqualTo("m2");
        Map<Object, Object> request = Sessions.request(
                "other", "sequence-numbers", longs(first.message().sequenceNumber()), "receiver-settle-mode", uint(1));
        try (RawRequests management = management()) {
            assertRefused(
                    management.call("com.microsoft:receive-by-sequence-number", request),
                    404,
                    "com.microsoft:message-not-found");
            request.put("session-id", "s");
            Node received = management
                    .call("com.microsoft:receive-by-sequence-number", request, 200)
                    .get("messages");
            RawMessage message = RawMessage.parse(received.at(0).get("message").bytes());
            assertThat(message.dataText()).isEqualTo("m1");
            assertThat(message.deliveryCount()).as("DEFER-6").isEqualTo(1);
            other.detach(true);
            request.put("session-id", "other");
            assertRefused(management.call("com.microsoft:receive-by-sequence-number", request), 410, LOST);
        }
    }

    @Test
    @DisplayName(
            "Wire 64, SESS-15, SESS-16: state is null, bytes, empty and null again; it survives the end of messages and a restart")
    void sessionState() {
        String state = "session-state";
        accept("s");
        try (RawRequests management = management()) {
            Node fresh = management.call("com.microsoft:get-session-state", Sessions.request("s"), 200);
            assertThat(fresh.map()).containsKey(state);
            assertThat(fresh.get(state).isNull()).isTrue();
            for (byte[] value : new byte[][] {{1, 2, 3}, {}, new byte[200_000]}) {
                management.call("com.microsoft:set-session-state", Sessions.request("s", state, value), 200);
                assertThat(management
                                .call("com.microsoft:get-session-state", Sessions.request("s"), 200)
                                .get(state)
                                .bytes())
                        .isEqualTo(value);
            }
            assertRefused(
                    management.call("com.microsoft:set-session-state", Sessions.request("s", state, new byte[300_000])),
                    403,
                    "amqp:link:message-size-exceeded");
            management.call("com.microsoft:set-session-state", Sessions.request("s", state, new byte[] {7}), 200);
        }
        peer.close();
        broker.restart();
        peer = keep(newPeer());
        session = peer.begin();
        accept("s");
        try (RawRequests management = management()) {
            assertThat(management
                            .call("com.microsoft:get-session-state", Sessions.request("s"), 200)
                            .get(state)
                            .bytes())
                    .containsExactly(7);
            management.call("com.microsoft:set-session-state", Sessions.request("s", state, null), 200);
            assertThat(management
                            .call("com.microsoft:get-session-state", Sessions.request("s"), 200)
                            .get(state)
                            .isNull())
                    .isTrue();
        }
    }

    @Test
    @DisplayName("SESS-10, 7.7: a client that does not hold the session, or has lost it, gets a lock lost error")
    void onlyTheHolderManages() {
        sendTo("s", "m");
        RawLink holder = accept("s");
        RawDelivery delivery = holder.receiveOne();
        RawSession stranger = keep(newPeer()).begin();
        try (RawRequests own = management();
                RawRequests foreign = RawRequests.open(stranger, queue + "/$management")) {
            for (String operation : List.of("renew-session-lock", "set-session-state")) {
                assertRefused(foreign.call("com.microsoft:" + operation, Sessions.request("s")), 410, LOST);
            }
            broker.advance(Duration.ofSeconds(31));
            assertThat(holder.awaitDetachCondition()).isEqualTo(LOST);
            foreign.call("com.microsoft:get-session-state", Sessions.request("s"), 200); // SESS-15
            for (String operation : List.of("renew-session-lock", "set-session-state")) {
                assertRefused(own.call("com.microsoft:" + operation, Sessions.request("s")), 410, LOST);
            }
            assertRefused(
                    own.call(
                            "com.microsoft:update-disposition",
                            Sessions.request(
                                    "s",
                                    "disposition-status",
                                    "completed",
                                    "lock-tokens",
                                    uuids(delivery.lockToken()))),
                    410,
                    LOST);
        }
    }

    @Test
    @DisplayName("STATE-8: a second settlement gets a message lock lost error while the session is held")
    void secondSettlement() {
        sendTo("s", "m");
        RawLink holder = accept("s");
        RawDelivery delivery = holder.receiveOne();
        holder.settle(delivery, RawLink.ACCEPTED);
        try (RawRequests management = management()) {
            assertRefused(
                    management.call(
                            "com.microsoft:update-disposition",
                            Sessions.request(
                                    "s",
                                    "disposition-status",
                                    "completed",
                                    "lock-tokens",
                                    uuids(delivery.lockToken()))),
                    410,
                    "com.microsoft:message-lock-lost");
        }
    }

    @Test
    @DisplayName("Wire 63, SESS-17: sessions with active messages are listed in pages, the last page is empty")
    void listsSessions() {
        for (int i = 0; i < 25; i++) {
            sendTo("s%02d".formatted(i), "m");
        }
        RawLink holder = accept("s24");
        holder.settle(holder.receiveOne(), RawLink.modified(null, true, null)); // only a deferred message remains
        try (RawRequests management = management()) {
            List<String> found = new ArrayList<>();
            long skip = 0;
            while (true) {
                RawMessage answer = list(management, END_OF_TIME, skip, 10);
                if (answer.applicationProperty("statusCode").number() == 204) {
                    break;
                }
                Node ids = answer.value().get("sessions-ids");
                assertThat(ids.isArray()).isTrue();
                assertThat(answer.value().get("skip").isInt()).isTrue();
                assertThat(ids.size()).isLessThanOrEqualTo(10);
                ids.items().forEach(id -> found.add(id.text()));
                assertThat(answer.value().get("skip").number()).isGreaterThan(skip);
                skip = answer.value().get("skip").number();
            }
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 24).mapToObj("s%02d"::formatted).toList());
        }
    }

    @Test
    @DisplayName("SESS-18: a session without messages and state does not exist any more")
    void sessionsEnd() {
        sendTo("s", "m");
        RawLink holder = accept("s");
        try (RawRequests management = management()) {
            management.call(
                    "com.microsoft:set-session-state", Sessions.request("s", "session-state", new byte[1]), 200);
            holder.settle(holder.receiveOne(), RawLink.ACCEPTED);
            assertThat(status(list(management, END_OF_TIME, 0, 10))).isEqualTo(204);
            assertThat(status(list(management, Instant.EPOCH, 0, 10)))
                    .as("its state")
                    .isEqualTo(200);
            management.call("com.microsoft:set-session-state", Sessions.request("s", "session-state", null), 200);
            assertThat(status(list(management, Instant.EPOCH, 0, 10))).isEqualTo(204);
        }
        holder.detach(true);
        assertThat(refusal(session.attach(Sessions.next(queue, 0)))).isEqualTo("com.microsoft:timeout");
    }

    private static long status(RawMessage answer) {
        return answer.applicationProperty("statusCode").number();
    }

    @Test
    @DisplayName("Wire 63, SESS-17: with a time, the sessions whose state was set after it are listed")
    void listsSessionsByState() {
        accept("old");
        accept("new");
        try (RawRequests management = management()) {
            management.call(
                    "com.microsoft:set-session-state", Sessions.request("old", "session-state", new byte[1]), 200);
            broker.advance(Duration.ofSeconds(10));
            Instant between = broker.now();
            broker.advance(Duration.ofSeconds(10));
            management.call(
                    "com.microsoft:set-session-state", Sessions.request("new", "session-state", new byte[1]), 200);
            Node after = list(management, between, 0, 10).value().get("sessions-ids");
            assertThat(after.items()).extracting(Node::text).containsExactly("new");
            Node all = list(management, Instant.EPOCH, 0, 10).value().get("sessions-ids");
            assertThat(all.items()).extracting(Node::text).containsExactly("new", "old");
        }
    }

    private static RawMessage list(RawRequests management, Instant changedAfter, long skip, int top) {
        return management.call(
                "com.microsoft:get-message-sessions",
                map("last-updated-time", changedAfter, "skip", (int) skip, "top", top));
    }
}
