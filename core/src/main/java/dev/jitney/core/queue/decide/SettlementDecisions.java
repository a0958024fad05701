package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on settlement, renewal and reads of locks. A command with several tokens settles all or none (LOCK-13).
 */
final class SettlementDecisions {
    private static final int REASON_LENGTH_MAX = 4_096;

    /** The maximum content of expired messages that one release moves; the last message may exceed it. */
    private static final long EXPIRED_BYTES_MAX = 4L << 20;

    /** The holder of a settlement outside a transaction, or of one that is checked for the first time. */
    static final long NOBODY = 0;

    /** The holder of a renewal, which includes locks held by a transaction (TX-21). */
    static final long ANYBODY = -1;

    /** The holder of a renewal, for a command that was checked before: a held lock is valid regardless of its time. */
    static final long ANYBODY_AGAIN = -2;

    private SettlementDecisions() {}

    static Decision complete(QueueView queue, Command.CompleteMessages command, long holder, Situation now) {
        List<LockView> locks = new ArrayList<>(command.lockTokens().size());
        Rejection refusal = find(queue, command.lockTokens(), holder, now, locks);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(locks.size());
        for (LockView lock : locks) {
            QueuedMessageView message = lock.message();
            records.add(new Record.MessageRemoved(
                    lock.lane(),
                    message.sequenceNumber(),
                    message.sizeBytes(),
                    message.deferred(),
                    message.changed(),
                    Record.RemovalCause.COMPLETED,
                    message.sharedBody(),
                    message.sessionId()));
        }
        return Decision.done(records);
    }

    static Decision abandon(QueueView queue, Command.AbandonMessages command, long holder, Situation now) {
        List<LockView> locks = new ArrayList<>();
        Rejection refusal = find(queue, command.lockTokens(), holder, now, locks);
        if (refusal == null) {
            refusal = SettlementSize.refusal(
                    queue,
                    locks,
                    command.propertiesToModify(),
                    command.propertiesToModify(),
                    holder,
                    lock -> FailedDelivery.moves(queue, lock, now),
                    now);
        }
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(locks.size());
        for (LockView lock : locks) {
            records.add(FailedDelivery.counted(
                    queue, lock, command.propertiesToModify(), Record.FailureCause.ABANDONED, now));
        }
        return Decision.done(records);
    }

    static Decision release(QueueView queue, Command.ReleaseMessages command, long holder, Situation now) {
        List<LockView> locks = new ArrayList<>();
        Rejection refusal = find(queue, command.lockTokens(), holder, now, locks);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(locks.size());
        long movedBytes = 0;
        for (LockView lock : locks) {
            Record released = movedBytes > EXPIRED_BYTES_MAX
                    ? new Record.MessageReleased(lock.token()) // an expired message is moved later, like any other one
                    : FailedDelivery.released(queue, lock, now);
            movedBytes += released instanceof Record.MessageDeadLettered
                    ? lock.message().sizeBytes()
                    : 0;
            records.add(released);
        }
        return Decision.done(records);
    }

    static Decision defer(QueueView queue, Command.DeferMessages command, long holder, Situation now) {
        List<LockView> locks = new ArrayList<>();
        Rejection refusal = find(queue, command.lockTokens(), holder, now, locks);
        if (refusal == null) {
            refusal = SettlementSize.refusal(
                    queue,
                    locks,
                    command.propertiesToModify(),
                    command.propertiesToModify(),
                    holder,
                    lock -> false,
                    now);
        }
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(locks.size());
        for (LockView lock : locks) {
            QueuedMessageView message = lock.message();
            Map<String, EncodedValue> overrides =
                    FailedDelivery.merge(message.overrides(), command.propertiesToModify());
            // DEFER-6: counts as a delivery, regardless of the limit.
            MessageChange change = new MessageChange(FailedDelivery.afterFailure(lock), true, overrides);
            records.add(new Record.MessageDeferred(
                    lock.lane(),
                    message.sequenceNumber(),
                    FailedDelivery.sizeDelta(message, overrides),
                    message.deferred(),
                    change));
        }
        return Decision.done(records);
    }

    static Decision deadLetter(QueueView queue, Command.DeadLetterMessages command, long holder, Situation now) {
        List<LockView> locks = new ArrayList<>();
        Rejection refusal = find(queue, command.lockTokens(), holder, now, locks);
        Map<String, EncodedValue> properties = new LinkedHashMap<>(command.propertiesToModify());
        properties.putAll(reasons(command.reason(), command.description()));
        if (refusal == null) {
            refusal = SettlementSize.refusal(
                    queue, locks, command.propertiesToModify(), properties, holder, lock -> true, now);
        }
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(locks.size());
        for (LockView lock : locks) {
            if (lock.lane() != Lane.MAIN) {
                return Decision.reject(
                        ErrorCode.INVALID_OPERATION, "A message in a dead-letter queue cannot be dead-lettered.");
            }
            QueuedMessageView message = lock.message();
            records.add(FailedDelivery.deadLettered(
                    queue,
                    message,
                    message.deliveryCount(),
                    FailedDelivery.merge(message.overrides(), properties),
                    0,
                    now));
        }
        return Decision.done(records);
    }

    /**
     * Decides the renewal of locks.
     *
     * @param holder one of the two holders of a renewal
     */
    static Decision renew(QueueView queue, Command.RenewLocks command, long holder, Situation now) {
        List<LockView> locks = new ArrayList<>();
        Rejection refusal = find(queue, command.lockTokens(), holder, now, locks);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        for (LockView lock : locks) {
            if (lock.session() != null) { // SESS-8
                return Decision.reject(
                        ErrorCode.INVALID_OPERATION,
                        "The lock of a message in a session is the lock of the session. Renew the lock of the"
                                + " session instead.");
            }
        }
        long untilMs = now.nowMs() + queue.description().lockDurationMs();
        List<Record> records = new ArrayList<>(locks.size());
        long[] expirations = new long[locks.size()];
        for (int i = 0; i < expirations.length; i++) {
            records.add(new Record.MessageLockRenewed(locks.get(i).token(), untilMs));
            expirations[i] = untilMs;
        }
        return Decision.of(records, new Reply.LocksRenewed(expirations));
    }

    static Decision look(QueueView queue, Command.GetLockedMessage command, Situation now) {
        List<LockView> locks = new ArrayList<>(1);
        Rejection refusal = find(queue, List.of(command.lockToken()), NOBODY, now, locks);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        LockView lock = locks.get(0);
        QueuedMessageView message = lock.message();
        return Decision.reply(new Reply.Locked(MessageViews.view(
                queue,
                FailedDelivery.content(queue, lock.lane(), message, now),
                message.deliveryCount(),
                message.overrides(),
                message.deferred() ? MessageState.DEFERRED : MessageState.ACTIVE,
                lock.token(),
                lock.lockedUntilMs())));
    }

    /**
     * Finds the locks of all tokens. Refuses the request if a token is unknown, ended, named twice or held by another
     * transaction (TX-13). For a token that the holder itself has settled before, the time of the lock does not matter
     * (TX-15).
     */
    private static @Nullable Rejection find(
            QueueView queue, List<UUID> tokens, long holder, Situation now, List<LockView> found) {
        if (tokens.isEmpty()) {
            return new Rejection(ErrorCode.ARGUMENT, "Expected at least one lock token, but got none.");
        }
        Set<UUID> seen = tokens.size() == 1 ? Set.of() : new HashSet<>();
        for (UUID token : tokens) {
            LockView lock = queue.lock(token);
            if (lock == null || !isOpenTo(lock, holder, now) || (tokens.size() > 1 && !seen.add(token))) {
                return Rejection.of(
                        isLostWithSession(queue, token, lock)
                                ? ErrorCode.SESSION_LOCK_LOST
                                : ErrorCode.MESSAGE_LOCK_LOST);
            }
            found.add(lock);
        }
        return null;
    }

    private static boolean isLostWithSession(QueueView queue, UUID token, @Nullable LockView lock) {
        return lock == null ? queue.isSessionLost(token) : lock.session() != null && lock.transactionId() == 0;
    }

    private static boolean isOpenTo(LockView lock, long holder, Situation now) {
        if (holder > NOBODY) {
            return lock.transactionId() == holder;
        }
        if (holder == ANYBODY_AGAIN && lock.transactionId() != 0) {
            return true;
        }
        return lock.lockedUntilMs() > now.nowMs() && (lock.transactionId() == 0 || holder != NOBODY);
    }

    /** Returns the properties of a dead letter for a reason and a description, each of which may be null. */
    static Map<String, EncodedValue> reasons(@Nullable String reason, @Nullable String description) {
        Map<String, EncodedValue> properties = new LinkedHashMap<>();
        addReason(properties, FailedDelivery.REASON, reason);
        addReason(properties, FailedDelivery.DESCRIPTION, description);
        return properties;
    }

    /**
     * Adds a reason, cut to the maximum length (DLQ-13), because clients treat a refused dead-lettering as successful.
     */
    private static void addReason(Map<String, EncodedValue> properties, String key, @Nullable String value) {
        if (value != null) {
            properties.put(key, EncodedValue.ofString(cut(value)));
        }
    }

    /** Returns the first characters of a text, without splitting a surrogate pair. */
    private static String cut(String text) {
        if (text.length() <= REASON_LENGTH_MAX) {
            return text;
        }
        boolean splits = Character.isHighSurrogate(text.charAt(REASON_LENGTH_MAX - 1))
                && Character.isLowSurrogate(text.charAt(REASON_LENGTH_MAX));
        return text.substring(0, splits ? REASON_LENGTH_MAX - 1 : REASON_LENGTH_MAX);
    }
}
