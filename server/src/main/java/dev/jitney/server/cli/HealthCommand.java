package dev.jitney.server.cli;

import dev.jitney.model.ClientText;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.PlainPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code jitney health}: asks a server whether it is ready, for container health checks.
 *
 * <p>A check runs every few seconds beside the server, so that this takes the JDK's oldest HTTP client, which starts
 * fastest, and nothing of the broker.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Tells whether a server is ready, in one line and by the exit status: 0 ready, 1 not.",
        optionListHeading = "%nOptions (each is an environment variable too: --http-port is JITNEY_HTTP_PORT):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney health",
            "  jitney health --url http://broker:5300",
            "  jitney health --http-port off --https-port 8443",
            "  jitney server & jitney health --wait 60        go on when clients can connect",
            "  In a container:  HEALTHCHECK CMD jitney health"
        })
final class HealthCommand implements Callable<Integer> {
    private static final int READY = 200;
    private static final long ASK_AGAIN_AFTER_MS = 200;

    /** Never reached: a wait that ends when the thread is interrupted. */
    private static final CountDownLatch TICK = new CountDownLatch(1);

    private static final int ANSWER_CHARACTERS_MAX = 200;

    private final PrintStream out;
    private final PrintStream err;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", description = "Where the server is (default: http://HOST:HTTP-PORT).")
    private @Nullable String url;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The interface it listens on (default: ${DEFAULT-VALUE}); all of them means this machine.")
    private String host = "127.0.0.1";

    @Option(
            names = "--http-port",
            paramLabel = "N|off",
            converter = Converters.Plain.class,
            description =
                    "Its port for HTTP without TLS (default: 5300, or none where the server has none by default).")
    private @Nullable PlainPort httpPort;

    @Option(
            names = "--https-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "Its port for HTTPS, asked when there is none for HTTP; the certificate is not checked,"
                    + " because nothing secret is sent.")
    private @Nullable Integer httpsPort;

    @Option(
            names = "--tls",
            paramLabel = "...",
            description = "Its --tls, which decides whether it has a port for HTTP by default.")
    private @Nullable String tls;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            converter = Converters.Seconds.class,
            description = "How long to wait for an answer, in seconds (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            converter = Converters.Seconds.class,
            description = "Ask again until the server is ready, for so many seconds at most (default: ask once).")
    private @Nullable Integer wait;

    HealthCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        URI health = target();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(wait == null ? 0 : wait);
        String reason = reasonAgainst(health);
        while (reason != null && end - System.nanoTime() > 0) {
            TICK.await(ASK_AGAIN_AFTER_MS, TimeUnit.MILLISECONDS);
            reason = reasonAgainst(health);
        }
        if (reason == null) {
            out.println("Ready: " + health);
            return 0;
        }
        err.println("jitney: Not ready: " + health + ": " + reason);
        return 1;
    }

    /** Why the server is not ready, or null if it is. */
    private @Nullable String reasonAgainst(URI health) {
        try {
            HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection(java.net.Proxy.NO_PROXY);
            if (url == null && connection instanceof HttpsURLConnection secure) {
                AnyCertificate.accept(secure);
            }
            connection.setConnectTimeout(timeout * 1_000);
            connection.setReadTimeout(timeout * 1_000);
            connection.setInstanceFollowRedirects(false);
            int status = connection.getResponseCode();
            return status == READY ? null : "it answers " + status + answer(connection);
        } catch (ConnectException e) {
            String option = health.getScheme().equals("https") ? "--https-port" : "--http-port";
            return "connection refused; is the server running, and is this its " + option + "?";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String answer(HttpURLConnection connection) throws IOException {
        try (InputStream body = connection.getErrorStream()) {
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
                return base.getPath().isEmpty() || base.getPath().equals("/") ? base.resolve("/health") : base;
            }
        } catch (URISyntaxException e) {
            // told below
        }
        String name = url != null ? "--url" : "--host";
        throw new ParameterException(
                spec().commandLine(),
                name + ": Expected " + (url != null ? "a URL such as http://localhost:5300" : "a host name")
                        + ", but got '" + (url != null ? url : host) + "'.");
    }

    /** Where the server listens by its own settings: the rules of {@link ServerCommand}. */
    private String own() {
        PlainPort asked = httpPort == null ? PlainPort.unasked(JitneyServerBuilder.DEFAULT_HTTP_PORT) : httpPort;
        Integer plain = asked.inForce(tls != null, host);
        if (plain != null) {
            return "http://" + address() + ":" + plain;
        }
        if (httpsPort == null) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--https-port: Expected the server's port for HTTPS, because it has none for HTTP; give it, or --url.");
        }
        return "https://" + address() + ":" + httpsPort;
    }

    /** An address to connect to, where the server's own says on which to listen. */
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
