package dev.jitney.core;

/**
 * The id of a message that an entity has accepted. It is kept even if the message is removed (DUP-5).
 *
 * @param generationMs the generation of the id, named by its start in milliseconds since the epoch; all ids of a
 *     generation are deleted together
 * @param acceptedAtMs time of acceptance, milliseconds since the epoch
 * @param sequenceNumber sequence number of the message
 */
public record AcceptedId(DuplicateKey key, long generationMs, long acceptedAtMs, long sequenceNumber) {

    /** Returns whether the age of the id is less than the window (SCN-14). */
    public boolean isInWindow(long nowMs, long windowMs) {
        return nowMs - acceptedAtMs < windowMs;
    }
}
