package dev.jitney.simulation.run;

import dev.jitney.model.RuleDescription;
import dev.jitney.model.RuleValue;
import dev.jitney.model.SqlRuleAction;
import dev.jitney.simulation.Chance;
import dev.jitney.simulation.model.AskedRule;
import dev.jitney.simulation.model.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Rules, many of them with actions of one to three statements, and what those make of a message (RULE-5 to RULE-10). */
final class Actions {
    private static final int STATEMENTS_MAX = 3;

    /** A property that is there and has no value. */
    private static final String NULL = "null";

    private Actions() {}

    /**
     * A statement.
     *
     * @param does what it makes of a message; null if it fails
     */
    private record Statement(String text, Function<Look, @Nullable Look> does) {}

    /** A rule of any filter, with an action or none. */
    static AskedRule rule(String name, Chance chance) {
        Filters.Made filter = Filters.make(chance);
        if (chance.perMille(500)) {
            return new AskedRule(new RuleDescription(name, filter.filter(), null), filter.says(), null);
        }
        List<Statement> statements = new ArrayList<>();
        Map<String, RuleValue> parameters = new LinkedHashMap<>();
        int count = 1 + chance.below(STATEMENTS_MAX);
        for (int i = 0; i < count; i++) {
            statements.add(statement(chance, parameters));
        }
        SqlRuleAction action = new SqlRuleAction(
                String.join("; ", statements.stream().map(Statement::text).toList()), parameters);
        return new AskedRule(
                new RuleDescription(name, filter.filter(), action), filter.says(), look -> all(statements, look));
    }

    /** One after the other, each on what those before it have made (RULE-10). */
    private static @Nullable Look all(List<Statement> statements, Look sent) {
        Look look = sent;
        for (Statement statement : statements) {
            look = look == null ? null : statement.does.apply(look);
        }
        return look;
    }

    private static Statement statement(Chance chance, Map<String, RuleValue> parameters) {
        int k = chance.below(4);
        return switch (chance.below(15)) {
            case 0 -> setting("mark", "'mark-" + k + "'", look -> "string mark-" + k);
            case 1 -> setting("N", String.valueOf(k + 7), look -> "long " + (k + 7)); // FILTER-5, FILTER-13
            case 2 -> setting("copied", "n", look -> look.get("n") == null ? NULL : look.get("n"));
            case 3 -> setting("Sum", "n + " + k, look -> reckoned(look, n -> "long " + (n + k)));
            case 4 -> new Statement("REMOVE n", look -> look.without("n"));
            case 5 -> setting("sys.Label", "'label-" + k + "'", look -> "string label-" + k);
            case 6 -> setting("sys.CorrelationId", "sys.MessageId", look -> look.get("sys.messageid"));
            case 7 -> setting("sys.CorrelationId", "'c-" + k + "'", look -> "string c-" + k);
            case 8 -> setting("sys.SessionId", "'session-" + k + "'", look -> "string session-" + k);
            case 9 -> setting("mark", "sys.Label", look -> look.get("sys.label"));
            case 10 -> new Statement("REMOVE Mark", look -> look.without("mark"));
            case 11 -> new Statement("SET RuleName = 'mine'", look -> look); // RULE-5: it says the name of the rule
            case 12 -> {
                parameters.put("@given", new RuleValue(RuleValue.Type.STRING, "given"));
                yield setting("given", "@given", look -> "string given");
            }
            case 13 -> setting("n", "'no number'", look -> "string no number");
            default -> setting("part", "6 / n", look -> reckoned(look, n -> n == 0 ? null : "long " + 6 / n));
        };
    }

    private static Statement setting(String name, String expression, Function<Look, @Nullable String> value) {
        String property = name.toLowerCase(Locale.ROOT);
        return new Statement("SET " + name + " = " + expression, look -> assign(look, property, value.apply(look)));
    }

    /** RULE-7: a property that is there keeps its type; null if the value cannot be of that type, or if there is none. */
    private static @Nullable Look assign(Look look, String property, @Nullable String value) {
        String before = look.get(property);
        if (value == null) {
            return null;
        } else if (before == null || before.equals(NULL) || value.equals(NULL)) {
            return look.with(property, value);
        } else if (isText(before)) {
            return look.with(property, "string " + textOf(value));
        }
        return isText(value) ? null : look.with(property, before.substring(0, before.indexOf(' ') + 1) + textOf(value));
    }

    private static boolean isText(String value) {
        return value.startsWith("string ");
    }

    private static String textOf(String value) {
        return value.substring(value.indexOf(' ') + 1);
    }

    /** What comes of n: null if that is not there (FILTER-8), nothing if it is no number (FILTER-18). */
    private static @Nullable String reckoned(Look look, IntFunction<@Nullable String> sum) {
        String n = look.get("n");
        return n == null ? NULL : isText(n) ? null : sum.apply(Integer.parseInt(textOf(n)));
    }
}
