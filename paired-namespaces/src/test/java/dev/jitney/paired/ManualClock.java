package dev.jitney.paired;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that tests set. Timers run on the test's thread, in order, each at its own time. */
final class ManualClock implements PairingClock {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::number));
    private Instant now = START;
    private long scheduled;

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized Timer schedule(Duration delay, Runnable task) {
        Due due = new Due(now.plus(delay), scheduled++, task);
        timers.add(due);
        return () -> {
            synchronized (this) {
                timers.remove(due);
            }
        };
    }

    /** Returns the number of pending timers. */
    synchronized int waiting() {
        return timers.size();
    }

    void advance(Duration by) {
        advanceTo(now().plus(by));
    }

    /** Moves to a time since the start of the test, which must not be in the past. */
    void advanceTo(Duration sinceStart) {
        advanceTo(START.plus(sinceStart));
    }

    void seconds(long sinceStart) {
        advanceTo(Duration.ofSeconds(sinceStart));
    }

    private void advanceTo(Instant end) {
        for (Due due = next(end); due != null; due = next(end)) {
            due.task().run();
        }
    }

    private synchronized Due next(Instant end) {
        if (end.isBefore(now)) {
            throw new IllegalArgumentException("Expected a time from " + now + " on, but it is " + end + ".");
        }
        Due first = timers.peek();
        if (first == null || first.at().isAfter(end)) {
            now = end;
            return null;
        }
        timers.remove();
        now = first.at();
        return first;
    }

    private record Due(Instant at, long number, Runnable task) {}
}
