package dev.jitney.cli.access;

import dev.jitney.cli.access.AccessRules.Key;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney access rotate}, which takes two steps so that clients are never without a valid key. */
@Command(
        name = "rotate",
        description =
                "Rotates the keys of an access rule without an interruption. The first step makes a new secondary key"
                        + " and prints a connection string with it once. Give it to all clients. The second step, --swap,"
                        + " makes it the primary key, and the old key stays valid as the secondary one until you revoke"
                        + " it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney access rotate web --entity orders --to-file web.conn",
            "  jitney access rotate web --entity orders --swap",
            "  jitney access revoke web --entity orders --key secondary"
        })
final class RotateKeys extends AccessCommand {
    @Parameters(index = "0", paramLabel = "RULE", description = "Name of the rule.")
    private String name = "";

    @Option(
            names = "--swap",
            description = "The second step: exchange the keys. Both stay valid, so you can also repeat it to go back.")
    private boolean swap;

    @Mixin
    private SecretOutput secrets = new SecretOutput();

    RotateKeys(Console console) {
        super(console);
    }

    @Override
    protected void run(NamespaceClients clients, OutputFormat format) {
        AccessRules rules = rules(clients);
        AccessRules.Rule rule = rules.all().get(name);
        if (rule == null) {
            throw new Failure(
                    Failure.NOT_FOUND,
                    "There is no access rule '" + name + "' of " + owner() + ". To see all: jitney access list"
                            + ownerOption());
        }
        if (swap) {
            rules.swap(rule.name());
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("accessRule", rule.name());
            document.put("swapped", true);
            Report.single(console().out(), format, document);
            console()
                    .note("The old key is still valid, as the secondary key. To end it: jitney access revoke "
                            + rule.name() + ownerOption() + " --key secondary");
            return;
        }
        try {
            secrets.reserve(rule.name(), "");
            rules.renew(rule.name(), Key.SECONDARY);
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("accessRule", rule.name());
            document.put("key", Key.SECONDARY.word());
            document.putAll(secrets.put(rule.name(), rules.connectionString(rule.name(), Key.SECONDARY)));
            Report.single(console().out(), format, document);
        } finally {
            secrets.discard();
        }
        console()
                .note("Give this connection string to all clients, and then: jitney access rotate " + rule.name()
                        + ownerOption() + " --swap");
    }
}
