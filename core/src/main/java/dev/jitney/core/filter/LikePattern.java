package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE, compiled: {@code %} stands for any run of characters, {@code _} for one, the rest for itself
 * (FILTER-12). The whole text has to match, case counts.
 *
 * <p>What stands before the first run and behind the last has its place at the ends of the text; each part between two
 * runs is taken where it is found first. So the work is linear in the text, unless there is a {@code _} between two runs:
 * then each place is tried, and the {@link StepBudget} bounds the work. The character behind the escape character stands
 * for itself; a pattern that ends with the escape character matches nothing, as in SQL Server.
 */
final class LikePattern {
    private static final LikePattern NOTHING = new LikePattern(List.of(), true);

    /** Steps that compiling one character takes. */
    private static final int STEPS_PER_CHARACTER = 8;

    private final boolean nothing;

    /** What stands between the runs; one part if there is none. */
    private final Part[] parts;

    /** Characters that a text has at least. */
    private final int length;

    private LikePattern(List<Part> parts, boolean nothing) {
        this.parts = parts.toArray(Part[]::new);
        this.nothing = nothing;
        this.length = parts.stream().mapToInt(Part::length).sum();
    }

    /** Characters of which each stands for itself or any other. */
    private static final class Part {
        private final String characters;

        /** Which of them stand for any; null if none does. */
        private final @Nullable BitSet any;

        /** How a part between two runs is found, if all its characters stand for themselves. */
        private final @Nullable TextSearch search;

        Part(String characters, @Nullable BitSet any, boolean searched) {
            this.characters = characters;
            this.any = any;
            this.search = searched && any == null ? new TextSearch(characters) : null;
        }

        int length() {
            return characters.length();
        }

        boolean isAt(String text, int at, StepBudget steps) {
            if (any == null) {
                return steps.take(length()) && text.startsWith(characters, at);
            }
            int i = 0;
            while (i < length() && (any.get(i) || text.charAt(at + i) == characters.charAt(i))) {
                i++;
            }
            return steps.take(4 + i) && i == length();
        }

        /** The first place between two others; negative if there is none, or if there are too few steps to find it. */
        int find(String text, int from, int to, StepBudget steps) {
            if (search != null) {
                return search.find(text, from, to, steps);
            }
            for (int at = from; at + length() <= to && !steps.isExceeded(); at++) {
                if (isAt(text, at, steps)) {
                    return at;
                }
            }
            return -1;
        }
    }

    /** Steps that compiling a pattern takes. */
    static long steps(String pattern) {
        return (long) STEPS_PER_CHARACTER * pattern.length();
    }

    /** Compiles a pattern; {@code escape} has one character or is null. */
    static LikePattern of(String pattern, @Nullable String escape) {
        List<Part> parts = new ArrayList<>();
        StringBuilder characters = new StringBuilder();
        BitSet any = null;
        for (int i = 0; i < pattern.length(); i++) {
            char character = pattern.charAt(i);
            if (escape != null && character == escape.charAt(0)) {
                if (++i == pattern.length()) {
                    return NOTHING;
                }
                character = pattern.charAt(i);
            } else if (character == '%') {
                if (parts.isEmpty() || !characters.isEmpty()) {
                    parts.add(new Part(characters.toString(), any, !parts.isEmpty()));
                    characters.setLength(0);
                    any = null;
                }
                continue;
            } else if (character == '_') {
                any = any == null ? new BitSet() : any;
                any.set(characters.length());
            }
            characters.append(character);
        }
        parts.add(new Part(characters.toString(), any, false));
        return new LikePattern(parts, false);
    }

    /** Whether a value may stand behind ESCAPE. */
    static boolean isEscape(Value value) {
        return value.kind().isText() && value.text().length() == 1;
    }

    /** Whether a text has this form; false too if there are too few steps to tell. */
    boolean matches(String text, StepBudget steps) {
        if (nothing || text.length() < length) {
            return false;
        }
        int last = parts.length - 1;
        if (last == 0) {
            return text.length() == length && parts[0].isAt(text, 0, steps);
        }
        int to = text.length() - parts[last].length();
        if (!parts[0].isAt(text, 0, steps) || !parts[last].isAt(text, to, steps)) {
            return false;
        }
        int at = parts[0].length();
        for (int i = 1; i < last; i++) {
            int found = parts[i].find(text, at, to, steps);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return true;
    }
}
