package dev.jitney.runtime.store;

/**
 * Writes that become durable together or not at all. Filled by one thread, then handed to
 * {@link MessagingStore#commit}, then {@linkplain #clear cleared} and filled again.
 *
 * <p>The arrays given are not changed by the caller afterwards.
 */
public interface StoreBatch extends AutoCloseable {

    void put(Table table, byte[] key, byte[] value);

    /** Removes a key; in a {@linkplain Table#writtenOnce written-once} table the key must exist. */
    void delete(Table table, byte[] key);

    /** Removes every key from {@code from} (inclusive) to {@code to} (exclusive); none of them is ever put again. */
    void deleteRange(Table table, byte[] from, byte[] to);

    boolean isEmpty();

    /** Approximate size of all keys and values in it. */
    long sizeBytes();

    void clear();

    @Override
    void close();
}
