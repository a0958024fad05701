package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.paired.internal.transport.Inlet;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Empties one backlog queue. One step at a time; holds no thread while it waits.
 *
 * <table>
 * <caption>States and events (18.6)</caption>
 * <tr><th>State</th><th>Event</th><th>Next</th></tr>
 * <tr><td>START</td><td>the retry interval elapses</td><td>POLL</td></tr>
 * <tr><td>POLL</td><td>no message within the read timeout</td><td>POLL</td></tr>
 * <tr><td>POLL</td><td>messages</td><td>DISPATCH ({@link SyphonCycle}), then POLL</td></tr>
 * <tr><td>POLL</td><td>a failure</td><td>BACKOFF</td></tr>
 * <tr><td>POLL</td><td>unauthorized, or no such queue</td><td>STOPPED: close the receiver, look again later</td></tr>
 * <tr><td>DISPATCH</td><td>a destination takes no messages</td><td>POLL for those of others, then BACKOFF</td></tr>
 * <tr><td>BACKOFF</td><td>the retry interval elapses</td><td>POLL</td></tr>
 * <tr><td>any</td><td>close</td><td>CLOSED</td></tr>
 * </table>
 *
 * <p>A receiver that is stopped looks again after the retry interval, and then after twice as long each time, up to two
 * minutes.
 */
final class SyphonWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyphonWorker.class);

    private static final Duration STOPPED_MAX = Duration.ofMinutes(2);
    /** Half the lock duration of a backlog queue: what is left for later is still locked when the cycle ends. */
    private static final Duration CYCLE_MAX = Duration.ofSeconds(30);

    private final String queue;
    private final NamespaceTransport secondary;
    private final SendAvailabilityPairedNamespaceOptions options;
    private final PairingClock clock;
    private final Syphon.Counters counters;
    private final SyphonCycle cycle;

    private @Nullable Inlet inlet;
    private Duration stopped = Duration.ZERO;
    private Instant cycleSince = Instant.MIN;
    private @Nullable Disposable loop;
    private boolean closed;

    SyphonWorker(
            String queue,
            NamespaceTransport secondary,
            SyphonOutlets primary,
            SendAvailabilityPairedNamespaceOptions options,
            PairingClock clock,
            Syphon.Counters counters) {
        this.queue = queue;
        this.secondary = secondary;
        this.options = options;
        this.clock = clock;
        this.counters = counters;
        this.cycle = new SyphonCycle(queue, primary, options.classifier(), clock, counters);
    }

    synchronized void start() {
        loop = Waiting.after(clock, options.syphonRetryInterval())
                .thenMany(Mono.defer(this::step)
                        .flatMap(pause -> Waiting.after(clock, pause))
                        .repeat(() -> !isClosed()))
                .subscribe(nothing -> {}, failure -> LOG.error("The syphon of {} has stopped", queue, failure));
    }

    /** One poll and what follows from it; the result is the pause before the next. */
    private Mono<Duration> step() {
        return Mono.defer(() -> {
                    Inlet open = open();
                    counters.receives.increment();
                    boolean others = cycle.leavesOut();
                    return open.receive(
                                    options.syphonBatch(),
                                    others ? options.syphonRetryInterval() : options.syphonReadTimeout())
                            .flatMap(messages -> received(open, messages));
                })
                .doOnNext(pause -> stopped = Duration.ZERO)
                .onErrorResume(thrown -> Mono.just(failed(Failures.bare(thrown))));
    }

    private Mono<Duration> received(Inlet from, List<Inlet.Delivered> messages) {
        boolean wentOn = cycle.leavesOut();
        if (messages.isEmpty()) {
            return wentOn ? endCycle(from) : Mono.just(Duration.ZERO);
        }
        return cycle.dispatch(messages, from).then(Mono.defer(() -> {
            if (!cycle.leavesOut()) {
                return Mono.just(Duration.ZERO);
            }
            if (!wentOn) {
                cycleSince = clock.now();
            }
            return clock.now().isBefore(cycleSince.plus(CYCLE_MAX)) ? Mono.just(Duration.ZERO) : endCycle(from);
        }));
    }

    private Mono<Duration> endCycle(Inlet from) {
        return cycle.end(from).thenReturn(options.syphonRetryInterval());
    }

    private Duration failed(Throwable failure) {
        cycle.forget();
        ServiceBusFailureReason reason = Failures.reason(failure);
        if (!ServiceBusFailureReason.UNAUTHORIZED.equals(reason)
                && !ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND.equals(reason)) {
            if (!isClosed()) {
                LOG.warn("Backlog queue {} could not be received from: {}", queue, failure.toString());
            }
            return options.syphonRetryInterval();
        }
        closeInlet();
        Duration twice = stopped.multipliedBy(2);
        stopped = stopped.isZero()
                ? options.syphonRetryInterval()
                : twice.compareTo(STOPPED_MAX) < 0 ? twice : STOPPED_MAX;
        LOG.warn("Backlog queue {} is left alone for {}: {}", queue, stopped, failure.toString());
        return stopped;
    }

    private synchronized Inlet open() {
        if (closed) {
            throw new IllegalStateException("Expected a syphon that runs, but it is closed.");
        }
        Inlet current = inlet;
        if (current == null) {
            current = secondary.inlet(queue, options.syphonPrefetch(), clock::now);
            inlet = current;
        }
        return current;
    }

    private void closeInlet() {
        Inlet last;
        synchronized (this) {
            last = inlet;
            inlet = null;
        }
        if (last != null) {
            last.close();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        Disposable running;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            running = loop;
        }
        if (running != null) {
            running.dispose();
        }
        closeInlet();
    }
}
