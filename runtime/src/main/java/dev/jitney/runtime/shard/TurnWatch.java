package dev.jitney.runtime.shard;

import dev.jitney.runtime.LogKeys;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the turns of a shard that take longer than a limit, with the time of each step. The processor time of the thread and the pauses of
 * the garbage collector show whether a step computed or waited.
 *
 * <p>It logs at most one turn in {@value #PAUSE_MS} milliseconds, and counts the others. For the thread of the shard.
 */
final class TurnWatch {
    /** The steps of a turn, in their order. */
    enum Step {
        TASKS("tasks"),
        WORK("timers and deliveries"),
        COMMIT("commit"),
        RELEASE("replies and deliveries released"),
        INDEX("rows indexed");

        private final String words;

        Step(String words) {
            this.words = words;
        }
    }

    static final long PAUSE_MS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(TurnWatch.class);
    private static final double NANOS_PER_MS = 1e6;
    private static final Step[] STEPS = Step.values();

    private final int shard;
    private final long limitNanos;
    private final LongSupplier clock;
    private final LongSupplier processorClock;
    private final LongSupplier collectorMs;
    private final long[] stepNanos = new long[STEPS.length];

    private long beganNanos;
    private long stepBeganNanos;
    private long processorBegan;
    private long collectorBegan;
    private int tasks;
    private int rows;
    private long bytes;
    private long lastLogNanos;
    private long unlogged;
    private boolean logged;

    /** @param limitNanos the shortest turn that is logged, in nanoseconds; 0 for none, then nothing is measured */
    TurnWatch(int shard, long limitNanos) {
        this(shard, limitNanos, System::nanoTime, processorTime(), collectorTime());
    }

    TurnWatch(int shard, long limitNanos, LongSupplier clock, LongSupplier processorClock, LongSupplier collectorMs) {
        this.shard = shard;
        this.limitNanos = limitNanos;
        this.clock = clock;
        this.processorClock = processorClock;
        this.collectorMs = collectorMs;
    }

    private static LongSupplier processorTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : () -> 0;
    }

    private static LongSupplier collectorTime() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return () -> {
            long ms = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                ms += Math.max(0, collector.getCollectionTime());
            }
            return ms;
        };
    }

    /** Begins a turn. */
    void begin() {
        if (limitNanos == 0) {
            return;
        }
        Arrays.fill(stepNanos, 0);
        tasks = 0;
        rows = 0;
        bytes = 0;
        processorBegan = processorClock.getAsLong();
        collectorBegan = collectorMs.getAsLong();
        beganNanos = clock.getAsLong();
        stepBeganNanos = beganNanos;
    }

    /** Counts a task of the turn. */
    void task() {
        tasks++;
    }

    /** Notes the size of the commit. */
    void commits(int commitRows, long commitBytes) {
        rows += commitRows;
        bytes += commitBytes;
    }

    /** Ends a step; the next one begins. A step may come several times. */
    void end(Step step) {
        if (limitNanos == 0) {
            return;
        }
        long now = clock.getAsLong();
        stepNanos[step.ordinal()] += now - stepBeganNanos;
        stepBeganNanos = now;
    }

    /** Ends the turn, and logs it if it was slow. */
    void end() {
        if (limitNanos == 0) {
            return;
        }
        long now = clock.getAsLong();
        long nanos = now - beganNanos;
        if (nanos < limitNanos) {
            return;
        }
        if (logged && now - lastLogNanos < PAUSE_MS * NANOS_PER_MS) {
            unlogged++;
            return;
        }
        logged = true;
        lastLogNanos = now;
        LOG.atWarn().addKeyValue(LogKeys.SHARD, shard).log(text(nanos));
        unlogged = 0;
    }

    private String text(long nanos) {
        StringBuilder text = new StringBuilder("A turn of shard ").append(shard).append(" took ");
        ms(text, nanos).append(": ");
        for (Step step : STEPS) {
            ms(text.append(step.words).append(' '), stepNanos[step.ordinal()]).append(", ");
        }
        text.append(tasks)
                .append(" tasks, ")
                .append(rows)
                .append(" rows of ")
                .append(bytes)
                .append(" bytes, ");
        ms(text.append("processor time "), processorClock.getAsLong() - processorBegan);
        text.append(", garbage collections ")
                .append(collectorMs.getAsLong() - collectorBegan)
                .append(" ms.");
        if (unlogged > 0) {
            text.append(' ').append(unlogged).append(" other slow turns since the last line are not logged.");
        }
        return text.toString();
    }

    private static StringBuilder ms(StringBuilder text, long nanos) {
        return text.append(String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MS));
    }
}
