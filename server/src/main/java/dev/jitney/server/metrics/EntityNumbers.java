package dev.jitney.server.metrics;

import dev.jitney.model.MessageCounts;
import dev.jitney.runtime.DeadLetterReason;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.Map;

/** The numbers of one entity, or the sums of several. Not thread-safe. */
final class EntityNumbers {
    private long active;
    private long deadLetter;
    private long scheduled;
    private long transfer;
    private long transferDeadLetter;
    private long locked;
    private long deferred;
    private long sizeBytes;
    private long receivers;
    private long oldestEnqueuedTimeMs = Long.MAX_VALUE;
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
    private long operations;
    private long meteredBytesIn;
    private long meteredBytesOut;
    private final Map<DeadLetterReason, Long> deadLettered = new EnumMap<>(DeadLetterReason.class);

    static EntityNumbers of(Entity entity) {
        EntityNumbers numbers = new EntityNumbers();
        numbers.add(entity);
        return numbers;
    }

    void add(Entity entity) {
        MessageCounts counts = entity.counts();
        active += counts.active();
        deadLetter += counts.deadLetter();
        scheduled += counts.scheduled();
        transfer += counts.transfer();
        transferDeadLetter += counts.transferDeadLetter();
        locked += counts.locked();
        deferred += counts.deferred();
        sizeBytes += counts.sizeBytes();
        operations += entity.meter().operations();
        meteredBytesIn += entity.meter().bytesIn();
        meteredBytesOut += entity.meter().bytesOut();
        EntityFigures figures = entity.figures();
        receivers += figures.receivers();
        if (figures.oldestEnqueuedTimeMs() > 0) {
            oldestEnqueuedTimeMs = Math.min(oldestEnqueuedTimeMs, figures.oldestEnqueuedTimeMs());
        }
        incomingMessages += figures.incomingMessages();
        incomingBytes += figures.incomingBytes();
        outgoingMessages += figures.outgoingMessages();
        outgoingBytes += figures.outgoingBytes();
        completed += figures.completed();
        abandoned += figures.abandoned();
        lockExpiries += figures.lockExpiries();
        expired += figures.expired();
        deleted += figures.deleted();
        duplicates += figures.duplicates();
        figures.deadLettered().forEach((reason, count) -> deadLettered.merge(reason, count, Long::sum));
    }

    void show(Samples samples, Labels labels, long nowMs) {
        state(samples, labels, "active", active);
        state(samples, labels, "dead_letter", deadLetter);
        state(samples, labels, "scheduled", scheduled);
        state(samples, labels, "transfer", transfer);
        state(samples, labels, "transfer_dead_letter", transferDeadLetter);
        samples.add(EntityGroup.LOCKED, labels, locked);
        samples.add(EntityGroup.DEFERRED, labels, deferred);
        samples.add(EntityGroup.SIZE, labels, sizeBytes);
        if (oldestEnqueuedTimeMs != Long.MAX_VALUE) {
            samples.add(EntityGroup.OLDEST_AGE, labels, Math.max(0, nowMs - oldestEnqueuedTimeMs) / 1e3);
        }
        samples.add(EntityGroup.RECEIVERS, labels, receivers);
        samples.add(EntityGroup.INCOMING_MESSAGES, labels, incomingMessages);
        samples.add(EntityGroup.INCOMING_BYTES, labels, incomingBytes);
        samples.add(EntityGroup.OUTGOING_MESSAGES, labels, outgoingMessages);
        samples.add(EntityGroup.OUTGOING_BYTES, labels, outgoingBytes);
        samples.add(EntityGroup.COMPLETED, labels, completed);
        samples.add(EntityGroup.ABANDONED, labels, abandoned);
        samples.add(EntityGroup.LOCK_EXPIRIES, labels, lockExpiries);
        samples.add(EntityGroup.EXPIRED, labels, expired);
        samples.add(EntityGroup.DELETED, labels, deleted);
        samples.add(EntityGroup.DUPLICATES, labels, duplicates);
        samples.add(EntityGroup.OPERATIONS, labels, operations);
        samples.add(EntityGroup.METERED_INCOMING_BYTES, labels, meteredBytesIn);
        samples.add(EntityGroup.METERED_OUTGOING_BYTES, labels, meteredBytesOut);
        deadLettered.forEach(
                (reason, count) -> samples.add(EntityGroup.DEAD_LETTERED, labels.add("reason", reason.text()), count));
    }

    private static void state(Samples samples, Labels labels, String state, long count) {
        samples.add(EntityGroup.MESSAGES, labels.add("state", state), count);
    }
}
