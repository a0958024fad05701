package dev.jitney.server.cli;

import dev.jitney.model.ClientText;
import dev.jitney.server.Hosts;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.config.PlainPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code jitney health}: checks whether a server is ready, for container health checks.
 *
 * <p>A check runs every few seconds beside the server. It therefore uses the JDK's oldest HTTP client, which starts
 * fastest, and no classes of the broker.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Reports whether a server is ready. Prints one line. Exit status: 0 = ready, 1 = not ready,"
                + " 2 = invalid options.",
        optionListHeading = "%nOptions (each is also an environment variable: --http-port is JITNEY_HTTP_PORT):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney health",
            "  jitney health --url http://broker:5300",
            "  jitney health --http-port off --https-port 8443",
            "  jitney health --ready --wait 60s             after a start, before the first client",
            "  jitney health --wait 60s --while-pid $MAINPID  the same, in a unit of systemd",
            "  jitney health --live                         for a liveness probe",
            "  In a container:  HEALTHCHECK CMD jitney health"
        })
final class HealthCommand implements Callable<Integer> {
    private static final int READY = 200;
    private static final int ANSWER_CHARACTERS_MAX = 400;
    private static final long PAUSE_MS = 200;

    private final PrintStream out;
    private final PrintStream err;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", description = "URL of the server (default: http://HOST:PORT).")
    private @Nullable String url;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description =
                    "The server's --host (default: ${DEFAULT-VALUE}). For all interfaces, the check connects to this"
                            + " machine.")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N[,N]",
            split = ",",
            converter = Converters.Port.class,
            description = "The server's ports for all protocols. The check uses the first one.")
    private @Nullable List<Integer> ports;

    @Option(
            names = "--http-port",
            paramLabel = "N|off",
            converter = Converters.Plain.class,
            description = "The server's port for HTTP without TLS (default: that of the server, normally 5300).")
    private @Nullable PlainPort httpPort;

    @Option(
            names = "--https-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "The server's port for HTTPS, used if it has none for HTTP. The check does not verify the"
                    + " certificate, because it sends no secrets.")
    private @Nullable Integer httpsPort;

    @Option(
            names = "--health-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "The server's --health-port, which the check then uses (default: none).")
    private @Nullable Integer healthPort;

    @Option(
            names = "--tls",
            paramLabel = "...",
            description = "The server's --tls, which decides whether it has a port for HTTP by default.")
    private @Nullable String tls;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            converter = Converters.Seconds.class,
            description = "Timeout of a request in seconds, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(
            names = "--live",
            description =
                    "Check /health/live instead: the process works. It is alive even while its stores fail, because it"
                            + " reopens them by itself.")
    private boolean live;

    @Option(
            names = "--ready",
            description =
                    "Check /health/ready instead: all listeners and at least one store work. A server without one of"
                            + " several stores, or with a full disk, is ready but degraded (default: check /health, which"
                            + " returns 503 then).")
    private boolean ready;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            converter = Converters.Wait.class,
            description =
                    "Repeat the check until it succeeds or this time has passed, for example 30s, 2m or 1h (default:"
                            + " check once).")
    private @Nullable Duration wait;

    @Option(
            names = "--while-pid",
            paramLabel = "PID",
            description =
                    "Process id of the server. The check fails as soon as this process has ended, before the time of --wait"
                            + " has passed (default: none).")
    private @Nullable Long pid;

    HealthCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        if (live && ready) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--live: Expected either --live or --ready, but got both. Remove one of them.");
        }
        URI health = target();
        Duration limit = wait;
        long startNs = System.nanoTime();
        ProcessHandle process = pid == null ? null : ProcessHandle.of(pid).orElse(null);
        while (true) {
            // Another server may answer at the same port, so this comes first.
            if (pid != null && (process == null || !process.isAlive())) {
                err.println("jitney: Not " + question() + ": " + health + ": the process " + pid
                        + " of the server has ended. Its log has the reason.");
                return 1;
            }
            long leftMs = limit == null
                    ? Long.MAX_VALUE
                    : limit.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            String reason = ask(health, (int) Math.max(1, Math.min(timeout * 1_000L, leftMs)));
            if (reason == null) {
                return 0;
            }
            boolean over = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) + PAUSE_MS
                    >= (limit == null ? 0 : limit.toMillis());
            if (over || !pause()) {
                String waited = limit == null ? "" : " (waited " + limit.toSeconds() + " s)";
                err.println("jitney: Not " + question() + ": " + health + ": " + reason + waited);
                return 1;
            }
        }
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String question() {
        return live ? "alive" : "ready";
    }

    private String path() {
        return live ? "/health/live" : ready ? "/health/ready" : "/health";
    }

    /** Sends one request, and prints a success. Returns null on success, otherwise the reason of the failure. */
    private @Nullable String ask(URI health, int timeoutMs) {
        try {
            HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection(java.net.Proxy.NO_PROXY);
            if (url == null && connection instanceof HttpsURLConnection secure) {
                AnyCertificate.accept(secure);
            }
            connection.setConnectTimeout(timeoutMs);
            connection.setReadTimeout(timeoutMs);
            connection.setInstanceFollowRedirects(false);
            int status = connection.getResponseCode();
            if (status == READY) {
                String degraded = ready ? answer(connection.getInputStream()) : "";
                out.println((live ? "Alive: " : "Ready: ")
                        + health
                        + (degraded.contains("\"degraded\":true") ? degraded : ""));
                return null;
            }
            return "the server answered " + status + answer(connection.getErrorStream());
        } catch (ConnectException e) {
            String option = health.getScheme().equals("https") ? "--https-port" : "--http-port";
            return "connection refused. Is the server running, and is this its --port or " + option + "?";
        } catch (SSLException e) {
            return e.getMessage() + " (if the server requires certificates of clients, start it with --health-port)";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String answer(@Nullable InputStream stream) throws IOException {
        try (InputStream body = stream) {
            if (body == null) {
                return "";
            }
            String text = ClientText.oneLine(new String(body.readNBytes(ANSWER_CHARACTERS_MAX), StandardCharsets.UTF_8))
                    .strip();
            return text.isEmpty() ? "" : ": " + text;
        }
    }

    private URI target() {
        try {
            URI base = new URI(url != null ? url : own());
            String scheme = String.valueOf(base.getScheme());
            if (base.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                boolean plain = base.getPath().isEmpty() || base.getPath().equals("/");
                if (!plain && (live || ready)) {
                    throw new ParameterException(
                            spec().commandLine(),
                            "--url: Expected a URL without a path together with " + (live ? "--live" : "--ready")
                                    + ", but got '" + url + "'.");
                }
                return plain ? base.resolve(path()) : base;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        String name = url != null ? "--url" : "--host";
        throw new ParameterException(
                spec().commandLine(),
                name + ": Expected " + (url != null ? "a URL such as http://localhost:5300" : "a host name")
                        + ", but got '" + (url != null ? url : host) + "'.");
    }

    /** Returns the URL where the server listens by its own settings, following the rules of {@link ServerCommand}. */
    private String own() {
        if (healthPort != null) {
            return "http://" + address() + ":" + healthPort;
        }
        PlainPort asked = httpPort == null ? PlainPort.unasked(JitneyServerBuilder.DEFAULT_HTTP_PORT) : httpPort;
        if (ports != null && !ports.isEmpty() && (httpPort == null || httpPort.number() == null)) {
            int first = ports.get(0);
            boolean plain =
                    httpPort == null && PlainPort.unasked(first).inForce(tls != null, !Hosts.isLoopback(host)) != null;
            return (plain ? "http://" : "https://") + address() + ":" + first;
        }
        Integer plain = asked.inForce(tls != null, !Hosts.isLoopback(host));
        if (plain != null) {
            return "http://" + address() + ":" + plain;
        }
        if (httpPort == null && httpsPort == null) {
            return "https://" + address() + ":" + JitneyServerBuilder.DEFAULT_PORTS.get(0);
        }
        if (httpsPort == null) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--https-port: Expected the server's port for HTTPS, because it has none for HTTP. Add --https-port or"
                            + " --url.");
        }
        return "https://" + address() + ":" + httpsPort;
    }

    /** Returns an address to connect to, for the address that the server listens on. */
    private String address() {
        return switch (host) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::", "[::]", "0:0:0:0:0:0:0:0" -> "[::1]";
            default -> host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        };
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec;
    }
}
