package dev.jitney.gateway.http.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the decoder of HTTP or of WebSocket frames and hands it bytes in portions: one head of a request at a time,
 * and none while the last request is being served or its answer has not been fetched. So a client that sends requests one
 * after the other without reading the answers holds one answer and some undecoded bytes. For the event loop.
 */
/*
 * A decoded head takes many times the memory of its bytes: a field of five bytes becomes two strings and an entry of a map.
 * The cost of a head is therefore counted in lines and bytes, and what goes beyond that of usual heads is claimed from the
 * budget. While the budget is exhausted the bytes wait here, undecoded, and the socket is not read from.
 */
final class InboundGuard extends ChannelInboundHandlerAdapter {
    /** Cost of a head that is not claimed from the budget: some forty fields in 4 KiB. */
    static final int FREE_HEAD_COST = 16 * 1024;

    private static final int COST_PER_BYTE = 2;
    private static final int COST_PER_LINE = 160;

    /** Bytes of an incomplete frame that are not claimed. */
    private static final int FREE_FRAME_BYTES = 4 * 1024;

    /** So little that few requests fit behind the end of a body without a length. */
    private static final int PORTION_BYTES = 2 * 1024;

    /** Bytes that may wait before the socket is no longer read from; until then the end of the connection is seen. */
    private static final int WAITING_BYTES_MAX = 16 * 1024;

    private final HttpConnections connections;
    private final HttpPeer peer;
    private final Deque<ByteBuf> waiting = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private int waitingBytes;
    private boolean paused;
    private boolean feeding;
    private boolean resuming;
    private boolean hasRead;
    private boolean refused;

    /** Cost of the head that is being received, of which the part beyond the free one is claimed. */
    private long headCost;

    private long headClaimed;
    private boolean headBegun;
    private int lineBytes;
    private long bodyBytesLeft;
    private long frameBytes;
    private long frameClaimed;

    InboundGuard(HttpConnections connections, HttpPeer peer) {
        this.connections = connections;
        this.peer = peer;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf bytes) {
            if (!hasRead && bytes.isReadable()) {
                hasRead = true;
                refused = TlsRefusal.isNeeded(ctx, bytes);
                if (refused) {
                    connections.refuseTls(ctx);
                }
            }
            if (refused) {
                bytes.release();
                return;
            }
            waiting.add(bytes);
            waitingBytes += bytes.readableBytes();
            feed(ctx);
            pauseIfFull(ctx);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        drop();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        drop();
    }

    private void drop() {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        waitingBytes = 0;
    }

    /** The head of a request is complete. @param length of its body, or a negative number if that is not known */
    void headComplete(long length) {
        headBegun = false;
        lineBytes = 0;
        bodyBytesLeft = length < 0 ? Long.MAX_VALUE : length;
    }

    /** A request is over and its answer is fetched: what its head cost is given back. */
    void requestOver() {
        headCost = 0;
        headClaimed = 0;
    }

    /** A frame of a WebSocket is complete. */
    void frameComplete() {
        frameBytes = 0;
        if (frameClaimed > 0) {
            frameClaimed = 0;
            connections.release(peer, MemoryPurpose.FRAME);
        }
    }

    /** Whether a part of a head, or of a frame, has come and waits for its rest. */
    boolean isIncomplete() {
        return peer.phase == HttpPeer.Phase.WEBSOCKET ? frameBytes > 0 : headBegun || waitingBytes > 0;
    }

    /** Goes on, in a task of its own, after the peer's phase has changed or memory may have come free. */
    void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || resuming || waiting.isEmpty() && !paused) {
            return;
        }
        resuming = true; // a task and no call: one request after the other would be one call inside the other
        connections.later(ctx.executor(), () -> {
            resuming = false;
            resume(ctx);
        });
    }

    private void resume(ChannelHandlerContext ctx) {
        if (ctx.isRemoved()) {
            return;
        }
        if (waitingBytes >= WAITING_BYTES_MAX && !peer.takesInput()) {
            return;
        }
        if (paused) {
            // Before the rest: a handler behind this one may pause for reasons of its own, and must have the last word.
            paused = false;
            ctx.channel().config().setAutoRead(true);
        }
        feed(ctx);
        ctx.fireChannelReadComplete();
        pauseIfFull(ctx);
    }

    private void pauseIfFull(ChannelHandlerContext ctx) {
        if (waitingBytes >= WAITING_BYTES_MAX && ctx.channel().config().isAutoRead()) {
            paused = true;
            ctx.channel().config().setAutoRead(false);
        }
    }

    private void feed(ChannelHandlerContext ctx) {
        if (feeding) {
            return; // a handler behind this one has caused it to be read from again
        }
        feeding = true;
        try {
            ByteBuf first = waiting.peek();
            while (first != null && peer.takesInput()) {
                int length = portion(first);
                if (length == 0) {
                    return; // no memory for more
                }
                ByteBuf part = first.readRetainedSlice(length);
                waitingBytes -= length;
                if (!first.isReadable()) {
                    waiting.remove();
                    first.release();
                }
                ctx.fireChannelRead(part);
                first = waiting.peek();
            }
        } finally {
            feeding = false;
        }
    }

    /** How many bytes the decoder gets next; zero if there is no memory for them. */
    private int portion(ByteBuf bytes) {
        int length = Math.min(bytes.readableBytes(), PORTION_BYTES);
        return switch (peer.phase) {
            case WEBSOCKET -> frameCost(length) ? length : 0;
            case HEAD -> head(bytes, length);
            default -> body(length);
        };
    }

    private int body(int length) {
        if (bodyBytesLeft <= 0) {
            return length; // the decoder knows better: an end of chunks, or blank lines between requests
        }
        int part = (int) Math.min(length, bodyBytesLeft);
        bodyBytesLeft -= part;
        return part;
    }

    /** Looks for the empty line that ends the head; lines before the head that are empty do not count. */
    private int head(ByteBuf bytes, int length) {
        int from = bytes.readerIndex();
        int to = from + length;
        int lines = 0;
        int lineLength = lineBytes;
        boolean begun = headBegun;
        int end = to;
        for (int i = from; i < to; i++) {
            byte b = bytes.getByte(i);
            if (b == '\n') {
                lines++;
                if (begun && lineLength == 0) {
                    end = i + 1;
                    break;
                }
                lineLength = 0;
            } else if (b != '\r') {
                lineLength++;
                begun = true;
            }
        }
        int part = end - from;
        long cost = headCost + (long) part * COST_PER_BYTE + (long) lines * COST_PER_LINE;
        long excess = Math.max(0, cost - FREE_HEAD_COST);
        if (excess > headClaimed) {
            if (!connections.claim(peer, MemoryPurpose.HEAD, excess - headClaimed)) {
                return 0;
            }
            headClaimed = excess;
        }
        headCost = cost;
        lineBytes = lineLength;
        if (begun && !headBegun) {
            headBegun = true;
            connections.headBegun(peer);
        }
        return part;
    }

    private boolean frameCost(int length) {
        long excess = Math.max(0, frameBytes + length - FREE_FRAME_BYTES);
        if (excess > frameClaimed) {
            if (!connections.claim(peer, MemoryPurpose.FRAME, excess - frameClaimed)) {
                return false;
            }
            frameClaimed = excess;
        }
        if (frameBytes == 0) {
            connections.frameBegun(peer);
        }
        frameBytes += length;
        return true;
    }
}
