package dev.jitney.core.partition;

import java.util.function.IntPredicate;

/**
 * The distribution of messages without a key evenly over fragments (PART-38, C-21). One per client-facing entity; not
 * thread-safe.
 */
public final class RoundRobin {
    private final int fragments;
    private int next;

    /**
     * Creates a distribution.
     *
     * @param fragments number of fragments
     * @param start any number; it determines the first fragment, so that many instances do not all start with the same
     *     one
     */
    public RoundRobin(int fragments, int start) {
        if (fragments < 1) {
            throw new IllegalArgumentException("Expected at least 1 fragment, but got " + fragments + ".");
        }
        this.fragments = fragments;
        this.next = Math.floorMod(start, fragments);
    }

    /**
     * Returns the next available fragment in turn; unavailable fragments are skipped (PART-39).
     *
     * @return -1 if no fragment is available
     */
    public int next(IntPredicate available) {
        for (int i = 0; i < fragments; i++) {
            int fragment = next;
            next = fragment + 1 == fragments ? 0 : fragment + 1;
            if (available.test(fragment)) {
                return fragment;
            }
        }
        return -1;
    }
}
