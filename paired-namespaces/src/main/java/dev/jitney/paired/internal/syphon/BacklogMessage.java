package dev.jitney.paired.internal.syphon;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.transport.Inlet;

/**
 * A message of a backlog queue in transfer to the primary.
 *
 * @param path of its destination, as written in the message
 * @param delivered the locked delivery from the backlog queue
 * @param message the message for the primary
 */
public record BacklogMessage(String path, Inlet.Delivered delivered, ServiceBusMessage message) {
    /** Returns the batch key. Some entities refuse a batch with messages of different keys. */
    public String batchKey() {
        return message.getSessionId() + "\n" + message.getPartitionKey();
    }
}
