package dev.jitney.conformance.forwarding;

import static dev.jitney.conformance.support.PartitionedRun.KEY;
import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.Topics;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of forwarding from the view of applications (FWD-1 to FWD-16). */
class JavaSdkForwardingTest extends ForwardTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.frozenWithStores(3);

    @Override
    TestBroker broker() {
        return broker;
    }

    private static ServiceBusMessage message(String id) {
        return inOrder(id).setMessageId(id);
    }

    private static OffsetDateTime in(Duration time) {
        return broker.now().plus(time).atOffset(ZoneOffset.UTC);
    }

    @Test
    @DisplayName("FWD-1: every message of a queue goes to the other one, until forwarding is disabled")
    void onAndOff() {
        String to = broker.queue();
        String from = queueTo(to);
        sdk.send(from, "a");
        arrived(to, 1);
        empty(from);
        broker.update(from, q -> q.forwardTo(null));
        sdk.send(from, "b");
        assertThat(take(from, 1)).containsExactly("b");
        assertThat(take(to, 1)).containsExactly("a");
    }

    @Test
    @DisplayName("FWD-1: messages already in a queue are forwarded, too, once forwarding is enabled")
    void whatWaits() {
        String to = broker.queue();
        String from = broker.queue();
        for (String id : List.of("a", "b", "c")) {
            sdk.send(from, id);
        }
        broker.update(from, q -> q.forwardTo(to));
        arrived(to, 3);
        empty(from);
        assertThat(take(to, 3)).containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("FWD-6: the destination may have sessions; a message without a session cannot be forwarded to it")
    void sessions() {
        String to = broker.queue(q -> q.requiresSession(true));
        String from = queueTo(to);
        sdk.send(from, message("m").setSessionId(KEY));
        sdk.send(from, "lost");
        stranded(from, 1);
        ServiceBusSessionReceiverClient sessions = sdk.keep(sdk.builder()
                .sessionReceiver()
                .queueName(to)
                .disableAutoComplete()
                .buildClient());
        ServiceBusReceiverClient session = sdk.keep(sessions.acceptSession(KEY));
        assertThat(next(session).getMessageId()).isEqualTo("m");
        ServiceBusReceivedMessage lost = next(transferDeadLetters(from));
        assertThat(lost.getMessageId()).isEqualTo("lost");
        assertThat(lost.getDeadLetterReason()).isEqualTo("InvalidOperationException");
    }

    @Test
    @DisplayName(
            "FWD-7: a queue or subscription that forwards rejects receivers, but allows peek and its dead-letter queue")
    void refusesReceivers() {
        String to = broker.queue();
        String from = queueTo(to);
        String topic = broker.topics().create();
        Subscription subscription = broker.topics().subscribe(topic, s -> s.forwardTo(to));
        ServiceBusSenderClient sender = sdk.sender(from);
        sender.scheduleMessage(message("later"), in(Duration.ofHours(1)));
        assertRefusesReceivers(sdk.builder().receiver().queueName(from).buildAsyncClient());
        assertRefusesReceivers(sdk.builder()
                .receiver()
                .topicName(topic)
                .subscriptionName(subscription.name())
                .buildAsyncClient());
        assertThat(sdk.receiver(from).peekMessages(10))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("later");
        assertThat(sdk.receiver(subscription).peekMessages(10)).isEmpty();
        assertThat(none(sdk.deadLetterReceiver(from))).isEmpty();
        assertThat(none(transferDeadLetters(from))).isEmpty();
        assertThat(none(sdk.deadLetterReceiver(subscription))).isEmpty();
        assertThat(none(transferDeadLetters(subscription))).isEmpty();
    }

    @Test
    @DisplayName("FWD-7: an existing receiver gets no more messages and keeps its locks")
    void receiverThatIsThere() {
        String to = broker.queue();
        String from = broker.queue();
        sdk.send(from, "held");
        ServiceBusReceiverClient receiver = sdk.receiver(from);
        ServiceBusReceivedMessage held = next(receiver);
        broker.update(from, q -> q.forwardTo(to));
        sdk.send(from, "on");
        arrived(to, 1);
        sdk.receiver(from).complete(held);
        empty(from);
        assertThat(take(to, 1)).containsExactly("on");
    }

    @Test
    @DisplayName("FWD-7: messages deferred before are received by their numbers and settled while their queue forwards")
    void deferredBefore() {
        String to = broker.queue();
        String from = broker.queue();
        sdk.send(from, "a");
        sdk.send(from, "b");
        ServiceBusReceiverClient receiver = sdk.receiver(from);
        ServiceBusReceivedMessage a = next(receiver);
        receiver.defer(a);
        ServiceBusReceivedMessage b = next(receiver);
        receiver.defer(b);
        broker.update(from, q -> q.forwardTo(to));

        ServiceBusReceiverClient later = sdk.receiver(from);
        ServiceBusReceivedMessage again = later.receiveDeferredMessage(a.getSequenceNumber());
        assertThat(again.getMessageId()).isEqualTo("a");
        later.complete(again);
        later.deadLetter(later.receiveDeferredMessage(b.getSequenceNumber()));
        assertThat(counts(from).active()).isZero();
        assertThat(counts(from).deadLetter()).isEqualTo(1);
        assertThat(counts(to).total()).isZero();
    }

    @Test
    @DisplayName("FWD-7: a message whose lock ends while its queue forwards is forwarded")
    void lockEnds() {
        String to = broker.queue();
        String from = broker.queue(q -> q.lockDurationMs(60_000));
        sdk.send(from, "held");
        next(sdk.receiver(from));
        broker.update(from, q -> q.forwardTo(to));
        broker.advance(Duration.ofSeconds(60));
        arrived(to, 1);
        assertThat(next(sdk.receiver(to)).getDeliveryCount()).as("FWD-10").isZero();
    }

    @Test
    @DisplayName(
            "FWD-10, SEQ-4, SEQ-6: number, time and count are new at the destination; the sender's properties are kept")
    void enqueuedAnew() {
        String to = broker.queue();
        String from = broker.queue(q -> q.lockDurationMs(60_000));
        sdk.send(to, "first");
        sdk.send(to, "second");
        sdk.send(from, "before");
        ServiceBusMessage sent = message("m")
                .setSubject("subject")
                .setCorrelationId("correlation")
                .setContentType("text/plain")
                .setReplyTo("reply")
                .setTo("to")
                .setSessionId(KEY);
        sent.getApplicationProperties().put("cups", 4);
        sdk.send(from, sent);
        ServiceBusReceiverClient receiver = sdk.receiver(from);
        receiver.complete(next(receiver));
        receiver.abandon(next(receiver));
        broker.advance(Duration.ofMinutes(3));
        broker.update(from, q -> q.forwardTo(to));
        arrived(to, 3);

        ServiceBusReceivedMessage moved =
                sdk.receiver(to).peekMessages(3).stream().skip(2).findFirst().orElseThrow();
        assertThat(counter(moved.getSequenceNumber())).isEqualTo(3);
        assertThat(counter(moved.getEnqueuedSequenceNumber())).as("SEQ-5").isEqualTo(2);
        assertThat(moved.getEnqueuedTime().toInstant()).isEqualTo(broker.now());
        assertThat(moved.getDeliveryCount()).isZero();
        assertThat(moved.getMessageId()).isEqualTo("m");
        assertThat(moved.getSubject()).isEqualTo("subject");
        assertThat(moved.getCorrelationId()).isEqualTo("correlation");
        assertThat(moved.getContentType()).isEqualTo("text/plain");
        assertThat(moved.getReplyTo()).isEqualTo("reply");
        assertThat(moved.getTo()).isEqualTo("to");
        assertThat(moved.getSessionId()).isEqualTo(KEY);
        assertThat(moved.getApplicationProperties()).containsOnlyKeys("cups").containsEntry("cups", 4);
        assertThat(moved.getBody()).hasToString("m");
    }

    @Test
    @DisplayName("FWD-10: a destination that detects duplicates drops them")
    void duplicates() {
        String to = broker.queue(q -> q.requiresDuplicateDetection(true));
        String from = queueTo(to);
        sdk.send(from, "twice");
        sdk.send(from, "twice");
        sdk.send(from, "once");
        arrived(to, 2);
        empty(from);
        assertThat(take(to, 2)).containsExactly("twice", "once");
    }

    @Test
    @DisplayName("FWD-10, TTL-12: a scheduled message is forwarded when it becomes active, and not before")
    void scheduled() {
        String to = broker.queue();
        String from = queueTo(to);
        sdk.sender(from).scheduleMessage(message("later"), in(Duration.ofMinutes(5)));
        broker.advance(Duration.ofMinutes(4));
        assertThat(counts(from).scheduled()).isEqualTo(1);
        assertThat(counts(to).total()).isZero();
        broker.advance(Duration.ofMinutes(1));
        arrived(to, 1);
        empty(from);
        assertThat(next(sdk.receiver(to)).getEnqueuedTime().toInstant()).isEqualTo(broker.now());
    }

    @Test
    @DisplayName("TTL-33: the time to live starts again, and the destination's default is its limit")
    void timeToLive() {
        String to = broker.queue();
        String strict = broker.queue(q -> q.defaultMessageTimeToLiveMs(60_000));
        for (String destination : List.of(to, strict)) {
            String from = broker.queue();
            sdk.send(from, message("m").setTimeToLive(Duration.ofMinutes(10)));
            broker.advance(Duration.ofMinutes(4));
            broker.update(from, q -> q.forwardTo(destination));
            arrived(destination, 1);
        }
        assertThat(sdk.receiver(to).peekMessage().getExpiresAt().toInstant())
                .isEqualTo(broker.now().plus(Duration.ofMinutes(6))); // the other message took four more minutes
        assertThat(sdk.receiver(strict).peekMessage().getExpiresAt().toInstant())
                .isEqualTo(broker.now().plus(Duration.ofMinutes(1)));
    }

    @Test
    @DisplayName("TTL-33, TTL-5: messages that expired at the source are not forwarded, but expire there")
    void expired() {
        String to = broker.queue();
        String from = broker.queue(q -> q.status(EntityStatus.RECEIVE_DISABLED).deadLetteringOnMessageExpiration(true));
        sdk.send(from, message("late").setTimeToLive(Duration.ofSeconds(10)));
        sdk.send(from, "lives");
        broker.advance(Duration.ofSeconds(10));
        broker.update(from, q -> q.status(EntityStatus.ACTIVE).forwardTo(to));
        arrived(to, 1);
        assertThat(take(to, 1)).containsExactly("lives");
        assertThat(counts(from).deadLetter()).isEqualTo(1);
        assertThat(next(sdk.deadLetterReceiver(from)).getDeadLetterReason()).isEqualTo("TTLExpiredException");
    }

    @ParameterizedTest
    @EnumSource(
            value = EntityStatus.class,
            names = {"RECEIVE_DISABLED", "DISABLED"})
    @DisplayName("FWD-15: a source that is disabled for receives does not forward, and continues when it is enabled")
    void paused(EntityStatus status) {
        String to = broker.queue();
        String from = queueTo(to);
        broker.status(from, EntityStatus.RECEIVE_DISABLED);
        sdk.send(from, "a");
        sdk.send(from, "b");
        broker.status(from, status);
        assertThat(counts(from).active()).isEqualTo(2);
        assertThat(counts(to).total()).isZero();
        broker.status(from, EntityStatus.ACTIVE);
        arrived(to, 2);
        assertThat(take(to, 2)).containsExactly("a", "b");
        empty(from);
    }

    @Test
    @DisplayName("FWD-15: a source that is disabled for sends still forwards its messages")
    void sendDisabledSource() {
        String to = broker.queue();
        String from = queueTo(to);
        broker.status(from, EntityStatus.RECEIVE_DISABLED);
        sdk.send(from, "a");
        broker.status(from, EntityStatus.SEND_DISABLED);
        arrived(to, 1);
    }

    @Test
    @DisplayName("FWD-15: the same for a subscription, which still gets messages")
    void pausedSubscription() {
        String to = broker.queue();
        String topic = broker.topics().create();
        Subscription from = broker.topics().subscribe(topic, s -> s.forwardTo(to));
        broker.topics().update(from, s -> s.status(EntityStatus.RECEIVE_DISABLED));
        sdk.publish(topic, "a");
        assertThat(counts(from.path()).active()).isEqualTo(1);
        broker.topics().update(from, s -> s.status(EntityStatus.ACTIVE));
        arrived(to, 1);
        empty(from.path());
    }

    @Test
    @DisplayName("FWD-1, DUP-1: a source that detects duplicates drops them before it forwards")
    void duplicatesAtTheSource() {
        String to = broker.queue();
        String from = broker.queue(q -> q.requiresDuplicateDetection(true).forwardTo(to));
        for (String id : List.of("twice", "twice", "once", "twice")) {
            sdk.send(from, id);
        }
        arrived(to, 2);
        assertThat(take(to, 2)).containsExactly("twice", "once");
        empty(from);
    }

    @Test
    @DisplayName("FWD-1, RULE-5: a copy is forwarded as the action of its rule has changed it")
    void actions() {
        String to = broker.queue();
        String topic = broker.topics().create();
        broker.topics().subscribe(topic, s -> s.forwardTo(to), Topics.sql("r", "cups > 2", "SET size = 'large'"));
        for (int cups : new int[] {1, 4}) {
            ServiceBusMessage sent = message("m" + cups);
            sent.getApplicationProperties().put("cups", cups);
            sdk.publish(topic, sent);
        }
        arrived(to, 1);
        ServiceBusReceivedMessage moved = next(sdk.receiver(to));
        assertThat(moved.getMessageId()).isEqualTo("m4");
        assertThat(moved.getApplicationProperties()).containsEntry("cups", 4).containsEntry("size", "large");
    }

    @Test
    @DisplayName(
            "TX-1, TX-14: messages sent to a source in a transaction are forwarded after the commit, and not without it")
    void transactions() {
        String to = broker.queue();
        String from = queueTo(to);
        ServiceBusSenderClient sender = sdk.sender(from);
        ServiceBusTransactionContext lost = sender.createTransaction();
        sender.sendMessage(message("never"), lost);
        sender.rollbackTransaction(lost);
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(message("a"), transaction);
        sender.sendMessages(List.of(message("b"), message("c")), transaction);
        assertThat(counts(to).total()).isZero();
        sender.commitTransaction(transaction);
        arrived(to, 3);
        assertThat(take(to, 3)).containsExactly("a", "b", "c");
        empty(from);
    }

    @Test
    @DisplayName("SCHED: messages canceled at the source are not forwarded")
    void cancelled() {
        String to = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queueTo(to));
        long number = sender.scheduleMessage(message("never"), in(Duration.ofMinutes(5)));
        sender.scheduleMessage(message("later"), in(Duration.ofMinutes(5)));
        sender.cancelScheduledMessage(number);
        broker.advance(Duration.ofMinutes(5));
        arrived(to, 1);
        assertThat(take(to, 1)).containsExactly("later");
    }

    @Test
    @DisplayName("FWD-14, IDLE-10: a source is never idle, but its destination may be, and is deleted then")
    void idleDestination() {
        String to = broker.queue(q -> q.autoDeleteOnIdleMs(300_000));
        String from = broker.queue(q -> q.autoDeleteOnIdleMs(300_000).forwardTo(to));
        broker.advance(Duration.ofMinutes(4));
        sdk.send(from, "a");
        arrived(to, 1);
        broker.advance(Duration.ofMinutes(4));
        assertThat(counts(to).active()).as("a forwarded message counts as sent").isEqualTo(1);
        broker.advance(Duration.ofMinutes(2));
        Await.until("the deletion of the destination", () -> !broker.has(to));
        sdk.send(from, "b");
        stranded(from, 1);
        assertThat(next(transferDeadLetters(from)).getDeadLetterReason()).isEqualTo("MessagingEntityNotFoundException");
    }

    @Test
    @DisplayName("FWD-6, FWD-11: a session queue cannot forward, but its dead-letter messages can be forwarded")
    void deadLettersOfASessionQueue() {
        String to = broker.queue();
        String from = broker.queue(q -> q.requiresSession(true).forwardDeadLetteredMessagesTo(to));
        sdk.send(from, message("m").setSessionId(KEY));
        ServiceBusSessionReceiverClient sessions = sdk.keep(sdk.builder()
                .sessionReceiver()
                .queueName(from)
                .disableAutoComplete()
                .buildClient());
        ServiceBusReceiverClient session = sdk.keep(sessions.acceptSession(KEY));
        session.deadLetter(next(session));
        arrived(to, 1);
        assertThat(next(sdk.receiver(to)).getSessionId()).isEqualTo(KEY);
        assertThat(sdk.receiver(from, r -> r.subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE))
                        .peekMessages(1))
                .isEmpty();
    }
}
