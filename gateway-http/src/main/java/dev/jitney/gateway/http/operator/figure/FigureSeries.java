package dev.jitney.gateway.http.operator.figure;

import org.jspecify.annotations.Nullable;

/** The latest samples of one entity, at most a fixed number. Not thread-safe. */
final class FigureSeries {
    private static final int VALUES = 5;

    private final long[] values;
    private int size;

    /** The place of the next sample, which is that of the oldest one if the series is full. */
    private int next;

    /** @param samplesMax 1 or more; a further sample replaces the oldest one */
    FigureSeries(int samplesMax) {
        values = new long[samplesMax * VALUES];
    }

    /** Returns the bytes of a series, without the header of its objects. */
    static long bytes(int samplesMax) {
        return (long) samplesMax * VALUES * Long.BYTES;
    }

    void add(FigureSample sample) {
        int at = next * VALUES;
        values[at] = sample.timeMs();
        values[at + 1] = sample.active();
        values[at + 2] = sample.deadLetter();
        values[at + 3] = sample.incoming();
        values[at + 4] = sample.outgoing();
        int samplesMax = values.length / VALUES;
        next = (next + 1) % samplesMax;
        size = Math.min(size + 1, samplesMax);
    }

    int size() {
        return size;
    }

    /** @param index 0 for the oldest sample */
    FigureSample get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        int at = place(index);
        return new FigureSample(values[at], values[at + 1], values[at + 2], values[at + 3], values[at + 4]);
    }

    private int place(int index) {
        int samplesMax = values.length / VALUES;
        return (next - size + index + samplesMax) % samplesMax * VALUES;
    }

    /** Returns the latest sample that is not after a time; the oldest sample if all are; null if there is none. */
    @Nullable
    FigureSample at(long timeMs) {
        if (size == 0) {
            return null;
        }
        int low = 0; // the sample, unless it is a later one
        int high = size - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (values[place(middle)] <= timeMs) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return get(low);
    }
}
