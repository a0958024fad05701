package dev.jitney.conformance.partitioned;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.util.ArrayList;
import java.util.List;

/** What the tests of this package share. */
final class Partitions {
    static final int COUNT = 16;

    private static final int FRAGMENT_SHIFT = 48;

    private Partitions() {}

    static String queue(TestBroker broker) {
        return broker.queue(q -> q.enablePartitioning(true));
    }

    /** The fragment that a message is kept in (SEQ-2). */
    static long of(ServiceBusReceivedMessage message) {
        return message.getSequenceNumber() >>> FRAGMENT_SHIFT;
    }

    static ServiceBusMessage keyed(String text, String key) {
        return new ServiceBusMessage(text).setMessageId(text).setPartitionKey(key);
    }

    /**
     * Receives and completes so many messages. One by one: a receive of many ends when none has come for a second, and
     * what comes after it for its credit the SDK gives back.
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
