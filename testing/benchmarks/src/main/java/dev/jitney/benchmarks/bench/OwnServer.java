package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchRun;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server that runs for one benchmark, on a directory that is deleted with it. */
public final class OwnServer implements OwnBroker {
    public static final int MAX_DELIVERY_COUNT = 2_000;

    /** The option of a server that clients use over TLS. */
    static final String AMQPS_PORT = "--amqps-port";

    private final Path directory;
    private final ServerProcess.Options options;
    private final boolean tls;
    private ServerProcess process;

    private OwnServer(Path directory, ServerProcess.Options options, ServerProcess process, boolean tls) {
        this.tls = tls;
        this.directory = directory;
        this.options = options;
        this.process = process;
    }

    /**
     * Starts a server.
     *
     * @param queues made by the methods of {@link ConfigFile} such as {@link ConfigFile#queue}
     * @param topics made by the methods of {@link ConfigFile} such as {@link ConfigFile#topic}
     */
    public static OwnServer start(
            List<String> queues, List<String> topics, List<String> javaOptions, List<String> serverOptions)
            throws IOException, InterruptedException {
        return start(null, queues, topics, javaOptions, serverOptions);
    }

    /** Starts a server of another version, with the class path of that. */
    public static OwnServer startOf(String classPath, List<String> queues) throws IOException, InterruptedException {
        return start(classPath, queues, List.of(), List.of(), List.of());
    }

    private static OwnServer start(
            @Nullable String classPath,
            List<String> queues,
            List<String> topics,
            List<String> javaOptions,
            List<String> serverOptions)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("jitney-bench-");
        try {
            Path config = ConfigFile.write(directory.resolve("config.json"), queues, topics);
            ServerProcess.Options options = new ServerProcess.Options(directory.resolve("data"))
                    .java(javaOptions.toArray(new String[0]))
                    .server(ConfigFile.options(config))
                    .server("--log-level", "WARN")
                    .server(serverOptions.toArray(new String[0]));
            if (classPath != null) {
                options.classPath(classPath);
            }
            return new OwnServer(directory, options, ServerProcess.start(options), serverOptions.contains(AMQPS_PORT));
        } catch (IOException | InterruptedException | RuntimeException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    /** Ends the process and starts it again on its store. */
    void restart() throws IOException, InterruptedException {
        process.terminate();
        process.close();
        process = ServerProcess.start(options);
    }

    /** Returns the process of the server. */
    public ServerProcess process() {
        return process;
    }

    @Override
    public String address(String queue) {
        return queue;
    }

    @Override
    public BenchRun run(BenchPlan plan, boolean webSocket) {
        Endpoint plainOrTls = tls ? process.tlsEndpoint() : process.endpoint();
        return new BenchRun(plan, webSocket ? process.webSocketEndpoint() : plainOrTls, process.cost());
    }

    @Override
    public void tellErrors(Terminal terminal) {
        String errors = process.errors();
        if (!errors.isEmpty()) {
            terminal.say("The server logged errors:%n%s", errors);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
        Directories.delete(directory);
    }
}
