package dev.jitney.fuzz.target;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.ValueReader;
import dev.jitney.fuzz.input.Frames;
import dev.jitney.testing.amqp.Code;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A frame of the gateway.
 *
 * @param fields fields of the performative; null in an empty frame
 */
record AmqpAnswer(int code, @Nullable List<?> fields) {
    private static final int FRAME_BYTES_MAX = 65_536;
    private static final byte[] HEADER_BEGINS = {'A', 'M', 'Q', 'P'};
    private static final Set<Integer> WITH_ERROR = Set.of(Code.DETACH, Code.END, Code.CLOSE);

    /** Returns the complete frames of a gateway. Fails on bytes that are no frame. */
    static List<AmqpAnswer> all(byte[] received) throws MessageFormatException {
        List<AmqpAnswer> out = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(received);
        while (in.remaining() >= Frames.HEAD_BYTES) {
            int at = in.position();
            if (Arrays.equals(received, at, at + 4, HEADER_BEGINS, 0, 4)) {
                in.position(at + Frames.HEAD_BYTES);
                continue;
            }
            int size = in.getInt(at);
            if (size < Frames.HEAD_BYTES || size > FRAME_BYTES_MAX) {
                throw new AssertionError(
                        "Expected a frame of a size that the client accepts, but got one of " + size + " bytes.");
            }
            if (size > in.remaining()) {
                break;
            }
            out.add(answer(received, at + Frames.HEAD_BYTES, at + size));
            in.position(at + size);
        }
        return out;
    }

    private static AmqpAnswer answer(byte[] received, int from, int to) throws MessageFormatException {
        if (from == to) {
            return new AmqpAnswer(-1, null);
        }
        AmqpReader in = new AmqpReader(received, from, to);
        in.readCode();
        int code = ValueReader.read(in) instanceof Number number ? number.intValue() : -1;
        if (code == Code.ATTACH || code == Code.TRANSFER) {
            in.skipValue(); // contains values of the peer, such as names that are no strings
            return new AmqpAnswer(code, null);
        }
        return new AmqpAnswer(code, ValueReader.read(in) instanceof List<?> fields ? fields : null);
    }

    boolean isField(int index, long value) {
        return fields != null
                && fields.size() > index
                && fields.get(index) instanceof Number number
                && number.longValue() == value;
    }

    /** Fails unless an error has a condition that clients know, other than an internal error. */
    void checkError() {
        if (!WITH_ERROR.contains(code) || fields == null || fields.isEmpty()) {
            return;
        }
        Object error = fields.get(fields.size() - 1);
        if (error instanceof List<?> parts && !parts.isEmpty()) {
            String condition = String.valueOf(parts.get(0));
            if (!condition.matches("(amqp|com\\.microsoft):[a-z:-]+") || condition.equals("amqp:internal-error")) {
                throw new AssertionError("Expected a documented error, but got " + parts);
            }
        }
    }
}
