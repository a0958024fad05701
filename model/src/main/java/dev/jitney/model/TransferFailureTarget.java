package dev.jitney.model;

/** The destination of messages that auto-forwarding cannot deliver (DLQ-32, setting {@code transfer.failureTarget}). */
public enum TransferFailureTarget {
    /** The transfer dead-letter queue of the source, as documented for Service Bus; the default. */
    TRANSFER_DLQ,
    /** The dead-letter queue of the source; transfers to a full destination are retried without limit. */
    DLQ
}
