package dev.jitney.testing.process;

import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A running server, as a process with the class path of this one. Thread-safe.
 *
 * <p>It is ended by {@link #terminate} (SIGTERM), {@link #kill} (SIGKILL) or {@link #close}, and in any case with the
 * Java machine that started it.
 */
public final class ServerProcess implements AutoCloseable {
    private static final String MAIN = "dev.jitney.server.cli.JitneyCli";
    private static final Pattern HTTP = Pattern.compile("http://[^\\s:]+:(\\d+)");
    private static final Pattern HTTPS = Pattern.compile("https://[^\\s:]+:(\\d+)");
    private static final Pattern AMQPS = Pattern.compile("amqps://[^\\s:]+:(\\d+)");
    private static final Pattern SHARED = Pattern.compile(":(\\d+) \\(([a-z, ]+)\\)");
    private static final long STARTUP_SECONDS = 120;

    private final WatchedProcess process;
    private final CompletableFuture<Endpoint> endpoint = new CompletableFuture<>();
    private final CompletableFuture<Integer> httpPort = new CompletableFuture<>();
    private final CompletableFuture<Integer> httpsPort = new CompletableFuture<>();
    private final CompletableFuture<Integer> amqpsPort = new CompletableFuture<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();

    private ServerProcess(ProcessBuilder builder) throws IOException {
        this.process = WatchedProcess.start(builder, this::readOutput, this::outputEnded);
    }

    /** What a server is started with. */
    public static final class Options {
        private final Path dataDir;
        private @Nullable Path launcher;
        private final List<String> java = new ArrayList<>();
        private final List<String> server = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private boolean onePort;
        private int amqpPort;
        private int httpPort;

        /** @param dataDir where it keeps everything */
        public Options(Path dataDir) {
            this.dataDir = dataDir;
        }

        /** Starts the server as a user does, with the script of the source tree or of the distribution. */
        public Options launcher(Path script) {
            launcher = script;
            return this;
        }

        /** Options for the Java machine. */
        public Options java(String... options) {
            java.addAll(List.of(options));
            return this;
        }

        /** Options for the server. */
        public Options server(String... options) {
            server.addAll(List.of(options));
            return this;
        }

        /** A variable of its environment. */
        public Options environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Where it listens; without this on any free ports. */
        public Options ports(int amqp, int http) {
            amqpPort = amqp;
            httpPort = http;
            return this;
        }

        /** One free port for everything: AMQP and HTTP, and both inside TLS where there is a certificate. */
        public Options onePort() {
            onePort = true;
            return this;
        }

        private List<String> command() {
            List<String> command = new ArrayList<>();
            if (launcher == null) {
                addJava(command);
            } else {
                command.add(launcher.toString());
            }
            command.add("server");
            command.addAll(List.of("--data-dir", dataDir.toString()));
            command.addAll(
                    onePort
                            ? List.of("--port", "0")
                            : List.of(
                                    "--amqp-port", String.valueOf(amqpPort), "--http-port", String.valueOf(httpPort)));
            command.addAll(server);
            return command;
        }

        private void addJava(List<String> command) {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-XX:+ExitOnOutOfMemoryError");
            if (Runtime.version().feature() >= 22) {
                command.add("--enable-native-access=ALL-UNNAMED");
            }
            if (Runtime.version().feature() >= 24) {
                command.add("--sun-misc-unsafe-memory-access=allow");
            }
            command.addAll(java);
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(MAIN);
        }

        private ProcessBuilder builder() {
            ProcessBuilder builder = new ProcessBuilder(command());
            builder.environment().keySet().removeIf(name -> name.startsWith("JITNEY_"));
            builder.environment().putAll(environment);
            if (launcher != null) {
                builder.environment().put("JITNEY_JAVA_OPTS", String.join(" ", java));
            }
            return builder;
        }
    }

    /** Starts a server without waiting for it. */
    public static ServerProcess launch(Options options) throws IOException {
        return new ServerProcess(options.builder());
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @throws IOException if it ends before that; with what it said
     */
    public static ServerProcess start(Options options) throws IOException, InterruptedException {
        ServerProcess server = launch(options);
        try {
            server.awaitReady();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** Waits until the server answers its health check with 200. */
    public void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTUP_SECONDS);
        while (!isReady()) {
            if (!process.isAlive()) {
                throw new IOException("The server ended with status " + process.awaitExit() + ": " + errors());
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("The server was not ready in " + STARTUP_SECONDS + " s: " + errors());
            }
            process.awaitExit(5);
        }
    }

    private boolean isReady() throws IOException, InterruptedException {
        try {
            return endpoint.isDone() && health().statusCode() == 200;
        } catch (HttpTimeoutException busy) {
            return false;
        }
    }

    /** Where it listens. */
    public Endpoint endpoint() {
        return endpoint.join();
    }

    /** The same through a WebSocket. */
    public Endpoint webSocketEndpoint() {
        return endpoint().overWebSocket(httpPort.join());
    }

    /** Where it talks HTTP without TLS. */
    public int httpPort() {
        return httpPort.join();
    }

    /** Where it talks HTTP with TLS; only if its options ask for that. */
    public int httpsPort() {
        return httpsPort.join();
    }

    /** Where it talks AMQP with TLS; only if its options ask for that. */
    public int amqpsPort() {
        return amqpsPort.join();
    }

    /** What {@code GET /health} answers. */
    public HttpResponse<String> health() throws IOException, InterruptedException {
        return get("/health");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + httpPort.join() + path);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /**
     * A number it tells on its page of metrics, summed up over all labels.
     *
     * @throws IOException if it tells no such number
     */
    public double metric(String name) throws IOException, InterruptedException {
        HttpResponse<String> page = get("/metrics");
        double[] values = page.body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .toArray();
        if (values.length == 0) {
            throw new IOException(
                    "Expected " + name + " among the metrics, but it is not; status " + page.statusCode());
        }
        return Arrays.stream(values).sum();
    }

    /** The process itself, for those who treat servers of several kinds alike. */
    public WatchedProcess process() {
        return process;
    }

    /** The last lines of its standard error. */
    public String errors() {
        return process.errors();
    }

    /** What it costs. */
    public ProcessCost cost() {
        return process.cost();
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it as a power failure of the process would: SIGKILL. Returns when it is gone. */
    public void kill() throws InterruptedException {
        process.kill();
    }

    /** Asks it to end (SIGTERM) and waits. */
    public int terminate() throws InterruptedException {
        return process.terminate();
    }

    /** Waits for its end, a minute at most, and tells its exit status. */
    public int awaitExit() throws InterruptedException {
        return process.awaitExit();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        process.close();
    }

    private void readOutput(String line) {
        port(HTTP, line, httpPort);
        port(HTTPS, line, httpsPort);
        port(AMQPS, line, amqpsPort);
        Matcher shared = SHARED.matcher(line);
        if (shared.find()) {
            List<String> protocols = List.of(shared.group(2).split(", "));
            Integer port = Integer.valueOf(shared.group(1));
            Map.of("http", httpPort, "https", httpsPort, "amqps", amqpsPort).forEach((protocol, known) -> {
                if (protocols.contains(protocol)) {
                    known.complete(port);
                }
            });
        }
        if (line.startsWith("Endpoint=")) {
            endpoint.complete(Endpoint.parse(line.trim()));
        }
    }

    private static void port(Pattern listens, String line, CompletableFuture<Integer> port) {
        Matcher found = listens.matcher(line);
        if (found.find()) {
            port.complete(Integer.valueOf(found.group(1)));
        }
    }

    private void outputEnded() {
        IOException ended = new IOException("The server ended.");
        endpoint.completeExceptionally(ended);
        httpPort.completeExceptionally(ended);
        httpsPort.completeExceptionally(ended);
        amqpsPort.completeExceptionally(ended);
    }
}
