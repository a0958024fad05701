package dev.jitney.core.partition;

/**
 * The order in which peeks read a partitioned entity (PEEK-9). One fragment answers each call, and the fragments ascend.
 * The number of a message contains its fragment, so the number from which a client continues is the only state. An answer
 * is empty only after the last fragment (PEEK-8):
 *
 * <pre>{@code
 * for (int f = PeekOrder.first(from, fragments); f < fragments; f++) {
 *     answer = peek(f, PeekOrder.start(f, from));
 *     if (!answer.isEmpty()) break;
 * }
 * }</pre>
 */
public final class PeekOrder {

    private PeekOrder() {}

    /**
     * Returns the first fragment to read.
     *
     * @param from the smallest requested number; 0 and less mean the first number
     * @return {@code fragments} or more if no fragment of the entity has such numbers
     */
    public static int first(long from, int fragments) {
        return from <= 0 ? 0 : Math.min(FragmentNumbers.fragment(from), fragments);
    }

    /** Returns the number to start with in a fragment. */
    public static long start(int fragment, long from) {
        long first = FragmentNumbers.of(fragment, 0);
        return Math.max(first, from);
    }
}
