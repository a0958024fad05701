package dev.jitney.cli.access;

import dev.jitney.cli.output.Console;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands {@code jitney access list|create|rotate|revoke}. */
public final class AccessCommands {
    private AccessCommands() {}

    public static CommandLine access(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("access")
                .addSubcommand("list", new CommandLine(new ListRules(console)))
                .addSubcommand("create", new CommandLine(new CreateRule(console)))
                .addSubcommand("rotate", new CommandLine(new RotateKeys(console)))
                .addSubcommand("revoke", new CommandLine(new RevokeRule(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description(
                                "Lists, creates and revokes the access rules of a namespace, queue or topic of a Jitney"
                                        + " server, and rotates their keys. The connection string needs Manage.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney access list --entity orders",
                                "  jitney access create web --rights Send --entity orders --to-file web.conn",
                                "  jitney access rotate web --entity orders          makes a new secondary key",
                                "  jitney access rotate web --entity orders --swap   makes it the primary key",
                                "  jitney access revoke web --entity orders --key secondary    ends the old key",
                                "  jitney access revoke web --entity orders          deletes the rule")));
    }
}
