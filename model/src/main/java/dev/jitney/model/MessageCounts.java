package dev.jitney.model;

/**
 * Counters and size of an entity (semantics chapter 21).
 *
 * @param active messages that are active, locked, deferred, or expired but not yet removed (CNT-3)
 * @param deadLetter messages in the dead-letter sub-queue
 * @param scheduled messages that wait for their scheduled time
 * @param transfer messages on their way to another entity
 * @param transferDeadLetter messages in the transfer dead-letter sub-queue
 * @param deferred the deferred messages, which {@code active} includes (extension)
 * @param locked the locked messages of the main queue (extension)
 * @param sizeBytes stored bytes of all messages (QUOTA-2)
 */
public record MessageCounts(
        long active,
        long deadLetter,
        long scheduled,
        long transfer,
        long transferDeadLetter,
        long deferred,
        long locked,
        long sizeBytes) {

    /** Returns the sum that the management API calls MessageCount (CNT-1). */
    public long total() {
        return active + deadLetter + scheduled + transfer + transferDeadLetter;
    }

    /** Returns the sums of these counts and the counts of another part of the same entity (PART-57). */
    public MessageCounts plus(MessageCounts other) {
        return new MessageCounts(
                active + other.active,
                deadLetter + other.deadLetter,
                scheduled + other.scheduled,
                transfer + other.transfer,
                transferDeadLetter + other.transferDeadLetter,
                deferred + other.deferred,
                locked + other.locked,
                sizeBytes + other.sizeBytes);
    }

    /** Returns the same counts with another size. */
    public MessageCounts withSizeBytes(long bytes) {
        return new MessageCounts(active, deadLetter, scheduled, transfer, transferDeadLetter, deferred, locked, bytes);
    }
}
