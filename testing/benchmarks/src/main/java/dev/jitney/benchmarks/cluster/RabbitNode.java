package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One node of RabbitMQ. Its script replaces itself with the Erlang machine, so that the process is the broker itself. */
final class RabbitNode implements BrokerNode {
    /** The user that RabbitMQ creates, which may connect from this machine only. */
    private static final String USER = "guest";

    private final RabbitPrograms programs;
    private final String name;
    private final Path data;
    private final int port;
    private final int distributionPort;
    private @Nullable WatchedProcess process;

    RabbitNode(RabbitPrograms programs, String name, Path directory, int port, int distributionPort) {
        this.programs = programs;
        this.name = name;
        this.data = directory.resolve(name);
        this.port = port;
        this.distributionPort = distributionPort;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Endpoint endpoint() {
        return new Endpoint("127.0.0.1", port, false, USER, USER);
    }

    @Override
    public long pid() {
        if (process == null) {
            throw new IllegalStateException("Expected node " + name + " to have been started, but it was not.");
        }
        return process.pid();
    }

    @Override
    public Path data() {
        return data;
    }

    @Override
    public void launch() throws IOException {
        String inside = programs.inside(data);
        ProcessBuilder builder = programs.builder(name, "rabbitmq-server");
        builder.environment()
                .putAll(Map.of(
                        "RABBITMQ_NODE_IP_ADDRESS",
                        "127.0.0.1",
                        "RABBITMQ_NODE_PORT",
                        String.valueOf(port),
                        "RABBITMQ_DIST_PORT",
                        String.valueOf(distributionPort),
                        "RABBITMQ_MNESIA_BASE",
                        inside,
                        "RABBITMQ_LOG_BASE",
                        inside,
                        "RABBITMQ_PID_FILE",
                        inside + ".pid",
                        // Without this, a shell stays between this process and the broker.
                        "RABBITMQ_ALLOW_INPUT",
                        "true"));
        process = WatchedProcess.start(builder, line -> {}, () -> {});
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    @Override
    public void kill() throws InterruptedException {
        if (process != null) {
            process.close();
        }
    }

    /** Returns the last lines of its error output, or an empty string. */
    String errors() {
        return process == null ? "" : process.errors();
    }
}
