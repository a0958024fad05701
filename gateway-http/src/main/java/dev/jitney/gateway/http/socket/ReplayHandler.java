package dev.jitney.gateway.http.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A handler that replays the bytes read from a connection before its handlers existed, and then removes itself. For the
 * event loop of the connection, except for {@link #drop}.
 */
final class ReplayHandler extends ChannelInboundHandlerAdapter {
    private final AtomicReference<@Nullable ByteBuf> first;
    private final Consumer<Channel> accepted;

    /** Data read in the meantime. */
    private final Queue<Object> later = new ArrayDeque<>();

    ReplayHandler(ByteBuf first, Consumer<Channel> accepted) {
        this.first = new AtomicReference<>(first);
        this.accepted = accepted;
    }

    @Override
    public void channelRegistered(ChannelHandlerContext ctx) {
        accepted.accept(ctx.channel());
        ctx.fireChannelRegistered(); // Vert.x then adds its handlers
        ctx.executor().execute(() -> deliver(ctx));
    }

    private void deliver(ChannelHandlerContext ctx) {
        if (ctx.isRemoved() || !ctx.channel().isActive()) {
            return; // what was not replayed is released when this handler is removed
        }
        // First, because the handlers of these bytes may pause for their own reasons, and their decision counts.
        ctx.channel().config().setAutoRead(true);
        ByteBuf bytes = first.getAndSet(null);
        if (bytes != null) {
            if (bytes.isReadable()) {
                ctx.fireChannelRead(bytes);
            } else {
                bytes.release();
            }
        }
        for (Object next = later.poll(); next != null; next = later.poll()) {
            ctx.fireChannelRead(next);
        }
        ctx.fireChannelReadComplete();
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        later.add(message);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        drop();
        for (Object next = later.poll(); next != null; next = later.poll()) {
            ReferenceCountUtil.release(next);
        }
    }

    /** Releases bytes that were not replayed. Any thread may call it. */
    void drop() {
        ByteBuf bytes = first.getAndSet(null);
        if (bytes != null) {
            bytes.release();
        }
    }
}
