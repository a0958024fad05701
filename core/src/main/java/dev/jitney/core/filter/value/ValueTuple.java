package dev.jitney.core.filter.value;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values side by side, as the key of a map; ordered so that a map stays quick when hash codes were made to collide. */
public final class ValueTuple implements Comparable<ValueTuple> {
    private final Value[] values;
    private final int hash;

    /** Takes the array over. */
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

    /** By texts and numbers; tuples that are not equal may compare as equal, which costs a map time only. */
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
