package dev.jitney.conformance.support;

import dev.jitney.runtime.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock that starts at the real time, because clients put real times into tokens and schedules, and that tests move.
 * Any thread may read it.
 */
public final class TestClock implements Clock {
    private final LongSupplier base;
    private final AtomicLong offsetMs = new AtomicLong();

    private TestClock(LongSupplier base) {
        this.base = base;
    }

    /** Stands still until it is moved. */
    public static TestClock frozen() {
        long startMs = System.currentTimeMillis();
        return new TestClock(() -> startMs);
    }

    /** Runs with the machine's clock, and can be moved ahead of it. */
    public static TestClock ticking() {
        return new TestClock(System::currentTimeMillis);
    }

    @Override
    public long nowMs() {
        return base.getAsLong() + offsetMs.get();
    }

    @Override
    public long lookAgainMs() {
        return 5;
    }

    void advance(Duration time) {
        offsetMs.addAndGet(time.toMillis());
    }
}
