package dev.jitney.runtime;

import java.util.EnumMap;
import java.util.Map;

/**
 * What happened to the messages of an entity since the process started, and who waits for them. Sums count all lanes.
 *
 * @param incomingMessages messages stored, scheduled ones when they came
 * @param incomingBytes their encoded size
 * @param outgoingMessages messages handed to receivers, each delivery counted; peeks are not
 * @param outgoingBytes their encoded size
 * @param completed messages settled as done
 * @param abandoned deliveries given back by receivers
 * @param lockExpiries deliveries that ended because nobody settled them in time
 * @param expired messages that outlived their time to live, removed or dead-lettered
 * @param deleted messages removed by batch delete
 * @param duplicates messages dropped because their ids had been accepted before (T-3)
 * @param forwarded messages handed on to other entities (FWD-16)
 * @param deadLettered messages moved to the dead-letter queue; reasons that did not happen are not in it
 * @param receivers receivers attached now
 * @param oldestEnqueuedTimeMs when the oldest message that waits to be received (not locked, not deferred) was stored,
 *     milliseconds since the epoch; 0 if none waits or it is not known yet
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

    /** Those of an entity to which nothing has happened. */
    public static final EntityFigures NONE = new EntityFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of(), 0, 0);

    /** These and those of another one together; of the oldest messages the older one. */
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

    /** The same with another number of receivers. */
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
