package dev.jitney.runtime.namespace;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.runtime.Meter;
import dev.jitney.runtime.MeterReading;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the operations and bytes that a {@link Meter} shows. Any thread may call it. */
public final class OperationMeter implements Meter {
    private final LongAdder sends = new LongAdder();
    private final LongAdder deliveries = new LongAdder();
    private final LongAdder emptyReceives = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder transfers = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();

    /** The totals at the last reset. */
    private volatile MeterReading base;

    /** @param nowMs start of counting, milliseconds since the epoch */
    public OperationMeter(long nowMs) {
        base = new MeterReading(nowMs, nowMs, 0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public long operations() {
        return totals(0).operations();
    }

    @Override
    public long bytesIn() {
        return bytesIn.sum();
    }

    @Override
    public long bytesOut() {
        return bytesOut.sum();
    }

    @Override
    public MeterReading read(long nowMs) {
        return totals(nowMs).after(base);
    }

    @Override
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

    /** Counts a command that succeeded. */
    public void count(Command command, Reply reply) {
        switch (command.kind().metering()) {
            case MESSAGES_IN -> countSent(((Command.SendMessages) command).messages());
            case MESSAGES_OUT, MESSAGES_OUT_OF_ENTITY -> countReceived(((Reply.Messages) reply).messages());
            case CALL, CALL_OF_ENTITY -> calls.increment();
            case STATE_IN -> {
                calls.increment();
                bytesIn.add(sizeOf(((Command.SetSessionState) command).state()));
            }
            case STATE_OUT -> {
                calls.increment();
                bytesOut.add(sizeOf(((Reply.SessionState) reply).state()));
            }
            case FREE -> {}
        }
    }

    private void countSent(List<IncomingMessage> messages) {
        for (IncomingMessage message : messages) {
            sends.add(Meter.units(message.encodedSizeBytes()));
            bytesIn.add(message.encodedSizeBytes());
        }
    }

    private void countReceived(List<MessageView> messages) {
        messages.forEach(this::countDelivery);
        if (messages.isEmpty()) {
            emptyReceives.increment();
        }
    }

    /** Counts a receive that ended without a message. */
    public void countEmptyReceive() {
        emptyReceives.increment();
    }

    /** Counts a delivery. */
    public void countDelivery(MessageView message) {
        int size = message.content().sizeBytes();
        countDeliveries(Meter.units(size), size);
    }

    /**
     * Counts deliveries that were committed together.
     *
     * @param operations the sum of their {@link #units}
     * @param bytes      the sum of their sizes
     */
    public void countDeliveries(long operations, long bytes) {
        deliveries.add(operations);
        bytesOut.add(bytes);
    }

    /** Counts a call that moves no message. */
    public void countCall() {
        calls.increment();
    }

    /** Counts a message that was forwarded (FWD-16). It stays within the broker, so no bytes in or out are counted. */
    public void countTransfer(int messageSizeBytes) {
        transfers.add(Meter.units(messageSizeBytes));
    }

    private static int sizeOf(byte @Nullable [] state) {
        return state == null ? 0 : state.length;
    }
}
