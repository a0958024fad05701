package dev.jitney.benchmarks.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The schedule of sends, independent of the answers. The planned time of message n is start + n / rate. Its latency
 * counts from there, however late it leaves. If a broker stalls for a second, every message of that second shows the
 * delay, not only the one that waited (no coordinated omission). Thread-safe.
 */
final class Pacer implements SendingLink.Quota {
    private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final double nanosPerMessage;
    private final long startNanos = System.nanoTime();
    private final AtomicLong next = new AtomicLong();
    private volatile boolean stopped;

    Pacer(double rate) {
        this.nanosPerMessage = TimeUnit.SECONDS.toNanos(1) / rate;
    }

    @Override
    public long take() {
        while (!stopped) {
            long index = next.get();
            long intended = intended(index);
            if (intended - System.nanoTime() > 0) {
                return NOTHING;
            }
            if (next.compareAndSet(index, index + 1)) {
                return intended;
            }
        }
        return NOTHING;
    }

    /** Wakes the senders when messages are due, until stopped. Runs on its own thread. */
    void run(Runnable wake) {
        while (!stopped) {
            long index = next.get();
            long wait = intended(index) - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(Math.min(wait, LONGEST_NAP_NANOS));
            } else {
                wake.run();
                // The senders take the messages that are due. Wait for the next one before waking them again.
                LockSupport.parkNanos((long) Math.min(nanosPerMessage, LONGEST_NAP_NANOS));
            }
        }
    }

    void stop() {
        stopped = true;
    }

    private long intended(long index) {
        return startNanos + (long) (index * nanosPerMessage);
    }
}
