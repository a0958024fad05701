package dev.jitney.paired;

import dev.jitney.paired.internal.syphon.Destinations;
import dev.jitney.paired.internal.syphon.SyphonCounters;
import dev.jitney.paired.internal.syphon.SyphonOutlets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A background job that moves messages from the backlog queues of a secondary namespace to the queues and topics of the primary
 * (18.6). It runs in the process of the senders ({@link SendAvailabilityPairedNamespaceOptions.Builder#enableSyphon}) or
 * separately ({@link #start}); several at once are safe (PAIR-39). It receives under peek-lock, sends, and completes, so that a
 * message arrives at least once (PAIR-43). Order is not kept (PAIR-42).
 *
 * <p>When one of the two factories ends, the syphon stops. If the other does not end within the grace period, the syphon makes
 * it fail (PAIR-58). Thread-safe; holds no thread while it waits.
 */
public final class Syphon implements AutoCloseable {
    private final List<SyphonWorker> workers;
    private final PartnerWatch watch;
    private final SyphonOutlets outlets;
    private final SyphonCounters counters;
    private final @Nullable SystemClock ownClock;

    private Syphon(MessagingFactory primary, SendAvailabilityPairedNamespaceOptions options) {
        MessagingFactory secondary = options.secondary();
        PairingClock given = primary.givenClock();
        PairingClock clock;
        if (given == null) {
            SystemClock own = new SystemClock("jitney-syphon");
            ownClock = own;
            clock = own;
        } else {
            ownClock = null;
            clock = given;
        }
        counters = new SyphonCounters();
        outlets = new SyphonOutlets(primary.transport());
        SyphonSettings settings = new SyphonSettings(
                options.syphonBatch(),
                options.syphonPrefetch(),
                options.syphonReadTimeout(),
                options.syphonRetryInterval(),
                options.classifier());
        Destinations destinations = new Destinations(clock::now, options.syphonRetryInterval());
        workers = BacklogQueues.paths(primary.transport().namespaceName(), options.backlogQueueCount()).stream()
                .map(queue -> new SyphonWorker(
                        queue, secondary.transport(), outlets, destinations, settings, clock, counters))
                .toList();
        watch = new PartnerWatch(primary, secondary, options.closeGrace(), clock, this::stopWorkers, this::close);
    }

    /**
     * Starts one worker for each backlog queue. It does not create queues; it retries missing ones.
     *
     * @param primary the factory of the destination
     * @param options the secondary namespace with the backlog queues, and their number
     * @throws IllegalStateException if one of the factories is closed
     */
    public static Syphon start(MessagingFactory primary, SendAvailabilityPairedNamespaceOptions options) {
        primary.requireOpen();
        options.secondary().requireOpen();
        Syphon syphon = new Syphon(primary, options);
        syphon.workers.forEach(SyphonWorker::start);
        syphon.watch.start();
        return syphon;
    }

    /** Returns the counters since the start. */
    public SyphonFigures figures() {
        return new SyphonFigures(
                counters.receives.sum(), counters.delivered.sum(), counters.deadLettered.sum(), counters.left.sum());
    }

    private void stopWorkers() {
        workers.forEach(SyphonWorker::close);
        outlets.close();
    }

    /** Stops the syphon. Messages in progress are delivered again when their locks expire. The factories stay open. */
    @Override
    public void close() {
        watch.close();
        stopWorkers();
        if (ownClock != null) {
            ownClock.close();
        }
    }
}
