package dev.jitney.server.cli.cluster;

import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jitney cluster apply}: applies a configuration file (CL-32). */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Applies a configuration file to a cluster that runs.",
            "",
            "A cluster applies each version of its --config file only once, so that a node with an older file does not revert"
                    + " settings when it leads. This command applies a file again, for example to restore entities, or before"
                    + " the nodes have it. It creates and changes entities, rules and the access rules of namespaces as a"
                    + " start does. Entities that the file does not name stay. Tiers, limits and throttling come from the"
                    + " options of the nodes and are not changed.",
            "",
            "Exit status: 0 = the file was applied, 1 = it was refused, and the message names the reason, 2 = invalid"
                    + " options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {"  jitney cluster apply config.json", "  jitney cluster apply config.json --node broker-1:7401"})
final class ApplyCommand implements Callable<Integer> {
    private static final int BYTES_MAX = 1 << 20;

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(index = "0", paramLabel = "FILE", description = "The configuration file, 1 MiB at most.")
    private Path file = Path.of("");

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    ApplyCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                err.println("jitney: " + file + ": Expected at most 1 MiB, but got " + Files.size(file) + " bytes.");
                return 1;
            }
            out.println(nodes.open().apply(Files.readAllBytes(file)));
            return 0;
        } catch (IOException e) {
            err.println("jitney: " + file + ": Cannot read the file (" + e + ").");
            return 1;
        } catch (NodeException e) {
            err.println("jitney: " + file + " was not applied. " + e.getMessage());
            return 1;
        }
    }
}
