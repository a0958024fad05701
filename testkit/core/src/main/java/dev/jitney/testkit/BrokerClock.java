package dev.jitney.testkit;

import dev.jitney.testkit.BrokerHttp.Request;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The message time of a broker: locks, times to live, scheduled messages, idle entities and the windows of duplicate detection
 * follow it. Tokens and connections follow the time of the machine. It never runs backward. All namespaces of a broker share it. Any
 * thread may call the methods.
 */
public final class BrokerClock {
    private static final int SPEED_MAX = 1000;

    private final BrokerHttp http;
    /** The latest time that was returned. */
    private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.MIN);

    private volatile @Nullable Reading last;
    private volatile boolean changed;

    BrokerClock(BrokerHttp http) {
        this.http = http;
    }

    /** The time when the broker answered, from which the current time follows. */
    private record Reading(Instant now, double speed, long readAtNs) {
        static Reading of(JsonObject answer) {
            Instant now = answer.time("now");
            if (now == null) {
                throw new JitneyException(
                        "clock(): Expected the time in the answer, but got " + Json.write(answer.members()) + ".");
            }
            return new Reading(now, answer.decimal("speed"), System.nanoTime());
        }

        Instant current() {
            return now.plusNanos((long) ((System.nanoTime() - readAtNs) * speed));
        }

        /** Returns a reading of the current time, at which the time stops. */
        Reading stopped() {
            return new Reading(current(), 0, readAtNs);
        }
    }

    /**
     * Moves the time forward. Returns when everything that is due has happened: locks have ended, messages have expired, and
     * scheduled messages are enqueued.
     *
     * @param duration more than zero
     */
    public void advance(Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(
                    "advance: Expected more than zero, because time never runs backward, but got " + duration + ".");
        }
        set("advance(" + duration + ")", Map.of("advance", duration.toString()));
    }

    /** Stops the time. It moves only with {@link #advance}. */
    public void freeze() {
        set("freeze()", Map.of("speed", 0));
    }

    /** Lets the time run as fast as that of the machine. This is the state after a start. */
    public void run() {
        run(1);
    }

    /**
     * Lets the time run faster or slower than that of the machine.
     *
     * @param speed 1 for the speed of the machine, at most 1,000; 0 stops the time
     */
    public void run(double speed) {
        if (!(speed >= 0 && speed <= SPEED_MAX)) {
            throw new IllegalArgumentException(
                    "run: Expected a speed from 0 to " + SPEED_MAX + ", but got " + speed + ".");
        }
        set("run(" + speed + ")", Map.of("speed", speed));
    }

    /** Returns the current message time. */
    public Instant now() {
        Reading reading = last;
        if (reading == null) {
            // Another thread that sets the time meanwhile has the later reading.
            synchronized (this) {
                reading = last;
                if (reading == null) {
                    reading = Reading.of(http.send(new Request("clock().now()", "GET", "/$test/clock", null, null)));
                    last = reading;
                }
            }
        }
        return latest.accumulateAndGet(
                reading.current(), (before, current) -> before.isAfter(current) ? before : current);
    }

    /** Returns whether a test has moved the time or set its speed with this kit, so that other tests should use another broker. */
    public boolean isChanged() {
        return changed;
    }

    /**
     * Returns this clock for an application that is tested, in UTC. It follows changes that are made with this kit, and needs no
     * request for a reading.
     */
    public Clock asJavaClock() {
        return new JavaClock(this, ZoneOffset.UTC);
    }

    private synchronized void set(String call, Map<String, Object> change) {
        changed = true;
        Reading before = last;
        if (before != null) {
            // While the broker changes its speed, the old speed may be too high.
            last = before.stopped();
        }
        boolean complete = false;
        try {
            last = Reading.of(http.send(new Request("clock()." + call, "POST", "/$test/clock", null, change)));
            complete = true;
        } finally {
            if (!complete) {
                last = null; // the broker may have changed it or not
            }
        }
    }

    private static final class JavaClock extends Clock {
        private final BrokerClock clock;
        private final ZoneId zone;

        JavaClock(BrokerClock clock, ZoneId zone) {
            this.clock = clock;
            this.zone = zone;
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new JavaClock(clock, other);
        }

        @Override
        public Instant instant() {
            return clock.now();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof JavaClock that && that.clock == clock && that.zone.equals(zone);
        }

        @Override
        public int hashCode() {
            return zone.hashCode();
        }

        @Override
        public String toString() {
            return "JavaClock[" + zone + "]";
        }
    }
}
