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

    /** Returns a copy of the key of the current row. */
    byte[] key();

    /** Returns a copy of the value of the current row. */
    byte[] value();

    @Override
    void close();
}
