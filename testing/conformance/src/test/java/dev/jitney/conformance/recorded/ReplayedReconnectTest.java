package dev.jitney.conformance.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.Sessions;
import dev.jitney.testing.amqp.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with the AMQP requests of the clients in .NET and Go after a lost connection, with and without a restart of the
 * server. The client opens a new connection, puts its tokens and attaches its links again, and settles its locks over
 * management (wire reference 1.4, 2.1, 3.2, 3.3, 5.3, 6.1, 7.1).
 */
class ReplayedReconnectTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.frozen();

    private final List<ReplayedClient> connections = new ArrayList<>();

    static Stream<ReplayedClient.Library> clients() {
        return Stream.of(ReplayedClient.Library.values());
    }

    private ReplayedClient connect(ReplayedClient.Library library, String containerId) {
        ReplayedClient client = new ReplayedClient(library, broker, containerId);
        connections.add(client);
        return client;
    }

    @AfterEach
    void close() {
        connections.forEach(ReplayedClient::drop);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    @DisplayName("Wire 88, LOCK-9, LOCK-11: links have the same names, and locked messages are settled over management")
    void settlesOverManagement(ReplayedClient.Library library) {
        String queue = broker.queue();
        ReplayedClient before = connect(library, "container");
        RawLink sender = before.sender(queue, "sender-1");
        sender.sendAccepted(PartitionedRun.inOrder("1", "one"));
        sender.sendAccepted(PartitionedRun.inOrder("2", "two"));
        sender.sendAccepted(PartitionedRun.inOrder("3", "three"));
        RawLink receiver = before.receiver(queue, "receiver-1");
        receiver.credit(3);
        RawDelivery completed = receiver.receive();
        RawDelivery abandoned = receiver.receive();
        RawDelivery deadLettered = receiver.receive();
        before.drop();

        ReplayedClient after = connect(library, "container");
        RawLink again = after.receiver(queue, "receiver-1");
        again.credit(1);
        RawRequests management = after.management(queue);
        renew(management, library, again, completed.lockToken());
        settle(management, library, again, "completed", completed.lockToken());
        settle(management, library, again, "abandoned", abandoned.lockToken());
        settle(management, library, again, "suspended", deadLettered.lockToken());

        RawDelivery redelivered = again.receive();
        assertThat(redelivered.message().dataText()).isEqualTo("two");
        assertThat(redelivered.message().deliveryCount()).isEqualTo(1);
        assertThat(again.settle(redelivered, RawLink.ACCEPTED).descriptorCode()).isEqualTo(Code.ACCEPTED);
        after.sender(queue, "sender-1").sendAccepted(PartitionedRun.inOrder("4", "four"));
        assertThat(again.receiveOne().message().dataText()).isEqualTo("four");
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    @DisplayName(
            "Wire 35, Wire 88: the links are attached again before the server has detected the loss of the old connection")
    void besideTheOldConnection(ReplayedClient.Library library) {
        String queue = broker.queue();
        ReplayedClient before = connect(library, "container");
        before.receiver(queue, "receiver-1");
        RawRequests oldManagement = before.management(queue);

        ReplayedClient after = connect(library, "container");
        after.sender(queue, "sender-1").sendAccepted(PartitionedRun.inOrder("1", "one"));
        RawLink again = after.receiver(queue, "receiver-1");
        RawDelivery delivery = again.receiveOne();
        RawRequests management = after.management(queue);
        renew(management, library, again, delivery.lockToken());
        // The reply goes to the connection of the request, whatever the names of the links are (wire 68).
        oldManagement.call("com.microsoft:peek-message", peek(), 200);
        before.drop();
        settle(management, library, again, "completed", delivery.lockToken());
        assertThat(broker.counts(queue).total()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    @DisplayName(
            "SESS-12, Wire 88: the held session is requested again by its id and granted, without a delivery count")
    void asksForItsSessionAgain(ReplayedClient.Library library) {
        String queue = broker.queue(q -> q.requiresSession(true));
        ReplayedClient before = connect(library, "container");
        before.sender(queue, "sender-1").sendAccepted(Sessions.message("a", "one"));
        RawLink held = before.session(queue, "a");
        RawDelivery delivery = held.receiveOne();
        before.management(queue)
                .call(
                        "com.microsoft:set-session-state",
                        Sessions.request("a", "session-state", new byte[] {1, 2, 3}),
                        200);
        before.drop();

        ReplayedClient after = connect(library, "container");
        Await.until("the release of the session", () -> broker.receivers(queue) == 0);
        RawLink again = after.session(queue, "a");
        assertThat(after.grantedSession(again)).isEqualTo("a");
        RawDelivery redelivered = again.receiveOne();
        assertThat(redelivered.message().sequenceNumber())
                .isEqualTo(delivery.message().sequenceNumber());
        assertThat(redelivered.message().deliveryCount()).isZero();
        RawRequests management = after.management(queue);
        Node state = management.call("com.microsoft:get-session-state", Sessions.request("a"), 200);
        assertThat(state.get("session-state").bytes()).containsExactly(1, 2, 3);
        management.call("com.microsoft:renew-session-lock", Sessions.request("a"), 200);
        // The old lock has ended with its connection.
        refused(management, library, again, delivery.lockToken());
        settle(management, library, again, "completed", redelivered.lockToken());
        assertThat(broker.counts(queue).total()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    @DisplayName("LOCK-7, Wire 51: a lock that ended while the client was disconnected is reported as lost")
    void lockEndedMeanwhile(ReplayedClient.Library library) {
        String queue = broker.queue();
        ReplayedClient before = connect(library, "container");
        before.sender(queue, "sender-1").sendAccepted(PartitionedRun.inOrder("1", "one"));
        RawDelivery delivery = before.receiver(queue, "receiver-1").receiveOne();
        before.drop();
        broker.advance(Duration.ofSeconds(61));

        ReplayedClient after = connect(library, "container");
        RawLink again = after.receiver(queue, "receiver-1");
        refused(after.management(queue), library, again, delivery.lockToken());
        RawDelivery redelivered = again.receiveOne();
        assertThat(redelivered.message().deliveryCount()).isEqualTo(1);
        assertThat(redelivered.lockToken()).isNotEqualTo(delivery.lockToken());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    @DisplayName(
            "Wire 88, STATE-4: after a restart of the server all links are attached again, also with a new container id")
    void restart(ReplayedClient.Library library) {
        String queue = broker.queue();
        ReplayedClient before = connect(library, "container");
        before.sender(queue, "sender-1").sendAccepted(PartitionedRun.inOrder("1", "one"));
        before.receiver(queue, "receiver-1").receiveOne();
        before.management(queue);
        broker.restart();

        ReplayedClient after = connect(library, "container-" + UUID.randomUUID());
        after.sender(queue, "sender-1").sendAccepted(PartitionedRun.inOrder("2", "two"));
        RawLink again = after.receiver(queue, "receiver-1");
        again.credit(2);
        List<String> texts = List.of(
                again.receive().message().dataText(), again.receive().message().dataText());
        assertThat(texts).containsExactlyInAnyOrder("one", "two");
        after.management(queue).call("com.microsoft:peek-message", peek(), 200);
    }

    private static Map<?, ?> peek() {
        return Wire.map("from-sequence-number", 0L, "message-count", 1);
    }

    private static void renew(RawRequests management, ReplayedClient.Library library, RawLink link, UUID token) {
        RawMessage answer = management.send(
                library.properties("com.microsoft:renew-lock", link), Wire.map("lock-tokens", Wire.uuids(token)));
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(200);
        assertThat(answer.value().get("expirations").isArray()).isTrue();
    }

    private static void settle(
            RawRequests management, ReplayedClient.Library library, RawLink link, String status, UUID token) {
        RawMessage answer = disposition(management, library, link, status, token);
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(200);
    }

    private static void refused(RawRequests management, ReplayedClient.Library library, RawLink link, UUID token) {
        RawMessage answer = disposition(management, library, link, "completed", token);
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(410);
        assertThat(answer.applicationProperty("errorCondition").text())
                .isIn("com.microsoft:message-lock-lost", "com.microsoft:session-lock-lost");
    }

    private static RawMessage disposition(
            RawRequests management, ReplayedClient.Library library, RawLink link, String status, UUID token) {
        Map<Object, Object> body = new LinkedHashMap<>();
        body.put("disposition-status", status);
        body.put("lock-tokens", Wire.uuids(token));
        if (status.equals("suspended")) {
            body.put("deadletter-reason", "Invalid");
            body.put("deadletter-description", "No price.");
        }
        return management.send(library.properties("com.microsoft:update-disposition", link), body);
    }
}
