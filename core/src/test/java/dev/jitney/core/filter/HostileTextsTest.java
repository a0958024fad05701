package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Texts that attack the parser. The time limit is far above the usual time, even on a busy machine; it only distinguishes
 * linear from exponential time.
 */
final class HostileTextsTest {
    private static final long BOUND_MS = 20_000;
    private static final long SMALL_STACK = 256 * 1024;

    @Test
    @DisplayName("FILTER-23: the time of parsing is linear in the length of any text")
    void parsesEverythingInLinearTime() {
        for (String text : hostile()) {
            String filled = text.length() > 1_024 ? text.substring(0, 1_024) : text;
            Filters.compile(filled);
            long started = System.nanoTime();
            Filters.compile(filled);
            long tookMs = (System.nanoTime() - started) / 1_000_000;
            assertThat(tookMs)
                    .as(filled.substring(0, Math.min(40, filled.length())))
                    .isLessThan(BOUND_MS);
        }
    }

    @Test
    @DisplayName("FILTER-23: texts of a megabyte are refused without reading them")
    void refusesLongTextsUnread() {
        for (String text : hostile()) {
            String huge = text.repeat(1_000_000 / text.length() + 1);
            assertThat(Filters.refusal(huge)).contains("characters, but got");
        }
    }

    @Test
    @DisplayName("FILTER-23: a small stack is enough for every text")
    void needsLittleStack() throws InterruptedException {
        List<Throwable> problems = new ArrayList<>();
        Thread thread = new Thread(null, () -> hostile().forEach(text -> Filters.compile(text)), "small", SMALL_STACK);
        thread.setUncaughtExceptionHandler((where, problem) -> problems.add(problem));
        thread.start();
        thread.join();
        assertThat(problems).isEmpty();
    }

    private static List<String> hostile() {
        List<Function<Integer, String>> shapes = List.of(
                n -> "(".repeat(n),
                n -> "(".repeat(32) + "a" + ")".repeat(32) + " + 1".repeat(n / 5),
                n -> "((((((((a)+1)+1)+1)+1)+1)+1)+1)=1 OR ".repeat(n / 40) + "b",
                n -> "(a=1) AND ".repeat(n / 10) + "b",
                n -> "(((a)))=1 OR ".repeat(n / 13) + "b",
                n -> "NOT ".repeat(n / 4),
                n -> "-".repeat(n),
                n -> "- -a*".repeat(n / 5),
                n -> "a IN (" + "1,".repeat(n / 2),
                n -> "a IN (" + "a IN (".repeat(n / 6),
                n -> "p(".repeat(n / 2),
                n -> "p(".repeat(32) + "'a'" + ")".repeat(32) + "=1",
                n -> "'".repeat(n),
                n -> "''".repeat(n / 2) + "'",
                n -> "[".repeat(n),
                n -> "[" + "]]".repeat(n / 2),
                n -> "\"".repeat(n),
                n -> "1e".repeat(n / 2),
                n -> "1.".repeat(n / 2),
                n -> "9".repeat(n),
                n -> "9".repeat(n / 2) + "." + "9".repeat(n / 2 - 1),
                n -> "a".repeat(n),
                n -> "a.".repeat(n / 2),
                n -> "@".repeat(n),
                n -> "\u0000".repeat(n),
                n -> "\ud83d\ude00".repeat(n / 2),
                n -> "\ud800".repeat(n),
                n -> "a LIKE '" + "%a".repeat(n / 2 - 10) + "'",
                n -> " ".repeat(n),
                n -> "OR ".repeat(n / 3),
                n -> "a=1 OR ".repeat(n / 7) + "b",
                n -> "<>=!".repeat(n / 4));
        List<String> texts = new ArrayList<>();
        shapes.forEach(shape -> texts.add(shape.apply(1_024)));
        return texts;
    }

    @Test
    @DisplayName("FILTER-2: any text is either compiled or refused")
    void takesAnyTextWithoutAnException() {
        long seed = Long.getLong("filter.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] pieces = {
            "a", " ", "=", "(", ")", "NOT ", "AND ", "OR ", "IN", "LIKE ", "ESCAPE ", "IS ", "NULL", "EXISTS", "'x'",
            "1", "-", "+", "*", "/", "%", ",", ".", "sys", "Label", "p", "newid", "@x", "[b]", "\"c\"", "<", ">", "!",
            "1.5", "2E3", ";", "SET ", "REMOVE ", "'", "[", "\u0130", "\u00df", "\n"
        };
        for (int run = 0; run < 20_000; run++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i <= random.nextInt(12); i++) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            assertThat(FilterLanguage.compileFilter(new SqlRuleFilter(text.toString(), Map.of())))
                    .as("-Dfilter.seed=%d %s", seed, text)
                    .isNotNull();
            assertThat(FilterLanguage.compileAction(new SqlRuleAction(text.toString(), Map.of())))
                    .as("-Dfilter.seed=%d %s", seed, text)
                    .isNotNull();
        }
    }

    @Test
    @DisplayName("FILTER-15: multiplied decimals never become numbers that are slow to compute with")
    void decimalsStayBounded() {
        Evaluation evaluation = Messages.with(Map.of(
                "d", Decimal128s.encode(new BigDecimal("9E6000")),
                "e", Decimal128s.encode(new BigDecimal("7E-6000"))));

        assertThat(Filters.result("d" + "*d".repeat(500) + " % e = 1", evaluation))
                .isEqualTo("E");
        assertThat(Filters.result("d % e >= 0", evaluation)).isEqualTo("T");
        assertThat(Filters.result("e*e = 0", evaluation)).isEqualTo("T");
    }
}
