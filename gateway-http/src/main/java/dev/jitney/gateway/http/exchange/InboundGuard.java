package dev.jitney.gateway.http.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A handler before the decoder of HTTP or of WebSocket frames, which passes bytes in portions: one head of a request at
 * a time, and none while the last request is in progress or its response is not fetched. A client that pipelines
 * requests without reading the responses therefore holds one response and a few undecoded bytes. For the event loop.
 */
/*
 * A decoded head takes many times the memory of its bytes: a field of five bytes becomes two strings and a map entry.
 * The cost of a head is therefore calculated from lines and bytes, and the cost above that of usual heads is claimed
 * from the budget. While the budget is exhausted, the bytes wait here undecoded, and the socket is not read.
 */
final class InboundGuard extends ChannelInboundHandlerAdapter {
    /** Cost of a head that is not claimed from the budget: some forty fields in 4 KiB. */
    static final int FREE_HEAD_COST = 16 * 1024;

    private static final int COST_PER_BYTE = 2;
    private static final int COST_PER_LINE = 160;

    /** Bytes of an incomplete frame that are not claimed. */
    private static final int FREE_FRAME_BYTES = 4 * 1024;

    /** Small, so that few requests fit behind the end of a body without a length. */
    private static final int PORTION_BYTES = 2 * 1024;

    /** Maximum of waiting bytes, above which the socket is not read. Below it, the end of the connection is detected. */
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

    /** Cost of the head that is being received. The cost above the free one is claimed. */
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

    /** Handles a complete head. @param length of its body, or a negative number if it is unknown */
    void headComplete(long length) {
        headBegun = false;
        lineBytes = 0;
        bodyBytesLeft = length < 0 ? Long.MAX_VALUE : length;
    }

    /** Handles the end of a request with its response, and releases the cost of its head. */
    void requestOver() {
        headCost = 0;
        headClaimed = 0;
    }

    /** Handles a complete WebSocket frame. */
    void frameComplete() {
        frameBytes = 0;
        if (frameClaimed > 0) {
            frameClaimed = 0;
            connections.release(peer, MemoryPurpose.FRAME);
        }
    }

    /** Returns whether a part of a head or of a frame is received and its rest is missing. */
    boolean isIncomplete() {
        return peer.phase == HttpPeer.Phase.WEBSOCKET ? frameBytes > 0 : headBegun || waitingBytes > 0;
    }

    /** Continues in a task of its own, after a change of the peer's phase or when memory may be available. */
    void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || resuming || waiting.isEmpty() && !paused) {
            return;
        }
        resuming = true; // a task instead of a call, because calls would nest for pipelined requests
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
            // First, because a later handler may pause for its own reasons, and its decision counts.
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
            return; // a later handler caused a nested read
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

    /** Returns the number of bytes for the decoder, or 0 if there is no memory for them. */
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
            return length; // the end of chunks, or blank lines between requests; the decoder handles both
        }
        int part = (int) Math.min(length, bodyBytesLeft);
        bodyBytesLeft -= part;
        return part;
    }

    /** Finds the empty line that ends the head. Empty lines before the head do not count. */
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
