package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * One change of a table.
 *
 * @param argument the value of a put or the end of a range; empty for a delete; must not be changed
 */
public record Write(Kind kind, Table table, byte[] key, byte[] argument) {

    /** The kind of change. */
    public enum Kind {
        PUT,
        DELETE,
        DELETE_RANGE
    }

    /** Returns the changes of an encoded batch, in their order. */
    public static List<Write> allOf(byte[] batch) {
        List<Write> writes = new ArrayList<>();
        try {
            RowBatchReader rows = RowBatchReader.of(batch);
            while (rows.next()) {
                Kind kind = switch (rows.operation()) {
                    case PUT -> Kind.PUT;
                    case DELETE -> Kind.DELETE;
                    case DELETE_RANGE -> Kind.DELETE_RANGE;
                };
                writes.add(new Write(kind, rows.table(), rows.key(), rows.argument()));
            }
        } catch (StoreException e) {
            throw new Violation("Expected a batch on the disk to equal the written batch:  " + e.getMessage());
        }
        return writes;
    }

    long sizeBytes() {
        return key.length + argument.length;
    }
}
