package dev.jitney.runtime;

import dev.jitney.model.EncodedValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why the broker itself dead-letters a message (semantics chapter 9); whatever an application gives is {@link #OTHER}. */
public enum DeadLetterReason {
    /** TTL-23, DLQ-16. */
    TTL_EXPIRED("TTLExpiredException"),
    /** DLQ-20. */
    MAX_DELIVERY_COUNT_EXCEEDED("MaxDeliveryCountExceeded"),
    /** DLQ-14. */
    HEADER_SIZE_EXCEEDED("HeaderSizeExceeded"),
    /** DLQ-17. */
    SESSION_ID_IS_NULL("Session id is null."),
    /** DLQ-15: a filter that could not be evaluated. */
    FILTER_EXCEPTION("FilterException"),
    /** DLQ-15: an action that could not be carried out. */
    RULE_ACTION_EXCEPTION("RuleActionException"),
    /** DLQ-18. */
    MAX_TRANSFER_HOP_COUNT_EXCEEDED("MaxTransferHopCountExceeded"),
    /** Given by an application, or none at all. */
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

    /** The value of the message's property DeadLetterReason. */
    public String text() {
        return text;
    }

    /** The reason a message carries; so that there are only so many, all that applications think of are one. */
    public static DeadLetterReason of(@Nullable EncodedValue value) {
        return value == null ? OTHER : BY_VALUE.getOrDefault(value, OTHER);
    }
}
