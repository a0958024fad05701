package dev.jitney.runtime.rows;

import dev.jitney.runtime.store.StoreException;

/**
 * A fragment of a partitioned entity. The fragment is a separate entity in the store that keeps it ({@code
 * docs/formats.md}).
 *
 * <table>
 * <caption>part, version 1</caption>
 * <tr><th>size</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>4</td><td>the partitioned entity</td></tr>
 * <tr><td>4</td><td>fragment</td></tr>
 * </table>
 *
 * @param entityId number of the fragment
 * @param wholeId number of the partitioned entity, whose description is in its own store
 * @param fragment from 0
 */
public record PartRow(long entityId, long wholeId, int fragment) {
    private static final int VERSION = 1;

    byte[] toBytes() {
        return new RowOutput(9).u8(VERSION).i32((int) wholeId).i32(fragment).toBytes();
    }

    static PartRow read(long entityId, byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "part");
        PartRow row = new PartRow(entityId, in.i32() & 0xffff_ffffL, in.i32());
        in.end();
        return row;
    }
}
