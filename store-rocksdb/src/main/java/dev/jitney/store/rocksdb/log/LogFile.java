package dev.jitney.store.rocksdb.log;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One file of the log, and its write position. Every write is on disk when it returns: with direct I/O where the file
 * system supports that, through the page cache otherwise. For one thread.
 */
final class LogFile implements AutoCloseable {
    private final Path path;
    private @Nullable FileChannel channel;
    /** True while direct I/O is untested: some file systems open such a file but fail to write to it. */
    private boolean unproven;

    private long end;
    /** The length of the file; the bytes behind {@code end} belong to an older round. */
    private long length;

    private long lastNumber;

    /**
     * Creates an object for an existing file.
     *
     * @param end        the position of the next record
     * @param lastNumber number of the last commit in it, 0 if there is none
     */
    LogFile(Path path, long end, long lastNumber) {
        this.path = path;
        this.end = end;
        this.length = end;
        this.lastNumber = lastNumber;
    }

    Path path() {
        return path;
    }

    /** Returns the position behind the last record. */
    long end() {
        return end;
    }

    /** Returns the size of the file in bytes, as far as it was opened. */
    long length() {
        return length;
    }

    /** Returns the number of the last commit in it; 0 if there is none. */
    long lastNumber() {
        return lastNumber;
    }

    /** Resets the file: the next record overwrites it from the start. */
    void startOver(long keepBytes) throws IOException {
        end = 0;
        lastNumber = 0;
        FileChannel open = open();
        if (open.size() > keepBytes) {
            open.truncate(keepBytes);
            length = keepBytes;
        }
    }

    /**
     * Writes the remaining bytes of a buffer behind the last record.
     *
     * @param octets a multiple of {@link LogRecord#BLOCK} bytes, at an aligned address
     */
    void write(ByteBuffer octets) throws IOException {
        FileChannel open = open();
        int start = octets.position();
        try {
            write(octets, open);
        } catch (IOException e) {
            if (!unproven) {
                throw e;
            }
            open.close();
            open = FileChannel.open(path, options());
            channel = open;
            write(octets.position(start), open);
        }
        unproven = false;
    }

    private void write(ByteBuffer octets, FileChannel open) throws IOException {
        long at = end;
        while (octets.hasRemaining()) {
            at += open.write(octets, at);
        }
        end = at;
        length = Math.max(length, at);
    }

    /** Sets the number of the commit that was written last. */
    void wrote(long number) {
        lastNumber = number;
    }

    private FileChannel open() throws IOException {
        if (channel == null) {
            FileChannel opened = open(path);
            channel = opened;
            length = Math.max(length, opened.size());
        }
        return channel;
    }

    private FileChannel open(Path path) throws IOException {
        if (Files.getFileStore(path.getParent()).getBlockSize() <= LogRecord.BLOCK) {
            try {
                FileChannel direct = FileChannel.open(path, options(ExtendedOpenOption.DIRECT));
                unproven = true;
                return direct;
            } catch (UnsupportedOperationException | IOException e) {
                // Some file systems do not support direct I/O. Any other error occurs again below.
                return FileChannel.open(path, options());
            }
        }
        return FileChannel.open(path, options());
    }

    private static Set<OpenOption> options(OpenOption... more) {
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.WRITE, StandardOpenOption.DSYNC));
        options.addAll(Set.of(more));
        return options;
    }

    /** Opens the file again at the next write, after {@link #close}. */
    void reopen() {
        channel = null;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
