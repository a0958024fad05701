package dev.jitney.core;

/**
 * A message id that an entity has taken, kept whatever becomes of the message (DUP-5).
 *
 * @param generationMs the generation it belongs to: when that began, milliseconds since the epoch; ids of a generation are
 *     forgotten together
 * @param acceptedAtMs when it was taken, milliseconds since the epoch
 * @param sequenceNumber the number its message got
 */
public record AcceptedId(DuplicateKey key, long generationMs, long acceptedAtMs, long sequenceNumber) {

    /** In the window iff its age is less than that (SCN-14). */
    public boolean isInWindow(long nowMs, long windowMs) {
        return nowMs - acceptedAtMs < windowMs;
    }
}
