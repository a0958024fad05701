package dev.jitney.conformance.partitioned;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the tests of this package share. */
final class Partitions {
    static final int COUNT = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
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

    /** Receives and completes so many messages, in as many calls as it takes (PART-59). */
    static List<ServiceBusReceivedMessage> take(ServiceBusReceiverClient receiver, int count) {
        List<ServiceBusReceivedMessage> all = new ArrayList<>();
        while (all.size() < count) {
            int before = all.size();
            receiver.receiveMessages(count - before, PATIENCE).forEach(message -> {
                receiver.complete(message);
                all.add(message);
            });
            if (all.size() == before) {
                throw new AssertionError("Expected " + count + " messages, but only " + before + " came.");
            }
        }
        return all;
    }
}
