package dev.jitney.core.partition;

import java.util.function.IntPredicate;

/**
 * Spreads messages without a key evenly over fragments (PART-38, C-21). One per front end; for one thread at a time.
 */
public final class RoundRobin {
    private final int fragments;
    private int next;

    /**
     * @param fragments how many there are
     * @param start where to begin, any number, so that many front ends do not all begin at the same fragment
     */
    public RoundRobin(int fragments, int start) {
        if (fragments < 1) {
            throw new IllegalArgumentException("Expected at least 1 fragment, but got " + fragments + ".");
        }
        this.fragments = fragments;
        this.next = Math.floorMod(start, fragments);
    }

    /**
     * The next fragment that is available, in turn; those that are not are passed over (PART-39).
     *
     * @return -1 if none is
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
