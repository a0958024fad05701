package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("LIKE: matches of patterns, and the limit of their work")
final class LikePatternTest {
    private static final String LONG = "a".repeat(31_000);

    private static StepBudget budget() {
        StepBudget steps = new StepBudget();
        steps.startRule();
        return steps;
    }

    private static boolean matches(String pattern, String text) {
        return LikePattern.of(pattern, "!").matches(text, budget());
    }

    /** Returns the steps that a pattern takes on a text, which it must not match. */
    private static long steps(String pattern, String text) {
        StepBudget steps = budget();
        assertThat(LikePattern.of(pattern, null).matches(text, steps)).isFalse();
        return steps.used();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "% '' true",
                "'' '' true",
                "'' a false",
                "_ a true",
                "_ '' false",
                "%% a true",
                "a a true",
                "a ab false",
                "a% ab true",
                "%b ab true",
                "%a% bab true",
                "a%a a false",
                "a%a aa true",
                "ab%bc abc false",
                "%abcde%abcde% abcdeabcde true",
                "%abcde%abcde% abcdabcdeabcd false",
                "%aabaaab%b aabaabaaabb true",
                "%a_c%_d xabcad true",
                "_%_ a false",
                "_%_ ab true",
                "%a!%b% xa%by true",
                "%a!%b% xaabby false",
                "a! a false",
                "!!% !x true",
            })
    @DisplayName("FILTER-12: wildcards and escapes")
    void smallCases(String pattern, String text, boolean matches) {
        assertThat(matches(pattern, text)).isEqualTo(matches);
    }

    @Test
    @DisplayName("FILTER-12: random patterns match like a search of all possibilities")
    void agreesWithTheDefinition() {
        Random random = new Random(17);
        for (int round = 0; round < 100_000; round++) {
            String pattern = text(random, "aab%_", 14);
            String text = text(random, "aab", 18);
            assertThat(matches(pattern, text)).as("%s on %s", pattern, text).isEqualTo(isLike(pattern, text));
        }
    }

    private static String text(Random random, String characters, int lengthMax) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.toString();
    }

    private static boolean isLike(String pattern, String text) {
        boolean[] matched = new boolean[text.length() + 1];
        matched[0] = true;
        for (char character : pattern.toCharArray()) {
            boolean[] next = new boolean[matched.length];
            for (int i = 0; i < matched.length; i++) {
                if (character == '%') {
                    next[i] = matched[i] || i > 0 && next[i - 1];
                } else {
                    next[i] = i > 0 && matched[i - 1] && (character == '_' || character == text.charAt(i - 1));
                }
            }
            matched = next;
        }
        return matched[text.length()];
    }

    @Test
    @DisplayName("FILTER-12: without '_' between two '%' the work is linear in the text, for any pattern")
    void linearWork() {
        assertThat(steps("%" + "a".repeat(980) + "b_", LONG)).isLessThan(2_000);
        assertThat(steps("%a".repeat(500) + "b", LONG)).isLessThan(10_000);
        for (String pattern : new String[] {
            "%" + "a".repeat(980) + "b%",
            "%" + "a".repeat(490) + "b" + "a".repeat(490) + "%",
            "%" + "ab".repeat(490) + "%",
            "%aaaab%",
            "%b%",
            "%" + "a".repeat(200) + "%" + "a".repeat(200) + "b%",
        }) {
            long whole = steps(pattern, LONG);
            long half = steps(pattern, LONG.substring(LONG.length() / 2));
            assertThat(whole).as(pattern).isLessThan(3L * LONG.length()).isLessThan(3 * half);
        }
    }

    @Test
    @DisplayName("FILTER-24: with '_' between two '%' the work ends when the steps are used up")
    void boundedWork() {
        StepBudget steps = budget();
        LikePattern pattern = LikePattern.of("%" + "a".repeat(500) + "_b%", null);
        for (int i = 0; i < 10 && !steps.isExceeded(); i++) {
            assertThat(pattern.matches(LONG, steps)).isFalse();
        }
        assertThat(steps.isExceeded()).isTrue();
        assertThat(steps.used()).isEqualTo(StepBudget.RULE_STEPS + StepBudget.SHARED_STEPS);
    }

    @Test
    @DisplayName("FILTER-12: the memory of a pattern with many parts is proportional to its length")
    void manyParts() {
        String pattern = "_%".repeat(16_000);
        assertThat(matches(pattern, "a".repeat(16_000))).isTrue();
        assertThat(matches(pattern, "a".repeat(15_999))).isFalse();
    }
}
