package dev.jitney.simulation.model.row;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of keys and values of rows as {@code docs/formats.md} describes them, without the code of the broker. */
public final class RowBytes {
    private static final int HAS_SESSION = 1;
    private static final int HAS_SOURCE = 2;
    private static final int HAS_OVERRIDES = 4;
    private static final int SHARED = 8;
    private static final int HAS_HOPS = 16;
    private static final int WAS_SCHEDULED = 32;

    private RowBytes() {}

    /** Returns the entity and fragment at the begin of a key as one number. */
    public static long entityAndFragment(byte[] key) {
        return entity(key) << 16 | (key[4] & 0xff) << 8 | key[5] & 0xff;
    }

    public static long entity(byte[] key) {
        return int32(key, 0) & 0xffff_ffffL;
    }

    public static int int32(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }

    public static long int64(byte[] bytes, int at) {
        return (long) int32(bytes, at) << 32 | int32(bytes, at + 4) & 0xffff_ffffL;
    }

    /** Returns the number in the last bytes of a message. */
    public static long uid(byte[] content) {
        return int64(content, content.length - 8);
    }

    /**
     * A message row.
     *
     * @param body the entity of the topic that stores the content, or -1
     * @param bodyNumber the number of the content in that topic
     * @param contentBytes the size of the content in the row itself in bytes
     * @param content the properties in the content; null if it is stored elsewhere
     * @param overrides the properties set since the message was sent
     * @param wasScheduled whether the message is marked as scheduled
     */
    public record Message(
            long firstNumber,
            long enqueuedMs,
            long expiresMs,
            long scheduledMs,
            int deliveryCount,
            @Nullable String session,
            long uid,
            long body,
            long bodyNumber,
            int contentBytes,
            @Nullable Map<String, String> content,
            Properties overrides,
            boolean wasScheduled) {

        /** Returns the size of the message towards the quota of its entity in bytes. */
        public int sizeBytes() {
            return contentBytes + overrides.sizeBytes;
        }
    }

    public static Message message(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value).position(1);
        int flags = in.get();
        long firstNumber = in.getLong();
        long enqueuedMs = in.getLong();
        long expiresMs = in.getLong();
        long scheduledMs = in.getLong();
        int deliveryCount = in.getInt();
        String session = (flags & HAS_SESSION) != 0 ? text(in) : null;
        if ((flags & HAS_SOURCE) != 0) {
            skipText(in);
        }
        Properties overrides = (flags & HAS_OVERRIDES) != 0 ? properties(in) : Properties.NONE;
        if ((flags & HAS_HOPS) != 0) {
            in.get();
        }
        if ((flags & SHARED) != 0) {
            long topic = (in.getInt() & 0xffff_ffffL) << 16 | in.getInt();
            return new Message(
                    firstNumber,
                    enqueuedMs,
                    expiresMs,
                    scheduledMs,
                    deliveryCount,
                    session,
                    0,
                    topic,
                    in.getLong(),
                    0,
                    null,
                    overrides,
                    (flags & WAS_SCHEDULED) != 0);
        }
        return new Message(
                firstNumber,
                enqueuedMs,
                expiresMs,
                scheduledMs,
                deliveryCount,
                session,
                uid(value),
                -1,
                0,
                in.remaining(),
                PropertyBytes.content(value, in.position()),
                overrides,
                (flags & WAS_SCHEDULED) != 0);
    }

    /** The changes of a message. */
    public record Change(boolean deferred, int deliveryCount, Properties overrides) {}

    /**
     * The properties set since a message was sent.
     *
     * @param values the values with their types
     * @param sizeBytes their size in the quota: the lengths of names and values
     */
    public record Properties(Map<String, String> values, int sizeBytes) {
        static final Properties NONE = new Properties(Map.of(), 0);
    }

    public static Change change(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value).position(1);
        return new Change(in.get() != 0, in.getInt(), properties(in));
    }

    /** Returns the size of the content of a transfer in bytes. */
    public static int transferSize(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value).position(1);
        int flags = in.get();
        skipText(in);
        skipText(in);
        skipText(in);
        in.position(in.position() + 28);
        if ((flags & 1) != 0) {
            in.position(in.position() + 9);
            skipText(in);
        }
        if ((flags & 2) != 0) {
            in.position(in.position() + 29);
            skipText(in);
        }
        return in.remaining();
    }

    /** A fragment row. */
    public record Totals(
            long lastNumber,
            long mainHead,
            long deadLetterHead,
            long active,
            long deferred,
            long scheduled,
            long deadLetter,
            long transferDeadLetter,
            long sizeBytes) {}

    public static Totals totals(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value).position(1);
        return new Totals(
                number(in),
                number(in),
                number(in),
                number(in),
                number(in),
                number(in),
                number(in),
                number(in),
                number(in));
    }

    private static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = in.get();
            value |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    private static Properties properties(ByteBuffer in) {
        Map<String, String> values = new HashMap<>();
        int size = 0;
        for (int i = in.getInt(); i > 0; i--) {
            int begin = in.position();
            String name = text(in);
            ByteBuffer value = ByteBuffer.wrap(new byte[in.getInt()]);
            in.get(value.array());
            values.put(name, String.valueOf(PropertyBytes.value(value)));
            size += in.position() - begin - 2 * Integer.BYTES;
        }
        return new Properties(values, size);
    }

    private static int skipText(ByteBuffer in) {
        int length = in.getInt();
        if (length > 0) {
            in.position(in.position() + length);
        }
        return length;
    }

    private static String text(ByteBuffer in) {
        byte[] utf8 = new byte[in.getInt()];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
