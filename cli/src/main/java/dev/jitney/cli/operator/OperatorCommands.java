package dev.jitney.cli.operator;

import dev.jitney.cli.output.Console;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands {@code jitney message list|show|delete|…} and {@code jitney session list|show|state|…}. */
public final class OperatorCommands {
    private OperatorCommands() {}

    public static CommandLine message(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("message")
                .addSubcommand("list", new CommandLine(new ListMessages(console)))
                .addSubcommand("show", new CommandLine(new ShowMessage(console)))
                .addSubcommand("edit", new CommandLine(new EditMessage(console)))
                .addSubcommand("delete", new CommandLine(new MessageActs.Delete(console)))
                .addSubcommand("dead-letter", new CommandLine(new MessageActs.DeadLetter(console)))
                .addSubcommand("resubmit", new CommandLine(new MessageActs.Resubmit(console)))
                .addSubcommand("move", new CommandLine(new MessageActs.Move(console)))
                .addSubcommand("copy", new CommandLine(new MessageActs.Copy(console)))
                .addSubcommand("deliver-now", new CommandLine(new MessageActs.DeliverNow(console)))
                .addSubcommand("reschedule", new CommandLine(new MessageActs.Reschedule(console)))
                .addSubcommand("unlock", new CommandLine(new MessageActs.Unlock(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Searches for messages on a Jitney server, shows them, and repairs them.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney message list orders --where \"color = 'red' AND amount > 100\"",
                                "  jitney message show orders/dlq 17",
                                "  jitney message edit orders/dlq 17 --body-file repaired.json",
                                "  jitney message resubmit orders --where \"DeadLetterReason = 'Slow'\" --dry-run",
                                "",
                                "The server searches, so no messages are downloaded, locked or delayed. Each",
                                "change of a message is one commit: a message is never lost or sent twice.")));
    }

    public static CommandLine session(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("session")
                .addSubcommand("list", new CommandLine(new ListSessions(console)))
                .addSubcommand("show", new CommandLine(new SessionCommands.Show(console)))
                .addSubcommand("state", new CommandLine(new SessionCommands.State(console)))
                .addSubcommand("clear", new CommandLine(new SessionCommands.Clear(console)))
                .addSubcommand("unlock", new CommandLine(new SessionCommands.Unlock(console)))
                .addSubcommand("resubmit", new CommandLine(new ResubmitSession(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Lists sessions on a Jitney server, shows them, and repairs them.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney session list trips",
                                "  jitney session state trips trip-7",
                                "  jitney session clear trips trip-7 --unlock",
                                "  jitney session resubmit trips trip-7")));
    }
}
