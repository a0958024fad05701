package dev.jitney.store.rocksdb.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Reads one file of a log from its start, to determine its contents. For one thread. */
final class LogScan implements AutoCloseable {
    private static final int WINDOW_MAX = 256 << 10;

    private final Path path;
    private final FileChannel channel;
    private final long size;
    private final ByteBuffer window;
    private long windowStart;

    LogScan(Path path) throws IOException {
        this.path = path;
        channel = FileChannel.open(path, StandardOpenOption.READ);
        size = channel.size();
        window = ByteBuffer.allocate((int) Math.min(size, WINDOW_MAX)).limit(0);
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    /** Returns the header at a position, or null if there is no valid one. */
    LogRecord.@Nullable Header header(long at) throws IOException {
        if (at + LogRecord.HEADER > size) {
            return null;
        }
        need(at, LogRecord.HEADER);
        LogRecord.Header header = LogRecord.header(window);
        return header == null || at + LogRecord.HEADER + header.length() > size ? null : header;
    }

    /** Returns the content behind a header, or null if its checksum is wrong. */
    byte @Nullable [] content(long at, LogRecord.Header header) throws IOException {
        byte[] content = new byte[header.length()];
        long from = at + LogRecord.HEADER;
        for (int done = 0; done < content.length; ) {
            int step = Math.min(content.length - done, window.capacity());
            need(from + done, step);
            window.get(content, done, step);
            done += step;
        }
        return header.fits(content) ? content : null;
    }

    /** Moves the window so that it begins at a position and contains a number of bytes. */
    private void need(long at, int octets) throws IOException {
        long offset = at - windowStart;
        if (offset < 0 || offset + octets > window.limit()) {
            window.clear();
            windowStart = at;
            while (window.hasRemaining()) {
                int read = channel.read(window, at + window.position());
                if (read < 0) {
                    break;
                }
            }
            window.flip();
            offset = 0;
            if (window.limit() < octets) {
                throw new IOException(
                        "Expected " + octets + " bytes at " + at + " in " + path + ", but the file ends before");
            }
        }
        window.position((int) offset);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
