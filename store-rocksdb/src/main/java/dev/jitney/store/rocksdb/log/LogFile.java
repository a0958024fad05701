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
 * One file of the log, and how far it is written. Every write is on disk when it returns: past the page cache where the
 * file system can do that, through it otherwise. For one thread.
 */
final class LogFile implements AutoCloseable {
    private final Path path;
    private @Nullable FileChannel channel;
    /** Past the page cache, which was not tried yet: some file systems take such a file, but no such write. */
    private boolean unproven;

    private long end;
    /** The length of the file; what is behind the end is of an older round. */
    private long length;

    private long lastNumber;

    /**
     * A file that is there.
     *
     * @param end        where the next record goes
     * @param lastNumber of the commits in it, 0 if there is none
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

    /** Bytes written so far. */
    long end() {
        return end;
    }

    /** Bytes the file takes, as far as it was opened. */
    long length() {
        return length;
    }

    /** Of the last commit in it; 0 if there is none. */
    long lastNumber() {
        return lastNumber;
    }

    /** Forgets what is in it: the next record goes to its start, over the oldest. */
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
     * Writes all that remains in a buffer behind what was written before.
     *
     * @param octets at an aligned address, a multiple of {@link LogRecord#BLOCK} of them
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

    /** Says which commit the octets written last belong to. */
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
                // Some file systems have no direct writes. Others fail below as they did here.
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

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
