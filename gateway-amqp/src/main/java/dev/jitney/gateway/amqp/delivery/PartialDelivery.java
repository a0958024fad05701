package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.wire.IncomingTransfer;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** One delivery while its transfers come; used for one after the other. For the event loop. */
public final class PartialDelivery {
    /** What a piece costs beside its octets. */
    private static final int PIECE_BYTES = 64;

    private final List<byte[]> pieces = new ArrayList<>();
    private boolean begun;
    private boolean oversized;
    private long sizeBytes;
    private int messageFormat;
    private @Nullable DeliveryState state;

    /** Takes a transfer, of which nothing is kept from the moment on that the delivery is larger than allowed. */
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

    /** Whether it is larger than allowed. */
    public boolean isOversized() {
        return oversized;
    }

    /** How many octets came, kept or not. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** What it holds in memory. */
    public long heldBytes() {
        return oversized ? 0 : sizeBytes + (long) PIECE_BYTES * pieces.size();
    }

    public int messageFormat() {
        return messageFormat;
    }

    public @Nullable DeliveryState state() {
        return state;
    }

    /** All octets of one that is not oversized. */
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

    /** Makes room for the next one. */
    public void clear() {
        begun = false;
        oversized = false;
        sizeBytes = 0;
        state = null;
        pieces.clear();
    }
}
