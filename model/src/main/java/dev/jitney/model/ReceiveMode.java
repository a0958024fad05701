package dev.jitney.model;

/** The effect of a delivery on the message. */
public enum ReceiveMode {
    /** Delivered under an exclusive lock until it is settled (RECV-1). */
    PEEK_LOCK,
    /** Removed with the delivery (RECV-2). */
    RECEIVE_AND_DELETE
}
