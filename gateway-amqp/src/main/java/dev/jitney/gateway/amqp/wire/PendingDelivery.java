package dev.jitney.gateway.amqp.wire;

import java.nio.ByteBuffer;

/**
 * An outgoing delivery. Its payload takes as many transfers as its size requires, and may wait for the peer's window
 * between them. For the event loop.
 */
public final class PendingDelivery {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final byte[] tag;
    private final boolean settled;
    private final Piece head;
    private final Piece body;
    private boolean begun;
    private int id;
    private long memoryBytes;

    /**
     * @param settled whether the delivery is sent settled
     */
    public PendingDelivery(byte[] tag, boolean settled, ByteBuffer payload) {
        this(tag, settled, payload, NOTHING);
    }

    /**
     * Creates a delivery with a payload in two pieces, so that the second need not be copied behind the first.
     *
     * @param head buffer with an array; the bytes between its position and limit must not change any more
     * @param body buffer of the same kind
     */
    public PendingDelivery(byte[] tag, boolean settled, ByteBuffer head, ByteBuffer body) {
        this.tag = tag;
        this.settled = settled;
        this.head = new Piece(head);
        this.body = new Piece(body);
    }

    /** Sets the memory of the delivery until it is written, for the account that counts it. */
    public PendingDelivery costing(long bytes) {
        memoryBytes = bytes;
        return this;
    }

    public long memoryBytes() {
        return memoryBytes;
    }

    byte[] tag() {
        return tag;
    }

    public boolean settled() {
        return settled;
    }

    /** Returns the delivery id, once the first transfer is written. */
    public int id() {
        return id;
    }

    boolean begun() {
        return begun;
    }

    void begin(int deliveryId) {
        begun = true;
        id = deliveryId;
    }

    int remaining() {
        return head.to - head.from + body.to - body.from;
    }

    /** Returns whether the whole delivery is written. */
    public boolean isWritten() {
        return begun && remaining() == 0;
    }

    /** Writes the next bytes to the sink. */
    void writeTo(FrameWriter.ByteSink sink, int count) {
        int ofHead = Math.min(count, head.to - head.from);
        head.writeTo(sink, ofHead);
        body.writeTo(sink, count - ofHead);
    }

    /** A range of bytes in an array. */
    private static final class Piece {
        private final byte[] octets;
        private final int to;
        private int from;

        Piece(ByteBuffer buffer) {
            octets = buffer.array();
            from = buffer.arrayOffset() + buffer.position();
            to = from + buffer.remaining();
        }

        void writeTo(FrameWriter.ByteSink sink, int count) {
            if (count > 0) {
                sink.write(octets, from, count);
                from += count;
            }
        }
    }
}
