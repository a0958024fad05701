package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.transport.Outlet;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch of messages, created by {@link MessageSender#createMessageBatch()}. The primary stores it completely or not at all. A
 * diverted batch may be sent in parts, since messages in a backlog queue are somewhat larger (PAIR-52). Not thread-safe.
 */
public final class MessageBatch {
    private final Outlet.Batch room;
    private final boolean ofPrimary;
    private final String path;
    private final List<ServiceBusMessage> messages = new ArrayList<>();

    /**
     * @param room the batch that limits the size
     * @param ofPrimary whether that is a batch of the primary; otherwise of a backlog queue
     */
    MessageBatch(Outlet.Batch room, boolean ofPrimary, String path) {
        this.room = room;
        this.ofPrimary = ofPrimary;
        this.path = path;
    }

    /**
     * Adds a message if it fits.
     *
     * @return false if it does not fit; the batch is unchanged
     * @throws com.azure.messaging.servicebus.ServiceBusException if the message is larger than the SDK can write
     */
    public boolean tryAddMessage(ServiceBusMessage message) {
        if (!room.tryAdd(ofPrimary ? message : DivertedMessages.alter(message, path))) {
            return false;
        }
        messages.add(message);
        return true;
    }

    /** Returns the number of messages. */
    public int count() {
        return room.count();
    }

    /** Returns the size of the messages in bytes, as the SDK counts it. */
    public int sizeInBytes() {
        return room.sizeBytes();
    }

    /** Returns the maximum size in bytes. */
    public int maxSizeInBytes() {
        return room.sizeBytesMax();
    }

    List<ServiceBusMessage> messages() {
        return messages;
    }

    /** Returns whether {@link #room()} can be sent to the primary unchanged. */
    boolean isOfPrimary() {
        return ofPrimary;
    }

    Outlet.Batch room() {
        return room;
    }
}
