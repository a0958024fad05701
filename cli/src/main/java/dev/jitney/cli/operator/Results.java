package dev.jitney.cli.operator;

import dev.jitney.cli.output.Console;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The results of a change of many messages: counts, and the refusals by their reason. */
final class Results {
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
    private static final int NUMBERS_SHOWN = 5;
    private static final int REASONS_MAX = 20;

    private final Map<String, Group> refusals = new LinkedHashMap<>();
    private long done;
    private long refused;

    /** Refusals with the same reason. The numbers are the first ones. */
    private static final class Group {
        private final String example;
        private final List<Long> numbers = new ArrayList<>();
        private long count;

        Group(String example) {
            this.example = example;
        }
    }

    /** Adds the result for one message. */
    void add(Map<String, @Nullable Object> result) {
        if (Boolean.TRUE.equals(result.get("done"))) {
            done++;
            return;
        }
        refused++;
        long number = OperatorApi.number(result);
        String message = String.valueOf(result.get("message"));
        Group group = refusals.computeIfAbsent(
                refusals.size() < REASONS_MAX ? general(message, number) : "Other reasons.", key -> new Group(message));
        group.count++;
        if (group.numbers.size() < NUMBERS_SHOWN) {
            group.numbers.add(number);
        }
    }

    /** Returns a reason without the parts that belong to one message. */
    private static String general(String message, long number) {
        String reason = message.replaceAll("(?<!\\d)" + number + "(?!\\d)", "N");
        return TIME.matcher(reason).replaceAll("TIME");
    }

    long done() {
        return done;
    }

    long refused() {
        return refused;
    }

    /** Prints a line for each reason. */
    void noteRefusals(Console console) {
        refusals.forEach((reason, group) -> console.note(
                group.count == 1
                        ? "1 refused: " + group.example
                        : String.format(
                                Locale.ROOT,
                                "%,d refused (N = %s%s): %s",
                                group.count,
                                group.numbers.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                                group.count > group.numbers.size() ? ", …" : "",
                                reason)));
    }
}
