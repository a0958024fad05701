package dev.jitney.model;

/** The rights that a shared access rule can grant (ENT-4). */
public enum AccessRight {
    /** Manage entities; includes the other two rights. */
    MANAGE,
    /** Send messages, schedule them, and cancel scheduled messages. */
    SEND,
    /** Receive, peek, settle and defer messages. */
    LISTEN
}
