package dev.jitney.fuzz.target;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One row as an input of the fuzzer.
 *
 * <table>
 * <caption>layout</caption>
 * <tr><th>size</th><th>meaning</th></tr>
 * <tr><td>1</td><td>id of the table</td></tr>
 * <tr><td>1</td><td>k = size of the key</td></tr>
 * <tr><td>k</td><td>key</td></tr>
 * <tr><td>rest</td><td>value</td></tr>
 * </table>
 */
record Row(Table table, byte[] key, byte[] value) {

    static Row of(byte[] input) {
        int id = input.length == 0 ? 0 : input[0] & 0xff;
        Table table = Arrays.stream(Table.values())
                .filter(one -> one.id() == id)
                .findFirst()
                .orElse(Table.MESSAGES);
        int keyEnd = input.length < 2 ? input.length : Math.min(input.length, 2 + (input[1] & 0xff));
        int keyFrom = Math.min(2, input.length);
        return new Row(
                table, Arrays.copyOfRange(input, keyFrom, keyEnd), Arrays.copyOfRange(input, keyEnd, input.length));
    }

    /** Returns the rows of a batch, in their order. */
    static List<Row> allOf(RowBatch written) {
        List<Row> rows = new ArrayList<>();
        try {
            RowBatchReader reader = written.reader();
            while (reader.next()) {
                rows.add(new Row(reader.table(), reader.key(), reader.argument()));
            }
        } catch (StoreException e) {
            throw new AssertionError("Expected a batch that can be read after it was written, but it cannot.", e);
        }
        return rows;
    }

    byte[] toInput() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(table.id());
        out.write(key.length);
        out.writeBytes(key);
        out.writeBytes(value);
        return out.toByteArray();
    }

    boolean isSame(Row other) {
        return table == other.table && Arrays.equals(key, other.key) && Arrays.equals(value, other.value);
    }
}
