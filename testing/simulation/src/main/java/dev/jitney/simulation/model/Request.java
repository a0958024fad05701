package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.simulation.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something a client has asked for, until it has its one answer. */
public abstract class Request implements ReplyListener {
    final Ledger ledger;
    final String path;

    /** How much had gone wrong when it was made. */
    final long disturbances;

    /** The transaction it is a part of, or null. */
    @Nullable
    Dealing dealing;

    /** How many requests there were before it. */
    final long born;

    /** When it was made. */
    final long madeMs;

    private boolean answered;

    Request(Ledger ledger, String path) {
        this.ledger = ledger;
        this.path = path;
        this.disturbances = ledger.disturbances();
        this.born = ledger.nextRequest();
        this.madeMs = ledger.credits().nowMs();
    }

    /** THR-2: what it costs. */
    int credits() {
        return 0;
    }

    /** Whether it is refused when there are no credits. */
    boolean isRefusable() {
        return false;
    }

    /** The fragment of a partitioned entity that it is about; null if that is not known. */
    @Nullable
    Shelf part() {
        return null;
    }

    /** Whether what it asks for may happen now: in a transaction not before the commit is asked for. */
    final boolean mayTakeEffect() {
        return born < ledger.horizon() && (dealing == null || dealing.isCommitting());
    }

    /** Whether the answer has come. */
    public final boolean isAnswered() {
        return answered;
    }

    @Override
    public final void onReply(Reply reply) {
        ledger.guard(() -> {
            answerOnce();
            done(reply);
            use();
        });
    }

    @Override
    public final void onRejected(Rejection rejection) {
        ledger.guard(() -> {
            answerOnce();
            ledger.answers().refused(this, rejection);
        });
    }

    private void answerOnce() {
        if (answered) {
            throw new Violation("Expected one answer to " + this + ", but got a second one.");
        }
        answered = true;
        ledger.pending().remove(this);
    }

    abstract void done(Reply reply);

    /** Whoever has done something with an entity has used it; what transactions send is seen when it comes. */
    void use() {
        if (dealing == null || !(this instanceof Send)) {
            ledger.idling().used(path);
        }
    }

    /** It was refused for sure: nothing of it has happened. */
    abstract void undone(Rejection rejection);

    /** Nobody can tell what becomes of it; it still explains what happens, until the store tells. */
    void uncertain() {}

    @Override
    public String toString() {
        return getClass().getSimpleName() + " on " + path;
    }

    /**
     * A message on its way in.
     *
     * @param partitionKey what chooses the fragment of a partitioned entity if there is no session, or null
     * @param tag what filters go by
     */
    public record Sent(
            long uid,
            @Nullable String session,
            @Nullable String partitionKey,
            @Nullable String messageId,
            long scheduledMs,
            int tag,
            Look look) {}

    /** A message and a subscription that has it, with what it looks like there. */
    record CopyOf(long uid, String path, Look look) {}

    /** Messages to be stored, all or none. */
    static final class Send extends Request {
        final List<Sent> messages;
        final long[] numbers;
        final boolean[] stored;

        /** Which of them were put aside until their time. */
        final boolean[] waited;

        /** Subscriptions that have got their copies. */
        final Set<CopyOf> copies = new HashSet<>();

        /** The fragment of a partitioned entity they have come to, or -1. */
        int fragment = -1;

        Send(Ledger ledger, String path, List<Sent> messages) {
            super(ledger, path);
            this.messages = messages;
            this.numbers = new long[messages.size()];
            this.stored = new boolean[messages.size()];
            this.waited = new boolean[messages.size()];
        }

        int indexOf(long uid) {
            for (int i = 0; i < stored.length; i++) {
                if (messages.get(i).uid() == uid) {
                    return i;
                }
            }
            throw new IllegalArgumentException("Expected one of the messages.");
        }

        @Override
        int credits() {
            return messages.size();
        }

        @Override
        boolean isRefusable() {
            return true;
        }

        @Override
        @Nullable
        Shelf part() {
            return Keys.partOf(this, ledger.shelves().of(path));
        }

        int storedCount() {
            int count = 0;
            for (boolean one : stored) {
                count += one ? 1 : 0;
            }
            return count;
        }

        @Override
        void done(Reply reply) {
            ledger.answers().sent(this, (Reply.Sent) reply);
        }

        @Override
        void undone(Rejection rejection) {
            ledger.answers().notSent(this, rejection);
        }

        @Override
        public String toString() {
            return "Send of " + messages.stream().map(Sent::uid).toList() + " to " + path;
        }
    }

    /** What is done to locked messages. */
    public enum Settling {
        COMPLETE,
        ABANDON,
        DEAD_LETTER,
        DEFER,
        RELEASE
    }

    /** Locks to be ended, all or none. */
    static final class Settle extends Request {
        final Settling how;
        final List<Lock> locks;
        final boolean[] settled;

        /** The session was given up before. */
        private final boolean tooLate;

        /** Whether its client does not wait for the answer. */
        private final boolean patient;

        /** What was decided in an earlier turn than that of its commit; null if nothing was. */
        Lingering.@Nullable Decided decided;

        /** What has happened to them may as well have another reason. */
        final boolean[] perhaps;

        Settle(Ledger ledger, String path, Settling how, List<Lock> locks, boolean patient) {
            super(ledger, path);
            this.how = how;
            this.patient = patient;
            this.locks = locks;
            this.settled = new boolean[locks.size()];
            this.perhaps = new boolean[locks.size()];
            boolean late = false;
            for (Lock lock : locks) {
                lock.pending.add(this);
                late |= lock.holder.leaving && lock.isOfSession();
            }
            this.tooLate = late;
        }

        void settles(Lock lock, boolean maybe) {
            int index = locks.indexOf(lock);
            settled[index] = !maybe;
            perhaps[index] = maybe;
            lock.end();
        }

        /** Whether it can settle one of its locks as far as that lock is concerned. */
        boolean mayWin(Lock lock, long nowMs) {
            if (decided != null) {
                return decided.wins() && born < ledger.horizon();
            }
            boolean dead = born >= ledger.horizon() || (dealing != null && (dealing.isOver() || dealing.isLate(nowMs)));
            if (dead || tooLate || (how == Settling.DEAD_LETTER && lock.copy.lane != Lane.MAIN)) {
                return false;
            }
            if (lock.isHeld(nowMs) && lock.isHeldAgainst(this)) {
                return false;
            }
            if (lock.isHeld(nowMs) && (lock.heldBy == dealing || !lock.isSoonFree())) {
                return lock.heldBy == dealing && !lock.ended;
            }
            return lock.isLive(nowMs) || settled[locks.indexOf(lock)];
        }

        boolean isSettled() {
            for (int i = 0; i < settled.length; i++) {
                if (!settled[i] && !perhaps[i]) {
                    return false;
                }
            }
            return true;
        }

        boolean isTouched() {
            for (boolean one : settled) {
                if (one) {
                    return true;
                }
            }
            return false;
        }

        @Override
        Shelf part() {
            return locks.get(0).copy.shelf;
        }

        @Override
        public boolean allowsDelay() {
            return patient;
        }

        @Override
        void use() {
            if (decided == null) {
                super.use();
            } else {
                ledger.idling().used(path, decided.upMs());
            }
        }

        void forget() {
            locks.forEach(lock -> lock.pending.remove(this));
        }

        @Override
        void done(Reply reply) {
            ledger.answers().settled(this);
        }

        @Override
        void undone(Rejection rejection) {
            ledger.answers().notSettled(this, rejection);
        }

        @Override
        public String toString() {
            return (patient ? "patient " : "") + how + " of "
                    + locks.stream().map(lock -> lock.copy.toString()).toList();
        }
    }

    /** Locks to be extended. */
    static final class Renew extends Request {
        final List<Lock> locks;

        Renew(Ledger ledger, String path, List<Lock> locks) {
            super(ledger, path);
            this.locks = locks;
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        void done(Reply reply) {
            ledger.answers().renewed(this, ((Reply.LocksRenewed) reply).lockedUntilMs());
        }

        @Override
        void undone(Rejection rejection) {
            ledger.answers().notRenewed(this, rejection);
        }
    }

    /** Something whose answer says nothing more than that it was done. */
    static final class Other extends Request {
        private final String what;
        private final Runnable onDone;
        private final Runnable onUndone;

        Other(Ledger ledger, String path, String what, Runnable onDone, Runnable onUndone) {
            super(ledger, path);
            this.what = what;
            this.onDone = onDone;
            this.onUndone = onUndone;
        }

        @Override
        boolean isRefusable() {
            return true;
        }

        @Override
        void done(Reply reply) {
            onDone.run();
        }

        @Override
        void undone(Rejection rejection) {
            onUndone.run();
        }

        @Override
        void uncertain() {
            onUndone.run();
        }

        @Override
        public String toString() {
            return what + " on " + path;
        }
    }
}
