package dev.jitney.runtime;

import java.util.EnumMap;
import java.util.Map;

/**
 * Message counts of an entity since the process started, and its current receivers. Sums include all lanes.
 *
 * @param incomingMessages     messages stored; scheduled messages count when they arrive
 * @param incomingBytes        encoded size of the incoming messages
 * @param outgoingMessages     messages delivered to receivers; each delivery counts, peeks do not
 * @param outgoingBytes        encoded size of the outgoing messages
 * @param completed            messages completed
 * @param abandoned            deliveries abandoned by receivers
 * @param lockExpiries         deliveries whose lock expired before they were settled
 * @param expired              messages whose time to live ended, removed or dead-lettered
 * @param deleted              messages removed by batch delete
 * @param duplicates           messages dropped because their ids had been accepted before (T-3)
 * @param forwarded            messages forwarded to other entities (FWD-16)
 * @param deadLettered         messages moved to the dead-letter queue, by reason; reasons that did not occur are
 *                             absent
 * @param receivers            receivers attached now
 * @param oldestEnqueuedTimeMs enqueued time of the oldest message that is available (not locked, not deferred), in
 *                             milliseconds since the epoch; 0 if there is none or it is not known yet
 */
public record EntityFigures(
        long incomingMessages,
        long incomingBytes,
        long outgoingMessages,
        long outgoingBytes,
        long completed,
        long abandoned,
        long lockExpiries,
        long expired,
        long deleted,
        long duplicates,
        long forwarded,
        Map<DeadLetterReason, Long> deadLettered,
        int receivers,
        long oldestEnqueuedTimeMs) {

    /** The figures of an entity without any activity. */
    public static final EntityFigures NONE = new EntityFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of(), 0, 0);

    /** Returns the sums of these and other figures; the oldest enqueued time is the older one. */
    public EntityFigures plus(EntityFigures other) {
        Map<DeadLetterReason, Long> reasons = new EnumMap<>(DeadLetterReason.class);
        reasons.putAll(deadLettered);
        other.deadLettered.forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        return new EntityFigures(
                incomingMessages + other.incomingMessages,
                incomingBytes + other.incomingBytes,
                outgoingMessages + other.outgoingMessages,
                outgoingBytes + other.outgoingBytes,
                completed + other.completed,
                abandoned + other.abandoned,
                lockExpiries + other.lockExpiries,
                expired + other.expired,
                deleted + other.deleted,
                duplicates + other.duplicates,
                forwarded + other.forwarded,
                reasons,
                receivers + other.receivers,
                oldestEnqueuedTimeMs == 0 || other.oldestEnqueuedTimeMs == 0
                        ? oldestEnqueuedTimeMs + other.oldestEnqueuedTimeMs
                        : Math.min(oldestEnqueuedTimeMs, other.oldestEnqueuedTimeMs));
    }

    /** Returns a copy with another number of receivers. */
    public EntityFigures withReceivers(int count) {
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
                deadLettered,
                count,
                oldestEnqueuedTimeMs);
    }
}
