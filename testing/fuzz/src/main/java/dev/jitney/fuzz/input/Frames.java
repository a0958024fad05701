package dev.jitney.fuzz.input;

import dev.jitney.fuzz.input.WireValues.Desc;
import dev.jitney.fuzz.input.WireValues.Sym;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of AMQP 1.0 with fields by their places, and the beginning of a session that is done right. */
public final class Frames {
    static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    public static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    public static final int HEAD_BYTES = 8;
    static final int OPEN = 0x10;
    public static final int BEGIN = 0x11;
    public static final int ATTACH = 0x12;
    static final int FLOW = 0x13;
    public static final int TRANSFER = 0x14;
    static final int DISPOSITION = 0x15;
    public static final int DETACH = 0x16;
    public static final int END = 0x17;
    public static final int CLOSE = 0x18;
    static final int SASL_INIT = 0x41;

    private Frames() {}

    static byte[] frame(int channel, int code, @Nullable Object... fields) {
        return frame(0, channel, WireValues.encode(new Desc(code, Arrays.asList(fields))), new byte[0]);
    }

    static byte[] frame(int type, int channel, byte[] performative, byte[] payload) {
        return ByteBuffer.allocate(HEAD_BYTES + performative.length + payload.length)
                .putInt(HEAD_BYTES + performative.length + payload.length)
                .put((byte) 2)
                .put((byte) type)
                .putShort((short) channel)
                .put(performative)
                .put(payload)
                .array();
    }

    static byte[] transfer(long handle, long deliveryId, byte[] payload) {
        return transfer(handle, deliveryId, null, payload);
    }

    /** A transfer with a state, which says what transaction it belongs to. */
    static byte[] transfer(long handle, long deliveryId, @Nullable Object state, byte[] payload) {
        byte[] tag = {(byte) deliveryId};
        byte[] performative = WireValues.encode(new Desc(
                TRANSFER, Arrays.asList(handle, deliveryId, tag, 0L, false, false, null, state, false, false, false)));
        return frame(0, 0, performative, payload);
    }

    static byte[] saslPlain(String rule, String key) {
        byte[] response = ("\0" + rule + "\0" + key).getBytes(StandardCharsets.UTF_8);
        byte[] init = WireValues.encode(new Desc(SASL_INIT, Arrays.asList(new Sym("PLAIN"), response)));
        return frame(1, 0, init, new byte[0]);
    }

    public static byte[] open() {
        return frame(0, OPEN, "fuzz", "first", 65_536L, new WireValues.Raw(new byte[] {0x60, 0, 100}));
    }

    public static byte[] begin(int channel) {
        return frame(channel, BEGIN, null, 1L, 5_000L, 5_000L, 255L);
    }

    static byte[] sender(long handle, String name, String target) {
        return frame(
                0,
                ATTACH,
                name,
                handle,
                false,
                null,
                null,
                new Desc(0x28, List.of()),
                terminus(0x29, target),
                null,
                null,
                0L);
    }

    static byte[] receiver(long handle, String name, String source, String target) {
        return frame(0, ATTACH, name, handle, true, null, null, terminus(0x28, source), terminus(0x29, target));
    }

    /** A receiver of one message session. */
    static byte[] sessionReceiver(long handle, String name, String source, String session) {
        Object filter = Map.of(new Sym("com.microsoft:session-filter"), session);
        Desc from = new Desc(0x28, Arrays.asList(source, 0L, null, 0L, false, null, null, filter));
        return frame(0, ATTACH, name, handle, true, null, null, from, terminus(0x29, "here"));
    }

    static byte[] flow(long handle, long credit) {
        return frame(0, FLOW, 0L, 5_000L, 1L, 5_000L, handle, 0L, credit);
    }

    private static Desc terminus(int code, String address) {
        return new Desc(code, Arrays.asList((Object) address));
    }

    /** A request to a node, to be answered to that address. */
    static byte[] request(String operation, Map<String, ?> more, @Nullable Object body, String replyTo) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WireValues.write(out, new Desc(0x73, Arrays.asList("id", null, null, null, replyTo)));
        Map<String, Object> application = new java.util.LinkedHashMap<>(more);
        application.put("operation", operation);
        WireValues.write(out, new Desc(0x74, application));
        WireValues.write(out, new Desc(0x77, body));
        return out.toByteArray();
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Whether octets are frames to the last one, each of a size that may be. */
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
