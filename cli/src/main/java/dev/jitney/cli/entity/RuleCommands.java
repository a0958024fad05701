package dev.jitney.cli.entity;

import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.RuleAction;
import com.azure.messaging.servicebus.administration.models.RuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code jitney rule create|show|update|list|delete}. */
public final class RuleCommands {
    private static final List<Column> COLUMNS =
            List.of(new Column("NAME", "name"), new Column("FILTER", "filter"), new Column("ACTION", "action"));

    private RuleCommands() {}

    public static CommandLine rule(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("rule")
                .addSubcommand("create", new CommandLine(new Create(console)))
                .addSubcommand("show", new CommandLine(new Show(console)))
                .addSubcommand("update", new CommandLine(new Update(console)))
                .addSubcommand("list", new CommandLine(new ListAll(console)))
                .addSubcommand("delete", new CommandLine(new Delete(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Creates, shows, changes, lists and deletes the rules of a subscription.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney rule create events billing large --sql \"amount > 1000\"",
                                "  jitney rule create events billing europe --correlation region=eu --action \"SET"
                                        + " checked = true\"",
                                "  jitney rule delete events billing '$Default' --yes",
                                "",
                                "A new subscription has the rule $Default, which accepts every message. Delete it if"
                                        + " you add other rules.")));
    }

    /** The base of the commands on the rules of a subscription. */
    abstract static class RulesCommand extends EntityCommand {
        @Parameters(index = "0", paramLabel = "TOPIC")
        private String topic = "";

        @Parameters(index = "1", paramLabel = "SUBSCRIPTION")
        private String subscription = "";

        RulesCommand(Console console) {
            super(console);
        }

        final String topic() {
            return topic;
        }

        final String subscription() {
            return subscription;
        }

        final Map<String, @Nullable Object> document(RuleProperties rule) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("topicName", topic);
            document.put("subscriptionName", subscription);
            document.putAll(Rules.description(rule));
            return document;
        }
    }

    private static Map<String, @Nullable Object> readable(Map<String, @Nullable Object> rule) {
        if (rule.get("filter") instanceof Map<?, ?> filter) {
            rule.put("filter", Rules.readable(filter));
        }
        if (rule.get("action") instanceof Map<?, ?> action) {
            rule.put("action", action.get("sqlExpression"));
        }
        return rule;
    }

    /** The base of the commands on one rule. */
    abstract static class RuleCommand extends RulesCommand {
        @Parameters(index = "2", paramLabel = "RULE")
        private String rule = "";

        RuleCommand(Console console) {
            super(console);
        }

        final String rule() {
            return rule;
        }

        final <T> T onRule(Supplier<T> call) {
            return on(called(), "rule", call);
        }

        final String called() {
            return "rule '" + rule + "' of subscription '" + topic() + "/" + subscription() + "'";
        }
    }

    @Command(name = "create", description = "Creates a rule. Without a filter it accepts every message.")
    static final class Create extends RuleCommand {
        @Mixin
        private RuleOptions rule = new RuleOptions();

        Create(Console console) {
            super(console);
        }

        @Override
        void check() {
            rule.filter();
            rule.action();
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            RuleFilter filter = rule.filter();
            CreateRuleOptions options = new CreateRuleOptions(filter == null ? new TrueRuleFilter() : filter);
            RuleAction action = rule.action();
            if (action != null) {
                options.setAction(action);
            }
            RuleProperties created = onRule(() -> client.createRule(topic(), rule(), subscription(), options));
            Report.single(console().out(), format, document(created));
        }
    }

    @Command(name = "show", description = "Shows a rule.")
    static final class Show extends RuleCommand {
        Show(Console console) {
            super(console);
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            RuleProperties found = onRule(() -> client.getRule(topic(), subscription(), rule()));
            Report.single(console().out(), format, document(found));
        }
    }

    @Command(name = "update", description = "Changes the filter, the action, or both.")
    static final class Update extends RuleCommand {
        @Mixin
        private RuleOptions rule = new RuleOptions();

        Update(Console console) {
            super(console);
        }

        @Override
        void check() {
            RuleFilter filter = rule.filter();
            if (filter == null && rule.action() == null) {
                throw Failure.badOption("Expected at least one of --sql, --correlation, --match-all,"
                        + " --match-none and --action, but got none.");
            }
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            RuleProperties updated = onRule(() -> {
                RuleProperties found = client.getRule(topic(), subscription(), rule());
                RuleFilter filter = rule.filter();
                if (filter != null) {
                    found.setFilter(filter);
                }
                RuleAction action = rule.action();
                if (action != null) {
                    found.setAction(action);
                }
                return client.updateRule(topic(), subscription(), found);
            });
            Report.single(console().out(), format, document(updated));
        }
    }

    @Command(name = "list", description = "Lists the rules of a subscription.")
    static final class ListAll extends RulesCommand {
        ListAll(Console console) {
            super(console);
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            try (Report report = Report.of(console().out(), format, COLUMNS)) {
                on("subscription '" + topic() + "/" + subscription() + "'", "subscription", () -> {
                    client.listRules(topic(), subscription())
                            .forEach(rule -> report.add(
                                    format == OutputFormat.JSON ? document(rule) : readable(document(rule))));
                    return true;
                });
            }
        }
    }

    @Command(name = "delete", description = "Deletes a rule.")
    static final class Delete extends RuleCommand {
        @Option(names = "--if-there", description = "Do nothing if the rule does not exist.")
        private boolean ifThere;

        @Mixin
        private Confirmation confirmation = new Confirmation();

        Delete(Console console) {
            super(console);
        }

        @Override
        void check() {
            confirmation.check(console(), "delete " + called());
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            String done = onRule(() -> {
                try {
                    if (!confirmation.given() && !confirmation.ask(console(), question(client))) {
                        return "";
                    }
                    client.deleteRule(topic(), subscription(), rule());
                    return "Deleted rule '" + rule() + "'.";
                } catch (ResourceNotFoundException e) {
                    if (ifThere) {
                        return "There was no rule '" + rule() + "'.";
                    }
                    throw e;
                }
            });
            if (!done.isEmpty()) {
                console().note(done);
            }
        }

        private String question(ServiceBusAdministrationClient client) {
            client.getRule(topic(), subscription(), rule()); // fails without a question if the rule does not exist
            long others = client.listRules(topic(), subscription()).stream().count() - 1;
            return "Delete " + called() + " in " + namespace() + "? "
                    + (others < 1
                            ? "It is the last rule. Without a rule the subscription receives no messages."
                            : EntityType.counted(others, "other rule") + (others == 1 ? " remains." : " remain."));
        }
    }
}
