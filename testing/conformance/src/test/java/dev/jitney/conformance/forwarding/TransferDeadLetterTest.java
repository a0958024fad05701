package dev.jitney.conformance.forwarding;

import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CompleteOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the transfer dead-letter queue, which keeps messages that an entity could not forward (DLQ-29 to DLQ-33). */
abstract class TransferDeadLetterTest extends ForwardTest {
    static final String SMALL_QUEUES = """
            {"UserConfig": {"Namespaces": [{"Name": "small", "Limits": {"maxQueueSizeInMegabytes": 2}}]}}
            """;

    private void assertStranded(String queue, String id, String reason) {
        stranded(queue, 1);
        ServiceBusReceivedMessage message = transferDeadLetters(queue).peekMessage();
        assertThat(message.getMessageId()).isEqualTo(id);
        assertThat(message.getDeadLetterReason()).isEqualTo(reason);
        assertThat(message.getDeadLetterErrorDescription()).isNotBlank();
        assertThat(message.getDeadLetterSource()).as("DLQ-38").isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = EntityStatus.class,
            names = {"DISABLED", "SEND_DISABLED"})
    @DisplayName("DLQ-30: the destination is disabled")
    void disabled(EntityStatus status) {
        String to = broker().queue();
        String from = queueTo(to);
        broker().status(to, status);
        sdk.send(from, "m");
        assertStranded(from, "m", "MessagingEntityDisabledException");
        broker().status(to, EntityStatus.ACTIVE);
        sdk.send(from, "n");
        arrived(to, 1);
        assertThat(counts(from).transferDeadLetter())
                .as("existing messages remain")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("DLQ-30, SUSP: a destination that is disabled for receives accepts messages")
    void receiveDisabled() {
        String to = broker().queue(q -> q.status(EntityStatus.RECEIVE_DISABLED));
        String from = queueTo(to);
        sdk.send(from, "m");
        arrived(to, 1);
        empty(from);
    }

    @Test
    @DisplayName("DLQ-30: a topic that is disabled, too")
    void disabledTopic() {
        String topic = broker().topics().create();
        Subscription subscription = broker().topics().subscribe(topic);
        String from = queueTo(topic);
        broker().topics().update(topic, t -> t.status(EntityStatus.SEND_DISABLED));
        sdk.send(from, "m");
        assertStranded(from, "m", "MessagingEntityDisabledException");
        assertThat(counts(subscription.path()).total()).isZero();
    }

    @Test
    @DisplayName("DLQ-30: the destination is deleted; a new destination with the same name accepts messages")
    void deleted() {
        String to = broker().queue();
        String from = queueTo(to);
        broker().delete(to);
        sdk.send(from, "m");
        assertStranded(from, "m", "MessagingEntityNotFoundException");
        broker().queue(to, q -> q);
        sdk.send(from, "n");
        arrived(to, 1);
        assertThat(counts(from).transferDeadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "DLQ-30, FWD-15: a queue that waits while its destination is disabled moves all messages to its transfer dead-letter queue")
    void disabledMeanwhile() {
        String to = broker().queue();
        String from = queueTo(to);
        broker().status(from, EntityStatus.RECEIVE_DISABLED);
        for (int i = 0; i < 5; i++) {
            sdk.send(from, "m" + i);
        }
        broker().status(to, EntityStatus.SEND_DISABLED);
        broker().status(from, EntityStatus.ACTIVE);
        stranded(from, 5);
        assertThat(take(transferDeadLetters(from), 5)).containsExactly("m0", "m1", "m2", "m3", "m4");
        empty(from);
    }

    @Test
    @DisplayName("DLQ-31: the destination is full")
    void full() {
        String to = smallQueue();
        int taken = fill(to);
        String from = queueTo(to);
        sdk.send(from, large("m"));
        assertStranded(from, "m", "QuotaExceededException");
        assertThat(counts(to).active()).isEqualTo(taken);
    }

    @Test
    @DisplayName("DLQ-37: transfer dead-letter messages count towards the size of their queue")
    void strandedMessagesCount() {
        String to = broker().queue();
        String from = broker().queue(q -> q.maxSizeInMegabytes(1).forwardTo(to));
        broker().delete(to);
        int taken = fill(from);
        stranded(from, taken);
        assertThat(counts(from).sizeBytes()).isGreaterThan((long) taken * LARGE);
        ServiceBusReceiverClient receiver = transferDeadLetters(from);
        receiver.complete(next(receiver));
        sdk.send(from, large("n"));
        stranded(from, taken);
    }

    @Test
    @DisplayName("DLQ-33, DLQ-5, DLQ-7, DLQ-39: it behaves like a dead-letter queue")
    void actsLikeADeadLetterQueue() {
        String to = broker().queue();
        String from = broker().queue(q -> q.forwardTo(to).maxDeliveryCount(2));
        broker().delete(to);
        for (String id : List.of("a", "b", "c", "d")) {
            sdk.send(from, id);
        }
        stranded(from, 4);
        ServiceBusReceiverClient receiver = transferDeadLetters(from);
        assertThat(receiver.peekMessages(10))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("a", "b", "c", "d");
        ServiceBusReceivedMessage a = next(receiver);
        assertThat(receiver.renewMessageLock(a).toInstant())
                .isEqualTo(broker().now().plusSeconds(60));
        receiver.complete(a);
        stranded(from, 3);

        ServiceBusReceivedMessage b = next(receiver);
        for (int failures = 1; failures <= 5; failures++) {
            receiver.abandon(b);
            b = next(receiver);
            assertThat(b.getMessageId()).isEqualTo("b");
            assertThat(b.getDeliveryCount()).as("failure %d", failures).isZero();
        }
        ServiceBusReceivedMessage held = b;
        // Over management, where the SDK reports the rejection.
        assertThatThrownBy(() -> transferDeadLetters(from).deadLetter(held)).isNotNull();
        assertThatThrownBy(() -> sdk.send(from + "/$Transfer/$DeadLetterQueue", "m"))
                .isNotNull();
        assertThat(counts(from).deadLetter()).isZero();
        stranded(from, 3);

        ServiceBusReceiverClient again = sdk.receiver(from + "/$transfer/$deadletterqueue"); // DLQ-34
        ServiceBusReceivedMessage c = next(again);
        again.defer(c);
        ServiceBusReceivedMessage deferred = again.receiveDeferredMessage(c.getSequenceNumber());
        assertThat(deferred.getMessageId()).isEqualTo("c");
        again.complete(deferred);
        assertThat(take(again, 1)).containsExactly("d");
        assertThat(counts(from).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("DLQ-6, DLQ-10, DLQ-33: its messages do not expire and survive a restart")
    void lasts() throws Exception {
        String to = broker().queue();
        String from = queueTo(to);
        broker().delete(to);
        sdk.send(from, new ServiceBusMessage("m").setMessageId("m").setTimeToLive(Duration.ofSeconds(1)));
        stranded(from, 1);
        broker().advance(Duration.ofDays(1));
        broker().restart();
        stranded(from, 1);
        try (Sdk fresh = broker().sdk()) {
            ServiceBusReceiverClient receiver = fresh.receiver(from + "/$Transfer/$DeadLetterQueue");
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(message.getDeadLetterReason()).isEqualTo("MessagingEntityNotFoundException");
            receiver.complete(message);
        }
        empty(from);
    }

    @Test
    @DisplayName("DLQ-33: subscriptions have a transfer dead-letter queue, too")
    void subscription() {
        String to = broker().queue();
        String topic = broker().topics().create();
        Subscription from = broker().topics().subscribe(topic, s -> s.forwardTo(to));
        Subscription other = broker().topics().subscribe(topic);
        broker().delete(to);
        ServiceBusMessage sent = new ServiceBusMessage("body").setMessageId("m").setSubject("kept");
        sent.getApplicationProperties().put("cups", 4);
        sdk.publish(topic, sent);
        stranded(from.path(), 1);
        assertThat(counts(other.path()).active()).isEqualTo(1);
        ServiceBusReceiverClient receiver = transferDeadLetters(from);
        ServiceBusReceivedMessage message = next(receiver);
        assertThat(message.getMessageId()).isEqualTo("m");
        assertThat(message.getSubject()).isEqualTo("kept");
        assertThat(message.getBody()).hasToString("body");
        assertThat(message.getApplicationProperties())
                .containsEntry("cups", 4)
                .containsEntry("DeadLetterReason", "MessagingEntityNotFoundException")
                .containsKey("DeadLetterErrorDescription")
                .hasSize(3);
        receiver.complete(message);
        empty(from.path());
        assertThat(next(sdk.deletingReceiver(other)).getBody()).hasToString("body");
        Await.until("no bytes left", () -> counts(topic).sizeBytes() == 0);
    }

    @Test
    @DisplayName("STATE-10: a transfer dead-letter message keeps its number and its time")
    void keepsItsNumber() {
        String to = broker().queue();
        String from = queueTo(to);
        sdk.send(from, "first");
        arrived(to, 1);
        empty(from);
        broker().delete(to);
        sdk.send(from, "second");
        stranded(from, 1);
        ServiceBusReceivedMessage message = transferDeadLetters(from).peekMessage();
        assertThat(message.getMessageId()).isEqualTo("second");
        assertThat(counter(message.getSequenceNumber())).isEqualTo(2);
        assertThat(counter(message.getEnqueuedSequenceNumber())).isEqualTo(2);
        assertThat(message.getEnqueuedTime().toInstant()).isEqualTo(broker().now());
    }

    @Test
    @DisplayName("TX-24, DLQ-30: the commit succeeds, even if the destination is disabled meanwhile")
    void transactionIntoADisabledQueue() throws Exception {
        transaction(to -> broker().status(to, EntityStatus.DISABLED), "MessagingEntityDisabledException");
    }

    @Test
    @DisplayName("TX-24, DLQ-30: ... or if it is deleted")
    void transactionIntoADeletedQueue() throws Exception {
        transaction(broker()::delete, "MessagingEntityNotFoundException");
    }

    @Test
    @DisplayName("TX-24, DLQ-31: ... or if it is full")
    void transactionIntoAFullQueue() throws Exception {
        transaction(this::fill, "QuotaExceededException");
    }

    /** Completes at the source and sends to the destination, which rejects sends at the time of the commit. */
    private void transaction(Consumer<String> trouble, String reason) throws Exception {
        String in = broker().viaQueue();
        String to = smallQueue();
        sdk.send(in, "work");
        try (Sdk crossing = crossing()) {
            ServiceBusReceiverClient receiver = crossing.receiver(in);
            ServiceBusSenderClient sender = crossing.sender(to);
            ServiceBusReceivedMessage work = next(receiver);
            ServiceBusTransactionContext transaction = receiver.createTransaction();
            receiver.complete(work, new CompleteOptions().setTransactionContext(transaction));
            sender.sendMessage(large("done"), transaction);
            trouble.accept(to);
            receiver.commitTransaction(transaction);
        }
        assertStranded(in, "done", reason);
    }

    @Test
    @DisplayName(
            "TX-6, TX-24: messages sent via a subscription's receiver are in the transfer dead-letter queue of the topic")
    void transactionOfASubscription() throws Exception {
        String topic = broker().topics().createVia();
        Subscription in = broker().topics().subscribe(topic);
        String to = broker().queue();
        sdk.publish(topic, "work");
        try (Sdk crossing = crossing()) {
            ServiceBusReceiverClient receiver = crossing.receiver(in);
            ServiceBusSenderClient sender = crossing.sender(to);
            ServiceBusTransactionContext transaction = receiver.createTransaction();
            receiver.complete(next(receiver), new CompleteOptions().setTransactionContext(transaction));
            sender.sendMessage(new ServiceBusMessage("done").setMessageId("done"), transaction);
            broker().delete(to);
            receiver.commitTransaction(transaction);
        }
        Await.until(
                "a message that the topic could not forward",
                () -> counts(topic).transferDeadLetter() == 1);
        empty(in.path());
        ServiceBusReceiverClient receiver = sdk.receiver(topic + "/$Transfer/$DeadLetterQueue");
        ServiceBusReceivedMessage stranded = receiver.peekMessage();
        assertThat(stranded.getDeadLetterReason()).isEqualTo("MessagingEntityNotFoundException");
        receiver.abandon(next(receiver));
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getMessageId()).isEqualTo("done");
        assertThat(again.getDeliveryCount()).as("DLQ-39").isZero();
        receiver.complete(again);
        assertThat(counts(topic).transferDeadLetter()).isZero();
    }

    private Sdk crossing() {
        ServiceBusClientBuilder builder = TestBroker.clientBuilder(broker().lastingConnectionString());
        return new Sdk(builder.enableCrossEntityTransactions());
    }

    @Test
    @DisplayName("FWD-9, DLQ-29: sending via an entity is the first of four transfers")
    void hopsOfATransaction() throws Exception {
        List<String> chain = chain(5);
        String in = broker().viaQueue();
        for (int first : new int[] {1, 0}) {
            sdk.send(in, "work");
            try (Sdk crossing = crossing()) {
                ServiceBusReceiverClient receiver = crossing.receiver(in);
                ServiceBusSenderClient sender = crossing.sender(chain.get(first));
                ServiceBusReceivedMessage work = next(receiver);
                ServiceBusTransactionContext transaction = receiver.createTransaction();
                receiver.complete(work, new CompleteOptions().setTransactionContext(transaction));
                sender.sendMessage(new ServiceBusMessage("on"), transaction);
                receiver.commitTransaction(transaction);
            }
        }
        stranded(chain.get(3), 1);
        arrived(chain.get(4), 1);
        empty(in);
    }

    @Test
    @DisplayName("DLQ-24: a receiver of the transfer dead-letter queue gets nothing while all messages are forwarded")
    void nothingStranded() {
        String to = broker().queue();
        String from = queueTo(to);
        sdk.send(from, "m");
        arrived(to, 1);
        assertThat(none(transferDeadLetters(from))).isEmpty();
    }

    @Test
    @DisplayName("SUSP, DLQ-33: it rejects receivers while its entity is disabled for receives")
    void closedWithItsEntity() {
        String to = broker().queue();
        String from = queueTo(to);
        broker().status(to, EntityStatus.DISABLED);
        sdk.send(from, "m");
        stranded(from, 1);
        broker().status(from, EntityStatus.RECEIVE_DISABLED);
        assertFails(
                ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED,
                () -> sdk.receiver(from + "/$Transfer/$DeadLetterQueue").peekMessage());
    }
}
