package dev.jitney.testing.amqp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One received frame.
 *
 * @param sizeOctets encoded size of the frame in bytes
 * @param type 0 for AMQP, 1 for SASL
 * @param channel channel of the sender
 * @param performative null for an empty frame
 * @param payload bytes after the performative
 * @param body bytes of the performative and the payload
 */
public record RawFrame(
        int sizeOctets, int type, int channel, @Nullable Node performative, byte[] payload, byte[] body) {

    /**
     * @param frame bytes of the frame, starting with its size
     */
    public static RawFrame parse(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        int size = in.getInt();
        int offset = (in.get() & 0xff) * 4;
        int type = in.get() & 0xff;
        int channel = in.getShort() & 0xffff;
        byte[] body = Arrays.copyOfRange(frame, offset, size);
        if (body.length == 0) {
            return new RawFrame(size, type, channel, null, body, body);
        }
        ByteBuffer rest = ByteBuffer.wrap(body);
        Node performative = Node.read(rest);
        byte[] payload = Arrays.copyOfRange(body, rest.position(), body.length);
        return new RawFrame(size, type, channel, performative, payload, body);
    }

    public boolean isEmpty() {
        return performative == null;
    }

    /** Returns whether the frame has that performative. */
    public boolean is(int code) {
        return performative != null && performative.descriptorCode() == code;
    }

    /** Returns a field of the performative. */
    public Node field(int index) {
        if (performative == null) {
            throw new AssertionError("Expected a performative, but the frame is empty.");
        }
        return performative.at(index);
    }

    @Override
    public String toString() {
        return "[" + channel + "] " + (performative == null ? "(empty)" : performative)
                + (payload.length == 0 ? "" : " +" + payload.length + " octets");
    }
}
