package dev.jitney.core.filter.value;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tuple of values as the key of a map. Ordered, so that a map stays fast even if a client chooses values with equal
 * hash codes.
 */
public final class ValueTuple implements Comparable<ValueTuple> {
    private final Value[] values;
    private final int hash;

    /** Creates a tuple without copying the array. */
    public ValueTuple(Value[] values) {
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    public Value get(int index) {
        return values[index];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ValueTuple that && hash == that.hash && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Compares by texts and numbers. Tuples that are not equal may compare as equal, which only slows down a map. */
    @Override
    public int compareTo(ValueTuple other) {
        int order = Integer.compare(values.length, other.values.length);
        for (int i = 0; i < values.length && order == 0; i++) {
            Value left = values[i];
            Value right = other.values[i];
            order = left.kind().isText() && right.kind().isText()
                    ? left.text().compareTo(right.text())
                    : Long.compare(left.bits(), right.bits());
        }
        return order;
    }
}
