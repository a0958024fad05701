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
 * @param partition where it came from
 * @param message as it was locked
 */
record FetchedMessage(PartitionReceiver partition, MessageView message) {

    /** How old the lock of a kept message may be when it is handed out; an older one is renewed (PART-13). */
    private static final long KEPT_MS_MAX = 100;

    /** What part of its time a lock may have lost when its message comes to who waits for it: a commit that takes long. */
    private static final int ON_ITS_WAY_PART = 10;

    ServedEntity part() {
        return partition.part();
    }

    UUID token() {
        return Objects.requireNonNull(message.lockToken());
    }

    /** Whether it may be handed out under its lock after it was kept. */
    boolean isFreshAsKept(long nowMs) {
        return lockAgeMs(nowMs) <= KEPT_MS_MAX && message.lockedUntilMs() > nowMs;
    }

    /** Whether it may be handed out under its lock when it has just come. */
    boolean isFreshAsNew(long nowMs) {
        long ageMsMax = Math.max(KEPT_MS_MAX, part().lockDurationMs() / ON_ITS_WAY_PART);
        return lockAgeMs(nowMs) <= ageMsMax && message.lockedUntilMs() > nowMs;
    }

    private long lockAgeMs(long nowMs) {
        return nowMs + part().lockDurationMs() - message.lockedUntilMs();
    }

    /** The same message under a lock that was just renewed. */
    FetchedMessage renewed(long lockedUntilMs) {
        return new FetchedMessage(partition, message.lockedUntil(lockedUntilMs));
    }

    /** Whether nobody may receive it any more (TTL-6); dead-letters do not expire. */
    boolean isExpired(long nowMs) {
        return partition.subQueue() == SubQueue.MAIN && message.expiresAtMs() <= nowMs;
    }

    /** Gives it back at once, without counting a delivery. */
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
