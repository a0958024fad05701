package dev.jitney.benchmarks.load;

/** What a run does. */
public enum Mode {
    /** Sends only; what was sent stays in the queue. */
    SEND,
    /** Receives and completes what is in the queue. */
    RECEIVE,
    /** Sends, receives and completes at once, as fast as it goes. */
    BOTH,
    /** The same at a fixed rate, to see how long a message takes. */
    LATENCY;

    boolean sends() {
        return this != RECEIVE;
    }

    boolean receives() {
        return this != SEND;
    }
}
