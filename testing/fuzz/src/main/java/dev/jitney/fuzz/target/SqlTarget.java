package dev.jitney.fuzz.target;

import dev.jitney.core.filter.Compilation;
import dev.jitney.core.filter.CompiledAction;
import dev.jitney.core.filter.CompiledFilter;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.SampleMessages;
import dev.jitney.fuzz.input.SqlTexts;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A text in the SQL-like language, used as a filter and as an action. It is refused with a sentence, or it is compiled
 * and evaluates every message, in bounded time.
 */
public final class SqlTarget implements FuzzTarget {
    /**
     * The time limit of an input: parsing and evaluation are fast for every text (FILTER-23). The rest is for pauses of
     * the machine.
     */
    private static final long RUN_MS_MAX = 5_000;

    private static final int SENTENCE_MAX = 2_000;
    private static final Pattern PARAMETER = Pattern.compile("@\\p{L}[\\p{L}\\p{Nd}_]*");

    private final SampleMessages messages = new SampleMessages();

    /** Loads the classes, whose loading must not count for an input. */
    public SqlTarget() {
        filter(new SqlRuleFilter("NOT (a + 1 > 2.5) OR s LIKE 'a%'", Map.of()));
        action(new SqlRuleAction("SET a = 1; REMOVE b", Map.of()));
    }

    @Override
    public String name() {
        return "sql";
    }

    @Override
    public byte[] generate(Random random) {
        SqlTexts texts = new SqlTexts(random);
        return (random.nextInt(3) == 0 ? texts.action() : texts.filter()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void run(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        long startNs = System.nanoTime();
        filter(new SqlRuleFilter(text, parameters(text)));
        action(new SqlRuleAction(text, parameters(text)));
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        if (tookMs > RUN_MS_MAX) {
            throw new AssertionError("Expected at most " + RUN_MS_MAX + " ms, but it took " + tookMs + ".");
        }
    }

    private void filter(SqlRuleFilter filter) {
        Compilation<CompiledFilter> compilation = FilterLanguage.compileFilter(filter);
        CompiledFilter compiled = compilation.compiled();
        if (compiled == null) {
            sentence(compilation.rejection());
            return;
        }
        for (Evaluation evaluation : messages.all()) {
            String first = compiled.evaluate(evaluation).toString();
            if (!first.equals(compiled.evaluate(evaluation).toString())) {
                throw new AssertionError("Expected the same result twice, but the first was " + first + ".");
            }
        }
    }

    private void action(SqlRuleAction action) {
        Compilation<CompiledAction> compilation = FilterLanguage.compileAction(action);
        CompiledAction compiled = compilation.compiled();
        if (compiled == null) {
            sentence(compilation.rejection());
            return;
        }
        messages.all().forEach(compiled::apply);
    }

    private static void sentence(@Nullable Rejection rejection) {
        if (rejection == null
                || rejection.code() != ErrorCode.ARGUMENT
                || rejection.description().isEmpty()
                || rejection.description().length() > SENTENCE_MAX) {
            throw new AssertionError("Expected a refusal that describes the error, but got " + rejection + ".");
        }
    }

    /** Returns a value for each parameter that the text seems to have. Unknown and unused parameters are refused. */
    private static Map<String, RuleValue> parameters(String text) {
        Map<String, RuleValue> out = new LinkedHashMap<>();
        Matcher names = PARAMETER.matcher(text);
        while (names.find() && out.size() < 10) {
            String name = names.group();
            out.put(name, name.length() % 2 == 0 ? RuleValue.ofString("a") : new RuleValue(RuleValue.Type.LONG, "7"));
        }
        return out;
    }

    @Override
    public int bytesMax() {
        return 1_200; // a few more characters than the language allows
    }

    @Override
    public List<byte[]> words() {
        return Stream.of(
                        "AND ",
                        "OR ",
                        "NOT ",
                        "IN (",
                        "LIKE ",
                        "ESCAPE ",
                        "IS NULL",
                        "EXISTS(",
                        "SET ",
                        "REMOVE ",
                        "(",
                        ")",
                        "'",
                        "''",
                        "[",
                        "]]",
                        "\"",
                        "@p",
                        "newid()",
                        "property(",
                        "sys.",
                        "user.",
                        "%",
                        "_",
                        ",",
                        ";",
                        ".",
                        "1e9",
                        "0.1",
                        "9999999999",
                        "TRUE",
                        "NULL",
                        "Label",
                        "sys.TimeToLive",
                        "\u0130")
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
