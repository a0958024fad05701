package dev.jitney.core.filter;

/**
 * A search for one text in others, in time linear in the searched text for any input (Knuth, Morris and Pratt).
 * Immutable.
 */
final class TextSearch {
    /** The number of first characters that are found with {@link String#indexOf(String, int)}, which is faster. */
    private static final int START_LENGTH = 4;

    private static final int STEPS_PER_CALL = 8;

    /** The characters that this search passes in one step. */
    private static final int CHARACTERS_PER_STEP = 4;

    /** The comparisons that are made before they are counted as steps. */
    private static final int COMPARISONS_AT_ONCE = 256;

    private final String sought;
    private final String start;

    /**
     * For each length of a partial match, less one: the length of the match that remains after the next character
     * differs.
     */
    private final int[] fallback;

    /** Prepares the search for a text that is not empty. */
    TextSearch(String sought) {
        this.sought = sought;
        this.start = sought.substring(0, Math.min(START_LENGTH, sought.length()));
        this.fallback = sought.length() == start.length() ? new int[0] : fallback(sought);
    }

    private static int[] fallback(String text) {
        int[] table = new int[text.length()];
        int agreed = 0;
        for (int i = 1; i < table.length; i++) {
            while (agreed > 0 && text.charAt(i) != text.charAt(agreed)) {
                agreed = table[agreed - 1];
            }
            if (text.charAt(i) == text.charAt(agreed)) {
                agreed++;
            }
            table[i] = agreed;
        }
        return table;
    }

    /**
     * Returns the first match that starts at or after {@code from} and ends at or before {@code to}; negative if there is
     * none, or if there are too few steps to find it.
     */
    int find(String text, int from, int to, StepBudget steps) {
        int at = from;
        while (at + sought.length() <= to) {
            int found = text.indexOf(start, at);
            int passed = (found < 0 ? text.length() : found) - at;
            if (!steps.take(STEPS_PER_CALL + passed / CHARACTERS_PER_STEP) || found < 0) {
                return -1;
            }
            at = found + start.length();
            int agreed = start.length();
            int comparisons = 0;
            while (agreed > 0 && agreed < sought.length()) {
                if (at >= to || (comparisons == COMPARISONS_AT_ONCE && !steps.take(comparisons))) {
                    return -1;
                }
                comparisons = comparisons == COMPARISONS_AT_ONCE ? 1 : comparisons + 1;
                if (text.charAt(at) == sought.charAt(agreed)) {
                    at++;
                    agreed++;
                } else {
                    agreed = fallback[agreed - 1];
                }
            }
            if (!steps.take(comparisons)) {
                return -1;
            }
            if (agreed == sought.length()) {
                return at <= to ? at - agreed : -1;
            }
        }
        return -1;
    }
}
