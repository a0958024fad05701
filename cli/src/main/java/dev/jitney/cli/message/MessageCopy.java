package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.util.List;
import java.util.Map;

/** A message to send, copied from a received one: body, properties and ids, without annotations that only the broker sets. */
final class MessageCopy {
    private static final List<String> BROKER_ANNOTATIONS = List.of(
            "x-opt-enqueued-time",
            "x-opt-sequence-number",
            "x-opt-enqueue-sequence-number",
            "x-opt-locked-until",
            "x-opt-lock-token",
            "x-opt-message-state",
            "x-opt-deadletter-source",
            "x-opt-scheduled-enqueue-time");

    private MessageCopy() {}

    static ServiceBusMessage of(ServiceBusReceivedMessage received) {
        ServiceBusMessage copy = new ServiceBusMessage(received);
        Map<String, Object> annotations = copy.getRawAmqpMessage().getMessageAnnotations();
        BROKER_ANNOTATIONS.forEach(annotations::remove);
        copy.getApplicationProperties().remove(MessageDocument.REASON);
        copy.getApplicationProperties().remove(MessageDocument.DESCRIPTION);
        copy.getRawAmqpMessage().getDeliveryAnnotations().clear();
        return copy;
    }
}
