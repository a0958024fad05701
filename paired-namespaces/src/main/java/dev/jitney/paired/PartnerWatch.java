package dev.jitney.paired;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A watch that ends two paired factories together (18.7). When one ends, the other must be closed within a grace period, or it
 * fails. Thread-safe.
 */
final class PartnerWatch implements AutoCloseable {
    private final MessagingFactory primary;
    private final MessagingFactory secondary;
    private final Duration grace;
    private final PairingClock clock;
    private final Runnable firstEnded;
    private final Runnable bothEnded;

    private PairingClock.@Nullable Timer timer;
    private boolean closed;

    PartnerWatch(
            MessagingFactory primary,
            MessagingFactory secondary,
            Duration grace,
            PairingClock clock,
            Runnable firstEnded,
            Runnable bothEnded) {
        this.primary = primary;
        this.secondary = secondary;
        this.grace = grace;
        this.clock = clock;
        this.firstEnded = firstEnded;
        this.bothEnded = bothEnded;
    }

    void start() {
        primary.whenEnded(this::ended);
        secondary.whenEnded(this::ended);
    }

    private void ended() {
        boolean both = primary.state() != FactoryState.OPEN && secondary.state() != FactoryState.OPEN;
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!both && timer == null) {
                timer = clock.schedule(grace, this::graceElapsed);
            }
        }
        if (both) {
            bothEnded.run();
        } else {
            firstEnded.run();
        }
    }

    private void graceElapsed() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        MessagingFactory open = primary.state() == FactoryState.OPEN ? primary : secondary;
        MessagingFactory ended = open == primary ? secondary : primary;
        if (open.state() == FactoryState.OPEN) {
            open.fault(new PairedMessagingFactoryException(
                    "Its partner " + ended.transport().address() + " was "
                            + (ended.state() == FactoryState.CLOSED ? "closed" : "ended by a failure")
                            + ", but this factory was not closed within " + grace.toMillis() + " ms. Close both.",
                    null));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
