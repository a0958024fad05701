package dev.jitney.server.cli.cluster;

import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The group of commands {@code jitney cluster}. */
public final class ClusterCommands {
    private ClusterCommands() {}

    /**
     * Returns the commands, which print to these streams.
     *
     * @param noLog switches the log of this process off; called before the first logger is created
     */
    public static CommandLine cluster(PrintStream out, PrintStream err, IVersionProvider version, Runnable noLog) {
        CommandLine cluster = new CommandLine(CommandSpec.create()
                .name("cluster")
                .mixinStandardHelpOptions(true)
                .addSubcommand("try", new CommandLine(new TryCommand(out, err, noLog)))
                .addSubcommand("status", new CommandLine(new StatusCommand(out, err)))
                .addSubcommand("verify", new CommandLine(new VerifyCommand(out, err)))
                .addSubcommand("lead", new CommandLine(new LeadCommand(out, err)))
                .addSubcommand("add", new CommandLine(new AddCommand(out, err)))
                .addSubcommand("remove", new CommandLine(new RemoveCommand(out, err)))
                .addSubcommand("upgrade", new CommandLine(new UpgradeCommand(out, err)))
                .addSubcommand("apply", new CommandLine(new ApplyCommand(out, err)))
                .addSubcommand("certificates", new CommandLine(new CertificatesCommand(out, err)))
                .usageMessage(new UsageMessageSpec()
                        .autoWidth(true)
                        .description(
                                "Shows and controls a cluster of Jitney servers. Three servers, called nodes, keep the same"
                                        + " messages: one of them leads and serves all clients, the other two follow it and"
                                        + " pass the bytes of their clients to it. If a node is lost, the other two continue"
                                        + " without it.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney cluster try                  starts three nodes, kills the leader, and shows",
                                "                                      what a client sees",
                                "  jitney cluster status               shows the members of a cluster",
                                "  jitney cluster verify               compares the data of all members",
                                "  jitney cluster lead b               makes the node b the leader",
                                "  jitney cluster add d=broker-4:7400  adds a node",
                                "  jitney cluster remove c             removes a node",
                                "  jitney cluster upgrade              completes the upgrade to another release",
                                "  jitney cluster apply config.json    applies a configuration file again",
                                "  jitney cluster certificates --help  explains TLS between nodes")));
        cluster.getCommandSpec().versionProvider(version);
        cluster.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().versionProvider(version));
        return cluster;
    }
}
