package dev.jitney.crash.paired;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import java.util.List;
import java.util.function.Consumer;

/** A reader of the new messages of an entity, by a client without pairing. */
final class PairedArrivals {
    private static final int PAGE = 200;

    private final String entity;
    private long seen;

    /** @param entity a queue, or TOPIC/Subscriptions/NAME */
    PairedArrivals(String entity) {
        this.entity = entity;
    }

    /**
     * Reads the messages since the last call. There must be no scheduled messages, because they get new numbers when
     * they are enqueued.
     */
    void look(String connectionString, Consumer<ServiceBusReceivedMessage> each) {
        ServiceBusClientBuilder.ServiceBusReceiverClientBuilder builder =
                new ServiceBusClientBuilder().connectionString(connectionString).receiver();
        String[] parts = entity.split("/Subscriptions/");
        if (parts.length == 1) {
            builder.queueName(entity);
        } else {
            builder.topicName(parts[0]).subscriptionName(parts[1]);
        }
        try (ServiceBusReceiverClient receiver = builder.buildClient()) {
            List<ServiceBusReceivedMessage> page;
            do {
                page = receiver.peekMessages(PAGE, seen + 1).stream().toList();
                for (ServiceBusReceivedMessage message : page) {
                    seen = message.getSequenceNumber();
                    each.accept(message);
                }
            } while (!page.isEmpty());
        }
    }
}
