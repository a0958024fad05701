package dev.jitney.paired;

/**
 * The counters of a {@link Syphon} since its start.
 *
 * @param receives receive operations, including those that ended empty; each is charged at least once (PAIR-53)
 * @param delivered messages that arrived in the primary
 * @param deadLettered messages moved to the dead-letter queue of their backlog queue (PAIR-45 to PAIR-47)
 * @param left times that a message was left for later, since its destination did not accept it
 */
public record SyphonFigures(long receives, long delivered, long deadLettered, long left) {}
