package dev.jitney.paired;

/** Life of a {@link MessagingFactory}. */
public enum FactoryState {
    OPEN,
    CLOSED,
    /** Ended by a failure; every call is answered with {@link PairedMessagingFactoryException}. */
    FAULTED
}
