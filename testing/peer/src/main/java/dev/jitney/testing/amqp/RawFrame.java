package dev.jitney.testing.amqp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One frame as it came in.
 *
 * @param sizeOctets the frame's size on the wire
 * @param type 0 for AMQP, 1 for SASL
 * @param channel the sender's channel
 * @param performative null for an empty frame
 * @param payload what follows the performative
 * @param body performative and payload as octets
 */
public record RawFrame(
        int sizeOctets, int type, int channel, @Nullable Node performative, byte[] payload, byte[] body) {

    /** @param frame with its size in front */
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

    /** Whether it is that performative. */
    public boolean is(int code) {
        return performative != null && performative.descriptorCode() == code;
    }

    /** A field of the performative. */
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
