package dev.jitney.paired;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Pings one path while it is failed over: the first ping leaves one interval after the failover, then one per interval
 * (PAIR-30, PAIR-31). One at a time: while a ping is under way the next is left out. For any thread.
 */
final class PingTask {
    private final PairingClock clock;
    private final Duration interval;
    private final Ping ping;
    private final Runnable arrived;
    private final Consumer<Throwable> failed;

    private PairingClock.@Nullable Timer next;
    private @Nullable Disposable underWay;
    /** Which start a timer belongs to, so that one of an earlier start does nothing. */
    private int start;

    PingTask(PairingClock clock, Duration interval, Ping ping, Runnable arrived, Consumer<Throwable> failed) {
        this.clock = clock;
        this.interval = interval;
        this.ping = ping;
        this.arrived = arrived;
        this.failed = failed;
    }

    /** Does nothing when it runs already. */
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
        // Outside the lock, since what is told may come at once and stop the pings.
        own.update(ping.send().doFinally(end -> own.dispose()).subscribe(nothing -> {}, failed, arrived));
    }

    /** Sends one ping, which ends within the time it may take. */
    @FunctionalInterface
    interface Ping {
        Mono<Void> send();
    }
}
