package dev.jitney.codec;

import java.nio.charset.StandardCharsets;

/** The names of the annotations of Service Bus as the ASCII bytes of their symbols (wire reference 4.4). */
final class Annotations {
    static final byte[] SEQUENCE_NUMBER = ascii("x-opt-sequence-number");
    static final byte[] ENQUEUED_SEQUENCE_NUMBER = ascii("x-opt-enqueue-sequence-number");
    static final byte[] ENQUEUED_TIME = ascii("x-opt-enqueued-time");
    static final byte[] LOCKED_UNTIL = ascii("x-opt-locked-until");
    static final byte[] DEAD_LETTER_SOURCE = ascii("x-opt-deadletter-source");
    static final byte[] MESSAGE_STATE = ascii("x-opt-message-state");
    static final byte[] LOCK_TOKEN = ascii("x-opt-lock-token");
    static final byte[] PARTITION_ID = ascii("x-opt-partition-id");
    static final byte[] PARTITION_KEY = ascii("x-opt-partition-key");
    static final byte[] VIA_PARTITION_KEY = ascii("x-opt-via-partition-key");
    static final byte[] SCHEDULED_ENQUEUE_TIME = ascii("x-opt-scheduled-enqueue-time");

    /** The annotations that only the broker sets, and that it ignores in messages from senders (MSG-5). */
    private static final byte[][] BROKER_OWNED = {
        SEQUENCE_NUMBER,
        ENQUEUED_SEQUENCE_NUMBER,
        ENQUEUED_TIME,
        LOCKED_UNTIL,
        DEAD_LETTER_SOURCE,
        MESSAGE_STATE,
        LOCK_TOKEN,
        PARTITION_ID,
        ascii("x-opt-transfer-hop-count"),
    };

    private Annotations() {}

    /** Returns whether the symbol that was entered last names an annotation that only the broker sets. */
    static boolean isBrokerOwned(AmqpReader key) {
        for (byte[] owned : BROKER_OWNED) {
            if (key.isText(owned)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
