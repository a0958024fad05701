package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Request.Settling;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which of the requests that are not answered yet has settled a lock. */
public final class Settlements {
    private final ModelState model;

    /** Requests of which something was done in this batch; all or nothing. */
    private final Set<Request.Settle> touched = new LinkedHashSet<>();

    public Settlements(ModelState model) {
        this.model = model;
    }

    public Set<Request.Settle> touched() {
        return touched;
    }

    /** The batch is over: what was asked for as one has happened as one. */
    public void end() {
        for (Request.Settle settle : touched) {
            // What is released changes no row, unless it has expired.
            boolean whole = settle.how == Settling.RELEASE || settle.isSettled();
            check(whole, "Expected all of a settlement or nothing", settle);
        }
        touched.clear();
    }

    /** Whether a way of settling explains what has happened. */
    public interface Fits {
        boolean test(Settling how);
    }

    /** The request that may have settled a lock, or null. */
    public Request.@Nullable Settle pending(Lock lock, long nowMs, Fits fits) {
        if (lock.pending.isEmpty()) {
            return null;
        }
        Request.Settle first = lock.pending.get(0);
        if (lock.isHeld(nowMs)) {
            for (Request.Settle settle : lock.pending) {
                boolean holds = settle.transaction == lock.heldBy;
                if (holds && settle.mayTakeEffect() && fits.test(settle.how)) {
                    return settle;
                } else if (holds && !lock.isSoonFree()) {
                    return null;
                }
            }
        }
        boolean alone = lock.pending.size() == 1 && first.locks.size() == 1;
        Request.Settle settle = alone ? first : winner(lock, nowMs, true);
        if (!explains(settle, lock, nowMs, fits)) { // perhaps the operation of a transaction is refused
            settle = winner(lock, nowMs, false);
        }
        if (explains(settle, lock, nowMs, fits)) {
            return settle;
        }
        return lock.heldBy != null && lock.heldBy.isLate(nowMs) ? anyone(lock, nowMs, fits) : null;
    }

    /** When in this turn the time of the transaction was over that held the lock, and who came too early, is not known. */
    private static Request.@Nullable Settle anyone(Lock lock, long nowMs, Fits fits) {
        for (Request.Settle settle : lock.pending) {
            if (settle.transaction == null && explains(settle, lock, nowMs, fits)) {
                return settle;
            }
        }
        return null;
    }

    private static boolean explains(Request.@Nullable Settle settle, Lock lock, long nowMs, Fits fits) {
        return settle != null && settle.mayTakeEffect() && settle.mayWin(lock, nowMs) && fits.test(settle.how);
    }

    /** Requests are decided in the order in which they were made, each all or none. */
    private Request.@Nullable Settle winner(Lock lock, long nowMs, boolean inTransactions) {
        Set<Lock> taken = new HashSet<>();
        for (Request request : model.open()) {
            if (request instanceof Request.Settle settle && (inTransactions || settle.transaction == null)) {
                boolean wins = true;
                for (Lock one : settle.locks) {
                    wins &= settle.mayWin(one, nowMs) && !taken.contains(one);
                }
                if (wins && settle.locks.contains(lock)) {
                    return settle;
                } else if (wins) {
                    taken.addAll(settle.locks);
                }
            }
        }
        return null;
    }

    /** A request has settled a lock. */
    public void settles(Request.Settle settle, Lock lock, long nowMs) {
        // A transaction that was refused for another reason has given the lock back, which may have ended at once.
        boolean maybe = settle.transaction != null && (lock.untilMs <= nowMs || lock.pending.size() > 1);
        lock.doubtful = maybe;
        settle.settles(lock, maybe);
        touched.add(settle);
    }

    /** Whoever held it has left, which frees what was in its session. */
    public static void releaseIfLeft(MessageCopy copy) {
        Lock lock = copy.lock;
        if (lock != null && lock.holder.ofSession && lock.holder.mayHaveLeft(copy.entity.store)) {
            lock.end();
        }
    }

    /** It was released in this very turn, which writes nothing by itself. */
    public void releaseOf(MessageCopy copy, long nowMs) {
        Lock lock = copy.lock;
        releaseIfLeft(copy);
        if (lock != null && !lock.ended) {
            Request.Settle settle = pending(lock, nowMs, how -> how == Settling.RELEASE);
            if (settle != null) {
                settle.settles(lock, false);
            }
        }
    }
}
