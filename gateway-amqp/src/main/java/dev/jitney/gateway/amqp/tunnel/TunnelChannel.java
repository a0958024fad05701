package dev.jitney.gateway.amqp.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose peer is a {@link TunnelEnd} in the same process, served by an event loop like any socket.
 *
 * <p>Written bytes wait in the channel, and make it not writable, while the far end has {@link #WINDOW_BYTES} that it
 * has not consumed. Received bytes are reported as consumed once the pipeline has read them, so the far end stops while
 * reading is switched off. Netty's own in-process channel ({@code LocalChannel}) would pass on everything at once,
 * whether the other side reads or not.
 */
public final class TunnelChannel extends AbstractChannel {
    /** The bytes that the far end may have without having consumed them, before the channel waits. */
    static final int WINDOW_BYTES = 64 * 1024;

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);
    /** The pieces that one turn delivers before other channels of the loop have their turn. */
    private static final int PIECES_PER_TURN = 16;

    private final ChannelConfig config = new DefaultChannelConfig(this);
    private final SocketAddress peer;
    private final TunnelEnd far;
    private final TunnelEnd near = new Near();

    // Written by the far end's thread, read by the event loop.
    private final Queue<ByteBuffer> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger returnedBytes = new AtomicInteger();
    private final AtomicBoolean turnDue = new AtomicBoolean();
    private volatile boolean farClosed;

    private volatile boolean open = true;
    private boolean readWanted;
    private int bytesWithFarEnd;

    /**
     * @param peer address of the client, for logs
     * @param far receives the bytes that are written to this channel
     */
    public TunnelChannel(SocketAddress peer, TunnelEnd far) {
        super(null);
        this.peer = peer;
        this.far = far;
    }

    /** Returns the end that the far end calls, only after the channel has been registered with an event loop. */
    public TunnelEnd near() {
        return near;
    }

    private final class Near implements TunnelEnd {
        @Override
        public void data(ByteBuffer bytes) {
            arrived.add(bytes);
            wake();
        }

        @Override
        public void consumed(int bytes) {
            returnedBytes.addAndGet(bytes);
            wake();
        }

        @Override
        public void close() {
            farClosed = true;
            wake();
        }
    }

    /** Returns the bytes that the far end has not consumed. For the event loop. */
    public int bytesWithFarEnd() {
        return bytesWithFarEnd;
    }

    private void wake() {
        if (open && turnDue.compareAndSet(false, true)) {
            try {
                eventLoop().execute(this::turn);
            } catch (RejectedExecutionException loopHasEnded) {
                open = false;
            }
        }
    }

    private void turn() {
        turnDue.set(false);
        int returned = returnedBytes.getAndSet(0);
        if (returned > 0) {
            bytesWithFarEnd -= returned;
            ((TunnelUnsafe) unsafe()).goOnWriting();
        }
        deliver();
        if (farClosed && open && arrived.isEmpty()) {
            unsafe().close(unsafe().voidPromise());
        }
    }

    private void deliver() {
        int pieces = 0;
        int bytes = 0;
        while (open && mayRead() && pieces < PIECES_PER_TURN) {
            ByteBuffer next = arrived.poll();
            if (next == null) {
                break;
            }
            readWanted = false;
            pieces++;
            bytes += next.remaining();
            pipeline().fireChannelRead(Unpooled.wrappedBuffer(next));
        }
        if (pieces > 0) {
            far.consumed(bytes); // once, because it wakes the far end's thread
            pipeline().fireChannelReadComplete();
        }
        if (open && mayRead() && !arrived.isEmpty()) {
            wake();
        }
    }

    /**
     * Returns whether bytes may be delivered. Bytes before the end are always delivered: they are within the window,
     * and nothing follows.
     */
    private boolean mayRead() {
        return readWanted || config.isAutoRead() || farClosed;
    }

    @Override
    protected void doBeginRead() {
        readWanted = true;
        if (!arrived.isEmpty()) {
            wake();
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        while (bytesWithFarEnd < WINDOW_BYTES) {
            ByteBuf next = (ByteBuf) in.current();
            if (next == null) {
                return;
            }
            int length = next.readableBytes();
            if (length > 0) {
                // Copied, because pooled buffers do not outlive this call and the far end runs on another thread.
                byte[] bytes = new byte[length];
                next.getBytes(next.readerIndex(), bytes);
                bytesWithFarEnd += length;
                far.data(ByteBuffer.wrap(bytes));
            }
            in.remove();
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf) {
            return message;
        }
        throw new UnsupportedOperationException("Expected bytes, but got " + message.getClass() + ".");
    }

    @Override
    protected void doClose() {
        open = false;
        arrived.clear();
        far.close();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true; // there is nothing to select on
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return null;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return peer;
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("Expected no bind, because a tunnel has no address.");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new TunnelUnsafe();
    }

    private final class TunnelUnsafe extends AbstractUnsafe {
        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            safeSetFailure(
                    promise,
                    new UnsupportedOperationException(
                            "Expected no connect, because a tunnel is connected from the beginning."));
        }

        /** Writes flushed bytes that wait. */
        void goOnWriting() {
            flush0();
        }
    }
}
