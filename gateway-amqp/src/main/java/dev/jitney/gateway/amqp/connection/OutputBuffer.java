package dev.jitney.gateway.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/** Gathers the frames of one turn of the event loop into few socket writes. */
final class OutputBuffer {
    private static final int FIRST_BYTES = 1024;
    private static final int CHUNK_BYTES = 64 * 1024;

    private final ChannelHandlerContext context;
    private @Nullable ByteBuf chunk;

    OutputBuffer(ChannelHandlerContext context) {
        this.context = context;
    }

    void write(ProtonBuffer bytes) {
        int length = bytes.getReadableBytes();
        ByteBuf open = chunk;
        if (open != null && open.readableBytes() + length > CHUNK_BYTES) {
            passOn();
            open = null;
        }
        if (open == null) {
            open = context.alloc().ioBuffer(Math.max(FIRST_BYTES, length));
            chunk = open;
        }
        open.ensureWritable(length);
        bytes.copyInto(bytes.getReadOffset(), open.nioBuffer(open.writerIndex(), length), 0, length);
        open.writerIndex(open.writerIndex() + length);
    }

    private void passOn() {
        ByteBuf full = chunk;
        chunk = null;
        if (full != null) {
            context.write(full, context.voidPromise());
        }
    }

    void flush() {
        passOn();
        context.flush();
    }

    void discard() {
        ByteBuf left = chunk;
        chunk = null;
        if (left != null) {
            left.release();
        }
    }
}
