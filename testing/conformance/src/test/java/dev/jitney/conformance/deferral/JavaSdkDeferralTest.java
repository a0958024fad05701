package dev.jitney.conformance.deferral;

import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeferOptions;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkDeferralTest extends SdkTest {

    /** Sends and defers one message and returns its sequence number. */
    private long defer(String queue, ServiceBusMessage message) {
        sdk.send(queue, message);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage received = next(receiver);
        receiver.defer(received);
        return received.getSequenceNumber();
    }

    @Test
    @DisplayName("DEFER-1, DEFER-2: a deferred message is only received by its number, by any client")
    void deferredMessageIsReceivedByNumber() throws Exception {
        String queue = broker.queue();
        long number = defer(queue, new ServiceBusMessage("m").setMessageId("m"));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage peeked = receiver.peekMessage();
        assertThat(peeked.getState()).isEqualTo(ServiceBusMessageState.DEFERRED);
        assertThat(peeked.getSequenceNumber()).as("DEFER-5").isEqualTo(number);
        assertThat(none(receiver)).isEmpty();
        assertThat(broker.counts(queue).active()).as("CNT-3").isEqualTo(1);
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);

        try (Sdk other = broker.sdk()) {
            ServiceBusReceiverClient second = other.receiver(queue);
            ServiceBusReceivedMessage message = second.receiveDeferredMessage(number);
            assertThat(message.getMessageId()).isEqualTo("m");
            assertThat(message.getLockedUntil().toInstant())
                    .isEqualTo(broker.now().plusSeconds(60));
            assertThat(message.getDeliveryCount()).as("DEFER-6").isEqualTo(1);
            second.complete(message);
        }
        assertThat(broker.counts(queue).total()).isZero();
        assertThat(receiver.receiveDeferredMessageBatch(List.of(number)))
                .as("DEFER-3")
                .isEmpty();
    }

    @Test
    @DisplayName("DEFER-3: receive-and-delete removes a deferred message")
    void receiveAndDelete() {
        String queue = broker.queue();
        long number = defer(queue, new ServiceBusMessage("m"));
        assertThat(sdk.deletingReceiver(queue)
                        .receiveDeferredMessage(number)
                        .getBody()
                        .toString())
                .isEqualTo("m");
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("DEFER-4: one number that is not deferred fails the whole request")
    void oneBadNumberFailsAll() {
        String queue = broker.queue();
        long first = defer(queue, new ServiceBusMessage("a").setPartitionKey("one"));
        long second = defer(queue, new ServiceBusMessage("b").setPartitionKey("one"));
        sdk.send(queue, new ServiceBusMessage("active").setPartitionKey("one"));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        assertThat(receiver.receiveDeferredMessageBatch(List.of(first, second, second + 1)))
                .isEmpty();
        assertThat(broker.counts(queue).locked()).isZero();
        assertThat(receiver.receiveDeferredMessageBatch(List.of(first, second))).hasSize(2);
        assertThat(receiver.receiveDeferredMessageBatch(List.of(first)))
                .as("locked messages")
                .isEmpty();
    }

    @Test
    @DisplayName("DEFER-6: a defer counts as a delivery; the limit is judged at the next failure")
    void deferCountsAsDelivery() {
        String queue = broker.queue(q -> q.maxDeliveryCount(1));
        long number = defer(queue, new ServiceBusMessage("m"));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = receiver.receiveDeferredMessage(number);
        assertThat(message.getDeliveryCount()).isEqualTo(1);
        receiver.abandon(message);
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
        assertThat(broker.counts(queue).active()).isZero();
    }

    @Test
    @DisplayName("DEFER-7: an expired deferred message remains until a client requests it, and then expires")
    void expiredDeferredMessage() {
        String queue = broker.queue(q -> q.deadLetteringOnMessageExpiration(true));
        long number = defer(queue, new ServiceBusMessage("m").setTimeToLive(Duration.ofMinutes(1)));
        broker.advance(Duration.ofHours(1));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        assertThat(none(receiver)).isEmpty();
        assertThat(broker.counts(queue).active()).isEqualTo(1);

        assertThat(receiver.receiveDeferredMessageBatch(List.of(number))).isEmpty();
        assertThat(broker.counts(queue).active()).isZero();
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("DEFER-8: after an abandon or the end of its lock, a received deferred message is deferred again")
    void abandonedAfterRetrieval() {
        String queue = broker.queue();
        long number = defer(queue, new ServiceBusMessage("m"));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.abandon(receiver.receiveDeferredMessage(number));
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);
        assertThat(receiver.receiveDeferredMessage(number).getDeliveryCount()).isEqualTo(2);
        broker.advance(Duration.ofSeconds(60));
        assertThat(receiver.receiveDeferredMessage(number).getDeliveryCount()).isEqualTo(3);
        assertThat(none(sdk.receiver(queue))).isEmpty();
    }

    @Test
    @DisplayName("RECV-7: properties given with a defer arrive with the message")
    void deferSetsProperties() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        receiver.defer(message, new DeferOptions().setPropertiesToModify(Map.of("why", "later")));
        assertThat(receiver.receiveDeferredMessage(message.getSequenceNumber()).getApplicationProperties())
                .containsEntry("why", "later");
    }

    @Test
    @DisplayName("STATE-4: deferred messages survive a restart with their number and count")
    void survivesRestart() {
        String queue = broker.queue();
        long number = defer(queue, new ServiceBusMessage("m"));
        broker.restart();
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);
        assertThat(sdk.receiver(queue).receiveDeferredMessage(number).getDeliveryCount())
                .isEqualTo(1);
    }
}
