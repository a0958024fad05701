package dev.jitney.crash.history;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** An assignment of causes to missing messages: each cause explains one message at most. */
final class Matching {
    private static final int NOBODY = -1;

    private final Map<Integer, List<Integer>> possible;
    /** The message that each cause explains. */
    private final int[] explained;

    private Matching(Map<Integer, List<Integer>> possible, int causes) {
        this.possible = possible;
        explained = new int[causes];
        Arrays.fill(explained, NOBODY);
    }

    /**
     * Returns messages that remain without a cause if as many as possible have one.
     *
     * @param possible the causes that may explain each message
     * @param causes the number of causes, which are numbered from 0
     */
    static List<Integer> unmatched(Map<Integer, List<Integer>> possible, int causes) {
        Matching matching = new Matching(possible, causes);
        return possible.keySet().stream()
                .filter(message -> !matching.explain(message, new BitSet()))
                .toList();
    }

    /** Finds a cause for a message, and other ones for other messages if necessary. */
    private boolean explain(int message, BitSet tried) {
        for (int cause : possible.getOrDefault(message, List.of())) {
            if (!tried.get(cause)) {
                tried.set(cause);
                if (explained[cause] == NOBODY || explain(explained[cause], tried)) {
                    explained[cause] = message;
                    return true;
                }
            }
        }
        return false;
    }
}
