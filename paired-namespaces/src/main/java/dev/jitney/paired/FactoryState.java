package dev.jitney.paired;

/** The life cycle of a {@link MessagingFactory}. */
public enum FactoryState {
    OPEN,
    CLOSED,
    /** Ended by a failure. Every call fails with {@link PairedMessagingFactoryException}. */
    FAULTED
}
