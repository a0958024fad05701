package dev.jitney.gateway.amqp.transaction;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.Codes;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.codec.ValueReader;
import java.util.List;
import org.apache.qpid.protonj2.types.Binary;
import org.jspecify.annotations.Nullable;

/**
 * A client's request to the coordinator (AMQP 1.0 part 4, 4.5.5 and 4.5.6).
 *
 * <p>The decoder of protonj2 1.1.0 is not used: it accepts any element count, here as in frames, and throws unexpected
 * exceptions. Found by fuzzing.
 *
 * @param transactionId id of a discharge, null if it names none or if this is a declare
 * @param fail whether a discharge rolls back
 * @param global whether a declare requests a distributed transaction
 */
public record ControlMessage(Kind kind, @Nullable Binary transactionId, boolean fail, boolean global) {
    public enum Kind {
        DECLARE,
        DISCHARGE
    }

    private static final long DECLARE = 0x31;
    private static final long DISCHARGE = 0x32;

    /**
     * Reads an encoded message. Returns null if its value is neither a declare nor a discharge, or is not validly
     * encoded.
     */
    public static @Nullable ControlMessage read(byte[] encoded) {
        AmqpReader in = new AmqpReader(encoded, 0, encoded.length);
        try {
            while (in.hasRemaining()) {
                if (Sections.enter(in) == Sections.AMQP_VALUE) {
                    return value(in);
                }
                in.skipValue();
            }
            return null;
        } catch (MessageFormatException broken) {
            return null;
        }
    }

    private static @Nullable ControlMessage value(AmqpReader in) throws MessageFormatException {
        if (in.readCode() != Codes.DESCRIBED) {
            return null;
        }
        Object descriptor = ValueReader.read(in);
        if (!(ValueReader.read(in) instanceof List<?> fields)) {
            return null;
        }
        Object first = fields.isEmpty() ? null : fields.get(0);
        Object second = fields.size() < 2 ? null : fields.get(1);
        if (is(descriptor, DECLARE, "amqp:declare:list")) {
            return new ControlMessage(Kind.DECLARE, null, false, first != null);
        }
        boolean typed = (first == null || first instanceof byte[]) && (second == null || second instanceof Boolean);
        return typed && is(descriptor, DISCHARGE, "amqp:discharge:list")
                ? new ControlMessage(
                        Kind.DISCHARGE,
                        first == null ? null : new Binary((byte[]) first),
                        Boolean.TRUE.equals(second),
                        false)
                : null;
    }

    private static boolean is(@Nullable Object descriptor, long code, String name) {
        return descriptor instanceof Number number ? number.longValue() == code : name.equals(descriptor);
    }
}
