package dev.jitney.simulation.model.state;

import static dev.jitney.simulation.model.state.Checks.guard;

import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.row.PartitionHash;
import dev.jitney.simulation.model.row.VisibleProperties;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something a client has asked for, until it has its one answer. */
public abstract class Request implements ReplyListener {
    /** The part of the model that judges the answers. */
    public final Judge judge;

    public final String path;

    /** How much had gone wrong when it was made. */
    public final long disturbances;

    /** The transaction it is a part of, or null. */
    @Nullable
    public TransactionModel transaction;

    /** How many requests there were before it. */
    public final long born;

    /** When it was made. */
    public final long madeMs;

    private boolean answered;

    public Request(Judge judge, String path) {
        this.judge = judge;
        this.path = path;
        Timeline timeline = judge.timeline();
        this.disturbances = timeline.disturbances();
        this.born = timeline.nextRequest();
        this.madeMs = timeline.clockMs();
    }

    /** Judges the answers to requests. */
    public interface Judge {
        Timeline timeline();

        /** A request has its answer. */
        void answered(Request request);

        /** It was refused; some refusals leave open whether it was done. */
        void refused(Request request, Rejection rejection);

        /** An entity was used now. */
        void used(String path);

        /** An entity was used when its shard had worked for so long. */
        void used(String path, long upMs);

        void sent(Send send, Reply.Sent reply);

        void notSent(Send send, Rejection rejection);

        public void settled(Settle settle);

        void notSettled(Settle settle, Rejection rejection);

        void renewed(Renew renew, long[] untilMs);

        void notRenewed(Renew renew, Rejection rejection);
    }

    /** THR-2: what it costs. */
    public int credits() {
        return 0;
    }

    /** Whether it is refused when there are no credits. */
    public boolean isRefusable() {
        return false;
    }

    /** The fragment of a partitioned entity that it is about; null if that is not known. */
    public @Nullable StoredEntity part(StoredEntity.Lookup entities) {
        return null;
    }

    /** Whether what it asks for may happen now: in a transaction not before the commit is asked for. */
    public final boolean mayTakeEffect() {
        return born < judge.timeline().horizon() && (transaction == null || transaction.isCommitting());
    }

    /** Whether the answer has come. */
    public final boolean isAnswered() {
        return answered;
    }

    @Override
    public final void onReply(Reply reply) {
        guard(() -> {
            answerOnce();
            done(reply);
            use();
        });
    }

    @Override
    public final void onRejected(Rejection rejection) {
        guard(() -> {
            answerOnce();
            judge.refused(this, rejection);
        });
    }

    private void answerOnce() {
        if (answered) {
            throw new Violation("Expected one answer to " + this + ", but got a second one.");
        }
        answered = true;
        judge.answered(this);
    }

    public abstract void done(Reply reply);

    /** Whoever has done something with an entity has used it; what transactions send is seen when it comes. */
    public void use() {
        if (transaction == null || !(this instanceof Send)) {
            judge.used(path);
        }
    }

    /** It was refused for sure: nothing of it has happened. */
    public abstract void undone(Rejection rejection);

    /** Nobody can tell what becomes of it; it still explains what happens, until the store tells. */
    public void uncertain() {}

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
            VisibleProperties visible) {

        /** The key of a message: its session, else its partition key, else its message id where duplicates are detected. */
        @Nullable
        public String key(EntitySettings settings) {
            if (session != null) {
                return session;
            } else if (partitionKey != null) {
                return partitionKey;
            }
            return settings.detectsDuplicates() ? messageId : null;
        }
    }

    /** A message and a subscription that has it, with what it looks like there. */
    public record CopyOf(long uid, String path, VisibleProperties visible) {}

    /** Messages to be stored, all or none. */
    public static final class Send extends Request {
        public final List<Sent> messages;
        public final long[] numbers;
        public final boolean[] stored;

        /** Which of them were put aside until their time. */
        public final boolean[] waited;

        /** Subscriptions that have got their copies. */
        public final Set<CopyOf> copies = new HashSet<>();

        /** The fragment of a partitioned entity they have come to, or -1. */
        public int fragment = -1;

        public Send(Judge judge, String path, List<Sent> messages) {
            super(judge, path);
            this.messages = messages;
            this.numbers = new long[messages.size()];
            this.stored = new boolean[messages.size()];
            this.waited = new boolean[messages.size()];
        }

        public int indexOf(long uid) {
            for (int i = 0; i < stored.length; i++) {
                if (messages.get(i).uid() == uid) {
                    return i;
                }
            }
            throw new IllegalArgumentException("Expected one of the messages.");
        }

        @Override
        public int credits() {
            return messages.size();
        }

        @Override
        public boolean isRefusable() {
            return true;
        }

        @Override
        public @Nullable StoredEntity part(StoredEntity.Lookup entities) {
            StoredEntity found = null;
            for (StoredEntity part : entities.of(path)) {
                String key = part.isFragment() ? messages.get(0).key(part.settings) : null;
                int fragments = part.settings.fragments();
                found = key != null && PartitionHash.fragment(key, fragments) == part.fragment ? part : found;
            }
            return found;
        }

        public int storedCount() {
            int count = 0;
            for (boolean one : stored) {
                count += one ? 1 : 0;
            }
            return count;
        }

        @Override
        public void done(Reply reply) {
            judge.sent(this, (Reply.Sent) reply);
        }

        @Override
        public void undone(Rejection rejection) {
            judge.notSent(this, rejection);
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
    public static final class Settle extends Request {
        /**
         * What was decided before it becomes durable.
         *
         * @param wins whether all the locks held
         * @param upMs how long the shard had worked
         * @param pauseNanos since when it waits, whatever the clock says
         */
        public record Decided(boolean wins, long upMs, long pauseNanos) {}

        public final Settling how;
        public final List<Lock> locks;
        public final boolean[] settled;

        /** The session was given up before. */
        private final boolean tooLate;

        /** Whether its client does not wait for the answer. */
        private final boolean allowsDelay;

        /** What was decided in an earlier turn than that of its commit; null if nothing was. */
        public @Nullable Decided decided;

        /** What has happened to them may as well have another reason. */
        final boolean[] perhaps;

        public Settle(Judge judge, String path, Settling how, List<Lock> locks, boolean allowsDelay) {
            super(judge, path);
            this.how = how;
            this.allowsDelay = allowsDelay;
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

        public void settles(Lock lock, boolean maybe) {
            int index = locks.indexOf(lock);
            settled[index] = !maybe;
            perhaps[index] = maybe;
            lock.end();
        }

        /** Whether it can settle one of its locks as far as that lock is concerned. */
        public boolean mayWin(Lock lock, long nowMs) {
            if (decided != null) {
                return decided.wins() && born < judge.timeline().horizon();
            }
            boolean dead = born >= judge.timeline().horizon()
                    || (transaction != null && (transaction.isOver() || transaction.isLate(nowMs)));
            if (dead || tooLate || (how == Settling.DEAD_LETTER && lock.copy.lane != Lane.MAIN)) {
                return false;
            }
            if (lock.isHeld(nowMs) && lock.isHeldAgainst(this)) {
                return false;
            }
            if (lock.isHeld(nowMs) && (lock.heldBy == transaction || !lock.isSoonFree())) {
                return lock.heldBy == transaction && !lock.ended;
            }
            return lock.isLive(nowMs) || settled[locks.indexOf(lock)];
        }

        public boolean isSettled() {
            for (int i = 0; i < settled.length; i++) {
                if (!settled[i] && !perhaps[i]) {
                    return false;
                }
            }
            return true;
        }

        public boolean isTouched() {
            for (boolean one : settled) {
                if (one) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public StoredEntity part(StoredEntity.Lookup entities) {
            return locks.get(0).copy.entity;
        }

        @Override
        public boolean allowsDelay() {
            return allowsDelay;
        }

        @Override
        public void use() {
            if (decided == null) {
                super.use();
            } else {
                judge.used(path, decided.upMs());
            }
        }

        public void forget() {
            locks.forEach(lock -> lock.pending.remove(this));
        }

        @Override
        public void done(Reply reply) {
            judge.settled(this);
        }

        @Override
        public void undone(Rejection rejection) {
            judge.notSettled(this, rejection);
        }

        @Override
        public String toString() {
            return (allowsDelay ? "delayed " : "") + how + " of "
                    + locks.stream().map(lock -> lock.copy.toString()).toList();
        }
    }

    /** Locks to be extended. */
    public static final class Renew extends Request {
        public final List<Lock> locks;

        public Renew(Judge judge, String path, List<Lock> locks) {
            super(judge, path);
            this.locks = locks;
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public void done(Reply reply) {
            judge.renewed(this, ((Reply.LocksRenewed) reply).lockedUntilMs());
        }

        @Override
        public void undone(Rejection rejection) {
            judge.notRenewed(this, rejection);
        }
    }

    /** Something whose answer says nothing more than that it was done. */
    public static final class Other extends Request {
        private final String what;
        private final Runnable onDone;
        private final Runnable onUndone;

        public Other(Judge judge, String path, String what, Runnable onDone, Runnable onUndone) {
            super(judge, path);
            this.what = what;
            this.onDone = onDone;
            this.onUndone = onUndone;
        }

        @Override
        public boolean isRefusable() {
            return true;
        }

        @Override
        public void done(Reply reply) {
            onDone.run();
        }

        @Override
        public void undone(Rejection rejection) {
            onUndone.run();
        }

        @Override
        public void uncertain() {
            onUndone.run();
        }

        @Override
        public String toString() {
            return what + " on " + path;
        }
    }
}
