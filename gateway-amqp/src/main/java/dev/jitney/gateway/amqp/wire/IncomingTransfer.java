package dev.jitney.gateway.amqp.wire;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import java.util.Arrays;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the peer's transfer that matter here. They are read directly from the bytes, or taken from the decoder,
 * which reads transfers with a state and transfers in several pieces. The object is reused for one transfer after the
 * other. For the event loop.
 */
public final class IncomingTransfer {
    private static final int HEAD_SIZE = 8;

    /** The data offset 2 and the type AMQP. The descriptor of a transfer follows the channel. */
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
     * @param frame array with the frame, whose encoding was checked
     * @return whether it is a transfer without a state; otherwise the fields are undefined
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
            return false; // the decoder reports the error
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
            in.readUByte(); // the links determine how the receiver settles
        }
        if (count > 7 && !in.skipNull()) {
            return false;
        }
        if (count > 8 && !in.skipNull()) {
            in.readBoolean(); // links are never resumed
        }
        aborted = count > 9 && !in.skipNull() && in.readBoolean();
        if (count > 10 && !in.skipNull()) {
            in.readBoolean(); // answers are batched in any case
        }
        state = null;
        return in.position() == end;
    }

    /** Takes the fields from a decoded frame. */
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

    /** Returns the peer's channel. */
    int channel() {
        return channel;
    }

    /** Returns the peer's handle of the link. */
    long handle() {
        return handle;
    }

    boolean hasDeliveryId() {
        return hasDeliveryId;
    }

    /** Returns the delivery id, if present; the first transfer of a delivery has it. */
    int deliveryId() {
        return deliveryId;
    }

    /** Returns the message format, which the first transfer of a delivery contains. */
    public int messageFormat() {
        return messageFormat;
    }

    /** Returns whether the peer sent the delivery settled and needs no answer. */
    boolean settled() {
        return settled;
    }

    /** Returns whether the delivery continues with another transfer. */
    public boolean more() {
        return more;
    }

    /** Returns whether the peer has aborted the delivery. */
    public boolean aborted() {
        return aborted;
    }

    /** Returns the delivery state that the peer sent, such as its transaction. */
    public @Nullable DeliveryState state() {
        return state;
    }

    /** Returns the number of payload bytes in the transfer. */
    public int payloadSize() {
        return to - from;
    }

    /** Returns a copy of the payload bytes. */
    public byte[] payload() {
        return from == 0 && to == bytes.length ? bytes : Arrays.copyOfRange(bytes, from, to);
    }
}
