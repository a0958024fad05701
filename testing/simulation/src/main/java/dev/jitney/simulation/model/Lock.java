package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lock that a client was given. */
public final class Lock {
    /** How long the longest one lasts. */
    static final long MAX_MS = 60_000;

    final UUID token;
    final Copy copy;
    final Listener holder;
    long untilMs;
    boolean ended;

    /** Whether it is not certain which request has settled it. */
    boolean doubtful;

    /** The transaction that has settled it and may still be rolled back, or null. */
    @Nullable
    Dealing heldBy;

    /** Requests to settle it that are not answered yet, in their order. */
    final List<Request.Settle> pending = new ArrayList<>(1);

    Lock(UUID token, Copy copy, Listener holder, long untilMs) {
        this.token = token;
        this.copy = copy;
        this.holder = holder;
        this.untilMs = untilMs;
    }

    /** TX-13: whether it waits for the outcome of a transaction. */
    boolean isHeld(long nowMs) {
        return heldBy != null && !heldBy.isOver() && !heldBy.isLate(nowMs);
    }

    /** Whether the transaction that holds it is to end. */
    boolean isSoonFree() {
        return heldBy != null && heldBy.isAsked();
    }

    /** Whether a transaction had it when a request was decided, which was made before the outcome was asked for. */
    boolean isHeldAgainst(Request.Settle settle) {
        return heldBy != null && heldBy != settle.dealing && heldBy.isAskedAfter(settle.born);
    }

    /** Whether it depends on what becomes of a transaction in this turn, and so could not be told who has settled it. */
    public boolean isInQuestion() {
        for (Request.Settle settle : pending) {
            if (settle.dealing != null && (!settle.isAnswered() || settle.dealing.isAsked())) {
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

    boolean isLive(long nowMs) {
        return !ended && untilMs > nowMs;
    }

    void end() {
        ended = true;
        if (copy.lock == this) {
            copy.lock = null;
            copy.freeMs = holder.ledger.nowMs(copy.shelf);
            copy.doomed = false;
            copy.shelf.locked -= copy.lane == Lane.MAIN ? 1 : 0;
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
        return copy.shelf.isPart() || other.copy.shelf.isPart()
                ? copy.shelf == other.copy.shelf
                : path().equals(other.path());
    }

    /** The entity it belongs to. */
    public String path() {
        return copy.shelf.path;
    }
}
