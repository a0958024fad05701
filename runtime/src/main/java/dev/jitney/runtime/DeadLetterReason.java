package dev.jitney.runtime;

import dev.jitney.model.EncodedValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reasons for which the broker itself dead-letters a message (semantics chapter 9). Any reason that an
 * application sets is {@link #OTHER}.
 */
public enum DeadLetterReason {
    /** The time to live of the message has expired (TTL-23, DLQ-16). */
    TTL_EXPIRED("TTLExpiredException"),
    /** The message reached the maximum delivery count (DLQ-20). */
    MAX_DELIVERY_COUNT_EXCEEDED("MaxDeliveryCountExceeded"),
    /** The header of the message is too large (DLQ-14). */
    HEADER_SIZE_EXCEEDED("HeaderSizeExceeded"),
    /** The entity requires sessions, but the message has no session id (DLQ-17). */
    SESSION_ID_IS_NULL("Session id is null."),
    /** The broker could not evaluate a filter (DLQ-15). */
    FILTER_EXCEPTION("FilterException"),
    /** The broker could not apply a rule action (DLQ-15). */
    RULE_ACTION_EXCEPTION("RuleActionException"),
    /** The message was forwarded too often (DLQ-18). */
    MAX_TRANSFER_HOP_COUNT_EXCEEDED("MaxTransferHopCountExceeded"),
    /** An application set the reason, or there is none. */
    OTHER("other");

    private static final Map<EncodedValue, DeadLetterReason> BY_VALUE = new HashMap<>();

    static {
        for (DeadLetterReason reason : values()) {
            if (reason != OTHER) {
                BY_VALUE.put(EncodedValue.ofString(reason.text), reason);
            }
        }
    }

    private final String text;

    DeadLetterReason(String text) {
        this.text = text;
    }

    /** Returns the value of the message's DeadLetterReason property. */
    public String text() {
        return text;
    }

    /**
     * Returns the reason that a message carries. All reasons of applications map to {@link #OTHER}, so that their
     * number is bounded.
     */
    public static DeadLetterReason of(@Nullable EncodedValue value) {
        return value == null ? OTHER : BY_VALUE.getOrDefault(value, OTHER);
    }
}
