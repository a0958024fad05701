package dev.jitney.conformance.support;

import dev.jitney.runtime.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock that tests move. It starts at the real time, because clients use real times in tokens and schedules. Any
 * thread may read it.
 */
public final class TestClock implements Clock {
    private final LongSupplier base;
    private final AtomicLong offsetMs = new AtomicLong();

    private TestClock(LongSupplier base) {
        this.base = base;
    }

    /** Returns a clock that stands still until it is moved. */
    public static TestClock frozen() {
        long startMs = System.currentTimeMillis();
        return new TestClock(() -> startMs);
    }

    /** Returns a clock that runs with the machine's clock and can be moved ahead of it. */
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
