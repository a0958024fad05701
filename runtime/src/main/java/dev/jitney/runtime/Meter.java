package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts operations and bytes of one entity or namespace as the cloud bills them (MET-1, MET-3): one operation per started
 * 64 KB of each message sent, delivered or forwarded, pings included, and one per call that moves no message and per receive
 * that ends empty. What is refused and what the broker does by itself is free, and so is settling: it belongs to the
 * delivery. Any thread may call it.
 *
 * <p>Totals only grow, which is what {@code /metrics} shows; a reset moves the moment that {@link #read} counts from.
 */
public final class Meter {
    private static final int UNIT_BYTES = 64 * 1024;

    private final LongAdder sends = new LongAdder();
    private final LongAdder deliveries = new LongAdder();
    private final LongAdder emptyReceives = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder transfers = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();

    /** The totals at the last reset. */
    private volatile MeterReading base;

    /** @param nowMs when it begins, milliseconds since the epoch */
    Meter(long nowMs) {
        base = new MeterReading(nowMs, nowMs, 0, 0, 0, 0, 0, 0, 0);
    }

    /** All operations since the process started, whatever was reset. */
    public long operations() {
        return totals(0).operations();
    }

    /** Bytes of all messages sent since the process started, whatever was reset. */
    public long bytesIn() {
        return bytesIn.sum();
    }

    /** Bytes of all messages handed out since the process started, whatever was reset. */
    public long bytesOut() {
        return bytesOut.sum();
    }

    /**
     * What was counted since the last reset, or since the beginning.
     *
     * @param nowMs the broker's time, milliseconds since the epoch (MET-2)
     */
    public MeterReading read(long nowMs) {
        return totals(nowMs).after(base);
    }

    /**
     * Counts from zero again. What is counted at this very moment falls on one side or the other.
     *
     * @param nowMs the broker's time, milliseconds since the epoch (MET-2)
     * @return what was counted until now
     */
    public MeterReading reset(long nowMs) {
        MeterReading totals = totals(nowMs);
        MeterReading reading = totals.after(base);
        base = totals;
        return reading;
    }

    private MeterReading totals(long nowMs) {
        return new MeterReading(
                0,
                nowMs,
                sends.sum(),
                deliveries.sum(),
                emptyReceives.sum(),
                calls.sum(),
                transfers.sum(),
                bytesIn.sum(),
                bytesOut.sum());
    }

    /** Counts a command that was carried out. */
    void count(Command command, Reply reply) {
        if (command instanceof Command.SendMessages send) {
            for (IncomingMessage message : send.messages()) {
                sends.add(units(message.encodedSizeBytes()));
                bytesIn.add(message.encodedSizeBytes());
            }
        } else if (reply instanceof Reply.Messages messages) {
            messages.messages().forEach(this::countDelivery);
            if (messages.messages().isEmpty()) {
                emptyReceives.increment();
            }
        } else if (command instanceof Command.SetSessionState set) {
            calls.increment();
            bytesIn.add(sizeOf(set.state()));
        } else if (reply instanceof Reply.SessionState state) {
            calls.increment();
            bytesOut.add(sizeOf(state.state()));
        } else if (command instanceof Command.RenewLocks
                || command instanceof Command.AcceptSession
                || command instanceof Command.RenewSessionLock
                || command instanceof Command.ListSessions
                || command instanceof Command.CancelScheduledMessages
                || command instanceof Command.BatchDeleteMessages) {
            calls.increment();
        }
    }

    void countEmptyReceive() {
        emptyReceives.increment();
    }

    void countDelivery(MessageView message) {
        int size = message.content().sizeBytes();
        countDeliveries(units(size), size);
    }

    /**
     * Counts deliveries that were made together.
     *
     * @param operations the {@link #units} of all of them
     * @param bytes their contents
     */
    void countDeliveries(long operations, long bytes) {
        deliveries.add(operations);
        bytesOut.add(bytes);
    }

    /** Counts a call that moves no message. */
    void countCall() {
        calls.increment();
    }

    /** Counts a message that was forwarded (FWD-16). It stays within the broker: no bytes in or out. */
    void countTransfer(int messageSizeBytes) {
        transfers.add(units(messageSizeBytes));
    }

    private static int sizeOf(byte @Nullable [] state) {
        return state == null ? 0 : state.length;
    }

    /** How many operations a message of that size is. */
    static int units(int sizeBytes) {
        return Math.max(1, (sizeBytes + UNIT_BYTES - 1) / UNIT_BYTES);
    }
}
