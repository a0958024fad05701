package dev.jitney.conformance.partitioned;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.util.ArrayList;
import java.util.List;

/** The common steps of the tests in this package. */
final class Partitions {
    static final int COUNT = 16;

    private static final int FRAGMENT_SHIFT = 48;

    private Partitions() {}

    static String queue(TestBroker broker) {
        return broker.queue(q -> q.enablePartitioning(true));
    }

    /** Returns the fragment of a message (SEQ-2). */
    static long of(ServiceBusReceivedMessage message) {
        return message.getSequenceNumber() >>> FRAGMENT_SHIFT;
    }

    static ServiceBusMessage keyed(String text, String key) {
        return new ServiceBusMessage(text).setMessageId(text).setPartitionKey(key);
    }

    /**
     * Receives and completes messages one by one. A receive of several messages ends when none arrives within a second.
     * The SDK then releases messages that arrive later for its credit.
     */
    static List<ServiceBusReceivedMessage> take(ServiceBusReceiverClient receiver, int count) {
        List<ServiceBusReceivedMessage> all = new ArrayList<>();
        while (all.size() < count) {
            ServiceBusReceivedMessage message = Sdk.next(receiver);
            receiver.complete(message);
            all.add(message);
        }
        return all;
    }
}
