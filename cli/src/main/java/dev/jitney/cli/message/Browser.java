package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.cli.connection.NamespaceClients;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A reader of messages that peeks page by page in sequence order, without locking or changing them. */
public final class Browser implements AutoCloseable {
    private static final int PAGE = 250;

    private final ServiceBusReceiverClient receiver;
    private final NamespaceClients clients;

    public Browser(NamespaceClients clients, EntityAddress address) {
        this.clients = clients;
        this.receiver = address.receiver(clients.messages()).buildClient();
    }

    /**
     * Passes messages to the consumer from a sequence number on, until no message is left, the maximum is reached, or Ctrl-C.
     *
     * @return the number of messages
     */
    public long forEach(long fromSequenceNumber, long max, Consumer<ServiceBusReceivedMessage> consumer) {
        long next = fromSequenceNumber;
        long count = 0;
        while (count < max && !clients.console().interruption().requested()) {
            List<ServiceBusReceivedMessage> page = new ArrayList<>();
            receiver.peekMessages((int) Math.min(PAGE, max - count), next).forEach(page::add);
            if (page.isEmpty()) {
                break;
            }
            for (ServiceBusReceivedMessage message : page) {
                consumer.accept(message);
                next = Math.max(next, message.getSequenceNumber() + 1);
            }
            count += page.size();
        }
        return count;
    }

    @Override
    public void close() {
        receiver.close();
    }
}
