package dev.jitney.codec;

import dev.jitney.model.MessageView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a properties section that the broker needs (AMQP 1.0 part 3, 3.2.4), and the positions of fields.
 *
 * <p>A field of a type other than the specified one is refused, because it would break the decoders of receivers.
 */
final class PropertiesSection {
    private static final int FIELDS = 13;
    private static final int HEX = 16;
    private static final String PING_TYPE = "application/vnd.ms-servicebus-ping";

    @Nullable
    String messageId;

    @Nullable
    String groupId;

    @Nullable
    String replyToGroupId;

    boolean ping;
    boolean hasCreationTime;
    boolean hasExpiryTime;
    long creationTimeMs;
    long expiryTimeMs;

    /** The number of written fields, 0 to 13. */
    int count;

    /** The start of the first field, the start of the second field, and the end of the last field. */
    int fieldsFrom;

    int secondFieldFrom;
    int fieldsTo;

    /** The start and end of the fields absolute-expiry-time and creation-time, if they are written. */
    int expiryFrom;

    int expiryTo;
    int creationTo;

    /** Reads the list after the descriptor. */
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
            case 12 -> replyToGroupId = in.readString();
            default -> in.enterString(); // to, subject, reply-to
        }
    }

    /** Reads a message id as text; the section keeps the typed id (wire reference 4.3). */
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
     * Returns absolute-expiry-time minus creation-time in milliseconds (MSG-7). Returns 0 unless both are set and in that
     * order, and {@link MessageView#NEVER} if the difference is too large or the expiry time is the last that clients can
     * express.
     */
    long lifetimeMs() {
        if (!hasCreationTime || !hasExpiryTime || expiryTimeMs <= creationTimeMs) {
            return 0;
        }
        long difference = expiryTimeMs - creationTimeMs;
        return difference < 0 || expiryTimeMs >= ExpiryFields.NEVER_FROM_MS ? MessageView.NEVER : difference;
    }

    /** Returns whether the content type that was entered last is that of a ping, compared without case (PAIR-32). */
    private static boolean isPing(AmqpReader in) {
        return in.position() - in.valueFrom() == PING_TYPE.length() && in.text().equalsIgnoreCase(PING_TYPE);
    }
}
