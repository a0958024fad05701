package dev.jitney.server.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sender of one file, or a range of it (RFC 9110 section 14), in parts: the next part is read when the socket has taken
 * the one before. A failure closes the connection, so that the other node does not take a part for the whole.
 *
 * <p>Reads on threads for files, writes on the event loop of the connection.
 */
final class FileSender {
    private static final Logger LOG = LoggerFactory.getLogger(FileSender.class);
    private static final int PART_BYTES = 256 * 1024;

    /** The ranges that nodes ask for: from a byte on, perhaps up to another one. */
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})?");

    private final FileChannel file;
    private final long endBytes;
    private final ChannelHandlerContext context;
    private final Executor files;
    private final long stallMs;
    private final Runnable finished;
    private long atBytes;

    private FileSender(
            FileChannel file,
            long atBytes,
            long endBytes,
            ChannelHandlerContext context,
            Executor files,
            long stallMs,
            Runnable finished) {
        this.file = file;
        this.atBytes = atBytes;
        this.endBytes = endBytes;
        this.context = context;
        this.files = files;
        this.stallMs = stallMs;
        this.finished = finished;
    }

    /**
     * Answers a request for a file. Called on a thread for files.
     *
     * @param range the header {@code Range}, or null; a header of another form is ignored, as RFC 9110 permits
     * @param closes true if the connection closes after the response
     * @param finished called on the event loop after the last byte
     */
    static void send(
            Path path,
            @Nullable String range,
            ChannelHandlerContext context,
            Executor files,
            long stallMs,
            boolean closes,
            Runnable finished)
            throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            long size = file.size();
            Matcher asked = RANGE.matcher(range == null ? "" : range);
            boolean part = asked.matches();
            long from = part ? Long.parseLong(asked.group(1)) : 0;
            String lastText = part ? asked.group(2) : null;
            long end = lastText == null ? size : Math.min(size, Long.parseLong(lastText) + 1);
            if (part && (from >= size || end <= from)) {
                file.close();
                context.executor().execute(() -> {
                    context.writeAndFlush(unsatisfiable(size, closes));
                    finished.run();
                });
                return;
            }
            HttpResponse head = new DefaultHttpResponse(
                    HttpVersion.HTTP_1_1, part ? HttpResponseStatus.PARTIAL_CONTENT : HttpResponseStatus.OK);
            head.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_OCTET_STREAM);
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, end - from);
            if (part) {
                head.headers().set(HttpHeaderNames.CONTENT_RANGE, "bytes " + from + "-" + (end - 1) + "/" + size);
            }
            if (closes) {
                head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            FileSender sender = new FileSender(file, from, end, context, files, stallMs, finished);
            context.executor().execute(() -> {
                context.write(head);
                sender.next();
            });
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static HttpResponse unsatisfiable(long size, boolean closes) {
        HttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE, Unpooled.EMPTY_BUFFER);
        response.headers().set(HttpHeaderNames.CONTENT_RANGE, "bytes */" + size);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
        if (closes) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        return response;
    }

    /** Sends the next part, or the end. On the event loop. */
    private void next() {
        if (atBytes == endBytes) {
            closeFile();
            context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
            finished.run();
            return;
        }
        try {
            files.execute(this::readPart);
        } catch (RejectedExecutionException e) {
            fail("too many files are requested at the same time", e);
        }
    }

    private void readPart() {
        int count = (int) Math.min(PART_BYTES, endBytes - atBytes);
        ByteBuf part = context.alloc().directBuffer(count, count);
        try {
            while (part.isWritable()) {
                int read = part.writeBytes(file, atBytes + part.readableBytes(), part.writableBytes());
                if (read < 0) {
                    throw new IOException("Expected " + endBytes + " bytes, but the file is shorter.");
                }
            }
        } catch (IOException | RuntimeException e) {
            part.release();
            fail("it cannot be read", e);
            return;
        }
        context.executor().execute(() -> write(part, count));
    }

    private void write(ByteBuf part, int count) {
        Future<?> stall = context.executor()
                .schedule(() -> fail("the other node reads nothing", null), stallMs, TimeUnit.MILLISECONDS);
        context.writeAndFlush(new DefaultHttpContent(part)).addListener(written -> {
            stall.cancel(false);
            if (written.isSuccess()) {
                atBytes += count;
                next();
            } else {
                closeFile();
            }
        });
    }

    private void fail(String why, @Nullable Exception cause) {
        LOG.warn(
                "Stopped sending a file of a checkpoint to {}: {}",
                context.channel().remoteAddress(),
                why,
                cause);
        closeFile();
        context.close();
    }

    private void closeFile() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("A file of a checkpoint failed to close.", e);
        }
    }
}
