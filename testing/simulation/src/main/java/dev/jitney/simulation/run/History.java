package dev.jitney.simulation.run;

import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.disk.Write;
import java.util.List;

/** A hash of all durable batches and all replies to clients. */
final class History {
    private long hash;

    void add(long value) {
        hash = SeededRandom.mix(hash * 31 + value);
    }

    void add(byte[] bytes) {
        long h = bytes.length;
        for (byte b : bytes) {
            h = h * 31 + b;
        }
        add(h);
    }

    void add(List<Write> writes) {
        for (Write write : writes) {
            if (write.table() != Table.META) {
                add(write.table().id());
                add(write.key());
                add(write.argument());
            }
        }
    }

    long hash() {
        return hash;
    }
}
