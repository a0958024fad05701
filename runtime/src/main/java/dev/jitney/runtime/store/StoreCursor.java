package dev.jitney.runtime.store;

/**
 * A walk over rows in ascending key order, over the state at its opening or later. For one thread; to be closed.
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

    /** Key of the current row, a copy. */
    byte[] key();

    /** Value of the current row, a copy. */
    byte[] value();

    @Override
    void close();
}
