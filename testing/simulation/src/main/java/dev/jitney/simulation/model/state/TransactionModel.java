package dev.jitney.simulation.model.state;

import java.util.ArrayList;
import java.util.List;

/** A transaction: its operations and its outcome (semantics chapter 16). */
public final class TransactionModel {
    private static final long TIMEOUT_MS = 120_000;

    public final String home;
    public final List<Request.Settle> settlements = new ArrayList<>();
    public final List<Request.Send> sends = new ArrayList<>();
    private final Timeline timeline;
    private long startedMs = Long.MAX_VALUE;
    private boolean asked;

    /** The number of requests before the outcome was requested. */
    private long askedAt = Long.MAX_VALUE;

    private boolean committing;
    private boolean spoiled;
    private boolean over;

    public TransactionModel(Timeline timeline, String home) {
        this.timeline = timeline;
        this.home = home;
    }

    /** Returns the entity of its first operation. */
    public String home() {
        return home;
    }

    boolean isCommitting() {
        return committing && !over && !spoiled;
    }

    /** Records that the client requests a commit. */
    public void commit() {
        committing = true;
        asked = true;
        askedAt = timeline.nextRequest();
    }

    /** Records that the client requests a rollback. */
    public void rollBack() {
        asked = true;
        askedAt = timeline.nextRequest();
    }

    /** Returns whether the outcome was requested, so that locks may soon be released. */
    boolean isAsked() {
        return asked;
    }

    /** Returns whether the outcome was requested after another request, or not yet. */
    boolean isAskedAfter(long request) {
        return askedAt > request;
    }

    /** Returns whether the transaction has operations. */
    public boolean hasWorked() {
        return startedMs != Long.MAX_VALUE;
    }

    /** Returns whether the transaction has ended. */
    public boolean isOver() {
        return over;
    }

    /** Records a rejected operation, after which no commit is possible (TX-16). */
    public void spoil() {
        spoiled = true;
    }

    /**
     * Records a failed operation. If the outcome was requested before, the commit may have failed with it and yet be on
     * the disk (TX-16).
     */
    public void fail() {
        spoiled |= !asked;
    }

    /** Records the time when an operation was decided. */
    public void worked(long nowMs) {
        startedMs = Math.min(startedMs, nowMs);
    }

    /** Returns whether the transaction has exceeded its timeout (TX-9). */
    public boolean isLate(long nowMs) {
        return startedMs != Long.MAX_VALUE && nowMs >= startedMs + TIMEOUT_MS;
    }

    /** Returns whether an operation was rejected (TX-16). */
    public boolean isSpoiled() {
        return spoiled;
    }

    /** Returns the number of requests before the outcome was requested. */
    public long askedAt() {
        return askedAt;
    }

    /** Ends the transaction and releases its locks. */
    public void end() {
        over = true;
        for (Request.Settle settle : settlements) {
            settle.forget();
            for (Lock lock : settle.locks) {
                if (lock.heldBy == this) {
                    lock.heldBy = null;
                }
            }
        }
    }

    @Override
    public String toString() {
        return "transaction of " + sends + " and " + settlements;
    }
}
