package dev.jitney.testing.process;

import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster, as a separate process with ports that stay the same over restarts. One thread starts and ends the
 * process, others may read.
 */
public final class NodeProcess {
    private static final int TIMEOUT_MS = 1_000;
    private static final int ANSWER_BYTES_MAX = 1 << 20;
    private static final int OK = 200;

    private final String name;
    private final ClusterProcesses.Place place;
    private final Path data;
    private final int raftPort;
    private final int nodePort;
    private final int clientPort;
    private volatile @Nullable WatchedProcess process;
    private volatile boolean frozen;
    private volatile @Nullable Path logDirectory;
    private volatile @Nullable Path certificates;
    private volatile @Nullable OperatorTls operator;

    NodeProcess(String name, ClusterProcesses.Place place, Path data, int raftPort, int nodePort, int clientPort) {
        this.name = name;
        this.place = place;
        this.data = data;
        this.raftPort = raftPort;
        this.nodePort = nodePort;
        this.clientPort = clientPort;
    }

    /** Returns its name in the cluster. */
    public String name() {
        return name;
    }

    /** Returns the address. */
    public String host() {
        return place.host();
    }

    /** Returns the port for clients, with AMQP and HTTP. */
    public int clientPort() {
        return clientPort;
    }

    /** Returns the port for other nodes and for questions about the cluster. */
    public int nodePort() {
        return nodePort;
    }

    /** Returns the data directory. */
    public Path data() {
        return data;
    }

    /** Returns the address for AMQP. */
    public Endpoint endpoint() {
        return Endpoint.parse(place.host() + ":" + clientPort);
    }

    /** Returns the process of the last start. */
    public WatchedProcess process() {
        WatchedProcess last = process;
        if (last == null) {
            throw new IllegalStateException("Expected node " + name + " to have been started, but it was not.");
        }
        return last;
    }

    /** Returns the directory of the replicated log. */
    public Path logDirectory() {
        Path log = logDirectory;
        return log == null ? data : log;
    }

    /** Gives the node a directory for its log outside of its data directory. Call it before its first start. */
    public void logDirectory(Path other) {
        logDirectory = other;
    }

    /** Lets the node use TLS, with its files in a directory. */
    void encrypt(Path files, OperatorTls asOperator) {
        certificates = files;
        operator = asOperator;
    }

    /** Lets the node use no TLS from its next start on, while the others do. */
    public void withoutTls() {
        certificates = null;
        operator = null;
    }

    String member() {
        return name + "=" + place.host() + ":" + raftPort + ":" + nodePort;
    }

    void launch(List<String> java, List<String> server) throws IOException {
        List<String> command = new ArrayList<>(place.prefix());
        command.addAll(java);
        command.add("server");
        command.addAll(List.of("--data-dir", data.toString(), "--port", String.valueOf(clientPort)));
        command.addAll(List.of("--cluster-node", name));
        Path log = logDirectory;
        if (log != null) {
            command.addAll(List.of("--raft-dir", log.toString()));
        }
        Path files = certificates;
        if (files != null) {
            command.addAll(List.of("--cluster-tls", OperatorTls.option(files, name)));
        }
        command.addAll(server);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("JITNEY_"));
        process = WatchedProcess.start(builder, line -> {}, () -> {});
    }

    /** Returns whether the process runs, which it does also while it is frozen. */
    public boolean isAlive() {
        WatchedProcess running = process;
        return running != null && running.isAlive();
    }

    /** Returns whether the process runs and is not frozen. */
    public boolean isRunning() {
        return isAlive() && !frozen;
    }

    /** Kills the process with SIGKILL, and returns when it has ended. */
    public void kill() throws InterruptedException {
        WatchedProcess running = process;
        if (running != null) {
            running.close();
        }
        frozen = false;
    }

    /** Ends the process with SIGTERM, and returns its exit status. */
    public int terminate() throws InterruptedException {
        WatchedProcess running = process();
        int status = running.terminate();
        running.close();
        return status;
    }

    /** Stops the process with SIGSTOP: it does nothing, but its sockets stay open. */
    public void freeze() throws IOException, InterruptedException {
        frozen = true;
        signal("-STOP");
    }

    /** Lets the process continue with SIGCONT. */
    public void thaw() throws IOException, InterruptedException {
        signal("-CONT");
        frozen = false;
    }

    private void signal(String signal) throws IOException, InterruptedException {
        WatchedProcess running = process();
        Process kill = new ProcessBuilder("kill", signal, String.valueOf(running.pid()))
                .redirectErrorStream(true)
                .start();
        if (!kill.waitFor(30, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("Expected to send " + signal + " to node " + name + ", but kill failed.");
        }
    }

    /** Deletes all data of a node that does not run, like the loss of its disk. */
    public void wipe() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException("Expected node " + name + " to have ended, but it runs.");
        }
        delete(data);
        if (!logDirectory().equals(data)) {
            delete(logDirectory());
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns whether the node answers that it serves clients (CL-80). */
    public boolean isServing() {
        return isAlive() && answersAsHealthy();
    }

    /** Returns whether the node answers that it takes part in the cluster. */
    boolean takesPart() {
        ClusterView view = view();
        return view != null && view.isOfMember();
    }

    /** Returns whether some process answers on the node port that it serves clients. */
    boolean answersAsHealthy() {
        return ask("GET", "/health", TIMEOUT_MS) != null;
    }

    /** Returns the answer about the health of this node, also if it is not well; an empty text if there is none. */
    public String health() {
        try {
            return isAlive() ? request("GET", "/health", TIMEOUT_MS).body : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the samples of this node whose names begin with one of these, for error reports; an empty text if it does not answer. */
    public String metrics(String... prefixes) {
        String page = isAlive() ? ask("GET", "/metrics", 3 * TIMEOUT_MS) : null;
        return page == null
                ? ""
                : page.lines()
                        .filter(line -> Stream.of(prefixes).anyMatch(line::startsWith))
                        .filter(line -> !line.endsWith(" 0.0"))
                        .collect(Collectors.joining("\n"));
    }

    /** Returns the cluster as this node sees it, or null if it does not answer in time. */
    public @Nullable ClusterView view() {
        String answer = isAlive() ? ask("GET", "/cluster", TIMEOUT_MS) : null;
        return answer == null ? null : ClusterView.parse(answer);
    }

    /** Sends the node the request to move the leadership. Returns the reason of a refusal, or an empty string. */
    public String lead(String other) {
        try {
            Answer answer = request("POST", "/cluster/lead?node=" + other, 30 * TIMEOUT_MS);
            return answer.isGood() ? "" : answer.status + " " + answer.body;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** A response of the node. */
    private record Answer(int status, String body) {
        boolean isGood() {
            return status / 100 == OK / 100;
        }
    }

    /** Returns the body of a response of success, or null. */
    private @Nullable String ask(String method, String path, int timeoutMs) {
        try {
            Answer answer = request(method, path, timeoutMs);
            return answer.isGood() ? answer.body : null;
        } catch (IOException e) {
            return null;
        }
    }

    private Answer request(String method, String path, int timeoutMs) throws IOException {
        OperatorTls tls = operator;
        HttpURLConnection connection = (HttpURLConnection)
                URI.create((tls == null ? "http://" : "https://") + place.host() + ":" + nodePort + path)
                        .toURL()
                        .openConnection(Proxy.NO_PROXY);
        if (tls != null) {
            tls.use(connection);
        }
        try {
            connection.setConnectTimeout(timeoutMs);
            connection.setReadTimeout(timeoutMs);
            connection.setRequestMethod(method);
            connection.setRequestProperty("Connection", "close");
            int status = connection.getResponseCode();
            try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new Answer(
                        status,
                        body == null ? "" : new String(body.readNBytes(ANSWER_BYTES_MAX), StandardCharsets.UTF_8));
            }
        } finally {
            connection.disconnect();
        }
    }

    /** Returns the last lines of its standard error. */
    public String errors() {
        WatchedProcess last = process;
        return last == null ? "" : last.errors();
    }
}
