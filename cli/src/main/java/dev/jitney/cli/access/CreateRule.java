package dev.jitney.cli.access;

import dev.jitney.cli.access.AccessRules.Key;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney access create}. */
@Command(
        name = "create",
        description =
                "Creates an access rule with two new keys, and prints a connection string with the primary key once.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney access create web --rights Send --entity orders --to-file web.conn",
            "  jitney access create shop --rights Send,Listen --per-right      makes shop-send and shop-listen",
        })
final class CreateRule extends AccessCommand {
    private static final int NAME_CHARACTERS_MAX = 240; // RULE-manage has 256 at most

    @Parameters(index = "0", paramLabel = "RULE", description = "Name of the new rule.")
    private String name = "";

    @Option(
            names = "--rights",
            required = true,
            paramLabel = "RIGHT",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Rights of the rule: Listen, Send, or Manage, which includes both.")
    private List<String> rights = List.of();

    @Option(
            names = "--per-right",
            description = "Create one rule for each right, with a connection string of its own: RULE-send, RULE-listen,"
                    + " RULE-manage. With --to-file, the files have the same endings.")
    private boolean perRight;

    @Mixin
    private SecretOutput secrets = new SecretOutput();

    CreateRule(Console console) {
        super(console);
    }

    @Override
    protected void check() {
        AccessRights.parse(rights);
        if (name.isEmpty()
                || name.length() > NAME_CHARACTERS_MAX
                || name.chars().anyMatch(c -> c < ' ' || c == ';')) {
            throw Failure.badOption("RULE: Expected 1 to " + NAME_CHARACTERS_MAX
                    + " printable characters without ';', which ends a part of a connection string.");
        }
    }

    @Override
    protected void run(NamespaceClients clients, OutputFormat format) {
        AccessRules rules = rules(clients);
        List<AccessRules.Rule> wanted = wanted();
        Map<String, AccessRules.Rule> existing = rules.all();
        for (AccessRules.Rule rule : wanted) {
            if (existing.containsKey(rule.name())) {
                throw new Failure(
                        Failure.CONFLICT,
                        "The access rule '" + rule.name() + "' of " + owner()
                                + " already exists. For a new key: jitney access rotate " + rule.name()
                                + ownerOption());
            }
        }
        try {
            for (AccessRules.Rule rule : wanted) {
                secrets.reserve(rule.name(), rule.name().substring(name.length()));
            }
            for (AccessRules.Rule rule : wanted) {
                create(rules, rule, format);
            }
        } finally {
            secrets.discard();
        }
    }

    private List<AccessRules.Rule> wanted() {
        List<String> parsed = AccessRights.parse(rights);
        if (!perRight) {
            return List.of(new AccessRules.Rule(name, parsed));
        }
        List<AccessRules.Rule> wanted = new ArrayList<>();
        for (String right : parsed) {
            wanted.add(new AccessRules.Rule(AccessRights.ruleFor(name, right), List.of(right)));
        }
        return wanted;
    }

    private void create(AccessRules rules, AccessRules.Rule rule, OutputFormat format) {
        rules.create(rule.name(), rule.rights());
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("accessRule", rule.name());
        document.put("rights", format == OutputFormat.JSON ? rule.rights() : String.join(", ", rule.rights()));
        document.putAll(secrets.put(rule.name(), rules.connectionString(rule.name(), Key.PRIMARY)));
        Report.single(console().out(), format, document);
    }
}
