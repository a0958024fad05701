package dev.jitney.gateway.amqp.wire;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The size limit for the engine's cache of symbols. Any thread may call it.
 *
 * <p>protonj2 1.1.0 keeps every decoded symbol of up to 64 bytes for ever: a peer that sends invented property keys
 * could fill the heap over any number of connections. The cache has no limit and no method to clear it, so this class
 * clears its two maps when they have grown beyond the needs of normal clients. Symbols are equal by their bytes, so
 * clearing costs a little time and nothing else. The limit is low because the keys of one map are buffers, which are not
 * comparable: a search among symbols that were made up to have the same hash visits all of them.
 */
public final class SymbolCache {
    private static final Logger LOG = LoggerFactory.getLogger(SymbolCache.class);
    private static final int SYMBOLS_MAX = 1_024;
    private static final List<Map<?, ?>> CACHES = caches();

    private SymbolCache() {}

    /** Clears the cache if it has grown too large; cheap otherwise. */
    public static void bound() {
        for (Map<?, ?> cache : CACHES) {
            if (cache.size() > SYMBOLS_MAX) {
                cache.clear();
            }
        }
    }

    /** Returns the number of cached symbols, in the larger of the two maps. */
    static int size() {
        int size = 0;
        for (Map<?, ?> cache : CACHES) {
            size = Math.max(size, cache.size());
        }
        return size;
    }

    private static List<Map<?, ?>> caches() {
        List<Map<?, ?>> found = new ArrayList<>();
        for (String name : List.of("bufferToSymbols", "stringToSymbols")) {
            try {
                Field field = Symbol.class.getDeclaredField(name);
                field.setAccessible(true);
                if (field.get(null) instanceof Map<?, ?> cache) {
                    found.add(cache);
                }
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn("Cannot find the map {} of the symbol cache of protonj2. Its size is not limited.", name, e);
            }
        }
        return found;
    }
}
