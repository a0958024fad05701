package dev.jitney.gateway.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/** A buffer that gathers the frames of one turn of the event loop into few socket writes. */
final class OutputBuffer {
    private static final int FIRST_BYTES = 1024;
    private static final int CHUNK_BYTES = 64 * 1024;

    private final ChannelHandlerContext context;
    private @Nullable ByteBuf chunk;

    private int passedOn;

    /** The expected size of the next piece, from the size of the previous one. */
    private int usualBytes = FIRST_BYTES;

    OutputBuffer(ChannelHandlerContext context) {
        this.context = context;
    }

    void write(ProtonBuffer bytes) {
        int length = bytes.getReadableBytes();
        ByteBuf open = room(length);
        bytes.copyInto(bytes.getReadOffset(), open.nioBuffer(open.writerIndex(), length), 0, length);
        open.writerIndex(open.writerIndex() + length);
    }

    void write(byte[] bytes, int from, int count) {
        room(count).writeBytes(bytes, from, count);
    }

    private ByteBuf room(int length) {
        ByteBuf open = chunk;
        if (open != null && open.readableBytes() + length > CHUNK_BYTES) {
            passOn();
            open = null;
        }
        if (open == null) {
            open = context.alloc().ioBuffer(Math.max(usualBytes, length));
            chunk = open;
        }
        return open.ensureWritable(length);
    }

    private void passOn() {
        ByteBuf full = chunk;
        chunk = null;
        if (full != null) {
            passedOn += full.readableBytes();
            usualBytes = Math.max(FIRST_BYTES, Math.min(CHUNK_BYTES, full.readableBytes()));
            context.write(full, context.voidPromise());
        }
    }

    /** Flushes the frames and returns the number of bytes written since the previous flush. */
    int flush() {
        passOn();
        context.flush();
        int all = passedOn;
        passedOn = 0;
        return all;
    }

    void discard() {
        ByteBuf left = chunk;
        chunk = null;
        if (left != null) {
            left.release();
        }
    }
}
