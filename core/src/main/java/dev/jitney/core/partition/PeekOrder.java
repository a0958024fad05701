package dev.jitney.core.partition;

/**
 * How a peek goes over a partitioned entity (PEEK-9): one call is answered by one fragment, fragments ascend, and as the
 * number of a message tells its fragment, the number a client goes on from is all that has to be remembered. An answer is
 * empty only after the last fragment (PEEK-8):
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
     * The fragment to ask first.
     *
     * @param from the smallest number wanted; 0 and less mean the first there is
     * @return {@code fragments} or more if no fragment of the entity has such numbers
     */
    public static int first(long from, int fragments) {
        return from <= 0 ? 0 : Math.min(FragmentNumbers.fragment(from), fragments);
    }

    /** The number to begin with in a fragment. */
    public static long start(int fragment, long from) {
        long first = FragmentNumbers.of(fragment, 0);
        return Math.max(first, from);
    }
}
