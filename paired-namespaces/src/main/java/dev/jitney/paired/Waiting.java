package dev.jitney.paired;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** Waits by a {@link PairingClock} without holding a thread. */
final class Waiting {
    private Waiting() {}

    /** Ends after a while, at once if that is zero; who stops listening stops the timer. */
    static <T> Mono<T> after(PairingClock clock, Duration delay) {
        return delay.isZero()
                ? Mono.empty()
                : Mono.create(sink -> {
                    PairingClock.Timer timer = clock.schedule(delay, sink::success);
                    sink.onCancel(timer::cancel);
                });
    }
}
