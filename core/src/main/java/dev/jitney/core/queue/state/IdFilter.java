package dev.jitney.core.queue.state;

import dev.jitney.core.DuplicateKey;
import java.util.ArrayList;
import java.util.List;

/**
 * A set of message ids in a few bits for each of them, a Bloom filter. It may take an id for one that it contains, about
 * once in a hundred times for each layer, but it never denies one that was added. So most new ids need no lookup in the
 * store.
 *
 * <p>It grows in layers, because the number of ids is not known before. An id is added to the newest layer and searched in
 * all of them. A filter that gets no more memory is useless and must be dropped. For the shard's thread.
 */
final class IdFilter {
    private static final int FIRST_LAYER_IDS = 256;
    private static final int LAYER_IDS_MAX = 64 << 20;

    /** All bits of an id are in one block of 512 bits, which is one line of the processor's cache. */
    private static final int BLOCK_WORDS = 8;

    private static final int BLOCK_IDS = 40;
    private static final int BITS_PER_ID = 6;

    private final MemoryBudget budget;
    private final List<long[]> layers = new ArrayList<>();
    private long ids;
    private int room;

    IdFilter(MemoryBudget budget) {
        this.budget = budget;
    }

    /**
     * Adds an id.
     *
     * @return false if there is no memory for it; the filter has released all of its memory then
     */
    boolean add(DuplicateKey key) {
        if (room == 0 && !grow()) {
            release();
            return false;
        }
        room--;
        ids++;
        long[] layer = layers.get(layers.size() - 1);
        long hash = hash(key);
        int block = block(layer, hash);
        long bits = mix(hash);
        for (int i = 0; i < BITS_PER_ID; i++) {
            layer[block + word(bits)] |= 1L << bits;
            bits >>>= 9;
        }
        return true;
    }

    /** Adds a layer for half as many ids as there are, so that a third of the memory is unused at most. */
    private boolean grow() {
        int next = (int) Math.min(LAYER_IDS_MAX, Math.max(FIRST_LAYER_IDS, ids / 2));
        int blocks = (next + BLOCK_IDS - 1) / BLOCK_IDS;
        if (!budget.reserveFilter(bytes(blocks * BLOCK_WORDS))) {
            return false;
        }
        layers.add(new long[blocks * BLOCK_WORDS]);
        room = blocks * BLOCK_IDS;
        return true;
    }

    /** Returns false if the id was not added. */
    boolean mayContain(DuplicateKey key) {
        long hash = hash(key);
        long mixed = mix(hash);
        for (long[] layer : layers) {
            if (mayContain(layer, block(layer, hash), mixed)) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayContain(long[] layer, int block, long mixed) {
        long bits = mixed;
        for (int i = 0; i < BITS_PER_ID; i++) {
            if ((layer[block + word(bits)] & 1L << bits) == 0) {
                return false;
            }
            bits >>>= 9;
        }
        return true;
    }

    /** Releases all memory. */
    void release() {
        for (long[] layer : layers) {
            budget.releaseFilter(bytes(layer.length));
        }
        layers.clear();
        room = 0;
    }

    private static long bytes(int words) {
        return (long) words * Long.BYTES;
    }

    /** Returns the index of the first word of an id's block. */
    private static int block(long[] layer, long hash) {
        return (int) ((hash >>> 32) * (layer.length / BLOCK_WORDS) >>> 32) * BLOCK_WORDS;
    }

    /** Returns the word of a bit in its block: three of nine bits, of which the other six are the bit in the word. */
    private static int word(long bits) {
        return (int) (bits >>> 6) & BLOCK_WORDS - 1;
    }

    /** Ids that a client has chosen for their equal hash codes only cost lookups. */
    private static long hash(DuplicateKey key) {
        return mix((long) key.type().id() << 32 | key.text().hashCode() & 0xFFFF_FFFFL);
    }

    /** Spreads the differences of numbers over all bits (the finalizer of SplitMix64). */
    private static long mix(long number) {
        long z = number + 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }
}
