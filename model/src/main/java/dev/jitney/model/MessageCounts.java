package dev.jitney.model;

/**
 * Counters and size of an entity (semantics chapter 21).
 *
 * @param active active, locked, deferred and not yet swept expired messages (CNT-3)
 * @param deadLetter messages in the dead-letter sub-queue
 * @param scheduled messages that wait for their time
 * @param transfer messages on their way to another entity
 * @param transferDeadLetter messages in the transfer dead-letter sub-queue
 * @param deferred the deferred ones among {@code active} (extension)
 * @param locked the locked ones of the main queue (extension)
 * @param sizeBytes stored bytes of all of them (QUOTA-2)
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

    /** The sum that the management plane calls MessageCount (CNT-1). */
    public long total() {
        return active + deadLetter + scheduled + transfer + transferDeadLetter;
    }

    /** The sums with those of another part of the same entity (PART-57). */
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

    /** The same counters with another size. */
    public MessageCounts withSizeBytes(long bytes) {
        return new MessageCounts(active, deadLetter, scheduled, transfer, transferDeadLetter, deferred, locked, bytes);
    }
}
