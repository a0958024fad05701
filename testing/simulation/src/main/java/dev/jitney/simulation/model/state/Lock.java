package dev.jitney.simulation.model.state;

import dev.jitney.core.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lock that a client was given. */
public final class Lock {
    /** How long the longest one lasts. */
    public static final long MAX_MS = 60_000;

    final UUID token;
    public final MessageCopy copy;
    public final Listener holder;
    public long untilMs;
    public boolean ended;

    /** Whether it is not certain which request has settled it. */
    public boolean doubtful;

    /** The transaction that has settled it and may still be rolled back, or null. */
    @Nullable
    public TransactionModel heldBy;

    /** Requests to settle it that are not answered yet, in their order. */
    public final List<Request.Settle> pending = new ArrayList<>(1);

    public Lock(UUID token, MessageCopy copy, Listener holder, long untilMs) {
        this.token = token;
        this.copy = copy;
        this.holder = holder;
        this.untilMs = untilMs;
    }

    /** TX-13: whether it waits for the outcome of a transaction. */
    public boolean isHeld(long nowMs) {
        return heldBy != null && !heldBy.isOver() && !heldBy.isLate(nowMs);
    }

    /** Whether the transaction that holds it is to end. */
    public boolean isSoonFree() {
        return heldBy != null && heldBy.isAsked();
    }

    /** Whether a transaction had it when a request was decided, which was made before the outcome was asked for. */
    boolean isHeldAgainst(Request.Settle settle) {
        return heldBy != null && heldBy != settle.transaction && heldBy.isAskedAfter(settle.born);
    }

    /** Whether it depends on what becomes of a transaction in this turn, and so could not be told who has settled it. */
    public boolean isInQuestion() {
        for (Request.Settle settle : pending) {
            if (settle.transaction != null && (!settle.isAnswered() || settle.transaction.isAsked())) {
                return true;
            }
        }
        return false;
    }

    /** Whether somebody has asked to settle it and has no answer yet. */
    public boolean isAskedFor() {
        return !pending.isEmpty();
    }

    /** Whether it ends with the session it belongs to. */
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

    /** What settles it. */
    public UUID token() {
        return token;
    }

    /** Whether the client can be sure that it is over. */
    public boolean isEnded() {
        return ended;
    }

    /** Whether one request may be about both: they are of one entity and one fragment. */
    public boolean isBeside(Lock other) {
        return copy.entity.isFragment() || other.copy.entity.isFragment()
                ? copy.entity == other.copy.entity
                : path().equals(other.path());
    }

    /** The entity it belongs to. */
    public String path() {
        return copy.entity.path;
    }
}
