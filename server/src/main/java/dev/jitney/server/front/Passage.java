package dev.jitney.server.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;

/**
 * One direction of a connection that is passed on: reads from its channel and writes the same bytes to another one. Both
 * channels belong to the same event loop, and this handler, too.
 *
 * <p>Reading pauses while the other side does not take bytes. The end of the bytes of one side is passed on, and the
 * opposite direction continues (half-close).
 */
final class Passage extends ChannelInboundHandlerAdapter {
    private final Channel to;
    private final boolean fromClient;
    private final RelayMemory memory;
    private final Runnable ended;
    private long heldBytes;
    private boolean over;

    /**
     * @param to the other channel
     * @param fromClient true for the direction from the client to the leader
     * @param ended called once when the channel has sent all its bytes
     */
    Passage(Channel to, boolean fromClient, RelayMemory memory, Runnable ended) {
        this.to = to;
        this.fromClient = fromClient;
        this.memory = memory;
        this.ended = ended;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            from.fireChannelRead(message);
            return;
        }
        int count = bytes.readableBytes();
        heldBytes += count;
        memory.take(count, fromClient);
        to.write(bytes).addListener(written -> {
            heldBytes -= count;
            memory.release(count);
            resume(from);
        });
        if (!to.isWritable() || !memory.permits(heldBytes)) {
            from.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        to.flush();
    }

    /** Begins to read, or passes on the end of a channel that has ended already. */
    void begin(Channel from) {
        if (!from.isActive()) {
            closeOther();
        } else if (((DuplexChannel) from).isInputShutdown()) {
            end();
        } else {
            to.flush();
            from.config().setAutoRead(true);
        }
    }

    private void resume(ChannelHandlerContext from) {
        if (!from.channel().config().isAutoRead()
                && (heldBytes == 0 || to.isWritable() && memory.permits(2 * heldBytes))) {
            from.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            end();
        }
        from.fireUserEventTriggered(event);
    }

    private void end() {
        if (!over) {
            over = true;
            to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> ((DuplexChannel) to).shutdownOutput());
            ended.run();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        closeOther();
        from.fireChannelInactive();
    }

    private void closeOther() {
        to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        from.close(); // a broken socket; the other one follows
    }
}
