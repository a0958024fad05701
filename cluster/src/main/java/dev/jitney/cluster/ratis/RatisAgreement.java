package dev.jitney.cluster.ratis;

import dev.jitney.cluster.Agreement;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.TermEndedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The agreement of the nodes through Ratis, for one term in which this node leads.
 *
 * <p>The lease (CL-9): an entry that was proposed at some time and agreed on later was acknowledged by a majority after that
 * time, so no other node leads before the shortest election timeout has passed from then. Otherwise Ratis confirms by its own
 * lease, or by an answer of a majority.
 */
public final class RatisAgreement implements Agreement {
    private final RatisServer server;
    private final long term;
    private final BooleanSupplier room;
    private final Runnable onUnknownOutcome;
    private final long leaseNanos;

    /** The end of the lease of the last agreed entry, in {@link System#nanoTime}. */
    private volatile long leaseEndNanos = System.nanoTime();

    private volatile boolean leaseTrusted = true;
    private volatile boolean ended;

    /**
     * @param server           the server
     * @param term             the term
     * @param room             whether so many followers have room that they are a majority with the leader (CL-43)
     * @param onUnknownOutcome called when the outcome of an entry is unknown or the lease was lost; this node must not lead this term
     *     any longer
     */
    public RatisAgreement(RatisServer server, long term, BooleanSupplier room, Runnable onUnknownOutcome) {
        this.server = server;
        this.term = term;
        this.room = room;
        this.onUnknownOutcome = onUnknownOutcome;
        leaseNanos = TimeUnit.MILLISECONDS.toNanos(server.settings().leaseMs());
    }

    @Override
    public long term() {
        return term;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ratis appends in the order of calls, and a store has one batch under way, so the parts of a batch are in order. The
     * result is that of the last part; one before that was not taken makes the whole batch unknown.
     */
    @Override
    public CompletionStage<StoreReplica.Result> append(List<byte[]> entries) {
        if (ended) {
            return CompletableFuture.failedFuture(over());
        }
        long begun = System.nanoTime();
        List<CompletableFuture<StoreReplica.Result>> parts = new ArrayList<>(entries.size());
        for (byte[] entry : entries) {
            CompletableFuture<StoreReplica.Result> part = server.append(entry);
            parts.add(part);
            if (part.isCompletedExceptionally()) {
                break; // the others would be skipped
            }
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(all -> parts.get(parts.size() - 1).join())
                .whenComplete((result, failure) -> {
                    if (failure == null && result == StoreReplica.Result.APPLIED) {
                        extendLease(begun + leaseNanos);
                        server.figures().committed(System.nanoTime() - begun);
                    } else {
                        onUnknownOutcome.run();
                    }
                });
    }

    private synchronized void extendLease(long endNanos) {
        if (endNanos - leaseEndNanos > 0) {
            leaseEndNanos = endNanos;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Waits two longest election timeouts at most. A node without a majority has lost its leadership by then.
     */
    @Override
    public void awaitLease() throws TermEndedException {
        if (ended) {
            throw over();
        }
        if (holdsLease()) {
            return;
        }
        server.figures().waitsForLease();
        try {
            confirm();
        } catch (TermEndedException e) {
            // The calling store is of no use any more, so this term has to end.
            onUnknownOutcome.run();
            throw e;
        }
    }

    private void confirm() throws TermEndedException {
        long timeoutMs = 2L * server.settings().electionMaxMs();
        try {
            server.confirm().get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw over();
        } catch (TimeoutException e) {
            throw new TermEndedException("No majority has answered within " + timeoutMs + " ms.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TermEndedException("Interrupted while waiting for a majority.");
        }
        // The answer may have been for a later term of this node.
        if (ended || !server.isLeaderReady(term)) {
            throw over();
        }
    }

    @Override
    public boolean holdsLease() {
        return !ended && leaseTrusted && leaseEndNanos - System.nanoTime() > 0;
    }

    private TermEndedException over() {
        return new TermEndedException("Term " + term + " has ended");
    }

    /**
     * Lets no lease of agreed entries count in this term any more, because this node passes leadership on. The others then vote
     * without waiting for the end of any lease, so another node may lead at once.
     */
    public void distrustLease() {
        leaseTrusted = false;
    }

    /** Requests the end of this term, because leadership could not be passed on. Any thread may call it. */
    public void giveUp() {
        onUnknownOutcome.run();
    }

    /** Ends the term for this object: nothing is proposed any more. Any thread may call it. */
    public void end() {
        ended = true;
    }

    @Override
    public boolean acceptsGrowth() {
        return !ended && room.getAsBoolean();
    }
}
