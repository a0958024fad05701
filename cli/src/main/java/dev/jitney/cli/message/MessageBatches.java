package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages in batches as large as the link allows. A message leaves with its batch, at the latest with {@link
 * #flush}; what a call returned for is accepted. Sessions and partition keys may be mixed.
 */
public final class MessageBatches {
    /** More in one batch gains nothing, and a failure would leave more undone. */
    private static final int COUNT_MAX = 500;

    private final ServiceBusSenderClient sender;
    private @Nullable ServiceBusMessageBatch batch;
    private @Nullable String key;
    private long sent;

    public MessageBatches(ServiceBusSenderClient sender) {
        this.sender = sender;
    }

    /** Adds a message, and sends those before it if it does not fit any more. */
    public void add(ServiceBusMessage message) {
        // A partitioned entity takes a batch only if all of it goes to one partition.
        String itsKey = message.getSessionId() != null ? message.getSessionId() : message.getPartitionKey();
        if (batch != null && (batch.getCount() >= COUNT_MAX || !java.util.Objects.equals(key, itsKey))) {
            flush();
        }
        if (batch == null) {
            batch = sender.createMessageBatch();
            key = itsKey;
        }
        if (fits(batch, message)) {
            return;
        }
        boolean alone = batch.getCount() == 0;
        flush();
        if (alone) {
            // Where single messages may be larger than batches.
            sender.sendMessage(message);
            sent++;
        } else {
            add(message);
        }
    }

    /** The SDK says "too large" in two ways. */
    private static boolean fits(ServiceBusMessageBatch batch, ServiceBusMessage message) {
        try {
            return batch.tryAddMessage(message);
        } catch (ServiceBusException e) {
            if (ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(e.getReason())) {
                return false;
            }
            throw e;
        }
    }

    /** Sends what is waiting. */
    public void flush() {
        if (batch != null) {
            int count = batch.getCount();
            if (count > 0) {
                sender.sendMessages(batch);
                sent += count;
            }
            batch = null;
        }
    }

    /** How many were accepted. */
    public long sent() {
        return sent;
    }
}
