package dev.jitney.model;

/** When expired messages are removed or dead-lettered (TTL-4, setting {@code expiry.enforcement}). */
public enum ExpiryEnforcement {
    /** Only while a receiver is active on the entity; the documented behaviour and the default. */
    ON_RECEIVER,
    /** Whether or not anybody receives. */
    BACKGROUND
}
