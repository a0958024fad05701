package dev.jitney.fuzz.target;

import dev.jitney.core.filter.Compilation;
import dev.jitney.core.filter.CompiledFilter;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.core.filter.RuleSet;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.SampleMessages;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A correlation filter: a line with a type and a text per property, {@code name TAB type TAB text}. The index over all
 * correlation filters of a topic gives the same result as the filter alone.
 */
public final class CorrelationTarget implements FuzzTarget {
    private static final String[] TEXTS = {
        "",
        "a",
        "Abc",
        "1",
        "-1",
        "2.5",
        "true",
        "1e400",
        "NaN",
        "-INF",
        "2024-01-01T00:00:00Z",
        "PT1M",
        "P99999999999D",
        "00000000-0000-0001-0000-000000000002",
        "99999999999999999999999999999999",
        "0.1",
        "1E-6000",
        "AQID",
        "\ud83d\ude00"
    };

    private final SampleMessages messages = new SampleMessages();

    @Override
    public String name() {
        return "correlation";
    }

    @Override
    public byte[] generate(Random random) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            out.append(SampleMessages.NAMES[random.nextInt(SampleMessages.NAMES.length)])
                    .append('\t')
                    .append(RuleValue.Type.values()[random.nextInt(RuleValue.Type.values().length)].code())
                    .append('\t')
                    .append(TEXTS[random.nextInt(TEXTS.length)])
                    .append('\n');
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void run(byte[] input) {
        CorrelationRuleFilter filter = filter(new String(input, StandardCharsets.UTF_8));
        Compilation<CompiledFilter> compilation = FilterLanguage.compileFilter(filter);
        CompiledFilter compiled = compilation.compiled();
        if (compiled == null) {
            return;
        }
        RuleSet<String> rules = new RuleSet<>();
        rules.put("fuzzed", compiled);
        rules.put(
                "other",
                FilterLanguage.compileFilter(
                                new CorrelationRuleFilter(null, null, null, null, "Red", null, null, null, Map.of()))
                        .get());
        for (Evaluation evaluation : messages.all()) {
            boolean alone = compiled.evaluate(evaluation).isTrue();
            RuleSet.Matches<String> matches = rules.match(evaluation);
            if (matches.matched().contains("fuzzed") != alone
                    || !matches.failed().isEmpty()) {
                throw new AssertionError(
                        "Expected the index to return " + alone + " as the filter does, but got " + matches);
            }
        }
        rules.remove("fuzzed");
        if (rules.size() != 1) {
            throw new AssertionError("Expected one remaining rule, but there are " + rules.size() + ".");
        }
    }

    private static CorrelationRuleFilter filter(String text) {
        Map<String, RuleValue> properties = new LinkedHashMap<>();
        String label = null;
        for (String line : text.split("\n", -1)) {
            String[] parts = line.split("\t", 3);
            if (parts.length == 3) {
                properties.put(parts[0], new RuleValue(type(parts[1]), parts[2]));
            } else if (!line.isEmpty()) {
                label = line;
            }
        }
        return new CorrelationRuleFilter(null, null, null, null, label, null, null, null, properties);
    }

    private static RuleValue.Type type(String code) {
        for (RuleValue.Type type : RuleValue.Type.values()) {
            if (Integer.toString(type.code()).equals(code)) {
                return type;
            }
        }
        return RuleValue.Type.STRING;
    }

    @Override
    public List<byte[]> words() {
        return List.of(
                "\n".getBytes(StandardCharsets.UTF_8),
                "\t3\t".getBytes(StandardCharsets.UTF_8),
                "\t13\t1E6144".getBytes(StandardCharsets.UTF_8),
                "\t14\t0001-01-01".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int bytesMax() {
        return 512;
    }
}
