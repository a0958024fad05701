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

/** The search for the unanswered request that has settled a lock. */
public final class Settlements {
    private final ModelState model;

    /** The requests that have settled some of their locks in this batch. They must settle all of them. */
    private final Set<Request.Settle> touched = new LinkedHashSet<>();

    public Settlements(ModelState model) {
        this.model = model;
    }

    public Set<Request.Settle> touched() {
        return touched;
    }

    /** Checks at the end of a batch that each settlement has settled all its locks. */
    public void end() {
        for (Request.Settle settle : touched) {
            // Releasing a message changes no row unless the message has expired.
            boolean whole = settle.how == Settling.RELEASE || settle.isSettled();
            check(whole, "Expected a settlement to settle all its locks or none", settle);
        }
        touched.clear();
    }

    /** A test whether an outcome explains a change of a row. */
    public interface Fits {
        boolean test(Settling how);
    }

    /** Returns the request that may have settled a lock, or null. */
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
        if (!explains(settle, lock, nowMs, fits)) { // perhaps an operation of a transaction was rejected
            settle = winner(lock, nowMs, false);
        }
        if (explains(settle, lock, nowMs, fits)) {
            return settle;
        }
        return lock.heldBy != null && lock.heldBy.isLate(nowMs) ? anyone(lock, nowMs, fits) : null;
    }

    /**
     * Returns a request that may have settled the lock after the transaction that held it timed out. The time of the
     * timeout within the turn is unknown, so earlier requests may have failed.
     */
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

    /** Returns the request that settles a lock, if requests are decided in their order, each as a whole. */
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

    /** Records that a request has settled a lock. */
    public void settles(Request.Settle settle, Lock lock, long nowMs) {
        // A transaction that was rejected for another reason has released the lock, which may have ended immediately.
        boolean maybe = settle.transaction != null && (lock.untilMs <= nowMs || lock.pending.size() > 1);
        lock.doubtful = maybe;
        settle.settles(lock, maybe);
        touched.add(settle);
    }

    /** Ends the lock of a message if the receiver of its session was closed. */
    public static void releaseIfLeft(MessageCopy copy) {
        Lock lock = copy.lock;
        if (lock != null && lock.holder.ofSession && lock.holder.mayHaveLeft(copy.entity.store)) {
            lock.end();
        }
    }

    /** Ends the lock of a message that was released in this turn, because a release writes no row. */
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
