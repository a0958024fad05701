package dev.jitney.model;

/** The times at which expired messages are removed or dead-lettered (TTL-4, setting {@code expiry.enforcement}). */
public enum ExpiryEnforcement {
    /** Only while a receiver is active on the entity. This is the documented behavior of Service Bus and the default. */
    ON_RECEIVER,
    /** In the background, with or without receivers. */
    BACKGROUND
}
