package dev.jitney.server.config;

import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.server.config.SubscriptionConfig.RuleConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of the rules of subscriptions (HTTP reference 4.1). */
final class RuleReader {
    private static final int MAX_RULES = 100_000;
    private static final int MAX_SQL_CHARACTERS = 1_024;
    private static final int EMULATOR_RULES = 1_000;

    private final boolean strict;

    RuleReader(boolean strict) {
        this.strict = strict;
    }

    /** Returns the rules, or null if the subscription has no member for them. */
    @Nullable
    List<RuleConfig> read(ConfigObject subscription) {
        if (!subscription.has("Rules")) {
            return null;
        }
        EntityNames names = new EntityNames();
        List<RuleConfig> rules = new ArrayList<>();
        for (ConfigObject rule : subscription.objects("Rules", strict ? EMULATOR_RULES : MAX_RULES)) {
            rules.add(rule(rule, names));
        }
        return rules;
    }

    private static RuleConfig rule(ConfigObject rule, EntityNames names) {
        String name = names.child(rule, true);
        ConfigObject p = rule.requiredObject("Properties");
        String type = p.requiredText("FilterType");
        RuleFilter filter = switch (type.toLowerCase(Locale.ROOT)) {
            case "sql" -> new SqlRuleFilter(sql(p.requiredObject("SqlFilter")), Map.of());
            case "correlation" -> correlation(p.requiredObject("CorrelationFilter"));
            default -> throw p.invalid("FilterType", "Expected Correlation or Sql, but got '" + type + "'.");
        };
        // An emulator file may also contain the object of the other filter type; {@code FilterType} decides.
        p.object("SqlFilter");
        p.object("CorrelationFilter");
        ConfigObject action = p.object("Action");
        SqlRuleAction changes = action != null && action.size() > 0 ? new SqlRuleAction(sql(action), Map.of()) : null;
        p.warnOfUnknown();
        rule.warnOfUnknown();
        return new RuleConfig(rule.path(), new RuleDescription(name, filter, changes));
    }

    private static String sql(ConfigObject holder) {
        String expression = holder.requiredText("SqlExpression");
        if (expression.isBlank() || expression.length() > MAX_SQL_CHARACTERS) {
            throw holder.invalid(
                    "SqlExpression",
                    "Expected 1 to " + MAX_SQL_CHARACTERS + " characters, but got " + expression.length() + ".");
        }
        holder.warnOfUnknown();
        return expression;
    }

    private static CorrelationRuleFilter correlation(ConfigObject filter) {
        ConfigObject properties = filter.object("Properties");
        Map<String, RuleValue> values = new LinkedHashMap<>();
        if (properties != null) {
            for (String name : properties.allNames()) {
                values.put(name, properties.value(name));
            }
        }
        CorrelationRuleFilter correlation = new CorrelationRuleFilter(
                filter.text("CorrelationId"),
                filter.text("MessageId"),
                filter.text("To"),
                filter.text("ReplyTo"),
                filter.text("Label"),
                filter.text("SessionId"),
                filter.text("ReplyToSessionId"),
                filter.text("ContentType"),
                values);
        if (correlation.isEmpty()) {
            throw new InvalidValue(filter.path(), "Expected at least one condition, but got none.");
        }
        filter.warnOfUnknown();
        return correlation;
    }
}
