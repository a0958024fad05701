package dev.jitney.cli.access;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerCommand;
import dev.jitney.cli.output.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The base of the commands for access rules, with the option for the owner of the rules. */
abstract class AccessCommand extends ServerCommand {
    @Option(
            names = "--entity",
            paramLabel = "ENTITY",
            description = "The queue or topic that owns the rule (default: the namespace).")
    private @Nullable String entity;

    AccessCommand(Console console) {
        super(console);
    }

    final AccessRules rules(NamespaceClients clients) {
        return new AccessRules(clients, entity);
    }

    /** Returns the owner for people. */
    final String owner() {
        return entity == null ? "the namespace" : "'" + entity + "'";
    }

    /** Returns the option that selects the owner, for commands in notes, with a blank before it. */
    final String ownerOption() {
        return entity == null ? "" : " --entity " + entity;
    }
}
