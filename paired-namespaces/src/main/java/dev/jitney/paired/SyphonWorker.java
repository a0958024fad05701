package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.syphon.Destinations;
import dev.jitney.paired.internal.syphon.SyphonCounters;
import dev.jitney.paired.internal.syphon.SyphonOutlets;
import dev.jitney.paired.internal.transport.Inlet;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * The worker that empties one backlog queue. It runs one step at a time and holds no thread while it waits.
 *
 * <table>
 * <caption>States and events (18.6)</caption>
 * <tr><th>State</th><th>Event</th><th>Next</th></tr>
 * <tr><td>START</td><td>the retry interval elapses</td><td>POLL</td></tr>
 * <tr><td>POLL</td><td>no message within the read timeout</td><td>POLL</td></tr>
 * <tr><td>POLL</td><td>messages</td><td>DISPATCH ({@link SyphonDispatch}), then POLL</td></tr>
 * <tr><td>POLL</td><td>a failure</td><td>BACKOFF</td></tr>
 * <tr><td>POLL</td><td>unauthorized, or no such queue</td><td>STOPPED: close the receiver, try again later</td></tr>
 * <tr><td>DISPATCH</td><td>a destination accepts no messages</td><td>POLL for other destinations; this one is paused
 * ({@link Destinations})</td></tr>
 * <tr><td>POLL</td><td>the pause of a destination ends</td><td>DISPATCH of the messages held for it</td></tr>
 * <tr><td>BACKOFF</td><td>the retry interval elapses</td><td>POLL</td></tr>
 * <tr><td>any</td><td>close</td><td>CLOSED</td></tr>
 * </table>
 *
 * <p>A stopped worker tries again after the retry interval, and then after twice as long each time, up to two minutes.
 */
final class SyphonWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyphonWorker.class);

    private static final Duration STOPPED_MAX = Duration.ofMinutes(2);
    /** The maximum of unsettled messages. The SDK keeps a record of each one, so that beyond this a new receiver is cheaper. */
    private static final int UNSETTLED_MAX = 20_000;
    /** The minimum poll time, so that a poll which ends early for a held message leaves the receiver time for new messages. */
    private static final Duration POLL_MIN = Duration.ofMillis(10);

    private final String queue;
    private final NamespaceTransport secondary;
    private final SyphonSettings settings;
    private final PairingClock clock;
    private final SyphonCounters counters;
    private final SyphonDispatch dispatch;

    private @Nullable Inlet inlet;
    private Duration stopped = Duration.ZERO;
    private @Nullable Disposable loop;
    private boolean closed;

    SyphonWorker(
            String queue,
            NamespaceTransport secondary,
            SyphonOutlets primary,
            Destinations destinations,
            SyphonSettings settings,
            PairingClock clock,
            SyphonCounters counters) {
        this.queue = queue;
        this.secondary = secondary;
        this.settings = settings;
        this.clock = clock;
        this.counters = counters;
        this.dispatch = new SyphonDispatch(queue, primary, destinations, settings.classifier(), clock, counters);
    }

    synchronized void start() {
        loop = Waiting.after(clock, settings.retryInterval())
                .thenMany(Mono.defer(this::step)
                        .flatMap(pause -> Waiting.after(clock, pause))
                        .repeat(() -> !isClosed()))
                .subscribe(nothing -> {}, failure -> LOG.error("The syphon of {} has stopped", queue, failure));
    }

    /** Runs one poll and dispatches its messages. Returns the pause before the next step. */
    private Mono<Duration> step() {
        return Mono.defer(() -> {
                    Inlet open = open();
                    counters.receives.increment();
                    return open.receive(settings.batch(), pollTime()).flatMap(messages -> received(open, messages));
                })
                .doOnNext(pause -> stopped = Duration.ZERO)
                .onErrorResume(thrown -> Mono.just(failed(Failures.bare(thrown))));
    }

    private Duration pollTime() {
        Duration untilNextTry = dispatch.untilNextTry();
        if (untilNextTry == null || untilNextTry.compareTo(settings.readTimeout()) > 0) {
            return settings.readTimeout();
        }
        return untilNextTry.compareTo(POLL_MIN) < 0 ? POLL_MIN : untilNextTry;
    }

    private Mono<Duration> received(Inlet from, List<Inlet.Delivered> messages) {
        return dispatch.dispatch(messages, from).then(Mono.fromSupplier(() -> {
            if (dispatch.unsettled() > UNSETTLED_MAX) {
                dispatch.forget();
                closeInlet();
            }
            return Duration.ZERO;
        }));
    }

    private Duration failed(Throwable failure) {
        dispatch.forget();
        ServiceBusFailureReason reason = Failures.reason(failure);
        if (!ServiceBusFailureReason.UNAUTHORIZED.equals(reason)
                && !ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND.equals(reason)) {
            if (!isClosed()) {
                LOG.warn("Receiving from backlog queue {} failed; the syphon retries: {}", queue, failure.toString());
            }
            return settings.retryInterval();
        }
        closeInlet();
        Duration twice = stopped.multipliedBy(2);
        stopped = stopped.isZero() ? settings.retryInterval() : twice.compareTo(STOPPED_MAX) < 0 ? twice : STOPPED_MAX;
        LOG.warn(
                "Receiving from backlog queue {} failed; the next attempt is in {}: {}",
                queue,
                stopped,
                failure.toString());
        return stopped;
    }

    private synchronized Inlet open() {
        if (closed) {
            throw new IllegalStateException("Expected a running syphon, but it is closed.");
        }
        Inlet current = inlet;
        if (current == null) {
            current = secondary.inlet(queue, settings.prefetch(), clock::now);
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
