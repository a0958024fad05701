package dev.jitney.cli.access;

import dev.jitney.cli.access.AccessRules.Key;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney access revoke}. */
@Command(
        name = "revoke",
        description = "Deletes an access rule, or replaces one of its keys by a new one that nothing shows. The server"
                + " refuses clients with a revoked key, and closes their links within a second.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney access revoke web --entity orders --yes",
            "  jitney access revoke web --entity orders --key secondary --yes"
        })
final class RevokeRule extends AccessCommand {
    @Parameters(index = "0", paramLabel = "RULE", description = "Name of the rule.")
    private String name = "";

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Revoke only this key, primary or secondary, and keep the rule (default: the whole rule).")
    private @Nullable String key;

    @Mixin
    private Confirmation confirmation = new Confirmation();

    RevokeRule(Console console) {
        super(console);
    }

    private String object() {
        Key one = key();
        return (one == null ? "" : "the " + one.word() + " key of ") + "access rule '" + name + "' of " + owner();
    }

    private @Nullable Key key() {
        if (key == null) {
            return null;
        }
        return switch (key.toLowerCase(Locale.ROOT)) {
            case "primary" -> Key.PRIMARY;
            case "secondary" -> Key.SECONDARY;
            default -> throw Failure.badOption("--key: Expected primary or secondary, but got '" + key + "'.");
        };
    }

    @Override
    protected void check() {
        confirmation.check(console(), "revoke " + object());
    }

    @Override
    protected void run(NamespaceClients clients, OutputFormat format) {
        AccessRules rules = rules(clients);
        if (!confirmation.ask(
                console(), "Revoke " + object() + "? Its clients are refused from now on.", "Nothing was revoked.")) {
            return;
        }
        Key one = key();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("accessRule", name);
        if (one == null) {
            rules.delete(name);
        } else {
            rules.renew(name, one);
            document.put("key", one.word());
        }
        document.put("revoked", true);
        Report.single(console().out(), format, document);
    }
}
