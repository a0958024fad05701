package dev.jitney.gateway.amqp.wire;

import java.nio.ByteBuffer;

/**
 * A delivery on its way out: its payload takes as many transfers as frames are large, and may wait for the peer's window
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

    /** @param settled whether the peer has nothing to settle */
    public PendingDelivery(byte[] tag, boolean settled, ByteBuffer payload) {
        this(tag, settled, payload, NOTHING);
    }

    /**
     * A payload in two pieces, so that the second need not be copied behind the first.
     *
     * @param head has an array; what its position and limit enclose must not change any more
     * @param body likewise
     */
    public PendingDelivery(byte[] tag, boolean settled, ByteBuffer head, ByteBuffer body) {
        this.tag = tag;
        this.settled = settled;
        this.head = new Piece(head);
        this.body = new Piece(body);
    }

    /** Notes what it costs in memory until it is written, for whoever counts that. */
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

    /** Its number in the session, once the first transfer is written. */
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

    /** Whether all of it is written. */
    public boolean isWritten() {
        return begun && remaining() == 0;
    }

    /** Gives the next octets away. */
    void writeTo(FrameWriter.ByteSink sink, int count) {
        int ofHead = Math.min(count, head.to - head.from);
        head.writeTo(sink, ofHead);
        body.writeTo(sink, count - ofHead);
    }

    /** Octets in an array. */
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
