package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled LIKE pattern: {@code %} matches any number of characters, {@code _} matches one, and other characters match
 * themselves (FILTER-12). The pattern must match the whole text, case-sensitively.
 *
 * <p>The part before the first {@code %} is compared with the beginning of the text, and the part after the last one with
 * the end. Each part between two {@code %} is taken at the first place where it is found. The work is therefore linear in
 * the text, unless there is a {@code _} between two {@code %}: then every place is tried, and the {@link StepBudget}
 * bounds the work. The character after the escape character matches itself. A pattern that ends with the escape character
 * matches nothing, as in SQL Server.
 */
final class LikePattern {
    private static final LikePattern NOTHING = new LikePattern(List.of(), true);

    /** The steps for compiling one character. */
    private static final int STEPS_PER_CHARACTER = 8;

    private final boolean nothing;

    /** The parts between the wildcards {@code %}; one part if there is none. */
    private final Part[] parts;

    /** The minimum length of a matching text. */
    private final int length;

    private LikePattern(List<Part> parts, boolean nothing) {
        this.parts = parts.toArray(Part[]::new);
        this.nothing = nothing;
        this.length = parts.stream().mapToInt(Part::length).sum();
    }

    /** A sequence of characters, each of which matches itself or any character. */
    private static final class Part {
        private final String characters;

        /** The positions that match any character; null if none does. */
        private final @Nullable BitSet any;

        /** The search for a part between two {@code %} if all its characters match themselves. */
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

        /**
         * Returns the first match within a range; negative if there is none, or if there are too few steps to find it.
         */
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

    /** Returns the steps for compiling a pattern. */
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

    /** Returns whether a value is valid after ESCAPE. */
    static boolean isEscape(Value value) {
        return value.kind().isText() && value.text().length() == 1;
    }

    /** Returns whether a text matches; also returns false if there are too few steps. */
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
