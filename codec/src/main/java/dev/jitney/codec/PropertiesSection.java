package dev.jitney.codec;

import dev.jitney.model.MessageView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the broker has to know of a properties section (AMQP 1.0 part 3, 3.2.4), and where its fields lie.
 *
 * <p>A field of another type than the specification gives is refused, because the decoders of receivers would not
 * survive it.
 */
final class PropertiesSection {
    private static final int FIELDS = 13;
    private static final int HEX = 16;
    private static final String PING_TYPE = "application/vnd.ms-servicebus-ping";

    @Nullable
    String messageId;

    @Nullable
    String groupId;

    boolean ping;
    boolean hasCreationTime;
    boolean hasExpiryTime;
    long creationTimeMs;
    long expiryTimeMs;

    /** Number of fields written, 0 to 13. */
    int count;

    /** Where the first field starts, where the second one does, and where the last one ends. */
    int fieldsFrom;

    int secondFieldFrom;
    int fieldsTo;

    /** Where the fields absolute-expiry-time and creation-time start and end, when they were written. */
    int expiryFrom;

    int expiryTo;
    int creationTo;

    /** Reads the list behind the descriptor. */
    void read(AmqpReader in) throws MessageFormatException {
        count = in.enterList();
        int end = in.compoundEnd();
        if (count > FIELDS) {
            throw MessageFormatException.decodeError(
                    "Expected at most " + FIELDS + " fields in properties, but got " + count + ".");
        }
        fieldsFrom = in.position();
        secondFieldFrom = fieldsFrom;
        for (int field = 0; field < count; field++) {
            readField(in, field);
        }
        in.checkEnd(end);
        fieldsTo = end;
    }

    private void readField(AmqpReader in, int field) throws MessageFormatException {
        int from = in.position();
        boolean isNull = in.skipNull();
        switch (field) {
            case 0 -> {
                messageId = isNull ? null : readId(in);
                secondFieldFrom = in.position();
            }
            case 5 -> {
                if (!isNull) {
                    skipId(in);
                }
            }
            case 8 -> {
                expiryFrom = from;
                if (!isNull) {
                    expiryTimeMs = in.readTimestamp();
                    hasExpiryTime = true;
                }
                expiryTo = in.position();
            }
            case 9 -> {
                if (!isNull) {
                    creationTimeMs = in.readTimestamp();
                    hasCreationTime = true;
                }
                creationTo = in.position();
            }
            default -> {
                if (!isNull) {
                    readPlainField(in, field);
                }
            }
        }
    }

    private void readPlainField(AmqpReader in, int field) throws MessageFormatException {
        switch (field) {
            case 1 -> in.enterBinary();
            case 6 -> {
                in.enterSymbol();
                ping = isPing(in);
            }
            case 7 -> in.enterSymbol();
            case 10 -> groupId = in.readString();
            case 11 -> in.readUInt();
            default -> in.enterString(); // to, subject, reply-to, reply-to-group-id
        }
    }

    /** A message id as text; the typed one stays in the section (wire reference 4.3). */
    private static String readId(AmqpReader in) throws MessageFormatException {
        int code = in.peekCode();
        return switch (code) {
            case Codes.STR8, Codes.STR32 -> in.readString();
            case Codes.ULONG0, Codes.SMALL_ULONG, Codes.ULONG -> Long.toUnsignedString(in.readULong());
            case Codes.UUID -> {
                in.readCode();
                yield new UUID(in.rawLong(), in.rawLong()).toString();
            }
            case Codes.VBIN8, Codes.VBIN32 -> {
                in.enterBinary();
                yield hex(in.bytes(), in.valueFrom(), in.position());
            }
            default -> throw AmqpReader.unexpected("a message id of type string, ulong, uuid or binary", code);
        };
    }

    private static void skipId(AmqpReader in) throws MessageFormatException {
        int code = in.peekCode();
        switch (code) {
            case Codes.STR8, Codes.STR32 -> in.enterString();
            case Codes.ULONG0, Codes.SMALL_ULONG, Codes.ULONG, Codes.UUID, Codes.VBIN8, Codes.VBIN32 -> in.skipValue();
            default -> throw AmqpReader.unexpected("a correlation id of type string, ulong, uuid or binary", code);
        }
    }

    private static String hex(byte[] bytes, int from, int to) {
        StringBuilder text = new StringBuilder(2 * (to - from));
        for (int i = from; i < to; i++) {
            text.append(Character.forDigit(bytes[i] >> 4 & 0xf, HEX)).append(Character.forDigit(bytes[i] & 0xf, HEX));
        }
        return text.toString();
    }

    /**
     * Absolute-expiry-time minus creation-time in milliseconds (MSG-7): 0 unless both are there and in that order,
     * {@link MessageView#NEVER} if too large for a number or if the expiry time is the last that clients can express.
     */
    long lifetimeMs() {
        if (!hasCreationTime || !hasExpiryTime || expiryTimeMs <= creationTimeMs) {
            return 0;
        }
        long difference = expiryTimeMs - creationTimeMs;
        return difference < 0 || expiryTimeMs >= ExpiryFields.NEVER_FROM_MS ? MessageView.NEVER : difference;
    }

    /** Whether the content type entered last is that of a ping, compared without case (PAIR-32). */
    private static boolean isPing(AmqpReader in) {
        return in.position() - in.valueFrom() == PING_TYPE.length() && in.text().equalsIgnoreCase(PING_TYPE);
    }
}
