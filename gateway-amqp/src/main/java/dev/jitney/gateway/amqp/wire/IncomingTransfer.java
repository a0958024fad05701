package dev.jitney.gateway.amqp.wire;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import java.util.Arrays;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * A transfer of the peer, as far as it matters here: read where it lies, or taken from the decoder, which gets those with a
 * state and those that come in pieces. One object is used for one after the other. For the event loop.
 */
public final class IncomingTransfer {
    private static final int HEAD_SIZE = 8;

    /** Data offset 2 and type AMQP, then behind the channel the descriptor of a transfer. */
    private static final int OFFSET_AND_TYPE = 0x0200;

    private static final int DESCRIPTOR_SIZE = 3;
    private static final byte SMALL_ULONG = 0x53;
    private static final byte TRANSFER = 0x14;
    private static final byte[] NOTHING = {};

    private int channel;
    private long handle;
    private boolean hasDeliveryId;
    private int deliveryId;
    private int messageFormat;
    private boolean settled;
    private boolean more;
    private boolean aborted;
    private @Nullable DeliveryState state;
    private byte[] bytes = NOTHING;
    private int from;
    private int to;

    /**
     * Reads a frame.
     *
     * @param frame where it is; its encoding was found to be fine
     * @return whether it is a transfer without a state; else nothing is known of it
     */
    public boolean read(byte[] frame, int at, int size) {
        if (size <= HEAD_SIZE + DESCRIPTOR_SIZE
                || u16(frame, at + Integer.BYTES) != OFFSET_AND_TYPE
                || frame[at + HEAD_SIZE] != 0
                || frame[at + HEAD_SIZE + 1] != SMALL_ULONG
                || frame[at + HEAD_SIZE + 2] != TRANSFER) {
            return false;
        }
        channel = u16(frame, at + Integer.BYTES + Short.BYTES);
        try {
            AmqpReader in = new AmqpReader(frame, at + HEAD_SIZE + DESCRIPTOR_SIZE, at + size);
            int fields = in.enterList();
            if (!fields(in, fields)) {
                return false;
            }
            from = in.compoundEnd();
        } catch (MessageFormatException other) {
            return false; // the decoder says what is wrong
        }
        bytes = frame;
        to = at + size;
        return true;
    }

    private boolean fields(AmqpReader in, int count) throws MessageFormatException {
        if (count == 0 || in.skipNull()) {
            return false;
        }
        int end = in.compoundEnd();
        handle = in.readUInt();
        hasDeliveryId = count > 1 && !in.skipNull();
        deliveryId = hasDeliveryId ? (int) in.readUInt() : 0;
        if (count > 2 && !in.skipNull()) {
            in.enterBinary();
        }
        messageFormat = count > 3 && !in.skipNull() ? (int) in.readUInt() : 0;
        settled = count > 4 && !in.skipNull() && in.readBoolean();
        more = count > 5 && !in.skipNull() && in.readBoolean();
        if (count > 6 && !in.skipNull()) {
            in.readUByte(); // how the receiver settles is said by the links
        }
        if (count > 7 && !in.skipNull()) {
            return false;
        }
        if (count > 8 && !in.skipNull()) {
            in.readBoolean(); // nothing is ever resumed
        }
        aborted = count > 9 && !in.skipNull() && in.readBoolean();
        if (count > 10 && !in.skipNull()) {
            in.readBoolean(); // answers are written together in any case
        }
        state = null;
        return in.position() == end;
    }

    /** Takes what the decoder has made of a frame. */
    IncomingTransfer take(int ofChannel, Transfer transfer, @Nullable ProtonBuffer payload) {
        channel = ofChannel;
        handle = transfer.getHandle();
        hasDeliveryId = transfer.hasDeliveryId();
        deliveryId = (int) transfer.getDeliveryId();
        messageFormat = (int) transfer.getMessageFormat();
        settled = transfer.getSettled();
        more = transfer.getMore();
        aborted = transfer.getAborted();
        state = transfer.getState();
        bytes = NOTHING;
        from = 0;
        to = 0;
        if (payload != null) {
            to = payload.getReadableBytes();
            bytes = new byte[to];
            payload.copyInto(payload.getReadOffset(), bytes, 0, to);
        }
        return this;
    }

    private static int u16(byte[] octets, int at) {
        return (octets[at] & 0xff) << 8 | octets[at + 1] & 0xff;
    }

    /** The peer's channel. */
    int channel() {
        return channel;
    }

    /** The peer's handle of the link. */
    long handle() {
        return handle;
    }

    boolean hasDeliveryId() {
        return hasDeliveryId;
    }

    /** Which delivery it belongs to, if it says so; the first transfer of a delivery does. */
    int deliveryId() {
        return deliveryId;
    }

    /** The format of the payload; the first transfer of a delivery says it. */
    public int messageFormat() {
        return messageFormat;
    }

    /** Whether the peer wants no answer to the delivery. */
    boolean settled() {
        return settled;
    }

    /** Whether the delivery goes on with another transfer. */
    public boolean more() {
        return more;
    }

    /** Whether the peer has given up the delivery. */
    public boolean aborted() {
        return aborted;
    }

    /** What the peer says about the delivery, such as its transaction. */
    public @Nullable DeliveryState state() {
        return state;
    }

    /** How many octets of the delivery it carries. */
    public int payloadSize() {
        return to - from;
    }

    /** These octets, in an array of their own. */
    public byte[] payload() {
        return from == 0 && to == bytes.length ? bytes : Arrays.copyOfRange(bytes, from, to);
    }
}
