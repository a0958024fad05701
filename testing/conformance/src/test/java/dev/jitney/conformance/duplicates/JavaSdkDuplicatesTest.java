package dev.jitney.conformance.duplicates;

import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkDuplicatesTest extends SdkTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private String detecting() {
        return detecting(WINDOW);
    }

    private String detecting(Duration window) {
        return broker.queue(
                q -> q.requiresDuplicateDetection(true).duplicateDetectionHistoryTimeWindowMs(window.toMillis()));
    }

    private static ServiceBusMessage withId(String id) {
        return new ServiceBusMessage("body of " + id).setMessageId(id);
    }

    /** Returns a message with a key in addition to the id, because the id would otherwise be the key (PART-35). */
    private static ServiceBusMessage keyedWithId(String id) {
        return inOrder(withId(id));
    }

    private OffsetDateTime in(Duration time) {
        return broker.now().plus(time).atOffset(ZoneOffset.UTC);
    }

    @Test
    @DisplayName("DUP-2: a second send succeeds and stores nothing; without duplicate detection it stores")
    void secondSend() {
        String queue = detecting();
        String plain = broker.queue();
        for (int i = 0; i < 2; i++) {
            sdk.send(queue, keyedWithId("X"));
            sdk.send(plain, keyedWithId("X"));
        }
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(broker.counts(plain).active()).isEqualTo(2);
        sdk.send(queue, keyedWithId("Y"));
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(List.of(next(receiver), next(receiver)))
                .as("SEQ-1: a duplicate uses no sequence number")
                .extracting(message -> counter(message.getSequenceNumber()))
                .containsExactly(1L, 2L);
    }

    @Test
    @DisplayName("SCN-14, DUP-4, DUP-5: completed at 0:01, dropped at 9:59 and just before 10:00, stored at 10:00")
    void boundary() {
        String queue = detecting();
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        sdk.send(queue, withId("X"));
        broker.advance(Duration.ofSeconds(1));
        receiver.complete(next(receiver));
        broker.advance(WINDOW.minusSeconds(2));
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isZero();
        broker.advance(Duration.ofMillis(999));
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isZero();
        broker.advance(Duration.ofMillis(1));
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("DUP-2, DUP-6: a batch stores each id once, ids differ by case")
    void batch() {
        String queue = detecting();
        ServiceBusSenderClient sender = sdk.sender(queue);
        sender.sendMessage(keyedWithId("old"));
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        for (String id : List.of("a", "old", "A", "b", "a")) {
            assertThat(batch.tryAddMessage(keyedWithId(id))).isTrue();
        }
        sender.sendMessages(batch);
        sender.sendMessages(List.of(keyedWithId("b"), keyedWithId("c")));

        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(next(receiver).getMessageId());
        }
        assertThat(ids).containsExactly("old", "a", "A", "b", "c");
        assertThat(none(receiver)).isEmpty();
    }

    @Test
    @DisplayName(
            "SCHED-9: schedule X, send X is dropped; scheduling X again names the same message, which it can cancel")
    void scheduled() {
        String queue = detecting();
        ServiceBusSenderClient sender = sdk.sender(queue);
        long number = sender.scheduleMessage(withId("X"), in(Duration.ofMinutes(1)));
        sender.sendMessage(withId("X"));
        assertThat(broker.counts(queue).active()).isZero();
        assertThat(sender.scheduleMessage(withId("X"), in(Duration.ofMinutes(2))))
                .isEqualTo(number);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        sender.cancelScheduledMessage(number);
        assertThat(broker.counts(queue).scheduled()).isZero();
        sender.sendMessage(withId("X"));
        assertThat(broker.counts(queue).total()).as("DUP-5").isZero();
    }

    @Test
    @DisplayName("DUP-7: messages without an id are not checked")
    void withoutIds() {
        String queue = detecting();
        sdk.send(queue, inOrder("same"));
        sdk.send(queue, inOrder("same"));
        assertThat(broker.counts(queue).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("DUP-9: of 100 concurrent equal sends exactly one is stored, and all succeed")
    void concurrentSends() throws Exception {
        String queue = detecting();
        int threads = 100;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Sdk other = broker.sdk()) {
            List<ServiceBusSenderClient> senders = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                senders.add(sdk.sender(queue));
                senders.add(other.sender(queue));
            }
            CountDownLatch go = new CountDownLatch(1);
            List<Future<?>> sends = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                ServiceBusSenderClient sender = senders.get(i % senders.size());
                sends.add(pool.submit(() -> {
                    go.await();
                    sender.sendMessage(withId("X"));
                    return null;
                }));
            }
            go.countDown();
            for (Future<?> send : sends) {
                send.get();
            }
        } finally {
            pool.shutdown();
        }
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("DUP-11: a restart inside the window keeps all ids")
    void restart() {
        String queue = detecting();
        sdk.send(queue, withId("X"));
        broker.advance(Duration.ofMinutes(5));
        broker.restart();
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        broker.advance(Duration.ofMinutes(5));
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("DUP-3: an update of the window takes effect immediately")
    void updatedWindow() {
        String queue = detecting();
        sdk.send(queue, withId("X"));
        broker.advance(Duration.ofSeconds(30));
        broker.update(queue, q -> q.duplicateDetectionHistoryTimeWindowMs(20_000));
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("DUP-12: the id of a rejected send can be used again")
    void refusedSend() {
        String queue = detecting();
        broker.status(queue, EntityStatus.SEND_DISABLED);
        Sdk.assertFails(ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED, () -> sdk.send(queue, withId("X")));
        broker.status(queue, EntityStatus.ACTIVE);
        sdk.send(queue, withId("X"));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("a queue that is deleted and created again has no ids")
    void recreatedQueue() {
        String queue = TestBroker.name("anew");
        for (int i = 0; i < 2; i++) {
            broker.queue(queue, q -> q.requiresDuplicateDetection(true));
            sdk.send(queue, withId("X"));
            assertThat(broker.counts(queue).active()).isEqualTo(1);
            broker.delete(queue);
        }
    }

    @Test
    @DisplayName(
            "DUP-8: ids are stored at the commit and not after a rollback; of equal ids in a transaction one message is stored")
    void transactions() {
        String queue = detecting();
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusTransactionContext rolledBack = sender.createTransaction();
        sender.sendMessage(keyedWithId("X"), rolledBack);
        sender.rollbackTransaction(rolledBack);
        sender.sendMessage(keyedWithId("X"));
        assertThat(broker.counts(queue).active()).isEqualTo(1);

        ServiceBusTransactionContext committed = sender.createTransaction();
        for (String id : List.of("X", "Y", "Y", "Z")) {
            sender.sendMessage(keyedWithId(id), committed);
        }
        sender.sendMessage(keyedWithId("Z")); // stored before the commit
        sender.commitTransaction(committed);
        sender.sendMessage(keyedWithId("Y"));
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(List.of(next(receiver), next(receiver), next(receiver)))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("X", "Z", "Y");
        assertThat(none(receiver)).isEmpty();
    }
}
