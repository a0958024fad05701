package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import org.jspecify.annotations.Nullable;

/**
 * A sender of messages in batches as large as the link allows. A message is sent with its batch, at the latest by {@link #flush}.
 * When {@link #flush} returns, all messages are accepted. Sessions and partition keys may be mixed.
 */
public final class MessageBatches {
    /** The maximum of one batch. A larger batch gains nothing, and a failure would leave more messages unsent. */
    private static final int COUNT_MAX = 500;

    private final ServiceBusSenderClient sender;
    private @Nullable ServiceBusMessageBatch batch;
    private @Nullable String key;
    private long sent;

    public MessageBatches(ServiceBusSenderClient sender) {
        this.sender = sender;
    }

    /** Adds a message. Sends the batch before it if the message does not fit. */
    public void add(ServiceBusMessage message) {
        // A partitioned entity accepts a batch only for a single partition.
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
            // The limit for single messages may be larger than that for batches.
            sender.sendMessage(message);
            sent++;
        } else {
            add(message);
        }
    }

    /** Adds the message if it fits. The SDK reports "too large" in two ways. */
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

    /** Sends the messages of the current batch. */
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

    /** Returns the number of accepted messages. */
    public long sent() {
        return sent;
    }
}
