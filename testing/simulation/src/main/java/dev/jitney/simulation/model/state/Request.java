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

/** A request of a client, which gets exactly one reply. */
public abstract class Request implements ReplyListener {
    /** The part of the model that judges the replies. */
    public final Judge judge;

    public final String path;

    /** The number of faults before the request was made. */
    public final long disturbances;

    /** The transaction that the request is a part of, or null. */
    @Nullable
    public TransactionModel transaction;

    /** The number of requests before this one. */
    public final long born;

    /** The time of the request in milliseconds since the epoch. */
    public final long madeMs;

    /** The number of the process to which the request was made. */
    private final long process;

    private boolean answered;

    public Request(Judge judge, String path) {
        this.judge = judge;
        this.path = path;
        Timeline timeline = judge.timeline();
        this.disturbances = timeline.disturbances();
        this.born = timeline.nextRequest();
        this.madeMs = timeline.clockMs();
        this.process = timeline.process();
    }

    /** Returns whether another process serves clients since the request, so that its effect is known already. */
    public final boolean isOutdated() {
        return process != judge.timeline().process();
    }

    /** The judge of the replies to requests. */
    public interface Judge {
        Timeline timeline();

        /** Called when a request has its reply. */
        void answered(Request request);

        /** Called when a request was rejected. Some rejections leave the effect of the request unknown. */
        void refused(Request request, Rejection rejection);

        /** Called when an entity was accessed now. */
        void used(String path);

        /** Called when an entity was accessed at this working time of its shard, in milliseconds. */
        void used(String path, long upMs);

        void sent(Send send, Reply.Sent reply);

        void notSent(Send send, Rejection rejection);

        public void settled(Settle settle);

        void notSettled(Settle settle, Rejection rejection);

        void renewed(Renew renew, long[] untilMs);

        void notRenewed(Renew renew, Rejection rejection);
    }

    /** Returns the throttling credits that the request costs (THR-2). */
    public int credits() {
        return 0;
    }

    /** Returns whether the request is rejected when there are no credits. */
    public boolean isRefusable() {
        return false;
    }

    /** Returns whether a reply says something about messages, so that only a leader may give it. */
    public boolean isAboutState() {
        return true;
    }

    /**
     * Returns whether a reply says only that messages are stored. The commit proves that, so the leader needs no lease any more when the
     * commit took long (CL-9).
     */
    public boolean isAboutStoring() {
        return false;
    }

    /** Returns the fragment of a partitioned entity that the request is about; null if it is unknown. */
    public @Nullable StoredEntity part(StoredEntity.Lookup entities) {
        return null;
    }

    /**
     * Returns whether the request may take effect now. In a transaction it takes effect only after the commit is
     * requested.
     */
    public final boolean mayTakeEffect() {
        return born < judge.timeline().horizon() && (transaction == null || transaction.isCommitting());
    }

    /** Returns whether the request has its reply. */
    public final boolean isAnswered() {
        return answered;
    }

    @Override
    public final void onReply(Reply reply) {
        guard(() -> {
            if (isAboutStoring()) {
                judge.timeline().requireNewest(process, this);
            } else if (isAboutState()) {
                judge.timeline().requireLease(process, this);
            }
            answerOnce();
            if (!isOutdated()) {
                done(reply);
                use();
            }
        });
    }

    @Override
    public final void onRejected(Rejection rejection) {
        guard(() -> {
            answerOnce();
            if (!isOutdated()) {
                judge.refused(this, rejection);
            }
        });
    }

    private void answerOnce() {
        if (answered) {
            throw new Violation("Expected one reply to " + this + ", but got a second one.");
        }
        answered = true;
        judge.answered(this);
    }

    public abstract void done(Reply reply);

    /** Records an access to the entity. Sends in a transaction are recorded when the message is stored. */
    public void use() {
        if (transaction == null || !(this instanceof Send)) {
            judge.used(path);
        }
    }

    /** Called when the request was rejected and has certainly had no effect. */
    public abstract void undone(Rejection rejection);

    /** Called when the effect of the request is unknown. It may still explain changes until the store is open again. */
    public void uncertain() {}

    @Override
    public String toString() {
        return getClass().getSimpleName() + " on " + path;
    }

    /**
     * A message that a client sends.
     *
     * @param partitionKey the partition key, which selects the fragment if there is no session; may be null
     * @param tag the number that filters evaluate
     */
    public record Sent(
            long uid,
            @Nullable String session,
            @Nullable String partitionKey,
            @Nullable String messageId,
            long scheduledMs,
            int tag,
            VisibleProperties visible) {

        /**
         * Returns the key of a message: its session, or its partition key, or its message id if the entity detects
         * duplicates.
         */
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

    /** A message in a subscription, with its properties there. */
    public record CopyOf(long uid, String path, VisibleProperties visible) {}

    /** A request to store messages: all of them or none. */
    public static final class Send extends Request {
        public final List<Sent> messages;
        public final long[] numbers;
        public final boolean[] stored;

        /** For each message, whether it was stored as a scheduled message. */
        public final boolean[] waited;

        /** The copies stored in subscriptions. */
        public final Set<CopyOf> copies = new HashSet<>();

        /** The fragment of a partitioned entity that stores the messages, or -1. */
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
            throw new IllegalArgumentException("Expected a message of this send, but got another one.");
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

        @Override
        public boolean isAboutStoring() {
            return true;
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

    /** The outcomes of a settlement. */
    public enum Settling {
        COMPLETE,
        ABANDON,
        DEAD_LETTER,
        DEFER,
        RELEASE
    }

    /** A request to settle locks: all of them or none. */
    public static final class Settle extends Request {
        /**
         * The decision about a settlement whose commit is delayed.
         *
         * @param wins whether all locks were valid
         * @param upMs the working time of the shard in milliseconds
         * @param pauseNanos the start of the delay in nanoseconds, independent of the clock
         */
        public record Decided(boolean wins, long upMs, long pauseNanos) {}

        public final Settling how;
        public final List<Lock> locks;
        public final boolean[] settled;

        /** True if the session was closed before the request. */
        private final boolean tooLate;

        /** True if the commit may be delayed, because the client does not wait for the reply. */
        private final boolean allowsDelay;

        /** The decision of an earlier turn than that of the commit; null if there is none. */
        public @Nullable Decided decided;

        /** For each lock, whether its end may also have another reason. */
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

        /** Returns whether a lock permits the settlement. */
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

    /** A request to renew locks. */
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

    /** A request whose reply contains no data. */
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
        public boolean isAboutState() {
            return false; // a receiver may be attached to some fragments although others are not available
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
