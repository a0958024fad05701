package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.transport.Inlet;

/**
 * A message on its way home.
 *
 * @param path of its destination, as it stands in the message
 * @param delivered as it came from the backlog queue, under lock
 * @param message as it goes to the primary
 */
record Home(String path, Inlet.Delivered delivered, ServiceBusMessage message) {
    /** Messages of different keys cannot travel in one batch to every entity. */
    String batchKey() {
        return message.getSessionId() + "\n" + message.getPartitionKey();
    }
}
