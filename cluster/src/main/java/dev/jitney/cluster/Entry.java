package dev.jitney.cluster;

import dev.jitney.runtime.store.RowBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the replicated log: a batch of rows of one store, or a part of a large one, or a {@linkplain #mark mark}.
 *
 * <p>The encoded form ends with a trailer, so that the batch can be used where it is. Numbers are big-endian:
 *
 * <table>
 * <caption>Encoded entry, version 1</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>b</td><td>the encoded {@link RowBatch}, or a part of it; in a mark its id of 16 bytes</td></tr>
 * <tr><td>4</td><td>size of the whole batch in bytes</td></tr>
 * <tr><td>2</td><td>part, from 0</td></tr>
 * <tr><td>2</td><td>number of parts, from 1</td></tr>
 * <tr><td>1</td><td>kind: 1 rows, 2 a mark (CL-85)</td></tr>
 * <tr><td>1</td><td>flags: 1 the batch deletes ranges</td></tr>
 * <tr><td>2</td><td>store, from 0</td></tr>
 * <tr><td>8</td><td>term in which the leader decided the batch</td></tr>
 * <tr><td>8</td><td>number of the batch in its store and term, from 1</td></tr>
 * <tr><td>8</td><td>time of the leader, in milliseconds since the epoch</td></tr>
 * <tr><td>4</td><td>CRC-32C of everything before it</td></tr>
 * <tr><td>1</td><td>version</td></tr>
 * </table>
 *
 * @param kind         the kind
 * @param batch        an array that begins with the encoded batch or part, or with the id of a mark
 * @param length       bytes of it in that array; other bytes may follow
 * @param wholeBytes   size of the whole batch in bytes
 * @param part         number of this part, from 0
 * @param parts        number of parts, from 1
 * @param deletesRange whether the whole batch deletes ranges
 * @param store        number of the store, from 0
 * @param term         term in which the leader decided the batch, from 1
 * @param number       number of the batch in its store and term, from 1
 * @param timeMs       time of the leader, in milliseconds since the epoch (CL-13)
 */
public record Entry(
        Kind kind,
        byte[] batch,
        int length,
        int wholeBytes,
        int part,
        int parts,
        boolean deletesRange,
        int store,
        long term,
        long number,
        long timeMs) {
    /** The maximum size of an encoded entry: heartbeats must get through between entries (CL-7). */
    public static final int BYTES_MAX = 2 << 20;

    static final int TRAILER_BYTES = 41;
    /** The maximum number of parts, and with it the size of a batch. */
    static final int PARTS_MAX = 0xFFFF;

    private static final byte VERSION = 1;
    private static final int MARK_BYTES = 2 * Long.BYTES;
    private static final byte DELETES_RANGE = 1;
    private static final int PART_BYTES_MAX = BYTES_MAX - TRAILER_BYTES;

    /** The kind of an entry. */
    public enum Kind {
        /** Rows of one store. */
        ROWS(1),
        /** A place in the log at which all nodes compute checksums of their tables. It changes nothing (CL-85). */
        MARK(2);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }

        static @Nullable Kind of(byte code) {
            return code == ROWS.code ? ROWS : code == MARK.code ? MARK : null;
        }
    }

    /** Makes an entry with rows, whose batch or part fills an array. */
    public Entry(
            byte[] batch,
            int wholeBytes,
            int part,
            int parts,
            boolean deletesRange,
            int store,
            long term,
            long number,
            long timeMs) {
        this(Kind.ROWS, batch, batch.length, wholeBytes, part, parts, deletesRange, store, term, number, timeMs);
    }

    /**
     * Returns a mark, encoded (CL-85).
     *
     * @param id   the id of the mark
     * @param term the term of the leader
     */
    public static byte[] mark(UUID id, long term, long timeMs) {
        byte[] content = ByteBuffer.allocate(MARK_BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return new Entry(Kind.MARK, content, MARK_BYTES, MARK_BYTES, 0, 1, false, 0, term, 1, timeMs).encoded();
    }

    /** Returns the id of a mark. */
    public UUID markId() {
        ByteBuffer id = ByteBuffer.wrap(batch);
        return new UUID(id.getLong(), id.getLong());
    }

    /**
     * Returns the encoded entries of a batch, in order: one, or several if the batch is large (CL-7).
     *
     * @throws IllegalArgumentException if the batch is empty or has more than {@value #PARTS_MAX} parts
     */
    public static List<byte[]> encode(RowBatch rows, int store, long term, long number, long timeMs) {
        int bytes = rows.end();
        int parts = (bytes + PART_BYTES_MAX - 1) / PART_BYTES_MAX;
        if (rows.isEmpty() || parts > PARTS_MAX) {
            throw new IllegalArgumentException(
                    "Expected a batch of 1 to " + PARTS_MAX + " parts, but got " + bytes + " bytes.");
        }
        List<byte[]> entries = new ArrayList<>(parts);
        for (int part = 0; part < parts; part++) {
            int from = part * PART_BYTES_MAX;
            int length = Math.min(bytes - from, PART_BYTES_MAX);
            byte[] entry = new byte[length + TRAILER_BYTES];
            // Large batches are common, so their bytes are copied once: the array is that of the whole entry.
            rows.copyTo(entry, from, length);
            new Entry(Kind.ROWS, entry, length, bytes, part, parts, rows.deletesRange(), store, term, number, timeMs)
                    .writeTrailer(entry);
            entries.add(entry);
        }
        return entries;
    }

    /** Returns the encoded form. */
    public byte[] encoded() {
        byte[] entry = new byte[length + TRAILER_BYTES];
        System.arraycopy(batch, 0, entry, 0, length);
        writeTrailer(entry);
        return entry;
    }

    /** Writes everything behind the batch. */
    private void writeTrailer(byte[] entry) {
        ByteBuffer out = ByteBuffer.wrap(entry)
                .position(length)
                .putInt(wholeBytes)
                .putShort((short) part)
                .putShort((short) parts)
                .put(kind.code)
                .put(deletesRange ? DELETES_RANGE : 0)
                .putShort((short) store)
                .putLong(term)
                .putLong(number)
                .putLong(timeMs);
        out.putInt(crc(entry, out.position())).put(VERSION);
    }

    /**
     * Decodes an entry. The result uses the array of the encoded form, which must not change afterwards: large batches are
     * common, and their bytes are not copied.
     *
     * @throws EntryException if the entry is damaged, or its version is unknown; the message says what was expected
     */
    public static Entry decode(byte[] bytes) throws EntryException {
        if (bytes.length <= TRAILER_BYTES || bytes.length > BYTES_MAX) {
            throw new EntryException("Expected an entry of " + (TRAILER_BYTES + 1) + " to " + BYTES_MAX
                    + " bytes, but got " + bytes.length + ".");
        }
        if (bytes[bytes.length - 1] != VERSION) {
            throw new EntryException("Expected an entry of version " + VERSION + ", but got version "
                    + bytes[bytes.length - 1] + ". Run the same release on all nodes.");
        }
        int crcAt = bytes.length - Integer.BYTES - 1;
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int crc = crc(bytes, crcAt);
        if (in.getInt(crcAt) != crc) {
            throw new EntryException(String.format(
                    "Expected an entry with checksum %08x, but its content has %08x.", in.getInt(crcAt), crc));
        }
        in.position(bytes.length - TRAILER_BYTES);
        int wholeBytes = in.getInt();
        int part = Short.toUnsignedInt(in.getShort());
        int parts = Short.toUnsignedInt(in.getShort());
        byte code = in.get();
        byte flags = in.get();
        Kind kind = Kind.of(code);
        if (kind == null || flags != 0 && (flags != DELETES_RANGE || kind == Kind.MARK)) {
            throw new EntryException("Expected an entry of kind 1 or 2 with flags 0 or 1, but got kind " + code
                    + " with flags " + flags + ". Run the same release on all nodes.");
        }
        Entry entry = new Entry(
                kind,
                bytes,
                bytes.length - TRAILER_BYTES,
                wholeBytes,
                part,
                parts,
                flags == DELETES_RANGE,
                Short.toUnsignedInt(in.getShort()),
                in.getLong(),
                in.getLong(),
                in.getLong());
        entry.check();
        return entry;
    }

    private void check() throws EntryException {
        boolean whole = parts == 1 && wholeBytes == length;
        boolean divided = parts > 1 && wholeBytes > length;
        if (part >= parts || !whole && !divided || term < 1 || number < 1) {
            throw new EntryException("Expected a part of a batch in a term, but got part " + part + " of " + parts
                    + " with " + length + " of " + wholeBytes + " bytes, number " + number + " in term " + term
                    + ".");
        }
        if (kind == Kind.MARK && length != MARK_BYTES) {
            throw new EntryException(
                    "Expected a mark of " + MARK_BYTES + " bytes, but got an entry of " + length + ".");
        }
    }

    private static int crc(byte[] bytes, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, to);
        return (int) crc.getValue();
    }
}
