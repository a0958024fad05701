package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.fails;
import static dev.jitney.testing.track1.Check.same;
import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.management.SubscriptionDescription;
import com.microsoft.azure.servicebus.primitives.MessagingEntityAlreadyExistsException;
import com.microsoft.azure.servicebus.primitives.MessagingEntityNotFoundException;
import com.microsoft.azure.servicebus.rules.CorrelationFilter;
import com.microsoft.azure.servicebus.rules.FalseFilter;
import com.microsoft.azure.servicebus.rules.RuleDescription;
import com.microsoft.azure.servicebus.rules.SqlFilter;
import com.microsoft.azure.servicebus.rules.SqlRuleAction;
import com.microsoft.azure.servicebus.rules.TrueFilter;
import java.util.List;
import java.util.Map;

/** Checks of rules, including rules written by another client. */
final class RuleChecks {
    private static final String TOPIC = "t1-rules";

    private RuleChecks() {}

    static void addTo(Map<String, NamedCheck> checks) {
        checks.put("HTTP 2.7: every kind of filter and action is kept", RuleChecks::kinds);
        checks.put("HTTP checklist 46: a subscription with its first rule", RuleChecks::firstRule);
        checks.put("HTTP 2.10: errors of rules", RuleChecks::errors);
        checks.put("HTTP checklist 50: rules written by the other clients are readable", RuleChecks::foreign);
        checks.put("HTTP checklist 50: writes rules for the other clients", RuleChecks::write);
    }

    private static RuleDescription rule(String name, com.microsoft.azure.servicebus.rules.Filter filter) {
        return new RuleDescription(name, filter);
    }

    private static CorrelationFilter correlation() {
        CorrelationFilter filter = new CorrelationFilter();
        filter.setCorrelationId("c-1");
        filter.setMessageId("m");
        filter.setTo("to");
        filter.setReplyTo("reply");
        filter.setLabel("invoice");
        filter.setSessionId("session");
        filter.setReplyToSessionId("reply-session");
        filter.setContentType("text/plain");
        return filter;
    }

    private static void kinds(ManagementClient client) throws Exception {
        client.createTopic(TOPIC);
        client.createSubscription(TOPIC, "s");
        RuleDescription sql = rule("sql", new SqlFilter("colour = 'red' AND n < 5"));
        sql.setAction(new SqlRuleAction("SET colour = 'blue'"));
        for (RuleDescription wanted : List.of(
                sql,
                rule("correlation", correlation()),
                rule("true", TrueFilter.DEFAULT),
                rule("false", FalseFilter.DEFAULT))) {
            client.createRule(TOPIC, "s", wanted);
            RuleDescription read = client.getRule(TOPIC, "s", wanted.getName());
            same(wanted.getName(), read.getName(), "the name");
            same(wanted.getFilter().getClass(), read.getFilter().getClass(), "the kind of filter");
            same(wanted.getFilter(), read.getFilter(), "the filter");
            same(wanted.getAction(), read.getAction(), "the action");
        }
        same(
                List.of("$Default", "correlation", "false", "sql", "true"),
                client.getRules(TOPIC, "s").stream()
                        .map(RuleDescription::getName)
                        .toList(),
                "the rules in order");
        RuleDescription changed = client.getRule(TOPIC, "s", "sql");
        changed.setFilter(correlation());
        changed.setAction(null);
        client.updateRule(TOPIC, "s", changed);
        same(correlation(), client.getRule(TOPIC, "s", "sql").getFilter(), "the filter after an update");
        same(null, client.getRule(TOPIC, "s", "sql").getAction(), "the action after an update");
    }

    private static void firstRule(ManagementClient client) throws Exception {
        client.createTopic("t1-first-rule");
        client.createSubscription(
                new SubscriptionDescription("t1-first-rule", "red"), rule("red-only", new SqlFilter("colour = 'red'")));
        List<RuleDescription> rules = List.copyOf(client.getRules("t1-first-rule", "red"));
        same(List.of("red-only"), rules.stream().map(RuleDescription::getName).toList(), "the rules");
        client.createSubscription("t1-first-rule", "plain");
        that(
                client.getRule("t1-first-rule", "plain", "$Default").getFilter() instanceof TrueFilter,
                "a default rule that selects all messages");
    }

    private static void errors(ManagementClient client) throws Exception {
        client.createTopic("t1-rule-errors");
        client.createSubscription("t1-rule-errors", "s");
        same(false, client.ruleExists("t1-rule-errors", "s", "r"), "exists before creation");
        client.createRule("t1-rule-errors", "s", rule("r", TrueFilter.DEFAULT));
        same(true, client.ruleExists("t1-rule-errors", "s", "r"), "exists");
        fails(
                MessagingEntityAlreadyExistsException.class,
                false,
                "The messaging entity '",
                () -> client.createRule("t1-rule-errors", "s", rule("r", TrueFilter.DEFAULT)));
        client.deleteRule("t1-rule-errors", "s", "r");
        fails(
                MessagingEntityNotFoundException.class,
                false,
                "No service",
                () -> client.deleteRule("t1-rule-errors", "s", "r"));
        fails(
                MessagingEntityNotFoundException.class,
                false,
                "Entity '",
                () -> client.updateRule("t1-rule-errors", "s", rule("r", TrueFilter.DEFAULT)));
        ErrorChecks.refused(
                "", () -> client.createRule("t1-rule-errors", "s", rule("bad", new SqlFilter("colour = = 'red'"))));
        String tooLong = "a = '" + "x".repeat(1019) + "'";
        ErrorChecks.refused("", () -> client.createRule("t1-rule-errors", "s", rule("long", new SqlFilter(tooLong))));
    }

    /**
     * The caller lets other clients write rules in {@code shared-rules}. This client does not support values of
     * properties.
     */
    private static void foreign(ManagementClient client) throws Exception {
        List<RuleDescription> rules = client.getRules("shared-rules", "s");
        that(!rules.isEmpty(), "rules of the other clients");
        for (RuleDescription rule : rules) {
            RuleDescription single = client.getRule("shared-rules", "s", rule.getName());
            same(rule.getFilter().getClass(), single.getFilter().getClass(), "the filter of " + rule.getName());
            if (rule.getName().endsWith("-sql")) {
                same("colour = @c", ((SqlFilter) rule.getFilter()).getSqlExpression(), "the expression");
                same("SET n = @n", ((SqlRuleAction) rule.getAction()).getSqlExpression(), "the action");
            } else if (rule.getName().endsWith("-correlation")) {
                CorrelationFilter filter = (CorrelationFilter) rule.getFilter();
                same("c-1", filter.getCorrelationId(), "CorrelationId of " + rule.getName());
                same("invoice", filter.getLabel(), "Label of " + rule.getName());
            }
        }
    }

    private static void write(ManagementClient client) throws Exception {
        RuleDescription sql = rule("track1-plain", new SqlFilter("colour = 'red'"));
        sql.setAction(new SqlRuleAction("SET n = 5"));
        client.createRule("shared-rules", "s", sql);
        CorrelationFilter filter = new CorrelationFilter();
        filter.setCorrelationId("c-1");
        filter.setLabel("invoice");
        client.createRule("shared-rules", "s", rule("track1-correlation", filter));
        client.createRule("shared-rules", "s", rule("track1-false", FalseFilter.DEFAULT));
    }
}
