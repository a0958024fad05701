package dev.jitney.cli;

import dev.jitney.cli.connection.ConnectionOptions;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code jitney version}, also written {@code jitney --version} with connection options. It prints the version of the program,
 * then the version of a server. A server reports its version to clients with Manage on the first namespace.
 */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        description = "Prints the versions of this program and of a Jitney server.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney version                                 this program and a server on this machine",
            "  jitney version --admin-url http://broker:5300",
            "  jitney --version                               this program only"
        })
final class VersionCommand implements Callable<Integer> {
    private static final String STORES = "/$stores";

    private final Console console;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    VersionCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        for (String line : new VersionProvider().getVersion()) {
            console.out().println(line);
        }
        console.out().flush();
        try (NamespaceClients clients = connection.open(console)) {
            @Nullable Object version = clients.server().get(STORES).get("version");
            if (version == null) {
                throw new Failure(
                        Failure.FAULT,
                        "Expected a server of version 0.2.0 or later, but this one does"
                                + " not report its version. Upgrade the server.");
            }
            console.out().println("server " + version);
            return 0;
        }
    }
}
