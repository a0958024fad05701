package dev.jitney.simulation.model.state;

import dev.jitney.core.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lock that a client was given. */
public final class Lock {
    /** The longest lock duration in milliseconds. */
    public static final long MAX_MS = 60_000;

    final UUID token;
    public final MessageCopy copy;
    public final Listener holder;
    public long untilMs;
    public boolean ended;

    /** True if several requests may have settled the lock. */
    public boolean doubtful;

    /** The transaction that has settled the lock and may still be rolled back, or null. */
    @Nullable
    public TransactionModel heldBy;

    /** The unanswered requests to settle the lock, in order. */
    public final List<Request.Settle> pending = new ArrayList<>(1);

    public Lock(UUID token, MessageCopy copy, Listener holder, long untilMs) {
        this.token = token;
        this.copy = copy;
        this.holder = holder;
        this.untilMs = untilMs;
    }

    /** Returns whether the lock waits for the outcome of a transaction (TX-13). */
    public boolean isHeld(long nowMs) {
        return heldBy != null && !heldBy.isOver() && !heldBy.isLate(nowMs);
    }

    /** Returns whether the outcome of the transaction that holds the lock was requested. */
    public boolean isSoonFree() {
        return heldBy != null && heldBy.isAsked();
    }

    /**
     * Returns whether another transaction held the lock when a settlement was decided. The settlement was made before
     * the outcome was requested.
     */
    boolean isHeldAgainst(Request.Settle settle) {
        return heldBy != null && heldBy != settle.transaction && heldBy.isAskedAfter(settle.born);
    }

    /**
     * Returns whether the outcome of a transaction in this turn decides about the lock, so that its settling request is
     * unknown.
     */
    public boolean isInQuestion() {
        for (Request.Settle settle : pending) {
            if (settle.transaction != null && (!settle.isAnswered() || settle.transaction.isAsked())) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether there are unanswered requests to settle the lock. */
    public boolean isAskedFor() {
        return !pending.isEmpty();
    }

    /** Returns whether the lock ends with its session. */
    public boolean isOfSession() {
        return holder.ofSession && copy.lane == Lane.MAIN;
    }

    public boolean isLive(long nowMs) {
        return !ended && untilMs > nowMs;
    }

    public void end() {
        ended = true;
        if (copy.lock == this) {
            copy.lock = null;
            copy.freeMs = holder.timeline.shard(copy.entity.store).nowMs();
            copy.doomed = false;
            copy.entity.locked -= copy.lane == Lane.MAIN ? 1 : 0;
        }
    }

    /** Returns the lock token. */
    public UUID token() {
        return token;
    }

    /** Returns whether the client knows that the lock has ended. */
    public boolean isEnded() {
        return ended;
    }

    /** Returns whether one request may contain both locks: they belong to the same entity and fragment. */
    public boolean isBeside(Lock other) {
        return copy.entity.isFragment() || other.copy.entity.isFragment()
                ? copy.entity == other.copy.entity
                : path().equals(other.path());
    }

    /** Returns the path of the entity. */
    public String path() {
        return copy.entity.path;
    }
}
