package dev.jitney.gateway.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Ticker;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds back the output of a connection to a broker under test, in order. At most {@value #BYTES_MAX} bytes wait; more leave at once. For
 * the event loop of the connection.
 */
final class DelayedOutput extends ChannelOutboundHandlerAdapter {
    /** The maximum of bytes that wait. */
    static final int BYTES_MAX = 16 << 20;

    private final LongSupplier delayMs;
    private final Deque<Write> waiting = new ArrayDeque<>();
    private long bytes;

    private record Write(Object message, ChannelPromise promise, int bytes, long dueNanos) {}

    /** @param delayMs returns the delay of what is written now, 0 for none */
    DelayedOutput(LongSupplier delayMs) {
        this.delayMs = delayMs;
    }

    @Override
    public void write(ChannelHandlerContext to, Object message, ChannelPromise promise) {
        long ms = delayMs.getAsLong();
        if (ms == 0 && waiting.isEmpty()) {
            to.write(message, promise);
            return;
        }
        int size = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        long due = Ticker.systemTicker().nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        Write last = waiting.peekLast();
        waiting.addLast(new Write(message, promise, size, last == null ? due : Math.max(due, last.dueNanos)));
        bytes += size;
        if (bytes > BYTES_MAX) {
            release(to, Long.MAX_VALUE);
        } else if (last == null) {
            schedule(to, due);
        }
    }

    private void schedule(ChannelHandlerContext to, long dueNanos) {
        long nanos = Math.max(0, dueNanos - Ticker.systemTicker().nanoTime());
        to.executor().schedule(() -> release(to, Ticker.systemTicker().nanoTime()), nanos, TimeUnit.NANOSECONDS);
    }

    private void release(ChannelHandlerContext to, long nowNanos) {
        boolean some = false;
        Write next = waiting.peekFirst();
        while (next != null && next.dueNanos <= nowNanos) {
            waiting.removeFirst();
            bytes -= next.bytes;
            to.write(next.message, next.promise);
            some = true;
            next = waiting.peekFirst();
        }
        if (some) {
            to.flush();
        }
        if (next != null) {
            schedule(to, next.dueNanos);
        }
    }

    @Override
    public void flush(ChannelHandlerContext to) {
        if (waiting.isEmpty()) {
            to.flush();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext from) {
        for (Write write = waiting.pollFirst(); write != null; write = waiting.pollFirst()) {
            ReferenceCountUtil.release(write.message);
            write.promise.tryFailure(new ClosedChannelException());
        }
        bytes = 0;
    }
}
