package dev.jitney.fuzz.input;

import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawConnection;
import dev.jitney.testing.amqp.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** AMQP 1.0 frames with positional fields, and the valid beginning of a session. */
public final class Frames {
    static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    public static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    public static final int HEAD_BYTES = 8;

    private Frames() {}

    static byte[] frame(int channel, int code, @Nullable Object... fields) {
        return frame(0, channel, WireValues.encode(Wire.section(code, Arrays.asList(fields))), new byte[0]);
    }

    static byte[] frame(int type, int channel, byte[] performative, byte[] payload) {
        return RawConnection.frame(type, channel, performative, payload);
    }

    static byte[] transfer(long handle, long deliveryId, byte[] payload) {
        return transfer(handle, deliveryId, null, payload);
    }

    /** Returns a transfer with a state, which names the transaction. */
    static byte[] transfer(long handle, long deliveryId, @Nullable Object state, byte[] payload) {
        byte[] tag = {(byte) deliveryId};
        byte[] performative = WireValues.encode(Wire.section(
                Code.TRANSFER,
                Arrays.asList(handle, deliveryId, tag, 0L, false, false, null, state, false, false, false)));
        return frame(0, 0, performative, payload);
    }

    static byte[] saslPlain(String rule, String key) {
        byte[] response = ("\0" + rule + "\0" + key).getBytes(StandardCharsets.UTF_8);
        byte[] init = WireValues.encode(Wire.section(Code.SASL_INIT, Arrays.asList(Wire.sym("PLAIN"), response)));
        return frame(1, 0, init, new byte[0]);
    }

    public static byte[] open() {
        return frame(0, Code.OPEN, "fuzz", "first", 65_536L, new Wire.Octets(new byte[] {0x60, 0, 100}));
    }

    public static byte[] begin(int channel) {
        return frame(channel, Code.BEGIN, null, 1L, 5_000L, 5_000L, 255L);
    }

    static byte[] sender(long handle, String name, String target) {
        return frame(
                0,
                Code.ATTACH,
                name,
                handle,
                false,
                null,
                null,
                Wire.section(0x28, List.of()),
                terminus(0x29, target),
                null,
                null,
                0L);
    }

    static byte[] receiver(long handle, String name, String source, String target) {
        return frame(0, Code.ATTACH, name, handle, true, null, null, terminus(0x28, source), terminus(0x29, target));
    }

    /** Returns the attach of a receiver for one message session. */
    static byte[] sessionReceiver(long handle, String name, String source, String session) {
        Object filter = Map.of(Wire.sym("com.microsoft:session-filter"), session);
        Wire.Described from = Wire.section(0x28, Arrays.asList(source, 0L, null, 0L, false, null, null, filter));
        return frame(0, Code.ATTACH, name, handle, true, null, null, from, terminus(0x29, "here"));
    }

    static byte[] flow(long handle, long credit) {
        return frame(0, Code.FLOW, 0L, 5_000L, 1L, 5_000L, handle, 0L, credit);
    }

    private static Wire.Described terminus(int code, String address) {
        return Wire.section(code, Arrays.asList((Object) address));
    }

    /** Returns a request to a node with a reply address. */
    static byte[] request(String operation, Map<String, ?> more, @Nullable Object body, String replyTo) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WireValues.write(out, Wire.section(0x73, Arrays.asList("id", null, null, null, replyTo)));
        Map<String, Object> application = new java.util.LinkedHashMap<>(more);
        application.put("operation", operation);
        WireValues.write(out, Wire.section(0x74, application));
        WireValues.write(out, Wire.section(0x77, body));
        return out.toByteArray();
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Returns whether the bytes consist of complete frames of valid sizes. */
    public static boolean areWhole(byte[] octets, int from) {
        ByteBuffer in = ByteBuffer.wrap(octets);
        in.position(from);
        while (in.remaining() >= HEAD_BYTES) {
            int size = in.getInt(in.position());
            if (size < HEAD_BYTES || size > in.remaining()) {
                return false;
            }
            in.position(in.position() + size);
        }
        return !in.hasRemaining();
    }
}
