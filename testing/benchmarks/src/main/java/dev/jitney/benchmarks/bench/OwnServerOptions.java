package dev.jitney.benchmarks.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of servers that a command starts. */
public final class OwnServerOptions {
    @Option(
            names = "--server-java",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the JVM of the started server, for example \"-Xmx512m\".")
    private List<String> java = new ArrayList<>();

    @Option(
            names = "--server-options",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the started server, for example \"--stores 3\"; see jitney server --help.")
    private List<String> server = new ArrayList<>();

    /** Returns the options for the JVM. */
    List<String> java() {
        return java;
    }

    /** Returns the options for the server. */
    List<String> server() {
        return server;
    }

    /**
     * Starts a server.
     *
     * @param queues made by methods such as {@link dev.jitney.testing.process.ConfigFile#queue}
     * @param topics made by methods such as {@link dev.jitney.testing.process.ConfigFile#topic}
     */
    public OwnServer start(List<String> queues, List<String> topics) throws IOException, InterruptedException {
        return OwnServer.start(queues, topics, java, server);
    }

    /**
     * Starts a server.
     *
     * @param tls whether clients use TLS, with a certificate of its own
     * @param needed options of the server that the command needs, before those of the user
     */
    public OwnServer startFor(List<String> queues, boolean tls, List<String> needed)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(needed);
        if (tls) {
            options.addAll(List.of("--tls", "auto", OwnServer.AMQPS_PORT, "0"));
        }
        options.addAll(server);
        return OwnServer.start(queues, List.of(), java, options);
    }
}
