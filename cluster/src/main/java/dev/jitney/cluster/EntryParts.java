package dev.jitney.cluster;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one batch that have arrived so far. A batch takes effect with its last part; if that does not come in the
 * same term, the parts are dropped (CL-7). Not thread-safe.
 */
final class EntryParts {
    private byte @Nullable [] batch;
    private long term;
    private long number;
    private int parts;
    private int nextPart;
    private int filled;

    /**
     * Adds an entry, and drops parts of other batches.
     *
     * @return the whole batch if the entry completes it, otherwise null
     */
    @Nullable
    Batch add(Entry entry) {
        if (entry.parts() == 1) {
            clear();
            return new Batch(entry.batch(), entry.length());
        }
        if (entry.part() == 0) {
            batch = new byte[0];
            term = entry.term();
            number = entry.number();
            parts = entry.parts();
            nextPart = 0;
            filled = 0;
        }
        byte[] open = batch;
        boolean fits = open != null
                && entry.term() == term
                && entry.number() == number
                && entry.parts() == parts
                && entry.part() == nextPart
                && filled + entry.length() <= entry.wholeBytes();
        if (open == null || !fits) {
            clear();
            return null;
        }
        return append(open, entry);
    }

    private @Nullable Batch append(byte[] open, Entry entry) {
        int size = filled + entry.length();
        // Grow with the parts that are there: a size that only a header claims costs nothing.
        byte[] grown = size <= open.length
                ? open
                : Arrays.copyOf(open, Math.min(entry.wholeBytes(), Math.max(size, 2 * open.length)));
        System.arraycopy(entry.batch(), 0, grown, filled, entry.length());
        batch = grown;
        filled = size;
        nextPart++;
        if (nextPart < parts) {
            return null;
        }
        Batch whole = filled == entry.wholeBytes() ? new Batch(grown, filled) : null;
        clear();
        return whole;
    }

    /**
     * A whole batch.
     *
     * @param bytes  an array that begins with the encoded batch
     * @param length bytes of the batch
     */
    record Batch(byte[] bytes, int length) {}

    /** Drops all parts. */
    void clear() {
        batch = null;
    }

    /** Drops parts of a term before another one. */
    void clearBefore(long later) {
        if (term < later) {
            clear();
        }
    }

    /** Returns whether parts of a batch are waiting for others. */
    boolean isOpen() {
        return batch != null;
    }
}
