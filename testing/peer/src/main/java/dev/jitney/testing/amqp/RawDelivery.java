package dev.jitney.testing.amqp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;

/**
 * A delivery to a receiver.
 *
 * @param frames transfer frames of the delivery, at least one
 * @param payload joined payloads of the frames
 */
public record RawDelivery(List<RawFrame> frames, byte[] payload) {

    public RawFrame first() {
        return frames.get(0);
    }

    public long id() {
        return first().field(1).number();
    }

    public byte[] tag() {
        return first().field(2).bytes();
    }

    public boolean settled() {
        return !first().field(4).isNull() && first().field(4).bool();
    }

    public RawMessage message() {
        return RawMessage.parse(payload);
    }

    /** Returns the lock token: the tag read as .NET writes a GUID (wire reference 4.6). */
    public UUID lockToken() {
        ByteBuffer tag = ByteBuffer.wrap(tag());
        tag.order(ByteOrder.LITTLE_ENDIAN);
        long high = (tag.getInt() & 0xffffffffL) << 32 | (tag.getShort() & 0xffffL) << 16 | (tag.getShort() & 0xffffL);
        tag.order(ByteOrder.BIG_ENDIAN);
        return new UUID(high, tag.getLong());
    }
}
