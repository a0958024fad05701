package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.transport.Outlet;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that are sent together; from {@link MessageSender#createMessageBatch()}. Sent to the primary it is stored as a
 * whole or not at all. Diverted it may be sent in parts, since messages in a backlog queue are somewhat larger (PAIR-52).
 * Not for several threads.
 */
public final class MessageBatch {
    private final Outlet.Batch room;
    private final boolean ofPrimary;
    private final String path;
    private final List<ServiceBusMessage> messages = new ArrayList<>();

    /**
     * @param room by which it is judged what still fits
     * @param ofPrimary whether that is the room of the primary; otherwise that of a backlog queue
     */
    MessageBatch(Outlet.Batch room, boolean ofPrimary, String path) {
        this.room = room;
        this.ofPrimary = ofPrimary;
        this.path = path;
    }

    /**
     * Adds a message if there is room for it.
     *
     * @return false if there is not; the batch stays as it was
     * @throws com.azure.messaging.servicebus.ServiceBusException if the message is larger than the SDK can write
     */
    public boolean tryAddMessage(ServiceBusMessage message) {
        if (!room.tryAdd(ofPrimary ? message : DivertedMessages.alter(message, path))) {
            return false;
        }
        messages.add(message);
        return true;
    }

    /** Number of messages. */
    public int count() {
        return room.count();
    }

    /** Bytes that the messages take, as the SDK counts them. */
    public int sizeInBytes() {
        return room.sizeBytes();
    }

    /** Bytes that fit. */
    public int maxSizeInBytes() {
        return room.sizeBytesMax();
    }

    List<ServiceBusMessage> messages() {
        return messages;
    }

    /** Whether {@link #room()} can be sent to the primary as it is. */
    boolean isOfPrimary() {
        return ofPrimary;
    }

    Outlet.Batch room() {
        return room;
    }
}
