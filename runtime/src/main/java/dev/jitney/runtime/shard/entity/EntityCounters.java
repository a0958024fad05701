package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.runtime.DeadLetterReason;
import dev.jitney.runtime.EntityFigures;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The counters of one queue, increased by its records. They become visible with the commit of the counted records, as
 * {@link EntityFigures}. If the commit fails, they are dropped with the rest of the shard's memory. For the shard's
 * thread.
 */
public final class EntityCounters {
    private static final String REASON = "DeadLetterReason";

    private long incomingMessages;
    private long incomingBytes;
    private long outgoingMessages;
    private long outgoingBytes;
    private long completed;
    private long abandoned;
    private long lockExpiries;
    private long expired;
    private long deleted;
    private long duplicates;
    private long forwarded;
    private Map<DeadLetterReason, Long> deadLettered;

    /** True if {@link #deadLettered} was published and must not change any more. */
    private boolean shown = true;

    /** @param shown the values to continue from */
    EntityCounters(EntityFigures shown) {
        incomingMessages = shown.incomingMessages();
        incomingBytes = shown.incomingBytes();
        outgoingMessages = shown.outgoingMessages();
        outgoingBytes = shown.outgoingBytes();
        completed = shown.completed();
        abandoned = shown.abandoned();
        lockExpiries = shown.lockExpiries();
        expired = shown.expired();
        deleted = shown.deleted();
        duplicates = shown.duplicates();
        forwarded = shown.forwarded();
        deadLettered = shown.deadLettered();
    }

    /** @param byTime whether a timer caused the record, not a command */
    void count(Record record, boolean byTime) {
        switch (record.kind()) {
            case MESSAGE_ENQUEUED -> arrived(((Record.MessageEnqueued) record).message());
            case MESSAGE_REMOVED -> removed(((Record.MessageRemoved) record).cause());
            case MESSAGE_SCHEDULED -> arrived(((Record.MessageScheduled) record).message());
            case MESSAGE_PASSED -> {
                incomingMessages++;
                incomingBytes +=
                        ((Record.MessagePassed) record).message().content().sizeBytes();
            }
            case FORWARD_REFUSED -> {
                if (((Record.ForwardRefused) record).lane() == Lane.DEAD_LETTER) {
                    deadLettered(reasonOf(((Record.ForwardRefused) record).message()), byTime);
                }
            }
            case TRANSFER_RETURNED -> {
                StoredMessage returned = ((Record.TransferReturned) record).message();
                if (returned.propertyOverrides().containsKey(REASON)) {
                    deadLettered(reasonOf(returned), byTime);
                }
            }
            case DELIVERY_FAILED ->
                failed(((Record.DeliveryFailed) record).cause() == Record.FailureCause.LOCK_EXPIRED);
            case MESSAGE_DEAD_LETTERED ->
                deadLettered(reasonOf(((Record.MessageDeadLettered) record).message()), byTime);
            case COPY_DEAD_LETTERED -> {
                StoredMessage copy = ((Record.CopyDeadLettered) record).message();
                arrived(copy);
                deadLettered(reasonOf(copy), byTime);
            }
            case SEQUENCE_NUMBERS_RESERVED,
                    TRANSFER_QUEUED,
                    TRANSFER_DONE,
                    TRANSFER_DEAD_LETTERED,
                    SCHEDULED_MESSAGE_ACTIVATED,
                    SCHEDULED_MESSAGE_CANCELLED,
                    MESSAGE_PUBLISHED,
                    SCHEDULED_MESSAGE_PUBLISHED,
                    MESSAGE_ID_ACCEPTED,
                    MESSAGE_IDS_FORGOTTEN,
                    MESSAGE_DEFERRED,
                    EXPIRY_BLOCK_SWEPT,
                    SESSION_STATE_SET,
                    QUEUE_UPDATED,
                    MESSAGE_LOCKED,
                    DEFERRED_MESSAGE_LOCKED,
                    MESSAGE_LOCK_RENEWED,
                    SETTLEMENT_HELD,
                    SESSION_FROZEN,
                    SESSION_THAWED,
                    SETTLEMENT_FREED,
                    CANCEL_HELD,
                    CANCEL_FREED,
                    DEAD_LETTER_PASSED_BY,
                    PASSED_BY_TRIED_AGAIN,
                    MESSAGE_RELEASED,
                    RECEIVER_ATTACHED,
                    RECEIVER_PAUSED,
                    CREDIT_SET,
                    SESSION_AWAITED,
                    SESSION_LOCKED,
                    SESSION_LISTENERS_SET,
                    SESSION_LOCK_RENEWED,
                    SESSION_LOCK_ENDED,
                    SESSION_EXPIRED,
                    SESSION_RELEASED,
                    DELIVERIES_COUNTED,
                    CREDIT_DRAINED,
                    RECEIVER_DETACHED -> {} // not counted
        }
    }

    private void removed(Record.RemovalCause cause) {
        switch (cause) {
            case COMPLETED -> completed++;
            case EXPIRED -> expired++;
            case DELETED -> deleted++;
            case RECEIVED_AND_DELETED, FORWARDED -> {} // counted when it is delivered or forwarded
        }
    }

    private static DeadLetterReason reasonOf(StoredMessage message) {
        return DeadLetterReason.of(message.propertyOverrides().get(REASON));
    }

    /** Counts a message forwarded to another entity (FWD-16). */
    void forwarded() {
        forwarded++;
    }

    /** Counts messages that a topic accepted for its subscriptions. Scheduled messages are counted by their records. */
    public void published(List<IncomingMessage> messages, Reply.Sent sent, long nowMs) {
        Iterator<Integer> duplicates = sent.duplicates().iterator();
        int duplicate = duplicates.hasNext() ? duplicates.next() : -1;
        for (int i = 0; i < messages.size(); i++) {
            IncomingMessage message = messages.get(i);
            if (i == duplicate) {
                duplicate = duplicates.hasNext() ? duplicates.next() : -1;
            } else if (!message.ping() && message.scheduledEnqueueTimeMs() <= nowMs) {
                incomingMessages++;
                incomingBytes += message.content().sizeBytes();
            }
        }
    }

    /** Counts messages dropped because their ids were accepted before (T-3). */
    void dropped(int duplicateCount) {
        duplicates += duplicateCount;
    }

    /** Counts a message delivered to a receiver. */
    public void delivered(MessageView message) {
        outgoingMessages++;
        outgoingBytes += message.content().sizeBytes();
    }

    private void arrived(StoredMessage message) {
        incomingMessages++;
        incomingBytes += message.content().sizeBytes();
    }

    private void failed(boolean lockExpired) {
        if (lockExpired) {
            lockExpiries++;
        } else {
            abandoned++;
        }
    }

    private void deadLettered(DeadLetterReason reason, boolean byTime) {
        if (shown) {
            Map<DeadLetterReason, Long> copy = new EnumMap<>(DeadLetterReason.class);
            copy.putAll(deadLettered);
            deadLettered = copy;
            shown = false;
        }
        deadLettered.merge(reason, 1L, Long::sum);
        if (reason == DeadLetterReason.MAX_DELIVERY_COUNT_EXCEEDED) {
            failed(byTime); // its last delivery failed, like the earlier ones
        } else if (reason == DeadLetterReason.TTL_EXPIRED) {
            expired++;
        }
    }

    /** Returns the counters for publication. */
    EntityFigures figures(int receivers, long oldestEnqueuedTimeMs) {
        shown = true;
        return new EntityFigures(
                incomingMessages,
                incomingBytes,
                outgoingMessages,
                outgoingBytes,
                completed,
                abandoned,
                lockExpiries,
                expired,
                deleted,
                duplicates,
                forwarded,
                deadLettered.isEmpty() ? Map.of() : Collections.unmodifiableMap(deadLettered),
                receivers,
                oldestEnqueuedTimeMs);
    }
}
