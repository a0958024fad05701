package dev.jitney.server.archive;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes one file of an archive, through the page cache. What was written is on the disk after {@link #sync}. For one thread. */
final class ArchiveFileWriter {
    private static final int BUFFER = 256 << 10;

    private final Path part;
    private final Path closed;
    private final FileChannel channel;
    private final long[] numbers;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final long madeMs;
    private long bytes;
    private long records;
    private long commits;
    private long firstMomentMs;
    private long lastMomentMs;

    private ArchiveFileWriter(Path part, Path closed, FileChannel channel, ArchiveHeader header) {
        this.part = part;
        this.closed = closed;
        this.channel = channel;
        numbers = header.numbers();
        madeMs = header.madeMs();
    }

    /** Makes a new file. */
    static ArchiveFileWriter make(Path directory, ArchiveHeader header) throws IOException {
        Path part = directory.resolve(ArchiveDirectory.partName(header.sequence()));
        FileChannel channel = OwnerOnly.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ArchiveFileWriter made = new ArchiveFileWriter(
                part, directory.resolve(ArchiveDirectory.name(header.sequence())), channel, header);
        try {
            made.put(header.encoded());
            made.sync();
            FileCommitLog.sync(directory);
            return made;
        } catch (IOException e) {
            made.abandon();
            throw e;
        }
    }

    /** Closes a file that was interrupted: cuts off what is not complete, and writes its end. */
    static void complete(Path directory, ArchiveFile found) throws IOException {
        try (FileChannel channel = FileChannel.open(found.path(), StandardOpenOption.WRITE)) {
            channel.truncate(found.validBytes());
            channel.position(found.validBytes());
            ArchiveFileWriter writer = new ArchiveFileWriter(
                    found.path(),
                    directory.resolve(ArchiveDirectory.name(found.header().sequence())),
                    channel,
                    found.header());
            System.arraycopy(found.numbers(), 0, writer.numbers, 0, writer.numbers.length);
            writer.records = found.records();
            writer.firstMomentMs = found.firstMomentMs();
            writer.lastMomentMs = found.lastMomentMs();
            writer.finish();
        }
    }

    /** Adds a commit, which has the next number of its store. */
    void commit(int store, long number, byte[] content) throws IOException {
        record(ArchiveFormat.COMMIT, store, number, content);
        numbers[store] = number;
        commits++;
    }

    /** Adds a moment. All commits up to it are in this file or before it. */
    void moment(long timeMs, long[] at) throws IOException {
        record(ArchiveFormat.MOMENT, 0, timeMs, ArchiveFormat.moment(at));
        firstMomentMs = firstMomentMs == 0 ? timeMs : firstMomentMs;
        lastMomentMs = timeMs;
    }

    private void record(byte kind, int store, long number, byte[] content) throws IOException {
        if (buffer.remaining() < ArchiveFormat.RECORD_HEADER) {
            flush();
        }
        ArchiveFormat.putHeader(buffer, kind, store, number, content);
        put(content);
        bytes += ArchiveFormat.RECORD_HEADER;
        records++;
    }

    private void put(byte[] content) throws IOException {
        for (int done = 0; done < content.length; ) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int step = Math.min(buffer.remaining(), content.length - done);
            buffer.put(content, done, step);
            done += step;
        }
        bytes += content.length;
    }

    private void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /** Makes everything durable. */
    void sync() throws IOException {
        flush();
        channel.force(false);
    }

    /** Writes the end of the file, and closes it. From now on it does not change. */
    void finish() throws IOException {
        try (channel) {
            record(ArchiveFormat.END, 0, records, ArchiveFormat.end(numbers, firstMomentMs, lastMomentMs));
            flush();
            channel.force(true);
        }
        Files.move(part, closed, StandardCopyOption.ATOMIC_MOVE);
        Path directory = closed.getParent();
        if (directory != null) {
            FileCommitLog.sync(directory);
        }
    }

    /** Closes the file without an end. The next opening of the archive completes it. */
    void abandon() {
        try {
            channel.close();
        } catch (IOException e) {
            // The log still has all commits that are not on the disk.
        }
    }

    /** Returns its size so far. */
    long bytes() {
        return bytes;
    }

    /** Returns the number of its commits so far. */
    long commits() {
        return commits;
    }

    /** Returns the time at which it was made, in milliseconds since the epoch. */
    long madeMs() {
        return madeMs;
    }
}
