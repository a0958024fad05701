package dev.jitney.benchmarks.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the servers that a command starts itself. */
final class OwnServerOptions {
    @Option(
            names = "--server-java",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the Java machine of the own server, for example \"-Xmx512m\".")
    private List<String> java = new ArrayList<>();

    @Option(
            names = "--server-options",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the own server, for example \"--stores 3\"; see jitney server --help.")
    private List<String> server = new ArrayList<>();

    /**
     * Starts a server.
     *
     * @param queues made by {@link dev.jitney.testing.process.ConfigFile#queue} and its likes
     * @param topics made by {@link dev.jitney.testing.process.ConfigFile#topic}
     */
    OwnServer start(List<String> queues, List<String> topics) throws IOException, InterruptedException {
        return OwnServer.start(queues, topics, java, server);
    }
}
