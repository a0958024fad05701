package dev.jitney.core.filter.body;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.Codes;
import dev.jitney.codec.EncodedTexts;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.core.filter.value.Value;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message, which is read when a test needs it.
 *
 * <p>A test reads at most {@value #BYTES_MAX} bytes of a text. If they do not decide it, the result is an error, so that no
 * message is left out without notice. A result after too few steps has no meaning; the caller checks the steps. Not
 * thread-safe; for one message.
 */
public final class MessageBody {
    /** The maximum of bytes that a test reads of one text. */
    public static final int BYTES_MAX = 1 << 20;

    /** An empty body, for rules. */
    public static final MessageBody NONE = new MessageBody(ByteBuffer.allocate(0));

    private static final int STEPS_PER_SECTION = 8;
    private static final int STEPS_PER_VALUE = 8;

    private static final Value TOO_LARGE = Value.error("Expected a body whose first " + BYTES_MAX
            + " bytes decide the filter, but the body of this message is larger.");

    private final ByteBuffer sections;
    private @Nullable Text data;

    private MessageBody(ByteBuffer sections) {
        this.sections = sections;
    }

    /** Returns the body of that content. */
    public static MessageBody of(MessageContent content) {
        return new MessageBody(content.body());
    }

    /** A search in one text. */
    @FunctionalInterface
    public interface Search {
        /** Returns whether the sought bytes are in a range of an array; takes steps. */
        boolean isIn(byte[] bytes, int from, int to);
    }

    /** The beginning of a text; {@code whole} if that is all of it. */
    private record Text(byte[] bytes, int from, int to, boolean whole) {
        static Text of(byte[] bytes, int from, int to) {
            int end = (int) Math.min(to, (long) from + BYTES_MAX);
            return new Text(bytes, from, end, end == to);
        }
    }

    /**
     * Searches the bytes of all data sections together, or each string, symbol and binary in the values of the other
     * sections.
     *
     * @return true, false or an error
     */
    public Value contains(Search search, Steps steps) {
        try {
            if (!isData()) {
                return valuesContain(search, steps);
            }
            Text text = data(steps);
            return search.isIn(text.bytes, text.from, text.to) ? Value.TRUE : text.whole ? Value.FALSE : TOO_LARGE;
        } catch (MessageFormatException damaged) {
            return unreadable(damaged);
        }
    }

    private Value valuesContain(Search search, Steps steps) throws MessageFormatException {
        boolean[] found = {false};
        boolean[] whole = {true};
        AmqpReader in = reader();
        while (in.hasRemaining() && isValue(Sections.enter(in)) && !found[0]) {
            boolean visited = EncodedTexts.visit(in, (bytes, from, to) -> {
                Text text = Text.of(bytes, from, to);
                whole[0] &= text.whole;
                found[0] = search.isIn(bytes, from, text.to);
                return !found[0] && steps.take(STEPS_PER_VALUE);
            });
            if (!visited) {
                break;
            }
        }
        return found[0] ? Value.TRUE : whole[0] ? Value.FALSE : TOO_LARGE;
    }

    /**
     * Returns the value at a path of the JSON document in the data sections, or in the string or binary that is the value of
     * the body.
     *
     * @return unknown if there is none; a value of another type for an object or array; or an error
     */
    public Value json(JsonPath path, Steps steps) {
        try {
            Text text = isData() ? data(steps) : onlyText();
            if (text == null) {
                return Value.UNKNOWN;
            }
            JsonReader reader = new JsonReader(text.bytes, text.from, text.to, steps);
            Value value = reader.read(path);
            return !text.whole && reader.isUndecided() ? TOO_LARGE : value;
        } catch (MessageFormatException damaged) {
            return unreadable(damaged);
        }
    }

    private @Nullable Text onlyText() throws MessageFormatException {
        AmqpReader in = reader();
        if (!in.hasRemaining() || Sections.enter(in) != Sections.AMQP_VALUE) {
            return null;
        }
        int code = in.readCode();
        switch (code) {
            case Codes.STR8, Codes.STR32, Codes.VBIN8, Codes.VBIN32 -> {
                in.enterOctets(code);
                return Text.of(in.bytes(), in.valueFrom(), in.position());
            }
            default -> {
                return null;
            }
        }
    }

    private boolean isData() throws MessageFormatException {
        AmqpReader in = reader();
        return in.hasRemaining() && Sections.enter(in) == Sections.DATA;
    }

    private static boolean isValue(int section) {
        return section == Codes.AMQP_VALUE || section == Codes.AMQP_SEQUENCE;
    }

    /** Returns the bytes of all data sections. Copies them only if there are several sections. */
    private Text data(Steps steps) throws MessageFormatException {
        Text known = data;
        if (known == null) {
            AmqpReader in = reader();
            Sections.enter(in);
            in.enterBinary();
            known = Text.of(in.bytes(), in.valueFrom(), in.position());
            if (in.hasRemaining() && Sections.enter(in) == Sections.DATA) {
                known = joined(steps);
            }
            data = known;
        }
        return known;
    }

    private Text joined(Steps steps) throws MessageFormatException {
        byte[] bytes = new byte[Math.min(sections.remaining(), BYTES_MAX)];
        int length = 0;
        boolean whole = true;
        AmqpReader in = reader();
        while (whole && in.hasRemaining() && steps.take(STEPS_PER_SECTION) && Sections.enter(in) == Sections.DATA) {
            in.enterBinary();
            int size = in.position() - in.valueFrom();
            int copied = Math.min(size, bytes.length - length);
            System.arraycopy(in.bytes(), in.valueFrom(), bytes, length, copied);
            length += copied;
            whole = copied == size;
        }
        return new Text(bytes, 0, length, whole);
    }

    private AmqpReader reader() {
        int from = sections.arrayOffset() + sections.position();
        return new AmqpReader(sections.array(), from, from + sections.remaining());
    }

    private static Value unreadable(MessageFormatException damaged) {
        return Value.error("Expected a readable body: " + damaged.getMessage());
    }
}
