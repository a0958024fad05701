package dev.jitney.core.partition;

import java.util.UUID;

/**
 * Lock tokens of partitioned entities (LOCK-4): the last 16 bits are the fragment, so that settlements and renewals find
 * it. The other bits stay random, 106 of them; the form stays that of a version 4 UUID.
 */
public final class FragmentTokens {
    private static final long FRAGMENT_BITS = 0xffff;

    private FragmentTokens() {}

    /**
     * Returns a token of a fragment.
     *
     * @param token random in its last 32 bits at least
     */
    public static UUID of(UUID token, int fragment) {
        if (fragment < 0 || fragment > FRAGMENT_BITS) {
            throw new IllegalArgumentException("Expected a fragment from 0 to 65535, but got " + fragment + ".");
        }
        return new UUID(token.getMostSignificantBits(), token.getLeastSignificantBits() & ~FRAGMENT_BITS | fragment);
    }

    /**
     * Returns the fragment in a token, 0 to 65,535. A forged token may contain any number; a fragment that the entity
     * does not have means that the lock is lost.
     */
    public static int fragment(UUID token) {
        return (int) (token.getLeastSignificantBits() & FRAGMENT_BITS);
    }
}
