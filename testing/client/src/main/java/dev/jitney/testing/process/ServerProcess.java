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
 * A running server in a separate process, with the class path of this one. Thread-safe.
 *
 * <p>It ends by {@link #terminate} (SIGTERM), {@link #kill} (SIGKILL) or {@link #close}, and at the latest with the Java
 * machine that started it.
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

    /** The options of a server process. */
    public static final class Options {
        private final Path dataDir;
        private @Nullable Path launcher;
        private String classPath = System.getProperty("java.class.path");
        private final List<String> java = new ArrayList<>();
        private final List<String> server = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private boolean onePort;
        private int amqpPort;
        private int httpPort;

        /** @param dataDir the data directory */
        public Options(Path dataDir) {
            this.dataDir = dataDir;
        }

        /** Starts the server like a user, with the launcher of the source tree or of the distribution. */
        public Options launcher(Path script) {
            launcher = script;
            return this;
        }

        /** Sets the class path, for the server of another version. The default is that of this process. */
        public Options classPath(String jars) {
            classPath = jars;
            return this;
        }

        /** Adds options for the Java machine. */
        public Options java(String... options) {
            java.addAll(List.of(options));
            return this;
        }

        /** Adds options for the server. */
        public Options server(String... options) {
            server.addAll(List.of(options));
            return this;
        }

        /** Sets an environment variable. */
        public Options environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Sets the ports. The default is any free ports. */
        public Options ports(int amqp, int http) {
            amqpPort = amqp;
            httpPort = http;
            return this;
        }

        /**
         * Chooses free ports that each server with these options listens on, one after the other.
         *
         * @throws IOException if there are none
         */
        public Options keepPorts() throws IOException {
            List<Integer> ports = FreePorts.of(2);
            return ports(ports.get(0), ports.get(1));
        }

        /** Uses one free port for everything: AMQP and HTTP, and both inside TLS if there is a certificate. */
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
            command.add(classPath);
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

    /** Starts a server without waiting until it is ready. */
    public static ServerProcess launch(Options options) throws IOException {
        return new ServerProcess(options.builder());
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @throws IOException if it ends before that; with its error output
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

    /** Waits until the health check of the server returns 200. */
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
            // If it ended, its error output says why, and not this future.
            return endpoint.isDone() && !endpoint.isCompletedExceptionally() && health().statusCode() == 200;
        } catch (HttpTimeoutException busy) {
            return false;
        }
    }

    /** Returns the address for AMQP. */
    public Endpoint endpoint() {
        return endpoint.join();
    }

    /** Returns the address for AMQP over TLS. */
    public Endpoint tlsEndpoint() {
        return endpoint().overTls(amqpsPort.join());
    }

    /** Returns the address for AMQP through a WebSocket. */
    public Endpoint webSocketEndpoint() {
        return endpoint().overWebSocket(httpPort.join());
    }

    /** Returns the port for HTTP without TLS. */
    public int httpPort() {
        return httpPort.join();
    }

    /** Returns the port for HTTP with TLS; only if the options enable it. */
    public int httpsPort() {
        return httpsPort.join();
    }

    /** Returns the port for AMQP with TLS; only if the options enable it. */
    public int amqpsPort() {
        return amqpsPort.join();
    }

    /** Returns the response of {@code GET /health}. */
    public HttpResponse<String> health() throws IOException, InterruptedException {
        return get("/health");
    }

    /** Returns the response of a GET request without a credential. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + httpPort.join() + path);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /**
     * Returns a metric, summed over all labels.
     *
     * @throws IOException if the server has no such metric
     */
    public double metric(String name) throws IOException, InterruptedException {
        HttpResponse<String> page = get("/metrics");
        double[] values = page.body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .toArray();
        if (values.length == 0) {
            throw new IOException("Expected the metric " + name + ", but it is missing. Status: " + page.statusCode());
        }
        return Arrays.stream(values).sum();
    }

    /** Returns the process, for code that handles servers of several kinds. */
    public WatchedProcess process() {
        return process;
    }

    /** Returns the last lines of its standard error. */
    public String errors() {
        return process.errors();
    }

    /** Returns the resources that it has used. */
    public ProcessCost cost() {
        return process.cost();
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether it is running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it with SIGKILL, like a crash. Returns when it has ended. */
    public void kill() throws InterruptedException {
        process.kill();
    }

    /** Ends it with SIGTERM and waits. */
    public int terminate() throws InterruptedException {
        return process.terminate();
    }

    /** Waits for its end, at most one minute, and returns its exit status. */
    public int awaitExit() throws InterruptedException {
        return process.awaitExit();
    }

    /** Kills it if it is still running. */
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
