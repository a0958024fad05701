package dev.jitney.server.archive;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one file of an archive from its start, and checks everything. The content may come from anywhere. For one thread. */
final class ArchiveFileReader implements AutoCloseable {
    private static final int BUFFER = 1 << 20;

    private final Path path;
    private final long size;
    private final InputStream in;
    private final ArchiveHeader header;
    private final long[] numbers;
    private long at;
    private long records;
    private long firstMomentMs;
    private long lastMomentMs;
    private boolean ended;

    /**
     * One record.
     *
     * @param kind    {@link ArchiveFormat#COMMIT} or {@link ArchiveFormat#MOMENT}
     * @param store   the store of a commit
     * @param number  the number of a commit, or the time of a moment
     * @param content the rows of a commit, or the positions of a moment
     */
    record Found(byte kind, int store, long number, byte[] content) {}

    private ArchiveFileReader(Path path, long size, InputStream in, ArchiveHeader header) {
        this.path = path;
        this.size = size;
        this.in = in;
        this.header = header;
        numbers = header.numbers();
        at = header.bytes();
    }

    /**
     * Opens a file.
     *
     * @throws ArchiveException if its header is damaged
     */
    static ArchiveFileReader open(Path path) throws IOException, ArchiveException {
        FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        boolean complete = false;
        try {
            ArchiveHeader header = header(path, channel);
            channel.position(header.bytes());
            ArchiveFileReader opened = new ArchiveFileReader(
                    path, channel.size(), new BufferedInputStream(Channels.newInputStream(channel), BUFFER), header);
            complete = true;
            return opened;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    /**
     * Reads the header of a file.
     *
     * @throws NewerArchiveException if a newer version of the program wrote it
     * @throws ArchiveException if it is damaged
     */
    static ArchiveHeader header(Path path, FileChannel channel) throws IOException, ArchiveException {
        ArchiveHeader header;
        try {
            header = ArchiveHeader.parse(start(channel));
        } catch (NewerArchiveException e) {
            throw new NewerArchiveException(path + ": " + e.getMessage());
        }
        if (header == null) {
            throw new ArchiveException(path + ": The file is damaged: Expected the header of a file of an archive.");
        }
        return header;
    }

    /** Returns whether the writing of a file ended within its header. */
    static boolean isCutOffInHeader(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return ArchiveHeader.isCutOff(start(channel));
        }
    }

    /** Reads the bytes that can belong to the header, and some behind it. */
    private static ByteBuffer start(FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(ArchiveHeader.cutOffBytes());
        while (start.hasRemaining() && channel.read(start, start.position()) >= 0) {
            // read on
        }
        return start.flip();
    }

    ArchiveHeader header() {
        return header;
    }

    /**
     * Returns the next record.
     *
     * @return null behind the last complete one
     */
    @Nullable
    Found next() throws IOException {
        if (ended || size - at < ArchiveFormat.RECORD_HEADER) {
            return null;
        }
        byte[] head = new byte[ArchiveFormat.RECORD_HEADER];
        if (!fill(head)) {
            return null;
        }
        ByteBuffer fields = ByteBuffer.wrap(head);
        byte kind = fields.get(4);
        int store = Byte.toUnsignedInt(fields.get(5));
        int length = fields.getInt(8);
        long number = fields.getLong(12);
        if (length < 0 || length > size - at - ArchiveFormat.RECORD_HEADER || !fits(kind, store, length, number)) {
            return null;
        }
        byte[] content = new byte[length];
        if (!fill(content) || fields.getInt(0) != ArchiveFormat.sum(fields, 0, content)) {
            return null;
        }
        if (kind == ArchiveFormat.END) {
            ended = true;
            return null;
        }
        at += ArchiveFormat.RECORD_HEADER + (long) length;
        records++;
        if (kind == ArchiveFormat.COMMIT) {
            numbers[store] = number;
        } else {
            firstMomentMs = firstMomentMs == 0 ? number : firstMomentMs;
            lastMomentMs = number;
        }
        return new Found(kind, store, number, content);
    }

    private boolean fits(byte kind, int store, int length, long number) {
        return switch (kind) {
            case ArchiveFormat.COMMIT -> store < numbers.length && number == numbers[store] + 1 && length > 0;
            case ArchiveFormat.MOMENT -> length == numbers.length * Long.BYTES && number > 0;
            case ArchiveFormat.END -> length == (numbers.length + 2) * Long.BYTES && number == records;
            default -> false;
        };
    }

    private boolean fill(byte[] bytes) throws IOException {
        try {
            return in.readNBytes(bytes, 0, bytes.length) == bytes.length;
        } catch (EOFException e) {
            return false;
        }
    }

    /** Returns the file as it was read so far: after the last record, as a whole. */
    ArchiveFile read() {
        return new ArchiveFile(path, header, ended, at, records, numbers.clone(), firstMomentMs, lastMomentMs);
    }

    /**
     * Checks after the last record that the file is complete.
     *
     * @param expected the file as it was found before: a file without an end is complete up to there
     * @throws ArchiveException if it is not
     */
    void requireComplete(ArchiveFile expected) throws ArchiveException {
        boolean complete = expected.closed() ? ended : at >= expected.validBytes();
        if (!complete) {
            throw new ArchiveException(path + ": The file is damaged at byte " + at + ": Expected "
                    + (expected.closed() ? "a record or the end" : "the records that were there before")
                    + ". Restore this file from a copy, or take a new backup.");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
