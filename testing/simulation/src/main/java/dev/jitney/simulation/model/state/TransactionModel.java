package dev.jitney.simulation.model.state;

import java.util.ArrayList;
import java.util.List;

/** A transaction: what was done in it, and how it ends (semantics chapter 16). */
public final class TransactionModel {
    private static final long TIMEOUT_MS = 120_000;

    public final String home;
    public final List<Request.Settle> settlements = new ArrayList<>();
    public final List<Request.Send> sends = new ArrayList<>();
    private final Timeline timeline;
    private long startedMs = Long.MAX_VALUE;
    private boolean asked;

    /** How many requests there were before its outcome was asked for. */
    private long askedAt = Long.MAX_VALUE;

    private boolean committing;
    private boolean spoiled;
    private boolean over;

    public TransactionModel(Timeline timeline, String home) {
        this.timeline = timeline;
        this.home = home;
    }

    /** The entity it began with. */
    public String home() {
        return home;
    }

    boolean isCommitting() {
        return committing && !over && !spoiled;
    }

    /** It is to be committed. */
    public void commit() {
        committing = true;
        asked = true;
        askedAt = timeline.nextRequest();
    }

    /** It is to be rolled back. */
    public void rollBack() {
        asked = true;
        askedAt = timeline.nextRequest();
    }

    /** Whether its outcome was asked for, so that what it holds may be free soon. */
    boolean isAsked() {
        return asked;
    }

    /** Whether its outcome was asked for after a request was made, or not yet. */
    boolean isAskedAfter(long request) {
        return askedAt > request;
    }

    /** Whether something was done in it. */
    public boolean hasWorked() {
        return startedMs != Long.MAX_VALUE;
    }

    /** Whether nothing more can come of it. */
    public boolean isOver() {
        return over;
    }

    /** TX-16: an operation was refused, so that nothing can be committed any more. */
    public void spoil() {
        spoiled = true;
    }

    /** TX-16: an operation has failed; once the outcome is asked for, that may have failed with it and yet be on disk. */
    public void fail() {
        spoiled |= !asked;
    }

    /** An operation was decided at that time. */
    public void worked(long nowMs) {
        startedMs = Math.min(startedMs, nowMs);
    }

    /** TX-9: whether it has taken too long. */
    public boolean isLate(long nowMs) {
        return startedMs != Long.MAX_VALUE && nowMs >= startedMs + TIMEOUT_MS;
    }

    /** TX-16: whether an operation was refused. */
    public boolean isSpoiled() {
        return spoiled;
    }

    /** How many requests there were before its outcome was asked for. */
    public long askedAt() {
        return askedAt;
    }

    /** No more can come of it: its locks are as they were. */
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
