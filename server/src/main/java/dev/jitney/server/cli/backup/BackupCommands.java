package dev.jitney.server.cli.backup;

import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The group of commands {@code jitney backup}. */
public final class BackupCommands {
    private BackupCommands() {}

    /** Returns the commands, which print to these streams. */
    public static CommandLine backup(PrintStream out, PrintStream err, IVersionProvider version) {
        CommandLine backup = new CommandLine(CommandSpec.create()
                .name("backup")
                .mixinStandardHelpOptions(true)
                .addSubcommand("create", new CommandLine(new CreateCommand(out, err)))
                .addSubcommand("list", new CommandLine(new ListCommand(out, err)))
                .addSubcommand("verify", new CommandLine(new VerifyCommand(out, err)))
                .addSubcommand("prune", new CommandLine(new PruneCommand(out, err)))
                .addSubcommand("restore", new CommandLine(new RestoreCommand(out, err)))
                .usageMessage(new UsageMessageSpec()
                        .autoWidth(true)
                        .description(
                                "Makes backups of a Jitney server, checks them, and makes data directories of them.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney server --backup-dir /backups/jitney",
                                "  jitney backup create --keep 7",
                                "  jitney backup list /backups/jitney",
                                "  jitney backup verify /backups/jitney",
                                "  jitney backup restore /backups/jitney --into ./restored")));
        backup.getCommandSpec().versionProvider(version);
        backup.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().versionProvider(version));
        return backup;
    }
}
