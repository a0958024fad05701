package dev.jitney.conformance.forwarding;

import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of forwarded dead-letter messages (FWD-11, FWD-12, DLQ-38). */
class JavaSdkDeadLetterForwardingTest extends ForwardTest {
    private static final Duration RETRY_PAUSE = Duration.ofMinutes(1);

    @RegisterExtension
    static final TestBroker broker = TestBroker.configuredWithStores(TransferDeadLetterTest.SMALL_QUEUES, 3);

    @Override
    TestBroker broker() {
        return broker;
    }

    private String dyingTo(String destination) {
        return broker.queue(q -> q.maxDeliveryCount(1).forwardDeadLetteredMessagesTo(destination));
    }

    private void poison(String queue, String id) {
        sdk.send(queue, id);
        try (ServiceBusReceiverClient receiver =
                sdk.builder().receiver().queueName(queue).disableAutoComplete().buildClient()) {
            receiver.abandon(next(receiver));
        }
    }

    @Test
    @DisplayName("FWD-11, DLQ-38: a poison message goes to the other queue with its dead-letter source and reason")
    void poison() {
        String to = broker.queue();
        String from = dyingTo(to);
        sdk.send(from, "alive");
        poison(from, "poison"); // the receiver gets the message "alive" first
        arrived(to, 1);
        assertThat(counts(from).deadLetter()).isZero();
        assertThat(counts(from).active()).isEqualTo(1);
        ServiceBusReceivedMessage dead = next(sdk.deletingReceiver(to));
        assertThat(dead.getMessageId()).isEqualTo("alive");
        assertThat(dead.getDeadLetterSource()).isEqualTo(from);
        assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(dead.getDeadLetterErrorDescription())
                .isEqualTo("Message could not be consumed after 1 delivery attempts.");
        assertThat(dead.getDeliveryCount()).as("FWD-10").isZero();
        assertThat(counter(dead.getSequenceNumber())).isEqualTo(1);
        assertThat(take(from, 1)).containsExactly("poison");
    }

    @Test
    @DisplayName("FWD-11: messages dead-lettered by the application and by expiry are forwarded")
    void everyWay() {
        String to = broker.queue();
        String from = broker.queue(q -> q.forwardDeadLetteredMessagesTo(to).deadLetteringOnMessageExpiration(true));
        sdk.send(from, "rejected");
        ServiceBusReceiverClient receiver = sdk.receiver(from);
        receiver.deadLetter(
                next(receiver),
                new DeadLetterOptions().setDeadLetterReason("malformed").setDeadLetterErrorDescription("no number"));
        arrived(to, 1);
        sdk.send(from, inOrder("late").setTimeToLive(Duration.ofSeconds(1)));
        broker.advance(Duration.ofSeconds(1));
        assertThat(Sdk.none(sdk.receiver(from))).isEmpty();
        arrived(to, 2);
        List<ServiceBusReceivedMessage> dead =
                sdk.receiver(to).peekMessages(2).stream().toList();
        assertThat(dead)
                .extracting(ServiceBusReceivedMessage::getDeadLetterReason)
                .containsExactly("malformed", "TTLExpiredException");
        assertThat(dead)
                .extracting(ServiceBusReceivedMessage::getDeadLetterSource)
                .containsOnly(from);
    }

    @Test
    @DisplayName("FWD-11, DLQ-38: the same for a subscription")
    void subscription() {
        String to = broker.queue();
        String topic = broker.topics().create();
        Subscription from =
                broker.topics().subscribe(topic, s -> s.maxDeliveryCount(1).forwardDeadLetteredMessagesTo(to));
        sdk.publish(topic, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(from);
        receiver.abandon(next(receiver));
        arrived(to, 1);
        assertThat(next(sdk.receiver(to)).getDeadLetterSource()).isEqualToIgnoringCase(from.path());
        empty(from.path());
    }

    @Test
    @DisplayName("FWD-11: the own dead-letter queue then rejects receivers, the queue does not")
    void refusesReceivers() {
        String from = dyingTo(broker.queue());
        assertRefusesReceivers(sdk.builder()
                .receiver()
                .queueName(from)
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildAsyncClient());
        sdk.send(from, "m");
        assertThat(take(from, 1)).containsExactly("m");
        assertThat(sdk.deadLetterReceiver(from).peekMessages(1)).isEmpty();
        assertThat(Sdk.none(transferDeadLetters(from))).isEmpty();
    }

    @Test
    @DisplayName("FWD-11: messages already in the dead-letter queue are forwarded in order once forwarding is enabled")
    void whatIsThere() {
        String to = broker.queue();
        String from = broker.queue(q -> q.maxDeliveryCount(1));
        for (String id : List.of("a", "b", "c")) {
            poison(from, id);
        }
        assertThat(counts(from).deadLetter()).isEqualTo(3);
        assertThat(next(sdk.deadLetterReceiver(from)).getDeadLetterSource())
                .as("DLQ-38: null in the own queue")
                .isNull();
        broker.update(from, q -> q.forwardDeadLetteredMessagesTo(to));
        broker.advance(Duration.ofMinutes(1)); // the lock of the message above
        arrived(to, 3);
        assertThat(take(to, 3)).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    @DisplayName(
            "FWD-12: a full destination leaves the message in its dead-letter queue; once there is space it arrives")
    void full() {
        String to = smallQueue();
        int taken = fill(to);
        String from = dyingTo(to);
        sdk.send(from, large("m"));
        ServiceBusReceiverClient receiver = sdk.receiver(from);
        receiver.abandon(next(receiver));
        waits(from, 1);
        take(to, 5);
        retried(to, taken - 5 + 1);
        empty(from);
    }

    @Test
    @DisplayName(
            "FWD-12: a dead-letter message that its destination rejects remains, and the following ones are forwarded")
    void onesBehindGoOn() {
        String to = broker.queue(q -> q.requiresSession(true));
        String from = dyingTo(to);
        poison(from, "refused");
        sdk.send(from, new ServiceBusMessage("taken").setSessionId("s"));
        try (ServiceBusReceiverClient receiver =
                sdk.builder().receiver().queueName(from).disableAutoComplete().buildClient()) {
            receiver.abandon(next(receiver));
        }
        arrived(to, 1);
        waits(from, 1);
        assertThat(sdk.deadLetterReceiver(from).peekMessages(2))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("refused");
        broker.delete(to);
        broker.queue(to, q -> q);
        retried(to, 1);
        assertThat(take(to, 1)).containsExactly("refused");
    }

    /** Waits until this number of dead-letter messages could not be forwarded and remain in the dead-letter queue. */
    private void waits(String queue, int count) {
        Await.until("waiting dead-letter messages", () -> {
            assertThat(counts(queue).deadLetter()).isEqualTo(count);
            assertThat(counts(queue).total()).isEqualTo(count);
            return true;
        });
        broker.advance(RETRY_PAUSE);
        assertThat(counts(queue).transferDeadLetter())
                .as("messages dead-lettered twice")
                .isZero();
    }

    private void retried(String to, int count) {
        Await.until("the next attempt", () -> {
            broker.advance(RETRY_PAUSE);
            return counts(to).active() == count;
        });
    }

    @Test
    @DisplayName("FWD-12: a disabled or deleted destination leaves the message, too")
    void disabledAndDeleted() {
        String to = broker.queue();
        String from = dyingTo(to);
        broker.status(to, EntityStatus.SEND_DISABLED);
        poison(from, "a");
        waits(from, 1);
        assertThat(sdk.deadLetterReceiver(from).peekMessages(2))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("a");
        broker.delete(to);
        poison(from, "b");
        waits(from, 2);
        broker.queue(to, q -> q);
        retried(to, 2);
        assertThat(take(to, 2)).containsExactly("a", "b");
        empty(from);
    }

    @Test
    @DisplayName("FWD-12, STATE-2: messages that wait for their destination survive a restart")
    void restart() throws Exception {
        String to = broker.queue();
        String from = dyingTo(to);
        broker.status(to, EntityStatus.DISABLED);
        poison(from, "m");
        waits(from, 1);
        broker.restart();
        waits(from, 1);
        broker.status(to, EntityStatus.ACTIVE);
        retried(to, 1);
        try (Sdk fresh = broker.sdk()) {
            ServiceBusReceivedMessage dead = next(fresh.receiver(to));
            assertThat(dead.getDeadLetterSource()).isEqualTo(from);
            assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
        }
    }

    @Test
    @DisplayName("FWD-9, FWD-11: the destination may forward the message again")
    void goesOn() {
        List<String> chain = chain(4);
        String from = dyingTo(chain.get(0));
        poison(from, "m");
        arrived(chain.get(3), 1);
        assertThat(next(sdk.receiver(chain.get(3))).getDeadLetterSource()).isEqualTo(from);
    }

    @Test
    @DisplayName("FWD-11: a message that is dead-lettered twice has its last dead-letter source")
    void diesTwice() {
        String last = broker.queue();
        String second = dyingTo(last);
        String first = dyingTo(second);
        poison(first, "m");
        arrived(second, 1);
        ServiceBusReceiverClient receiver = sdk.receiver(second);
        receiver.abandon(next(receiver));
        arrived(last, 1);
        ServiceBusReceivedMessage dead = next(sdk.receiver(last));
        assertThat(dead.getDeadLetterSource()).isEqualTo(second);
        assertThat(counts(first).total() + counts(second).total()).isZero();
    }
}
