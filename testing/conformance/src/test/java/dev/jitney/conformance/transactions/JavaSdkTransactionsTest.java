package dev.jitney.conformance.transactions;

import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.CompleteOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.DeferOptions;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of transactions on one queue, from the view of applications (TX-1 to TX-16). */
class JavaSdkTransactionsTest extends SdkTest {
    private String queue;
    private ServiceBusSenderClient sender;
    private ServiceBusReceiverClient receiver;

    @BeforeEach
    void open() {
        queue = broker.queue(q -> q.lockDurationMs(60_000));
        sender = sdk.sender(queue);
        receiver = sdk.receiver(queue);
    }

    private ServiceBusReceivedMessage given(String text) {
        sdk.send(queue, message(text));
        return next(receiver);
    }

    private static ServiceBusMessage message(String text) {
        return new ServiceBusMessage(text).setMessageId(text).setPartitionKey("one fragment");
    }

    private static CompleteOptions complete(ServiceBusTransactionContext transaction) {
        return new CompleteOptions().setTransactionContext(transaction);
    }

    private OffsetDateTime in(Duration time) {
        return broker.now().plus(time).atOffset(ZoneOffset.UTC);
    }

    @Test
    @DisplayName("TX-1, TX-13: sends of every form and a completion take effect together with the commit")
    void commit() {
        ServiceBusReceivedMessage received = given("work");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(message("single"), transaction);
        sender.sendMessages(List.of(message("list 1"), message("list 2")), transaction);
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        batch.tryAddMessage(message("batch"));
        sender.sendMessages(batch, transaction);
        receiver.complete(received, complete(transaction));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        // A receive without a message would leave credit. The SDK releases messages that arrive later for it, and
        // changes the order.
        assertThat(receiver.peekMessages(10)).hasSize(1);
        sender.commitTransaction(transaction);
        assertThat(broker.counts(queue).active()).isEqualTo(4);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ServiceBusReceivedMessage message = next(receiver);
            ids.add(message.getMessageId());
            receiver.complete(message);
        }
        assertThat(ids).containsExactly("single", "list 1", "list 2", "batch");
    }

    @Test
    @DisplayName("TX-14: a rollback drops sends, and the message can be completed afterwards")
    void rollback() {
        ServiceBusReceivedMessage received = given("work");
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        sender.sendMessage(message("never"), transaction);
        receiver.complete(received, complete(transaction));
        receiver.rollbackTransaction(transaction);
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(none(receiver))
                .as("TX-14: available messages while it is locked")
                .isEmpty();
        broker.advance(Duration.ofSeconds(61));
        receiver.complete(next(receiver)); // the SDK does not settle a message twice, not even after a rollback
        assertThat(broker.counts(queue).active()).isZero();
    }

    @Test
    @DisplayName("TX-1: abandon, defer and dead-letter wait for the commit")
    void settlements() {
        ServiceBusReceivedMessage abandoned = given("abandon");
        ServiceBusReceivedMessage deferred = given("defer");
        ServiceBusReceivedMessage dead = given("dead-letter");
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.abandon(
                abandoned,
                new AbandonOptions().setTransactionContext(transaction).setPropertiesToModify(Map.of("seen", 1)));
        receiver.defer(deferred, new DeferOptions().setTransactionContext(transaction));
        receiver.deadLetter(
                dead,
                new DeadLetterOptions()
                        .setTransactionContext(transaction)
                        .setDeadLetterReason("why")
                        .setDeadLetterErrorDescription("because"));
        assertThat(broker.counts(queue).deadLetter()).isZero();
        assertThat(none(receiver)).isEmpty();
        receiver.commitTransaction(transaction);
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getMessageId()).isEqualTo("abandon");
        assertThat(again.getApplicationProperties()).containsEntry("seen", 1);
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);
        assertThat(next(sdk.deadLetterReceiver(queue)).getDeadLetterReason()).isEqualTo("why");
    }

    @Test
    @DisplayName("SCHED-5: schedule and cancel over $management are part of a transaction")
    void schedules() {
        long before = sender.scheduleMessage(message("before"), in(Duration.ofMinutes(10)));
        ServiceBusTransactionContext transaction = sender.createTransaction();
        long inside = sender.scheduleMessage(message("inside"), in(Duration.ofMinutes(1)), transaction);
        assertThat(inside).isGreaterThan(before);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        sender.commitTransaction(transaction);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(2);
        ServiceBusTransactionContext second = sender.createTransaction();
        sender.scheduleMessage(message("never"), in(Duration.ofMinutes(1)), second);
        sender.rollbackTransaction(second);
        broker.advance(Duration.ofMinutes(2));
        assertThat(next(receiver).getMessageId()).isEqualTo("inside");
        assertThat(none(receiver)).isEmpty();
    }

    @Test
    @DisplayName("DLQ-4, DLQ-9: a message moves from the dead-letter queue back atomically")
    void resubmit() {
        receiver.deadLetter(given("m"));
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(queue);
        ServiceBusReceivedMessage message = next(dead);
        ServiceBusTransactionContext transaction = dead.createTransaction();
        sender.sendMessage(new ServiceBusMessage(message), transaction);
        dead.complete(message, complete(transaction));
        dead.commitTransaction(transaction);
        assertThat(broker.counts(queue).deadLetter()).isZero();
        assertThat(next(receiver).getMessageId()).isEqualTo("m");
    }

    @Test
    @DisplayName("TX-15: a settlement in a transaction outlives the lock")
    void lockOverItsTime() {
        ServiceBusReceivedMessage received = given("work");
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(received, complete(transaction));
        broker.advance(Duration.ofSeconds(90));
        assertThat(none(receiver)).isEmpty();
        receiver.commitTransaction(transaction);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("TX-9: a transaction that takes more than two minutes is rolled back")
    void timeout() {
        ServiceBusReceivedMessage received = given("work");
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        sender.sendMessage(message("never"), transaction);
        receiver.complete(received, complete(transaction));
        broker.advance(Duration.ofSeconds(121));
        assertThatThrownBy(() -> receiver.commitTransaction(transaction)).isNotNull();
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(next(receiver).getDeliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("TX-16: after a failed operation the commit fails and nothing is stored")
    void failedOperation() {
        ServiceBusReceivedMessage received = given("work");
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        sender.sendMessage(message("never"), transaction);
        broker.advance(Duration.ofSeconds(61));
        assertThatThrownBy(() -> receiver.complete(received, complete(transaction)))
                .isNotNull();
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isNotNull();
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("TX-10: closing the connection rolls back")
    void closedConnection() throws Exception {
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(message("never"), transaction);
        sdk.close();
        sdk = broker.sdk();
        sdk.send(queue, "after");
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("TX-3: two queues in one transaction are refused without the cross-entity mode")
    void secondQueue() {
        String other = broker.queue();
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(message("a"), transaction);
        // The SDK treats any reply to a transactional send as a success (wire 8.3), so the commit fails.
        try {
            sdk.sender(other).sendMessage(message("b"), transaction);
        } catch (RuntimeException refused) {
            assertThat(refused).hasMessageContaining("span multiple");
        }
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isNotNull();
        assertThat(broker.counts(queue).total()).isZero();
        assertThat(broker.counts(other).total()).isZero();
    }

    @Test
    @DisplayName("TX-18, PART-52: one transaction may send messages with several session ids and any keys")
    @OrdinaryOnly("PART-45, PART-51, PART-52: a transaction on a partitioned entity has one key")
    void anyKeys() {
        ServiceBusTransactionContext transaction = sender.createTransaction();
        for (String key : List.of("a", "b", "c")) {
            sender.sendMessage(message(key).setPartitionKey(key), transaction);
        }
        sender.commitTransaction(transaction);
        assertThat(broker.counts(queue).active()).isEqualTo(3);
    }
}
