package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.AmqpReader;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.filter.property.PropertyChange.RemoveUserProperty;
import dev.jitney.core.filter.property.PropertyChange.SetText;
import dev.jitney.core.filter.property.PropertyChange.SetUserProperty;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.core.filter.value.ValueTexts;
import dev.jitney.model.rule.SqlRuleAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of {@code docs/guides/filters.md}. */
final class FilterGuideTest {
    private static final Pattern FILTER =
            Pattern.compile("\\| `([^`]*)` \\| (matches|does not match|unknown|error|refused) \\|.*");
    private static final Pattern ACTION = Pattern.compile("\\| `((?:SET|REMOVE) .*?)` \\| (?:`(.*?)`)? ?\\| (.*) \\|");
    private static final Map<String, String> LETTERS =
            Map.of("matches", "T", "does not match", "F", "unknown", "U", "error", "E", "refused", "X");

    private static Evaluation message() {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("quantity", 12);
        properties.put("price", 9.5);
        properties.put("color", "Red");
        properties.put("urgent", true);
        properties.put("note", null);
        properties.put("order date", Date.from(Instant.parse("2026-11-21T15:00:00Z")));
        return Messages.with(properties, system -> system.setSubject("order-created"));
    }

    static Stream<Arguments> filters() throws IOException {
        return rows(FILTER).map(row -> Arguments.of(row.group(1), row.group(2)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("filters")
    void filterDoesWhatTheGuideSays(String filter, String result) {
        assertThat(Filters.result(filter, message())).isEqualTo(LETTERS.get(result));
    }

    static Stream<Arguments> actions() throws IOException {
        return rows(ACTION).map(row -> Arguments.of(row.group(1), row.group(2), row.group(3)));
    }

    @ParameterizedTest(name = "{0}: {1} becomes {2}")
    @MethodSource("actions")
    void actionDoesWhatTheGuideSays(String action, @Nullable String property, String result) throws Exception {
        Compilation<CompiledAction> compilation = FilterLanguage.compileAction(new SqlRuleAction(action, Map.of()));
        if (result.equals("refused")) {
            assertThat(compilation.rejection()).isNotNull();
            return;
        }
        CompiledAction.Outcome outcome = compilation.get().apply(message());
        if (result.equals("error")) {
            assertThat(outcome.error()).isNotNull();
            return;
        }
        assertThat(text(outcome.changes(), property)).isEqualTo(result);
    }

    private static String text(List<PropertyChange> changes, @Nullable String property) throws Exception {
        for (PropertyChange change : changes) {
            if (change instanceof SetText set && ("sys." + set.property().text()).equals(property)) {
                return String.valueOf(set.text());
            }
            if (change instanceof RemoveUserProperty removed && removed.name().equals(property)) {
                return "removed";
            }
            if (change instanceof SetUserProperty set && set.name().equals(property)) {
                byte[] encoding = set.value().encoding();
                Value value = ValueDecoder.read(new AmqpReader(encoding, 0, encoding.length));
                return value.isNull() ? "null" : ValueTexts.format(value);
            }
        }
        throw new AssertionError("Expected a change of " + property + ", but got " + changes);
    }

    @Test
    void theGuideHasExamples() throws IOException {
        assertThat(rows(FILTER)).hasSizeGreaterThan(30);
        assertThat(rows(ACTION)).hasSizeGreaterThan(8);
    }

    private static Stream<Matcher> rows(Pattern form) throws IOException {
        return Files.readAllLines(guide()).stream().map(form::matcher).filter(Matcher::matches);
    }

    /** Returns the guide; Maven runs tests in the folder of their module. */
    private static Path guide() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/guides/filters.md");
    }
}
