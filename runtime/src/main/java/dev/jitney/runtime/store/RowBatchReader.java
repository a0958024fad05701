package dev.jitney.runtime.store;

import java.util.Arrays;

/**
 * A walk over the records of an encoded batch that trusts nothing: for bytes from a disk or from another process.
 *
 * <pre>{@code
 * RowBatchReader rows = RowBatchReader.of(bytes);
 * while (rows.next()) {
 *     switch (rows.operation()) { ... rows.table(), rows.key(), rows.argument() ... }
 * }
 * }</pre>
 *
 * <p>It reads in place: {@link #next} allocates nothing, and no length that the bytes claim is believed before it is compared with
 * what is there. A batch in which {@link #next} has answered false is one that {@link RowBatch} could have written, byte for byte,
 * so that {@link RowBatchFormat} may read it again. For one thread; the bytes must not change meanwhile.
 */
public final class RowBatchReader {

    /** What a record does. */
    public enum Operation {
        /** Writes a row: its argument is the value. */
        PUT,
        /** Removes the row of a key. */
        DELETE,
        /** Removes the rows from the key up to the argument, which is not removed. */
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
     * Begins to read a batch.
     *
     * @throws StoreException {@code CORRUPT} if it is empty or of another version
     */
    public static RowBatchReader of(byte[] batch) throws StoreException {
        if (batch.length < RowBatchFormat.HEADER_BYTES) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT, "Expected a batch of rows, but there is not even its version");
        }
        if (batch[0] != RowBatchFormat.VERSION) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a batch of rows of version " + RowBatchFormat.VERSION + ", but it has version "
                            + (batch[0] & 0xFF));
        }
        return new RowBatchReader(batch, RowBatchFormat.HEADER_BYTES, batch.length);
    }

    /**
     * Reads a batch to its end.
     *
     * @return how many records it has
     * @throws StoreException {@code CORRUPT} if it is not whole, or not written as {@link RowBatch} writes
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
     * @throws StoreException {@code CORRUPT} if what is there is no record
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
            throw corrupt("operation " + code + " does not go with table " + table);
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

    /** Reads a length and notes where its bytes begin; answers where they end. */
    private int bytesAt(int at, String what) throws StoreException {
        long length = 0;
        int next = at;
        for (int shift = 0; ; shift += 7) {
            if (next == limit) {
                throw corrupt("it ends in the length of " + what);
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
                "A batch of rows is damaged in its record at byte " + start + ": " + why);
    }

    /** What the current record does. */
    public Operation operation() {
        return operation;
    }

    /** The table of the current record. */
    public Table table() {
        return table;
    }

    /** The key of the current record, or the first of a range; a copy. */
    public byte[] key() {
        return Arrays.copyOfRange(batch, keyStart, keyEnd);
    }

    /** The value of the current put, the end of the current range, or nothing; a copy. */
    public byte[] argument() {
        return Arrays.copyOfRange(batch, argumentStart, end);
    }

    /** Where the current record begins. */
    public int start() {
        return start;
    }
}
