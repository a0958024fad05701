package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The programs of an installed RabbitMQ, with a configuration in a directory of their own and a port mapper of their own. So they
 * do not affect other Erlang programs on this machine. Used by one thread.
 */
final class RabbitPrograms implements AutoCloseable {
    private static final String HOST = "localhost";
    private static final String BIN = "usr/lib/rabbitmq/bin";
    private static final long PATIENCE_MINUTES = 3;

    private final Path root;
    private final Path directory;
    private final int mapperPort;
    private final WatchedProcess mapper;

    private RabbitPrograms(Path root, Path directory, int mapperPort) throws IOException {
        this.root = root.toAbsolutePath();
        this.directory = directory.toAbsolutePath();
        this.mapperPort = mapperPort;
        List<String> command = entering();
        command.addAll(List.of("epmd", "-port", String.valueOf(mapperPort), "-address", "127.0.0.1"));
        this.mapper = WatchedProcess.start(new ProcessBuilder(command), line -> {}, () -> {});
    }

    /**
     * Writes the configuration and starts the port mapper of Erlang.
     *
     * @param directory an existing directory inside {@code root}
     */
    static RabbitPrograms start(Path directory, Path root, int mapperPort) throws IOException {
        Path script = root.resolve(BIN).resolve("rabbitmq-server");
        if (!Files.isExecutable(script)) {
            throw new IOException("Expected RabbitMQ, but there is no " + script
                    + ". Install the package rabbitmq-server, or name another system with --rabbitmq-root.");
        }
        Files.writeString(directory.resolve("plugins"), "[rabbitmq_amqp1_0].\n");
        Files.writeString(directory.resolve("environment"), "");
        Files.writeString(
                directory.resolve("rabbitmq.conf"),
                "cluster_formation.peer_discovery_backend = classic_config\n"
                        + "cluster_formation.classic_config.nodes.1 = a@" + HOST + "\n");
        return new RabbitPrograms(root, directory, mapperPort);
    }

    /** Returns the beginning of a command that runs inside the system of RabbitMQ. */
    private List<String> entering() {
        List<String> command = new ArrayList<>();
        if (root.getNameCount() > 0) {
            command.addAll(List.of("chroot", root.toString()));
        }
        return command;
    }

    /** Returns the path of a file as the programs see it. */
    String inside(Path file) {
        return "/" + root.relativize(file.toAbsolutePath());
    }

    /** Returns a command for a node, with the environment that is the same for all commands. */
    ProcessBuilder builder(String node, String program, String... arguments) {
        List<String> command = entering();
        command.add("/" + BIN + "/" + program);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("RABBITMQ_"));
        String inside = inside(directory);
        builder.environment()
                .putAll(Map.of(
                        "HOME",
                        inside,
                        "LC_ALL",
                        "C.UTF-8",
                        "ERL_EPMD_PORT",
                        String.valueOf(mapperPort),
                        "ERL_EPMD_ADDRESS",
                        "127.0.0.1",
                        "RABBITMQ_NODENAME",
                        node + "@" + HOST,
                        "RABBITMQ_CONF_ENV_FILE",
                        inside + "/environment",
                        "RABBITMQ_CONFIG_FILE",
                        inside + "/rabbitmq",
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                        inside + "/plugins"));
        return builder;
    }

    /** Returns the version, such as {@code 4.0.5}. */
    String version() throws IOException, InterruptedException {
        return control("a", "version").strip();
    }

    /** Runs a command of {@code rabbitmqctl} against a node, and returns its output. */
    String control(String node, String... arguments) throws IOException, InterruptedException {
        Path answer = Files.createTempFile(directory, "answer-", ".txt");
        Process process = builder(node, "rabbitmqctl", arguments)
                .redirectErrorStream(true)
                .redirectOutput(answer.toFile())
                .start();
        boolean ended = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
        String text = Files.readString(answer, StandardCharsets.UTF_8);
        Files.delete(answer);
        if (!ended || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(
                    "Expected rabbitmqctl " + String.join(" ", arguments) + " to succeed, but got: " + text);
        }
        return text;
    }

    /** Runs a command as {@link #control} does, and returns its output with a line end, or an empty string if it fails. */
    String tryControl(String node, String... arguments) throws InterruptedException {
        try {
            return control(node, arguments) + System.lineSeparator();
        } catch (IOException notYet) {
            return "";
        }
    }

    @Override
    public void close() {
        mapper.close();
    }
}
