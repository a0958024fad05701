package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.conformance.support.Sdk;
import java.util.List;

/** Messages that are deferred, dead-lettered or only peeked at. */
final class StoredMessagesCheck extends FailoverCheck {
    private ServiceBusReceiverClient receiver;
    private long deferred;
    private List<Long> numbers;

    StoredMessagesCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-24, CL-25: deferred and dead-lettered messages, delivery counts and sequence numbers are as they were";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue());
        ServiceBusSenderClient sender = sdk.sender(entity);
        receiver = sdk.receiver(entity);
        List.of("deferred", "dead", "abandoned", "untouched").forEach(id -> sender.sendMessage(message(id)));
        ServiceBusReceivedMessage first = Sdk.next(receiver);
        deferred = first.getSequenceNumber();
        receiver.defer(first);
        receiver.deadLetter(
                Sdk.next(receiver),
                new DeadLetterOptions().setDeadLetterReason("reason").setDeadLetterErrorDescription("description"));
        receiver.abandon(Sdk.next(receiver));
        numbers = peek();
    }

    @Override
    void after() {
        assertThat(repeated("a peek", this::peek)).isEqualTo(numbers);
        ServiceBusReceivedMessage again =
                repeated("the deferred message", () -> receiver.receiveDeferredMessage(deferred));
        assertThat(again.getMessageId()).isEqualTo("deferred");
        receiver.complete(again);
        ServiceBusReceiverClient deadLetters = sdk.deadLetterReceiver(entity);
        ServiceBusReceivedMessage dead = Sdk.next(deadLetters);
        assertThat(dead.getMessageId()).isEqualTo("dead");
        assertThat(dead.getDeadLetterReason()).isEqualTo("reason");
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("description");
        deadLetters.complete(dead);
        complete("abandoned", 1);
        complete("untouched", 0);
        assertThat(administration.getQueueRuntimeProperties(entity).getTotalMessageCount())
                .isZero();
    }

    private List<Long> peek() {
        return receiver.peekMessages(10, 0).stream()
                .map(ServiceBusReceivedMessage::getSequenceNumber)
                .toList();
    }

    private void complete(String id, long deliveryCount) {
        ServiceBusReceivedMessage message = Sdk.next(receiver);
        assertThat(message.getMessageId()).isEqualTo(id);
        assertThat(message.getDeliveryCount()).as(id).isEqualTo(deliveryCount);
        receiver.complete(message);
    }
}
