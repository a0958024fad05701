package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A message that a fragment has locked for a {@link PartitionFanIn}.
 *
 * @param partition the receiver of the fragment that locked it
 * @param message   the message with its lock
 */
record FetchedMessage(PartitionReceiver partition, MessageView message) {

    /** The maximum age of a kept message's lock at delivery; an older lock is renewed first (PART-13). */
    private static final long KEPT_MS_MAX = 100;

    /**
     * The divisor of the lock duration that limits the age of a new message's lock; a slow commit can use up part of
     * the lock.
     */
    private static final int ON_ITS_WAY_PART = 10;

    ServedEntity part() {
        return partition.part();
    }

    UUID token() {
        return Objects.requireNonNull(message.lockToken());
    }

    /** Returns whether a kept message may be delivered without renewing its lock. */
    boolean isFreshAsKept(long nowMs) {
        return lockAgeMs(nowMs) <= KEPT_MS_MAX && message.lockedUntilMs() > nowMs;
    }

    /** Returns whether a message that has just arrived may be delivered without renewing its lock. */
    boolean isFreshAsNew(long nowMs) {
        long ageMsMax = Math.max(KEPT_MS_MAX, part().lockDurationMs() / ON_ITS_WAY_PART);
        return lockAgeMs(nowMs) <= ageMsMax && message.lockedUntilMs() > nowMs;
    }

    private long lockAgeMs(long nowMs) {
        return nowMs + part().lockDurationMs() - message.lockedUntilMs();
    }

    /** Returns the same message with a renewed lock. */
    FetchedMessage renewed(long lockedUntilMs) {
        return new FetchedMessage(partition, message.lockedUntil(lockedUntilMs));
    }

    /**
     * Returns whether the message has expired and must not be delivered (TTL-6). Dead-lettered messages do not
     * expire.
     */
    boolean isExpired(long nowMs) {
        return partition.subQueue() == SubQueue.MAIN && message.expiresAtMs() <= nowMs;
    }

    /** Releases the message immediately, without counting a delivery. */
    void giveBack() {
        part().unclaimed().addClaimed(token());
        part().enqueue(new Command.ReleaseMessages(List.of(token())), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                part().unclaimed().forget(token());
            }

            @Override
            public void onRejected(Rejection rejection) {
                part().finish(token(), rejection);
            }
        });
    }
}
