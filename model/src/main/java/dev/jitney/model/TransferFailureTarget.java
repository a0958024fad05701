package dev.jitney.model;

/**
 * Where messages go that auto-forward cannot bring to their destination (DLQ-32, setting {@code transfer.failureTarget}).
 */
public enum TransferFailureTarget {
    /** To the transfer dead-letter queue of the source, as documented; the default. */
    TRANSFER_DLQ,
    /** To the dead-letter queue of the source; a full destination is tried again without limit. */
    DLQ
}
