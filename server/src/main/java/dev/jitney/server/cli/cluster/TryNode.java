package dev.jitney.server.cli.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One node of the demonstration: a process of this program with a directory of its own. Used by one thread. */
final class TryNode {
    private static final String MAIN = "dev.jitney.server.cli.JitneyCli";
    private static final int LINES_SHOWN = 15;
    private static final long END_SECONDS = 20;

    private final String name;
    private final Path directory;
    private final int raftPort;
    private final int nodePort;
    private final int clientPort;
    private @Nullable Process process;

    TryNode(String name, Path directory, int raftPort, int nodePort, int clientPort) {
        this.name = name;
        this.directory = directory;
        this.raftPort = raftPort;
        this.nodePort = nodePort;
        this.clientPort = clientPort;
    }

    String name() {
        return name;
    }

    NodeAddress nodePort() {
        return new NodeAddress("127.0.0.1", nodePort);
    }

    int clientPort() {
        return clientPort;
    }

    /** Returns the member as an element of {@code --cluster-nodes}. */
    String member() {
        return name + "=127.0.0.1:" + raftPort + ":" + nodePort;
    }

    /** Returns the arguments of {@code jitney} that start this node. */
    List<String> arguments(String members) {
        return List.of(
                "server",
                "--data-dir",
                directory.resolve("data").toString(),
                "--port",
                String.valueOf(clientPort),
                "--cluster-nodes",
                members,
                "--cluster-node",
                name);
    }

    /** Starts the process. Its output goes to a file. */
    void start(String members) throws IOException {
        Files.createDirectories(directory);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Three servers start on one machine, so a fast start matters more than the highest throughput.
        command.addAll(
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"));
        int version = Runtime.version().feature();
        if (version >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        if (version >= 24) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments(members));
        File log = log().toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        // Settings of the user's own servers are not for these.
        builder.environment().keySet().removeIf(variable -> variable.startsWith("JITNEY_"));
        process = builder.start();
        process.getOutputStream().close();
    }

    /** Kills the process with SIGKILL, as a crash of its machine would, and waits for its end. */
    void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    /** Sends SIGTERM to the process. */
    void stop() {
        Process running = process;
        if (running != null) {
            running.destroy();
        }
    }

    /** Waits for the end of the process after {@link #stop}, for a limited time. */
    void awaitEnd() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.waitFor(END_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Kills the process without waiting, from any thread. */
    void end() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    long pid() {
        Process running = process;
        return running == null ? -1 : running.pid();
    }

    Path log() {
        return directory.resolve("jitney.log");
    }

    /** Returns the end of the log. */
    String lastLines() {
        try {
            List<String> lines = new String(Files.readAllBytes(log()), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return "Its log cannot be read: " + e.getMessage();
        }
    }
}
