package dev.jitney.paired.internal.syphon;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.transport.Inlet;

/**
 * A message of a backlog queue, on its way to the primary.
 *
 * @param path of its destination, as it stands in the message
 * @param delivered as it came from the backlog queue, under lock
 * @param message as it goes to the primary
 */
public record BacklogMessage(String path, Inlet.Delivered delivered, ServiceBusMessage message) {
    /** Messages of different keys cannot travel in one batch to every entity. */
    public String batchKey() {
        return message.getSessionId() + "\n" + message.getPartitionKey();
    }
}
