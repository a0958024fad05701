package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts operations and bytes of one entity (MET-1, MET-3): one operation per started 64 KB of each message sent or
 * delivered, pings included, and one per management or lock call and per receive that ends empty. Any thread may read.
 */
public final class Meter {
    private static final int UNIT_BYTES = 64 * 1024;

    private final LongAdder operations = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();

    public long operations() {
        return operations.sum();
    }

    public long bytesIn() {
        return bytesIn.sum();
    }

    public long bytesOut() {
        return bytesOut.sum();
    }

    void count(Command command, Reply reply) {
        if (command instanceof Command.SendMessages send) {
            for (IncomingMessage message : send.messages()) {
                operations.add(units(message.encodedSizeBytes()));
                bytesIn.add(message.encodedSizeBytes());
            }
        } else if (reply instanceof Reply.Messages messages) {
            messages.messages().forEach(this::countDelivery);
            if (messages.messages().isEmpty()) {
                operations.increment();
            }
        } else if (command instanceof Command.RenewLocks
                || command instanceof Command.RenewSessionLock
                || command instanceof Command.GetSessionState
                || command instanceof Command.SetSessionState
                || command instanceof Command.ListSessions
                || command instanceof Command.CancelScheduledMessages
                || command instanceof Command.BatchDeleteMessages) {
            operations.increment();
        }
    }

    /** One operation per transfer (MET-1), in units as a message has them. */
    void countTransfer(int sizeBytes) {
        operations.add(units(sizeBytes));
    }

    void countEmptyReceive() {
        operations.increment();
    }

    void countDelivery(MessageView message) {
        int size = message.content().sizeBytes();
        operations.add(units(size));
        bytesOut.add(size);
    }

    private static int units(int sizeBytes) {
        return Math.max(1, (sizeBytes + UNIT_BYTES - 1) / UNIT_BYTES);
    }
}
