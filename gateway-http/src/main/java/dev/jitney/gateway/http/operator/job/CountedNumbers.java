package dev.jitney.gateway.http.operator.job;

import dev.jitney.runtime.Documents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sequence numbers of the messages that a job has counted, in a compressed form. A dead letter keeps its number and its time, so without
 * these numbers a job could not distinguish the counted dead letters from those that arrive later. For one thread.
 *
 * <p>Each run of consecutive numbers takes two values: the distance from the number after the run before, and the length. A value has
 * seven bits in each byte, the lowest first, and the top bit says that more bytes follow.
 */
final class CountedNumbers {
    /** The number of documents that keep the numbers of one job. */
    static final int PARTS_MAX = 16;

    private static final int BYTES_MAX = PARTS_MAX * Documents.BYTES_MAX;

    /** The bytes of two values of 64 bits. */
    private static final int RUN_BYTES_MAX = 20;

    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private byte[] runs;
    private int size;
    private boolean complete = true;

    /** The number after the last run in the bytes. */
    private long written;

    /** The run that may still grow. */
    private long first;

    private long length;

    /** The place in the bytes after the run at which the last question ended, that run, and the end of the run before. */
    private int place;

    private long endBefore;
    private long runFirst;
    private long runEnd;

    CountedNumbers() {
        this(new byte[64], 0);
    }

    private CountedNumbers(byte[] runs, int size) {
        this.runs = runs;
        this.size = size;
    }

    /** Returns the numbers in stored parts. */
    static CountedNumbers of(List<byte[]> parts) {
        int size = parts.stream().mapToInt(part -> part.length).sum();
        byte[] runs = new byte[size];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, runs, at, part.length);
            at += part.length;
        }
        return new CountedNumbers(runs, size);
    }

    /** Adds a number that is larger than those before. */
    void add(long number) {
        if (length > 0 && number == first + length) {
            length++;
            return;
        }
        if (number < (length > 0 ? first + length : written)) {
            complete = false; // the numbers are not in order, so they cannot be kept
        }
        write();
        first = number;
        length = 1;
    }

    private void write() {
        if (size > BYTES_MAX - RUN_BYTES_MAX) {
            complete = false;
        }
        if (length > 0 && complete) {
            if (runs.length < size + RUN_BYTES_MAX) {
                runs = Arrays.copyOf(runs, Math.min(BYTES_MAX, 2 * runs.length));
            }
            write(first - written);
            write(length);
            written = first + length;
        }
        length = 0;
    }

    private void write(long value) {
        long rest = value;
        while ((rest & -MORE) != 0) {
            runs[size++] = (byte) (rest & (MORE - 1) | MORE);
            rest >>>= BITS;
        }
        runs[size++] = (byte) rest;
    }

    /** Ends the count. Returns whether all numbers are kept, because they have few enough runs. */
    boolean seal() {
        write();
        if (!complete) {
            runs = new byte[0];
            size = 0;
        }
        return complete;
    }

    /** Returns the sealed numbers in parts of the size of a document. */
    List<byte[]> parts() {
        List<byte[]> parts = new ArrayList<>();
        for (int from = 0; from < size; from += Documents.BYTES_MAX) {
            parts.add(Arrays.copyOfRange(runs, from, Math.min(size, from + Documents.BYTES_MAX)));
        }
        return parts;
    }

    /** Returns whether a number was added. Questions in ascending order are fast. */
    boolean contains(long number) {
        if (number < endBefore) {
            place = 0;
            runEnd = 0;
        }
        while (number >= runEnd && place < size) {
            endBefore = runEnd;
            runFirst = runEnd + read();
            runEnd = runFirst + read();
        }
        return number >= runFirst && number < runEnd;
    }

    private long read() {
        long value = 0;
        int shift = 0;
        byte next = (byte) MORE;
        while ((next & MORE) != 0 && place < size) {
            next = runs[place++];
            value |= (long) (next & (MORE - 1)) << shift;
            shift += BITS;
        }
        return value;
    }
}
