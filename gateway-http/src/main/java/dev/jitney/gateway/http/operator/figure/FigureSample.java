package dev.jitney.gateway.http.operator.figure;

/**
 * The figures of an entity at one time.
 *
 * @param timeMs milliseconds since the epoch
 * @param active active messages
 * @param deadLetter messages in the dead-letter queue
 * @param incoming messages stored since the process started
 * @param outgoing messages delivered since the process started
 */
record FigureSample(long timeMs, long active, long deadLetter, long incoming, long outgoing) {
    /** Returns the messages stored since an earlier sample. */
    long incomingSince(FigureSample earlier) {
        return Math.max(0, incoming - earlier.incoming);
    }

    /** Returns the messages delivered since an earlier sample. */
    long outgoingSince(FigureSample earlier) {
        return Math.max(0, outgoing - earlier.outgoing);
    }
}
