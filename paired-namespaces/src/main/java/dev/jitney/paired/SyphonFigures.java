package dev.jitney.paired;

/**
 * What a {@link Syphon} has done since it was started.
 *
 * @param receives calls for messages, those that ended empty included; each is charged at least once (PAIR-53)
 * @param delivered messages that arrived in the primary
 * @param deadLettered messages moved to the dead-letter queue of their backlog queue (PAIR-45 to PAIR-47)
 * @param left times that a message was left for later, since its destination did not take it
 */
public record SyphonFigures(long receives, long delivered, long deadLettered, long left) {}
