package dev.jitney.comparison.broker;

import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Apache ActiveMQ Artemis from its binary distribution. Its own command creates an instance, chooses the kind of
 * journal and measures the disk; {@link ArtemisConfig} makes the later changes.
 */
public final class ArtemisBroker implements Broker {
    static final String NAME = "Artemis";
    private static final Pattern VERSION = Pattern.compile("apache-artemis-(.+)");
    private static final String USER = "bench";
    private static final long CREATE_MS = 120_000;

    private final String version;
    private final Path instance;
    private final String created;

    private ArtemisBroker(String version, Path instance, String created) {
        this.version = version;
        this.instance = instance;
        this.created = created;
    }

    /**
     * Creates an instance.
     *
     * @param home directory of the distribution
     * @param instance directory that does not exist yet
     * @throws IOException if the distribution is missing or does not create an instance
     */
    public static ArtemisBroker create(Path home, Path instance) throws IOException, InterruptedException {
        Matcher name = VERSION.matcher(String.valueOf(home.getFileName()));
        Path command = home.resolve("bin").resolve("artemis");
        if (!name.matches() || !Files.isExecutable(command)) {
            throw new IOException(
                    "Expected the folder apache-artemis-VERSION of a binary distribution of Artemis, but got " + home
                            + ".");
        }
        ProcessBuilder builder = new ProcessBuilder(
                command.toString(),
                "create",
                instance.toString(),
                "--silent",
                "--name=bench",
                "--user=" + USER,
                "--password=" + USER,
                "--require-login",
                "--host=127.0.0.1",
                "--no-web",
                "--no-mqtt-acceptor",
                "--no-stomp-acceptor",
                "--no-hornetq-acceptor");
        StringBuffer said = new StringBuffer();
        try (WatchedProcess creating = launch(builder, line -> said.append(line).append('\n'))) {
            if (!creating.awaitExit(CREATE_MS) || creating.awaitExit() != 0) {
                throw new IOException(
                        "Expected Artemis to create an instance, but it printed: " + said + creating.errors());
            }
        }
        return new ArtemisBroker(name.group(1), instance, Files.readString(configuration(instance)));
    }

    private static Path configuration(Path instance) {
        return instance.resolve("etc").resolve("broker.xml");
    }

    private static WatchedProcess launch(ProcessBuilder builder, Consumer<String> line) throws IOException {
        // every broker runs on the JVM of this process
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().keySet().removeIf(name -> name.startsWith("ARTEMIS_") || name.equals("JAVA_ARGS"));
        return WatchedProcess.start(builder, line, () -> {});
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public List<String> settings() {
        return ArtemisConfig.settings(created);
    }

    @Override
    public BrokerServer prepare(Path directory, Entities entities, String heap) throws IOException {
        int port = freePort();
        Path data = directory.resolve("data");
        Files.writeString(configuration(instance), ArtemisConfig.adapt(created, data, port, entities));
        Path profile = instance.resolve("etc").resolve("artemis.profile");
        Files.writeString(profile, Files.readString(profile).replaceAll("-Xmx\\w+", "-Xmx" + heap));
        return new Server(instance, data, new Endpoint("127.0.0.1", port, false, USER, USER));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** A server on one directory. */
    private static final class Server implements BrokerServer {
        private static final int LINES_KEPT = 50;

        private final Path instance;
        private final Path data;
        private final Endpoint endpoint;
        private final Deque<String> lines = new ArrayDeque<>();
        private @Nullable WatchedProcess current;

        Server(Path instance, Path data, Endpoint endpoint) {
            this.instance = instance;
            this.data = data;
            this.endpoint = endpoint;
        }

        @Override
        public void launch() throws IOException {
            close();
            current = ArtemisBroker.launch(
                    new ProcessBuilder(
                            instance.resolve("bin").resolve("artemis").toString(), "run"),
                    this::keep);
        }

        private void keep(String line) {
            synchronized (lines) {
                lines.add(line);
                if (lines.size() > LINES_KEPT) {
                    lines.remove();
                }
            }
        }

        @Override
        public Endpoint endpoint() {
            return endpoint;
        }

        @Override
        public WatchedProcess process() {
            if (current == null) {
                throw new IllegalStateException("Expected a launched server, but it was not launched.");
            }
            return current;
        }

        /** Returns the fully qualified name of a queue (Artemis user manual, "Fully Qualified Queue Names"). */
        @Override
        public String subscription(String name) {
            return Entities.TOPIC + "::" + name;
        }

        @Override
        public Path data() {
            return data;
        }

        @Override
        public String said() {
            synchronized (lines) {
                return String.join("\n", lines) + (current == null ? "" : current.errors());
            }
        }

        @Override
        public void close() {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }
}
