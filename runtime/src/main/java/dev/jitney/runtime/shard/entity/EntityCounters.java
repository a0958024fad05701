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
 * Counts what records say about one queue. What it has counted is shown with the commit that makes it true, as
 * {@link EntityFigures}; if that fails, the counters is dropped with the rest of the shard's memory. For the shard's thread.
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

    /** Whether {@link #deadLettered} has been shown and must not change any more. */
    private boolean shown = true;

    /** @param shown what to go on from */
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

    /** @param byTime whether time has brought it about, not a command */
    void count(Record record, boolean byTime) {
        if (record instanceof Record.MessageEnqueued enqueued) {
            arrived(enqueued.message());
        } else if (record instanceof Record.MessageRemoved removed) {
            switch (removed.cause()) {
                case COMPLETED -> completed++;
                case EXPIRED -> expired++;
                case DELETED -> deleted++;
                case RECEIVED_AND_DELETED, FORWARDED -> {} // counted where it is delivered or handed on
            }
        } else if (record instanceof Record.MessageScheduled scheduled) {
            arrived(scheduled.message());
        } else if (record instanceof Record.MessagePassed passed) {
            incomingMessages++;
            incomingBytes += passed.message().content().sizeBytes();
        } else if (record instanceof Record.ForwardRefused refused && refused.lane() == Lane.DEAD_LETTER) {
            deadLettered(reasonOf(refused.message()), byTime);
        } else if (record instanceof Record.TransferReturned returned
                && returned.message().propertyOverrides().containsKey(REASON)) {
            deadLettered(reasonOf(returned.message()), byTime);
        } else if (record instanceof Record.DeliveryFailed failed) {
            failed(failed.cause() == Record.FailureCause.LOCK_EXPIRED);
        } else if (record instanceof Record.MessageDeadLettered moved) {
            deadLettered(reasonOf(moved.message()), byTime);
        } else if (record instanceof Record.CopyDeadLettered copy) {
            arrived(copy.message());
            deadLettered(reasonOf(copy.message()), byTime);
        }
    }

    private static DeadLetterReason reasonOf(StoredMessage message) {
        return DeadLetterReason.of(message.propertyOverrides().get(REASON));
    }

    /** A message was handed on to another entity (FWD-16). */
    void forwarded() {
        forwarded++;
    }

    /** A topic took messages for its subscriptions; those that were scheduled are counted by their records. */
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

    /** Messages were dropped because their ids had been accepted before (T-3). */
    void dropped(int duplicateCount) {
        duplicates += duplicateCount;
    }

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
            failed(byTime); // its last delivery failed as the ones before
        } else if (reason == DeadLetterReason.TTL_EXPIRED) {
            expired++;
        }
    }

    /** What was counted, to be shown. */
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
