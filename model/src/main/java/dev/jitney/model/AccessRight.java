package dev.jitney.model;

/** What a shared access rule permits (ENT-4). */
public enum AccessRight {
    /** Entity operations; implies the other two. */
    MANAGE,
    /** Sending, scheduling, cancelling. */
    SEND,
    /** Receiving, peeking, settling, deferral. */
    LISTEN
}
