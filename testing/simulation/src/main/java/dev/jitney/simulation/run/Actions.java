package dev.jitney.simulation.run;

import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.model.entity.AskedRule;
import dev.jitney.simulation.model.row.VisibleProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A generator of rules. Many rules have actions of one to three statements, and each action knows its result (RULE-5 to
 * RULE-10).
 */
final class Actions {
    private static final int STATEMENTS_MAX = 3;

    /** The value of a property that exists with a null value. */
    private static final String NULL = "null";

    private Actions() {}

    /**
     * A statement of an action.
     *
     * @param does returns the properties after the statement; null if the statement fails
     */
    private record Statement(String text, Function<VisibleProperties, @Nullable VisibleProperties> does) {}

    /** Returns a rule with a random filter, and with an action or without one. */
    static AskedRule rule(String name, SeededRandom random) {
        Filters.Made filter = Filters.make(random);
        if (random.perMille(500)) {
            return new AskedRule(new RuleDescription(name, filter.filter(), null), filter.says(), null);
        }
        List<Statement> statements = new ArrayList<>();
        Map<String, RuleValue> parameters = new LinkedHashMap<>();
        int count = 1 + random.below(STATEMENTS_MAX);
        for (int i = 0; i < count; i++) {
            statements.add(statement(random, parameters));
        }
        SqlRuleAction action = new SqlRuleAction(
                String.join("; ", statements.stream().map(Statement::text).toList()), parameters);
        return new AskedRule(
                new RuleDescription(name, filter.filter(), action), filter.says(), visible -> all(statements, visible));
    }

    /** Runs the statements in order, each on the result of the statement before it (RULE-10). */
    private static @Nullable VisibleProperties all(List<Statement> statements, VisibleProperties sent) {
        VisibleProperties visible = sent;
        for (Statement statement : statements) {
            visible = visible == null ? null : statement.does.apply(visible);
        }
        return visible;
    }

    private static Statement statement(SeededRandom random, Map<String, RuleValue> parameters) {
        int k = random.below(4);
        return switch (random.below(15)) {
            case 0 -> setting("mark", "'mark-" + k + "'", visible -> "string mark-" + k);
            case 1 -> setting("N", String.valueOf(k + 7), visible -> "long " + (k + 7)); // FILTER-5, FILTER-13
            case 2 -> setting("copied", "n", visible -> visible.get("n") == null ? NULL : visible.get("n"));
            case 3 -> setting("Sum", "n + " + k, visible -> reckoned(visible, n -> "long " + (n + k)));
            case 4 -> new Statement("REMOVE n", visible -> visible.without("n"));
            case 5 -> setting("sys.Label", "'label-" + k + "'", visible -> "string label-" + k);
            case 6 -> setting("sys.CorrelationId", "sys.MessageId", visible -> visible.get("sys.messageid"));
            case 7 -> setting("sys.CorrelationId", "'c-" + k + "'", visible -> "string c-" + k);
            case 8 -> setting("sys.SessionId", "'session-" + k + "'", visible -> "string session-" + k);
            case 9 -> setting("mark", "sys.Label", visible -> visible.get("sys.label"));
            case 10 -> new Statement("REMOVE Mark", visible -> visible.without("mark"));
            case 11 ->
                new Statement(
                        "SET RuleName = 'mine'", visible -> visible); // RULE-5: the property has the name of the rule
            case 12 -> {
                parameters.put("@given", new RuleValue(RuleValue.Type.STRING, "given"));
                yield setting("given", "@given", visible -> "string given");
            }
            case 13 -> setting("n", "'no number'", visible -> "string no number");
            default -> setting("part", "6 / n", visible -> reckoned(visible, n -> n == 0 ? null : "long " + 6 / n));
        };
    }

    private static Statement setting(
            String name, String expression, Function<VisibleProperties, @Nullable String> value) {
        String property = name.toLowerCase(Locale.ROOT);
        return new Statement(
                "SET " + name + " = " + expression, visible -> assign(visible, property, value.apply(visible)));
    }

    /**
     * Returns the properties after an assignment. An existing property keeps its type (RULE-7). Returns null if the
     * value is null or does not convert to that type.
     */
    private static @Nullable VisibleProperties assign(
            VisibleProperties visible, String property, @Nullable String value) {
        String before = visible.get(property);
        if (value == null) {
            return null;
        } else if (before == null || before.equals(NULL) || value.equals(NULL)) {
            return visible.with(property, value);
        } else if (isText(before)) {
            return visible.with(property, "string " + textOf(value));
        }
        return isText(value)
                ? null
                : visible.with(property, before.substring(0, before.indexOf(' ') + 1) + textOf(value));
    }

    private static boolean isText(String value) {
        return value.startsWith("string ");
    }

    private static String textOf(String value) {
        return value.substring(value.indexOf(' ') + 1);
    }

    /**
     * Returns the result of a calculation with n: null if n is missing (FILTER-8), {@link #NULL} if n is not a number
     * (FILTER-18).
     */
    private static @Nullable String reckoned(VisibleProperties visible, IntFunction<@Nullable String> sum) {
        String n = visible.get("n");
        return n == null ? NULL : isText(n) ? null : sum.apply(Integer.parseInt(textOf(n)));
    }
}
