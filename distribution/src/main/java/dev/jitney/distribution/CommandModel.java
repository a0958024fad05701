package dev.jitney.distribution;

import dev.jitney.cli.JitneyCommands;
import dev.jitney.distribution.container.ContainerMain;
import dev.jitney.server.cli.JitneyCli;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All commands of an archive: those of the command line, with the server's own commands in place of the listed ones. */
final class CommandModel {
    private CommandModel() {}

    static CommandSpec all() {
        CommandSpec all = JitneyCommands.model().getCommandSpec();
        CommandSpec server = JitneyCli.model().getCommandSpec();
        for (String name : ContainerMain.SERVER_COMMANDS) {
            all.removeSubcommand(name);
            all.addSubcommand(name, server.subcommands().get(name));
        }
        all.removeSubcommand("bench"); // not in an archive
        return all;
    }

    /** Returns the bash script that completes commands and options. */
    static String bashCompletion() {
        return AutoComplete.bash("jitney", new CommandLine(all()));
    }
}
