package dev.jitney.runtime.store;

/**
 * A cursor over rows in ascending key order, as of its opening or later. For one thread; the caller must close it.
 *
 * <pre>{@code
 * try (StoreCursor rows = store.scan(Table.MESSAGES, from, to)) {
 *     while (rows.next()) { use(rows.key(), rows.value()); }
 * }
 * }</pre>
 */
public interface StoreCursor extends AutoCloseable {

    /**
     * Moves to the next row.
     *
     * @return false at the end
     * @throws StoreException if the store cannot be read
     */
    boolean next() throws StoreException;

    /** Returns the key of the current row. The caller may keep the array, which later steps do not change, and must not change it. */
    byte[] key();

    /** Returns the value of the current row. The caller may keep the array, which later steps do not change, and must not change it. */
    byte[] value();

    @Override
    void close();
}
