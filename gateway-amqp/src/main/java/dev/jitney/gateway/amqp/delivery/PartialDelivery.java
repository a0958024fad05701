package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.wire.IncomingTransfer;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * A delivery whose transfers are arriving. The object is reused for one delivery after the other. For the event loop.
 */
public final class PartialDelivery {
    /** The memory of a piece in addition to its bytes. */
    private static final int PIECE_BYTES = 64;

    private final List<byte[]> pieces = new ArrayList<>();
    private boolean begun;
    private boolean oversized;
    private long sizeBytes;
    private int messageFormat;
    private @Nullable DeliveryState state;

    /** Takes a transfer. Discards all bytes once the delivery is larger than allowed. */
    public void add(IncomingTransfer transfer, long sizeBytesMax) {
        if (!begun) {
            begun = true;
            messageFormat = transfer.messageFormat();
        }
        if (transfer.state() != null) {
            state = transfer.state();
        }
        sizeBytes += transfer.payloadSize();
        oversized |= sizeBytes > sizeBytesMax;
        if (oversized) {
            pieces.clear();
        } else {
            pieces.add(transfer.payload());
        }
    }

    /** Returns whether the delivery is larger than allowed. */
    public boolean isOversized() {
        return oversized;
    }

    /** Returns the number of bytes that arrived, kept or not. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Returns the memory that the delivery holds, in bytes. */
    public long heldBytes() {
        return oversized ? 0 : sizeBytes + (long) PIECE_BYTES * pieces.size();
    }

    public int messageFormat() {
        return messageFormat;
    }

    public @Nullable DeliveryState state() {
        return state;
    }

    /** Returns all bytes of a delivery that is not oversized. */
    public byte[] payload() {
        if (pieces.size() == 1) {
            return pieces.get(0);
        }
        byte[] all = new byte[(int) sizeBytes];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        return all;
    }

    /** Clears the object for the next delivery. */
    public void clear() {
        begun = false;
        oversized = false;
        sizeBytes = 0;
        state = null;
        pieces.clear();
    }
}
