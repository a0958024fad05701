package dev.jitney.paired;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * The pings of one path while it is failed over. The first is sent one interval after the failover, then one per interval
 * (PAIR-30, PAIR-31). While a ping is in progress, the next one is skipped. Thread-safe.
 */
final class PingTask {
    private final PairingClock clock;
    private final Duration interval;
    private final Ping ping;
    private final Runnable arrived;
    private final Consumer<Throwable> failed;

    private PairingClock.@Nullable Timer next;
    private @Nullable Disposable underWay;
    /** The number of the current start, so that a timer of an earlier one does nothing. */
    private int start;

    PingTask(PairingClock clock, Duration interval, Ping ping, Runnable arrived, Consumer<Throwable> failed) {
        this.clock = clock;
        this.interval = interval;
        this.ping = ping;
        this.arrived = arrived;
        this.failed = failed;
    }

    /** Starts the pings. Does nothing if they are running. */
    synchronized void start() {
        if (next == null) {
            start++;
            int current = start;
            next = clock.schedule(interval, () -> tick(current));
        }
    }

    synchronized void stop() {
        if (next != null) {
            next.cancel();
            next = null;
        }
        if (underWay != null) {
            underWay.dispose();
            underWay = null;
        }
    }

    private void tick(int expected) {
        Disposable.Swap own = reactor.core.Disposables.swap();
        synchronized (this) {
            if (next == null || start != expected) {
                return;
            }
            next = clock.schedule(interval, () -> tick(expected));
            if (underWay != null && !underWay.isDisposed()) {
                return;
            }
            underWay = own;
        }
        // Outside the lock, since the callback may run immediately and stop the pings.
        own.update(ping.send().doFinally(end -> own.dispose()).subscribe(nothing -> {}, failed, arrived));
    }

    /** Sends one ping, which ends within its timeout. */
    @FunctionalInterface
    interface Ping {
        Mono<Void> send();
    }
}
