package dev.jitney.gateway.amqp.wire;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine's cache of symbols bounded. Any thread may call it.
 *
 * <p>protonj2 1.1.0 remembers every symbol of up to 64 bytes that it ever decoded, for ever: a peer that sends property
 * keys it makes up would fill the heap over any number of connections. The cache has no lid of its own and no way to
 * empty it, so its two maps are emptied from here when they have grown far beyond what honest clients use. Symbols are
 * equal by their bytes, so forgetting them costs a little time and nothing else.
 */
public final class SymbolCache {
    private static final Logger LOG = LoggerFactory.getLogger(SymbolCache.class);
    private static final int SYMBOLS_MAX = 16_384;
    private static final List<Map<?, ?>> CACHES = caches();

    private SymbolCache() {}

    /** Empties the cache if it has grown too large; cheap otherwise. */
    public static void bound() {
        for (Map<?, ?> cache : CACHES) {
            if (cache.size() > SYMBOLS_MAX) {
                cache.clear();
            }
        }
    }

    /** How many symbols are remembered, in the larger of the two maps. */
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
                LOG.warn("The engine's cache of symbols is not where it was ({}); it cannot be bounded.", name, e);
            }
        }
        return found;
    }
}
