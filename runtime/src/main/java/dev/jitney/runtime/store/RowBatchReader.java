package dev.jitney.runtime.store;

import java.util.Arrays;

/**
 * A reader of the records of an encoded batch that validates everything: for bytes from a disk or from another process.
 *
 * <pre>{@code
 * RowBatchReader rows = RowBatchReader.of(bytes);
 * while (rows.next()) {
 *     switch (rows.operation()) { ... rows.table(), rows.key(), rows.argument() ... }
 * }
 * }</pre>
 *
 * <p>It reads in place: {@link #next} allocates nothing, and every length is checked against the remaining bytes before
 * it is used. Once {@link #next} has returned false, the batch is valid: {@link RowBatch} could have written it byte
 * for byte, so {@link RowBatchFormat} may read it. For one thread; the bytes must not change meanwhile.
 */
public final class RowBatchReader {

    /** The operation of a record. */
    public enum Operation {
        /** Writes a row. The argument is the value. */
        PUT,
        /** Deletes the row of a key. */
        DELETE,
        /** Deletes the rows from the key (inclusive) to the argument (exclusive). */
        DELETE_RANGE
    }

    private final byte[] batch;
    private final int limit;
    private int start;
    private int end;
    private int keyStart;
    private int keyEnd;
    private int argumentStart;
    private Table table = Table.META;
    private Operation operation = Operation.PUT;

    RowBatchReader(byte[] batch, int from, int limit) {
        this.batch = batch;
        this.limit = limit;
        end = from;
        start = from;
    }

    /**
     * Starts reading a batch.
     *
     * @throws StoreException {@code CORRUPT} if it is empty or of another version
     */
    public static RowBatchReader of(byte[] batch) throws StoreException {
        return of(batch, batch.length);
    }

    /**
     * Starts reading a batch that is followed by other bytes.
     *
     * @param length the bytes of the batch, from the start of the array
     * @throws StoreException {@code CORRUPT} if it is empty or of another version
     */
    public static RowBatchReader of(byte[] batch, int length) throws StoreException {
        if (length < RowBatchFormat.HEADER_BYTES) {
            throw new StoreException(StoreException.Reason.CORRUPT, "Expected a batch of rows, but got no bytes");
        }
        if (batch[0] != RowBatchFormat.VERSION) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a batch of rows of version " + RowBatchFormat.VERSION + ", but got version "
                            + (batch[0] & 0xFF));
        }
        return new RowBatchReader(batch, RowBatchFormat.HEADER_BYTES, length);
    }

    /**
     * Reads a batch to its end.
     *
     * @return the number of records
     * @throws StoreException {@code CORRUPT} if it is truncated, or not written as {@link RowBatch} writes
     */
    public static int check(byte[] batch) throws StoreException {
        RowBatchReader rows = of(batch);
        int count = 0;
        while (rows.next()) {
            count++;
        }
        return count;
    }

    /**
     * Moves to the next record.
     *
     * @return false at the end
     * @throws StoreException {@code CORRUPT} if there is no valid record
     */
    public boolean next() throws StoreException {
        start = end;
        if (start == limit) {
            return false;
        }
        if (limit - start < RowBatchFormat.RECORD_HEADER_BYTES + 1) {
            throw corrupt("expected a record, but " + (limit - start) + " bytes are left");
        }
        byte code = batch[start];
        int id = batch[start + 1] & 0xFF;
        Table known = Table.of(id);
        if (known == null) {
            throw corrupt("expected the id of a table, but found " + id + ", which may be one of a newer version");
        }
        table = known;
        operation = operation(code);
        if (code == RowBatchFormat.DELETE && table.writtenOnce()
                || code == RowBatchFormat.DELETE_WRITTEN_ONCE && !table.writtenOnce()) {
            throw corrupt("operation " + code + " is not allowed for table " + table);
        }
        keyEnd = bytesAt(start + RowBatchFormat.RECORD_HEADER_BYTES, "a key");
        keyStart = argumentStart;
        argumentStart = keyEnd;
        end = keyEnd;
        if (RowBatchFormat.hasArgument(code)) {
            end = bytesAt(keyEnd, operation == Operation.PUT ? "a value" : "the end of a range");
            if (operation == Operation.DELETE_RANGE
                    && Arrays.compareUnsigned(batch, keyStart, keyEnd, batch, argumentStart, end) >= 0) {
                throw corrupt("expected a range that ends after its start");
            }
        }
        return true;
    }

    private Operation operation(byte code) throws StoreException {
        return switch (code) {
            case RowBatchFormat.PUT -> Operation.PUT;
            case RowBatchFormat.DELETE, RowBatchFormat.DELETE_WRITTEN_ONCE -> Operation.DELETE;
            case RowBatchFormat.DELETE_RANGE -> Operation.DELETE_RANGE;
            default -> throw corrupt("expected an operation, but found " + (code & 0xFF));
        };
    }

    /** Reads a length and stores the position of its bytes. Returns the position after them. */
    private int bytesAt(int at, String what) throws StoreException {
        long length = 0;
        int next = at;
        for (int shift = 0; ; shift += 7) {
            if (next == limit) {
                throw corrupt("the batch ends inside the length of " + what);
            }
            byte bits = batch[next++];
            length |= (long) (bits & 0x7F) << shift;
            if (bits >= 0) {
                if (bits == 0 && shift > 0) {
                    throw corrupt("the length of " + what + " takes more bytes than it needs");
                }
                break;
            }
            if (shift == 28) {
                throw corrupt("the length of " + what + " takes more than five bytes");
            }
        }
        if (length > limit - next) {
            throw corrupt("expected " + what + " of " + length + " bytes, but " + (limit - next) + " are left");
        }
        argumentStart = next;
        return next + (int) length;
    }

    private StoreException corrupt(String why) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "A batch of rows is corrupt in the record at byte " + start + ": " + why);
    }

    /** Returns the operation of the current record. */
    public Operation operation() {
        return operation;
    }

    /** Returns the table of the current record. */
    public Table table() {
        return table;
    }

    /** Returns a copy of the key of the current record, or of the first key of a range. */
    public byte[] key() {
        return Arrays.copyOfRange(batch, keyStart, keyEnd);
    }

    /** Returns a copy of the value of the current put or of the end of the current range; empty otherwise. */
    public byte[] argument() {
        return Arrays.copyOfRange(batch, argumentStart, end);
    }

    /** Returns the start of the current record. */
    public int start() {
        return start;
    }
}
