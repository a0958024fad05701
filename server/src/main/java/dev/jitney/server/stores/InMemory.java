package dev.jitney.server.stores;

import dev.jitney.runtime.store.MemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server that keeps everything in memory.
 *
 * @param bytes bytes of rows at which all stores together refuse sends, or null for a quarter of the heap
 */
public record InMemory(@Nullable Long bytes) {
    /** A quarter of the heap for all stores. */
    public static final InMemory DEFAULT = new InMemory(null);

    private static final long STORE_BYTES_MIN = 1L << 20;
    private static final int HEAP_SHARE = 4;
    /** Incoming messages and caches of a broker take up to three eighths, and the stores have a reserve. */
    private static final int HEAP_SHARE_MAX = 2;

    /** Returns the error of the size for a number of stores, or null. */
    public @Nullable String problem(int stores) {
        long heap = Runtime.getRuntime().maxMemory();
        long most = heap / HEAP_SHARE_MAX;
        return bytes == null || bytes >= stores * STORE_BYTES_MIN && bytes <= most
                ? null
                : "Expected " + stores * STORE_BYTES_MIN + " bytes (1 MiB for each store) to " + most
                        + " bytes (half of the heap of " + (heap >> 20) + " MiB), but got " + bytes + ".";
    }

    /** Returns new stores, which share the memory. */
    public List<MessagingStore> open(int count) {
        long all = bytes == null ? Runtime.getRuntime().maxMemory() / HEAP_SHARE : bytes;
        List<MessagingStore> stores = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stores.add(new MemoryMessagingStore(Math.max(STORE_BYTES_MIN, all / count)));
        }
        return stores;
    }
}
