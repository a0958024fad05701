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
 * Something that happened to a queue, ready to be applied without judging. Records that are {@link Volatile} change
 * memory only and are void after a restart (STATE-4); the others write rows.
 */
public sealed interface Record {

    /** Its kind, which has a case in every dispatch. */
    RecordKind kind();

    /** Locks, credit, receivers: what a restart forgets. */
    sealed interface Volatile extends Record {}

    /** T-1: stored at the tail of the main lane. */
    record MessageEnqueued(StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_ENQUEUED;
        }
    }

    /** T-2: stored until its time. {@code message.expiresAtMs} still is the time to live. */
    record MessageScheduled(StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_SCHEDULED;
        }
    }

    /** SCHED-5: a transaction gave out numbers up to this one for messages that it will schedule if it is committed. */
    record SequenceNumbersReserved(long lastSequenceNumber) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SEQUENCE_NUMBERS_RESERVED;
        }
    }

    /**
     * T-4 and T-5 in one: accepted by an entity that forwards, and handed on in the same step. What becomes of the message
     * is told by records of the destination, or by those of this entity that follow.
     *
     * @param message as it came
     * @param overrides application properties a rule has set
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
     * T-6 of a message that was not in the outbox: it cannot be handed on, as its row says.
     *
     * @param lane {@link Lane#TRANSFER_DEAD_LETTER}, or {@link Lane#DEAD_LETTER} where the namespace wants it there
     *     (DLQ-32)
     */
    record ForwardRefused(Lane lane, StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.FORWARD_REFUSED;
        }
    }

    /** FWD-12, DLQ-32: the destination does not take it; it is in the dead-letter lane, where it may have been before. */
    record TransferReturned(long destinationId, long number, int sizeBytes, StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_RETURNED;
        }
    }

    /** T-4: accepted by the source, on its way to another entity. */
    record TransferQueued(Transfer transfer) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_QUEUED;
        }
    }

    /** T-5: the destination has it. */
    record TransferDone(long destinationId, long number, int sizeBytes) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_DONE;
        }
    }

    /** T-6: the destination will never take it; the row in the transfer dead-letter lane has the reason. */
    record TransferDeadLettered(long destinationId, long number, int sizeBytes, StoredMessage message)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.TRANSFER_DEAD_LETTERED;
        }
    }

    /** T-7: moved from the scheduled lane to the tail under a new number. */
    record ScheduledMessageActivated(long scheduledSequenceNumber, long dueMs, StoredMessage message)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SCHEDULED_MESSAGE_ACTIVATED;
        }
    }

    /** T-8. */
    record ScheduledMessageCancelled(long sequenceNumber, long dueMs, int sizeBytes) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SCHEDULED_MESSAGE_CANCELLED;
        }
    }

    /** Why a message went away for good. */
    enum RemovalCause {
        /** T-11. */
        COMPLETED,
        /** T-10, T-22. */
        RECEIVED_AND_DELETED,
        /** T-18, T-19, T-25 without dead-lettering. */
        EXPIRED,
        /** T-35. */
        DELETED,
        /** T-27, T-30: handed on to another entity. */
        FORWARDED
    }

    /** The message is gone, with its lock if it had one. */
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
     * A topic took a message and handed copies to its subscriptions.
     *
     * @param sequenceNumber its number in the topic
     * @param sharedContent what several copies share, or null if none do
     */
    record MessagePublished(long sequenceNumber, @Nullable MessageContent sharedContent) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_PUBLISHED;
        }
    }

    /** SCHED-7: a message that waited in a topic is published. */
    record ScheduledMessagePublished(long sequenceNumber, long dueMs, int sizeBytes) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SCHEDULED_MESSAGE_PUBLISHED;
        }
    }

    /** The id of a message that was taken counts from now on (DUP-2). */
    record MessageIdAccepted(AcceptedId id) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_ID_ACCEPTED;
        }
    }

    /**
     * A generation of accepted ids is gone, none of which counted any more.
     *
     * @param keys all of them if they are few, or null to take away whatever is there
     */
    record MessageIdsForgotten(long generationMs, @Nullable List<DuplicateKey> keys) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_IDS_FORGOTTEN;
        }
    }

    /** T-26: a copy that its subscription could not take goes to the dead-letter lane at once. */
    record CopyDeadLettered(StoredMessage message) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.COPY_DEAD_LETTERED;
        }
    }

    /**
     * T-16 to T-19, T-25: moved to the dead-letter lane, its lock ended if it had one.
     *
     * @param sizeBytes size it had in the main lane
     * @param message the row in the dead-letter lane, with the reason among its overrides
     */
    record MessageDeadLettered(int sizeBytes, boolean deferred, boolean changed, StoredMessage message)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_DEAD_LETTERED;
        }
    }

    /** How a lock ended that leaves the message where it is. */
    enum FailureCause {
        /** T-12. */
        ABANDONED,
        /** T-13. */
        LOCK_EXPIRED
    }

    /** T-12, T-13, T-23, T-29: the delivery failed, the message stays Active or Deferred as {@code change} says. */
    record DeliveryFailed(Lane lane, long sequenceNumber, int sizeDeltaBytes, MessageChange change, FailureCause cause)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.DELIVERY_FAILED;
        }
    }

    /** T-15, T-24: set aside. {@code wasDeferred} tells whether it had been before. */
    record MessageDeferred(
            Lane lane, long sequenceNumber, int sizeDeltaBytes, boolean wasDeferred, MessageChange change)
            implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_DEFERRED;
        }
    }

    /** The earliest expiry of a block of numbers is known better, {@code NEVER} if nothing in it expires any more. */
    record ExpiryBlockSwept(long block, long earliestExpiryMs, boolean lockedRemain) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.EXPIRY_BLOCK_SWEPT;
        }
    }

    /** SESS-15: something is kept with a session from now on, or nothing if null. */
    record SessionStateSet(String sessionId, byte @Nullable [] state, long atMs) implements Record {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_STATE_SET;
        }
    }

    /** The queue was configured anew. */
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

    /** LOCK-5. */
    record MessageLockRenewed(UUID lockToken, long lockedUntilMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.MESSAGE_LOCK_RENEWED;
        }
    }

    /** T-33: a settlement inside a transaction was judged; the lock lasts until the outcome, whatever its time says. */
    record SettlementHeld(UUID lockToken, long transactionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SETTLEMENT_HELD;
        }
    }

    /** TX-20: a transaction wants to set the state of a session, whose lock lasts until the outcome. */
    record SessionFrozen(String sessionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_FROZEN;
        }
    }

    /** The transaction has come to its outcome. */
    record SessionThawed(String sessionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_THAWED;
        }
    }

    /** T-34: the transaction was rolled back; the lock runs to its time, or ends if that is over (TX-14, TX-15). */
    record SettlementFreed(UUID lockToken) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SETTLEMENT_FREED;
        }
    }

    /** SCHED-4: a scheduled message is to be cancelled with others elsewhere; it waits for that, whatever the time says. */
    record CancelHeld(long sequenceNumber, long requestId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.CANCEL_HELD;
        }
    }

    /** It is not cancelled after all. */
    record CancelFreed(long sequenceNumber) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.CANCEL_FREED;
        }
    }

    /** FWD-12: the destination of a dead letter does not take it; those behind it go on, and it is tried again later. */
    record DeadLetterPassedBy(long sequenceNumber) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.DEAD_LETTER_PASSED_BY;
        }
    }

    /**
     * FWD-12: all dead letters that were passed by have been tried again.
     *
     * @param smallestNumber the first that still is, {@link Long#MAX_VALUE} if none is
     */
    record PassedByTriedAgain(long smallestNumber) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.PASSED_BY_TRIED_AGAIN;
        }
    }

    /** T-14: unlocked without counting. */
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

    /** A receiver gets nothing more until it sets its credit again. */
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

    /** SESS-4, SESS-5: a receiver has a session to itself. */
    record SessionLocked(long receiverId, ReceiveMode mode, String sessionId, long lockedUntilMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LOCKED;
        }
    }

    /** TTL-31: whether sessions of the entity are listened to in any fragment. */
    record SessionListenersSet(boolean listening) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LISTENERS_SET;
        }
    }

    /** SESS-9. */
    record SessionLockRenewed(String sessionId, long lockedUntilMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LOCK_RENEWED;
        }
    }

    /** SESS-10: the lock of a session has ended; what was locked with it is not to be settled any more. */
    record SessionLockEnded(String sessionId) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_LOCK_ENDED;
        }
    }

    /**
     * TTL-30: a message of a held session has expired, and with it all that are there, once their lock ends; later ones
     * are not touched.
     */
    record SessionExpired(String sessionId, long atMs) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_EXPIRED;
        }
    }

    /**
     * The hold on a session ends with its receiver; messages still locked are available again, uncounted (T-32).
     *
     * @param keepsPlace whether it was given to nobody; else it goes behind the others that wait (SESS-5)
     */
    record SessionReleased(String sessionId, boolean keepsPlace) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.SESSION_RELEASED;
        }
    }

    /** Counts deliveries against a receiver's limit. */
    record DeliveriesCounted(long receiverId, long count) implements Volatile {
        @Override
        public RecordKind kind() {
            return RecordKind.DELIVERIES_COUNTED;
        }
    }

    /** A drain used up the rest of the credit. */
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
