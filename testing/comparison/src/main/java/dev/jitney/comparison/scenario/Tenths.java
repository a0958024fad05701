package dev.jitney.comparison.scenario;

import dev.jitney.testing.process.ProcessCost;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** The rate and cost of each tenth of a run with a known number of messages. Used by one thread. */
final class Tenths implements LongConsumer {
    private static final int PARTS = 10;

    private final long count;
    private final ProcessCost server;
    private final List<Double> perSecond = new ArrayList<>();
    private final List<Double> cpuMicros = new ArrayList<>();
    private long doneAtStart;
    private long nanosAtStart;
    private long cpuAtStart;

    Tenths(long count, ProcessCost server) {
        this.count = count;
        this.server = server;
        this.nanosAtStart = System.nanoTime();
        this.cpuAtStart = server.cpuNanos();
    }

    /**
     * @param moved number of messages moved so far
     */
    @Override
    public void accept(long moved) {
        // After a late call, one part is longer. Two parts would be divided by a time close to 0.
        if (perSecond.size() < PARTS && moved >= count * (perSecond.size() + 1) / PARTS && moved > doneAtStart) {
            long nanos = System.nanoTime();
            long cpu = server.cpuNanos();
            long part = moved - doneAtStart;
            perSecond.add(part * 1e9 / (nanos - nanosAtStart));
            cpuMicros.add((cpu - cpuAtStart) / 1e3 / part);
            doneAtStart = moved;
            nanosAtStart = nanos;
            cpuAtStart = cpu;
        }
    }

    /** Returns the messages per second of each part. */
    List<Double> perSecond() {
        return perSecond;
    }

    /** Returns the microseconds of the server's processor time per message of each part. */
    List<Double> cpuMicros() {
        return cpuMicros;
    }
}
