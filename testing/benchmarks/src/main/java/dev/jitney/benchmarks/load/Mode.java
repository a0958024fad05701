package dev.jitney.benchmarks.load;

/** The modes of a run. */
public enum Mode {
    /** Sends only; the messages stay in the queue. */
    SEND,
    /** Receives and completes the messages that are in the queue. */
    RECEIVE,
    /** Sends, receives and completes at the same time, as fast as possible. */
    BOTH,
    /** Sends, receives and completes at a fixed rate, to measure latency. */
    LATENCY;

    boolean sends() {
        return this != RECEIVE;
    }

    boolean receives() {
        return this != SEND;
    }
}
