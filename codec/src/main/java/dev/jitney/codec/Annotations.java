package dev.jitney.codec;

import java.nio.charset.StandardCharsets;

/** Names of the annotations Service Bus speaks (wire reference 4.4), as the ASCII of their symbols. */
final class Annotations {
    static final byte[] SEQUENCE_NUMBER = ascii("x-opt-sequence-number");
    static final byte[] ENQUEUED_SEQUENCE_NUMBER = ascii("x-opt-enqueue-sequence-number");
    static final byte[] ENQUEUED_TIME = ascii("x-opt-enqueued-time");
    static final byte[] LOCKED_UNTIL = ascii("x-opt-locked-until");
    static final byte[] DEAD_LETTER_SOURCE = ascii("x-opt-deadletter-source");
    static final byte[] FIRST_ENQUEUED_TIME = ascii("x-opt-jitney-first-enqueued-time");
    static final byte[] MESSAGE_STATE = ascii("x-opt-message-state");
    static final byte[] LOCK_TOKEN = ascii("x-opt-lock-token");
    static final byte[] PARTITION_KEY = ascii("x-opt-partition-key");
    static final byte[] VIA_PARTITION_KEY = ascii("x-opt-via-partition-key");
    static final byte[] SCHEDULED_ENQUEUE_TIME = ascii("x-opt-scheduled-enqueue-time");

    /** What only the broker may say: ignored when a sender does (MSG-5). */
    private static final byte[][] BROKER_OWNED = {
        SEQUENCE_NUMBER,
        ENQUEUED_SEQUENCE_NUMBER,
        ENQUEUED_TIME,
        LOCKED_UNTIL,
        DEAD_LETTER_SOURCE,
        FIRST_ENQUEUED_TIME,
        MESSAGE_STATE,
        LOCK_TOKEN,
        ascii("x-opt-partition-id"),
        ascii("x-opt-transfer-hop-count"),
    };

    private Annotations() {}

    /** Whether the symbol that was entered last names something the broker sets itself. */
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
