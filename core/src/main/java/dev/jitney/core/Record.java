package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change of a queue, which is applied without further checks. {@link Volatile} records change only memory and are void
 * after a restart (STATE-4); all others write rows.
 */
public sealed interface Record {

    /** Returns the kind, which has a case in every dispatch. */
    RecordKind kind();

    /** A change of locks, credit or receivers, which are lost at a restart. */
    sealed interface Volatile extends Record {}

    /** T-1: the message was stored at the tail of the main lane. */
    record MessageEnqueued(StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_ENQUEUED;
        }
    }

    /** T-2: the message was stored until its scheduled time. {@code message.expiresAtMs} still is the time to live. */
    record MessageScheduled(StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_SCHEDULED;
        }
    }

    /** SCHED-5: a transaction reserved numbers up to this one for messages that it schedules at its commit. */
    record SequenceNumbersReserved(long lastSequenceNumber) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SEQUENCE_NUMBERS_RESERVED;
        }
    }

    /**
     * T-4 and T-5 in one: an entity with forwarding accepted the message and forwarded it in the same step. Records of
     * the destination, or the following records of this entity, contain the result.
     *
     * @param message the message as received
     * @param overrides application properties that a rule has set
     */
    record MessagePassed(
            long sequenceNumber,
            long enqueuedTimeMs,
            long timeToLiveMs,
            IncomingMessage message,
            Map<String, EncodedValue> overrides)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_PASSED;
        }
    }

    /**
     * T-6 of a message that was not in the outbox: it cannot be forwarded, for the reason in its row.
     *
     * @param lane {@link Lane#TRANSFER_DEAD_LETTER}, or {@link Lane#DEAD_LETTER} if the namespace is set to it (DLQ-32)
     */
    record ForwardRefused(Lane lane, StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.FORWARD_REFUSED;
        }
    }

    /** FWD-12, DLQ-32: the destination refused the message. It is in the dead-letter lane, possibly again. */
    record TransferReturned(long destinationId, long number, int sizeBytes, StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_RETURNED;
        }
    }

    /** T-4: the source accepted the message, which is now in transfer to another entity. */
    record TransferQueued(Transfer transfer) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_QUEUED;
        }
    }

    /** T-5: the destination has stored the message. */
    record TransferDone(long destinationId, long number, int sizeBytes) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_DONE;
        }
    }

    /** T-6: the destination will never accept the message. The row in the transfer dead-letter lane has the reason. */
    record TransferDeadLettered(long destinationId, long number, int sizeBytes, StoredMessage message)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_DEAD_LETTERED;
        }
    }

    /** T-7: the message was moved from the scheduled lane to the tail with a new number. */
    record ScheduledMessageActivated(long scheduledSequenceNumber, long dueMs, StoredMessage message)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SCHEDULED_MESSAGE_ACTIVATED;
        }
    }

    /** T-8: a scheduled message was canceled. */
    record ScheduledMessageCancelled(long sequenceNumber, long dueMs, int sizeBytes) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SCHEDULED_MESSAGE_CANCELLED;
        }
    }

    /** The reasons for the removal of a message. */
    enum RemovalCause {
        /** T-11. */
        COMPLETED,
        /** T-10, T-22. */
        RECEIVED_AND_DELETED,
        /** T-18, T-19, T-25 without dead-lettering. */
        EXPIRED,
        /** T-35. */
        DELETED,
        /** T-27, T-30: forwarded to another entity. */
        FORWARDED
    }

    /** The message was removed, with its lock if it had one. */
    record MessageRemoved(
            Lane lane,
            long sequenceNumber,
            int sizeBytes,
            boolean deferred,
            boolean changed,
            RemovalCause cause,
            @Nullable SharedBody sharedBody,
            @Nullable String sessionId)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_REMOVED;
        }
    }

    /**
     * A topic accepted a message and gave copies to its subscriptions.
     *
     * @param sequenceNumber its number in the topic
     * @param sharedContent the content that several copies share, or null if no copies share it
     */
    record MessagePublished(long sequenceNumber, @Nullable MessageContent sharedContent) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_PUBLISHED;
        }
    }

    /** SCHED-7: a scheduled message of a topic was published. */
    record ScheduledMessagePublished(long sequenceNumber, long dueMs, int sizeBytes) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SCHEDULED_MESSAGE_PUBLISHED;
        }
    }

    /** The id of an accepted message was added to the history for duplicate detection (DUP-2). */
    record MessageIdAccepted(AcceptedId id) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_ID_ACCEPTED;
        }
    }

    /**
     * A generation of accepted ids was deleted, because all of them were outside the window.
     *
     * @param keys all ids of the generation if they are few, or null to delete the whole range
     */
    record MessageIdsForgotten(long generationMs, @Nullable List<DuplicateKey> keys) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_IDS_FORGOTTEN;
        }
    }

    /** T-26: a copy that its subscription could not accept went directly to the dead-letter lane. */
    record CopyDeadLettered(StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.COPY_DEAD_LETTERED;
        }
    }

    /**
     * T-16 to T-19, T-25: the message was moved to the dead-letter lane, and its lock ended if it had one.
     *
     * @param sizeBytes size of the message in the main lane
     * @param message the row in the dead-letter lane, with the reason among its overrides
     */
    record MessageDeadLettered(int sizeBytes, boolean deferred, boolean changed, StoredMessage message)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_DEAD_LETTERED;
        }
    }

    /** The ways in which a lock can end while the message stays in its lane. */
    enum FailureCause {
        /** T-12. */
        ABANDONED,
        /** T-13. */
        LOCK_EXPIRED
    }

    /** T-12, T-13, T-23, T-29: the delivery failed; the message stays active or deferred as in {@code change}. */
    record DeliveryFailed(Lane lane, long sequenceNumber, int sizeDeltaBytes, MessageChange change, FailureCause cause)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.DELIVERY_FAILED;
        }
    }

    /** T-15, T-24: the message was deferred. {@code wasDeferred} is true if it was deferred before. */
    record MessageDeferred(
            Lane lane, long sequenceNumber, int sizeDeltaBytes, boolean wasDeferred, MessageChange change)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_DEFERRED;
        }
    }

    /** The earliest expiry of a block of numbers was updated; {@code NEVER} if no message in it expires any more. */
    record ExpiryBlockSwept(long block, long earliestExpiryMs, boolean lockedRemain) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.EXPIRY_BLOCK_SWEPT;
        }
    }

    /** SESS-15: the state of a session was set, or cleared if null. */
    record SessionStateSet(String sessionId, byte @Nullable [] state, long atMs) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_STATE_SET;
        }
    }

    /** The description of the queue was updated. */
    record QueueUpdated(QueueDescription description, long updatedAtMs) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.QUEUE_UPDATED;
        }
    }

    /** T-9: an available message was locked for a receiver. */
    record MessageLocked(Lane lane, long sequenceNumber, UUID lockToken, long lockedUntilMs, long receiverId)
            implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_LOCKED;
        }
    }

    /** T-21: a deferred message was locked by number. */
    record DeferredMessageLocked(
            Lane lane, StoredMessage message, @Nullable MessageChange change, UUID lockToken, long lockedUntilMs)
            implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.DEFERRED_MESSAGE_LOCKED;
        }
    }

    /** LOCK-5: the lock of a message was renewed. */
    record MessageLockRenewed(UUID lockToken, long lockedUntilMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_LOCK_RENEWED;
        }
    }

    /**
     * T-33: a transaction has a pending settlement of the message; the lock lasts until the outcome, regardless of its
     * time.
     */
    record SettlementHeld(UUID lockToken, long transactionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SETTLEMENT_HELD;
        }
    }

    /** TX-20: a transaction has a pending change of the state of a session, whose lock lasts until the outcome. */
    record SessionFrozen(String sessionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_FROZEN;
        }
    }

    /** The outcome of that transaction is known. */
    record SessionThawed(String sessionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_THAWED;
        }
    }

    /**
     * T-34: the transaction was rolled back. The lock runs until its time, or ends now if that has passed (TX-14, TX-15).
     */
    record SettlementFreed(UUID lockToken) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SETTLEMENT_FREED;
        }
    }

    /**
     * SCHED-4: a scheduled message waits to be canceled together with messages elsewhere; its scheduled time does not
     * matter.
     */
    record CancelHeld(long sequenceNumber, long requestId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.CANCEL_HELD;
        }
    }

    /** The prepared cancellation was aborted. */
    record CancelFreed(long sequenceNumber) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.CANCEL_FREED;
        }
    }

    /** FWD-12: the destination refused a dead letter. The following ones are forwarded, and this one is retried later. */
    record DeadLetterPassedBy(long sequenceNumber) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.DEAD_LETTER_PASSED_BY;
        }
    }

    /**
     * FWD-12: all skipped dead letters have been retried.
     *
     * @param smallestNumber the first that is still skipped, {@link Long#MAX_VALUE} if none is
     */
    record PassedByTriedAgain(long smallestNumber) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.PASSED_BY_TRIED_AGAIN;
        }
    }

    /** T-14: the message was unlocked without counting a failed delivery. */
    record MessageReleased(UUID lockToken) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_RELEASED;
        }
    }

    record ReceiverAttached(long receiverId, SubQueue subQueue, ReceiveMode mode) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.RECEIVER_ATTACHED;
        }
    }

    /** A receiver gets no more messages until it sets its credit again. */
    record ReceiverPaused(long receiverId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.RECEIVER_PAUSED;
        }
    }

    record CreditSet(long receiverId, long deliveryLimit, boolean drain) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.CREDIT_SET;
        }
    }

    /** SESS-5: a receiver waits for a session. */
    record SessionAwaited(long receiverId, ReceiveMode mode, long deadlineMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_AWAITED;
        }
    }

    /** SESS-4, SESS-5: a receiver holds the lock of a session. */
    record SessionLocked(long receiverId, ReceiveMode mode, String sessionId, long lockedUntilMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LOCKED;
        }
    }

    /** TTL-31: whether a receiver holds or awaits a session of the entity in any fragment. */
    record SessionListenersSet(boolean listening) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LISTENERS_SET;
        }
    }

    /** SESS-9: the lock of a session was renewed. */
    record SessionLockRenewed(String sessionId, long lockedUntilMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LOCK_RENEWED;
        }
    }

    /** SESS-10: the lock of a session has ended; messages locked with it can no longer be settled. */
    record SessionLockEnded(String sessionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LOCK_ENDED;
        }
    }

    /**
     * TTL-30: a message of a held session has expired. All current messages of the session expire with it when their
     * locks end; later messages do not.
     */
    record SessionExpired(String sessionId, long atMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_EXPIRED;
        }
    }

    /**
     * The hold on a session ended with its receiver; messages that are still locked are available again, without counting
     * a failed delivery (T-32).
     *
     * @param keepsPlace true if no client received the session; otherwise it goes behind the waiting sessions (SESS-5)
     */
    record SessionReleased(String sessionId, boolean keepsPlace) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_RELEASED;
        }
    }

    /** Deliveries were counted against the limit of a receiver. */
    record DeliveriesCounted(long receiverId, long count) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.DELIVERIES_COUNTED;
        }
    }

    /** A drain used up the remaining credit. */
    record CreditDrained(long receiverId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.CREDIT_DRAINED;
        }
    }

    record ReceiverDetached(long receiverId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.RECEIVER_DETACHED;
        }
    }
}
