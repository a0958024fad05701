package dev.jitney.paired;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** Delays on a {@link PairingClock} that hold no thread. */
final class Waiting {
    private Waiting() {}

    /** Completes after the delay, immediately if it is zero. Canceling the subscription cancels the timer. */
    static <T> Mono<T> after(PairingClock clock, Duration delay) {
        return delay.isZero()
                ? Mono.empty()
                : Mono.create(sink -> {
                    PairingClock.Timer timer = clock.schedule(delay, sink::success);
                    sink.onCancel(timer::cancel);
                });
    }
}
