package dev.jitney.conformance.purge;

import static dev.jitney.testing.amqp.Wire.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.RawTest;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of batch deletes (checklist 65). */
@OrdinaryOnly("PURGE-2: batch delete is refused on partitioned entities")
class BatchDeleteTest extends RawTest {

    private static final String OPERATION = "com.microsoft:batch-delete-messages";

    private RawRequests management(String address) {
        return RawRequests.open(session, address + "/$management");
    }

    private void sendMany(String queue, int count) {
        RawLink sender = session.sender(queue);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(sender.send(RawMessage.ofData("m" + i)));
            if (ids.size() == 50 || i == count - 1) {
                ids.forEach(sender::expectAccepted);
                ids.clear();
            }
        }
    }

    private static long delete(RawRequests management, int count, Instant before) {
        Node body = management.call(OPERATION, map("message-count", count, "enqueued-time-utc", before), 200);
        assertThat(body.get("message-count").isInt()).isTrue();
        return body.get("message-count").number();
    }

    private static void assertNothing(RawRequests management, int count, Instant before) {
        RawMessage answer = management.call(OPERATION, map("message-count", count, "enqueued-time-utc", before));
        assertThat(answer.applicationProperty("statusCode").number()).isEqualTo(204);
        assertThat(answer.value().isMap()).isTrue();
    }

    @Test
    @DisplayName("PURGE-1: the oldest messages are deleted first, at most 500 for each request, until none is left")
    void oldestFirst() {
        String queue = broker.queue();
        sendMany(queue, 600);
        broker.advance(Duration.ofSeconds(1));
        RawRequests management = management(queue);
        assertThat(delete(management, 10, broker.now())).isEqualTo(10);
        assertThat(session.deletingReceiver(queue).receiveOne().message().dataText())
                .isEqualTo("m10");
        assertThat(delete(management, 4_000, broker.now())).isEqualTo(500);
        assertThat(delete(management, 4_000, broker.now())).isEqualTo(89);
        assertNothing(management, 500, broker.now());
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("PURGE-1: only messages enqueued before the given time are deleted")
    void onlyOlderMessages() {
        String queue = broker.queue();
        sendMany(queue, 3);
        broker.advance(Duration.ofSeconds(10));
        Instant bound = broker.now();
        sendMany(queue, 2);
        RawRequests management = management(queue);
        assertThat(delete(management, 100, bound)).isEqualTo(3);
        assertNothing(management, 100, bound);
        assertThat(broker.counts(queue).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("PURGE-1: a count of less than one is out of range")
    void tooFewAtOnce() {
        RawMessage answer =
                management(broker.queue()).call(OPERATION, map("message-count", 0, "enqueued-time-utc", broker.now()));
        assertThat(answer.applicationProperty("statusCode").number()).isEqualTo(400);
        assertThat(answer.applicationProperty("errorCondition").text())
                .isEqualTo("com.microsoft:argument-out-of-range");
    }

    @Test
    @DisplayName("PURGE-2: locked, deferred and scheduled messages are not deleted")
    void lockedAndDeferredStay() {
        String queue = broker.queue();
        sendMany(queue, 4);
        RawLink receiver = session.receiver(queue);
        receiver.receiveOne();
        receiver.settle(receiver.receiveOne(), RawLink.modified(null, true, null));
        broker.advance(Duration.ofSeconds(1));
        assertThat(delete(management(queue), 100, broker.now())).isEqualTo(2);
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);
    }

    @Test
    @DisplayName("PURGE-3: the dead-letter queue can be purged")
    void deadLetterQueue() {
        String queue = broker.queue();
        sendMany(queue, 3);
        RawLink receiver = session.receiver(queue);
        for (int i = 0; i < 2; i++) {
            receiver.settle(receiver.receiveOne(), RawLink.deadLettered("r", "d"));
        }
        broker.advance(Duration.ofSeconds(1));
        assertThat(delete(management(queue + "/$DeadLetterQueue"), 100, broker.now()))
                .isEqualTo(2);
        assertThat(broker.counts(queue).deadLetter()).isZero();
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }
}
