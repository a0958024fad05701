package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/**
 * What a message brings along that another entity has handed on (FWD-9 to FWD-11); messages of clients have none.
 *
 * @param hops how many transfers it has made, 0 to 4; one more while it is on its way
 * @param enqueuedSequenceNumber the first number it ever had (SEQ-5), or 0 if it has had none
 * @param deadLetterSource the entity whose dead-letter queue it comes from (DLQ-38), or null
 */
public record ForwardingHistory(
        int hops, long enqueuedSequenceNumber, @Nullable String deadLetterSource) {
    /** Transfers a message may make; the next one is not made (FWD-9). */
    public static final int HOPS_MAX = 4;
}
