package dev.jitney.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the kit to one broker. The connections are those of {@link HttpURLConnection}, which keeps and reuses them: it
 * needs no thread, and its classes load faster than those of the newer client (ADR 38). Any thread may call the methods.
 */
final class BrokerHttp {
    private static final int CONNECT_MS = 5_000;
    private static final int READ_MS = 60_000;
    private static final int ANSWER_BYTES_MAX = 64 << 20;

    private static final String LOOPBACK = "127.0.0.1";

    private final String host;
    private final int port;

    /** The requests to a broker in this Java machine. */
    BrokerHttp(int port) {
        this(LOOPBACK, port);
    }

    BrokerHttp(String host, int port) {
        this.host = host;
        this.port = port;
    }

    int port() {
        return port;
    }

    /** Returns the connection string of a key at this address, which may differ from the one that the broker knows. */
    String connectionString(String keyName, String key) {
        String name = host.equals(LOOPBACK) ? "localhost" : host;
        return "Endpoint=sb://" + name + ":" + port + ";SharedAccessKeyName=" + keyName + ";SharedAccessKey=" + key
                + ";UseDevelopmentEmulator=true;";
    }

    /** A request: the words that name the call in an exception, the method, and the path with its query. */
    record Request(
            String call,
            String method,
            String path,
            @Nullable String authorization,
            @Nullable Object body) {}

    /**
     * Sends a request and returns the answer, which is an empty object if it has no content.
     *
     * @throws JitneyException if the broker refuses the request or does not answer
     */
    JsonObject send(Request request) {
        return send(request, Duration.ZERO);
    }

    /** Sends a request whose answer may take longer than others by this time. */
    JsonObject send(Request request, Duration patience) {
        try {
            HttpURLConnection connection = open(request, patience);
            int status = connection.getResponseCode();
            String answer = content(status < 400 ? connection.getInputStream() : connection.getErrorStream());
            if (status >= 400) {
                throw refused(request, status, answer);
            }
            return answer.isBlank() ? new JsonObject(Map.of()) : JsonObject.of(Json.read(answer));
        } catch (IOException e) {
            throw new JitneyException(
                    request.call() + ": The broker at " + host + ":" + port + " did not answer (" + e
                            + "). Check that it was not closed before.",
                    0,
                    e);
        } catch (IllegalArgumentException e) {
            throw new JitneyException(
                    request.call() + ": The answer of the broker cannot be read (" + e.getMessage()
                            + "). Use the same version of all parts of the test kit.",
                    0,
                    e);
        }
    }

    private HttpURLConnection open(Request request, Duration patience) throws IOException {
        URI address = URI.create("http://" + host + ":" + port + request.path());
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
        connection.setUseCaches(false);
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout((int) Math.min(Integer.MAX_VALUE, READ_MS + patience.toMillis()));
        connection.setRequestMethod(request.method());
        if (request.authorization() != null) {
            connection.setRequestProperty("Authorization", request.authorization());
        }
        if (request.body() != null) {
            byte[] content = Json.write(request.body()).getBytes(StandardCharsets.UTF_8);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            // With a fixed length the client never repeats a request by itself, which could send a message twice.
            connection.setFixedLengthStreamingMode(content.length);
            connection.getOutputStream().write(content);
        }
        return connection;
    }

    private static String content(@Nullable InputStream in) throws IOException {
        if (in == null) {
            return "";
        }
        try (in) {
            byte[] content = in.readNBytes(ANSWER_BYTES_MAX + 1);
            if (content.length > ANSWER_BYTES_MAX) {
                throw new IOException("the answer has more than " + (ANSWER_BYTES_MAX >> 20) + " MiB");
            }
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    private static JitneyException refused(Request request, int status, String answer) {
        String message = answer.strip();
        String field = null;
        try {
            JsonObject error = JsonObject.of(Json.read(answer)).object("error");
            message = error.textOrNull("message") == null ? message : error.text("message");
            field = error.textOrNull("field");
        } catch (IllegalArgumentException notJson) {
            // The text is the message.
        }
        String fix = switch (status) {
            case 404 ->
                " Check the name. Declare queues, topics and subscriptions before the start, or create them with the"
                        + " administration client.";
            case 503 -> " If a store was stopped with faults().storeDown(), start it with faults().storeUp().";
            default -> "";
        };
        return new JitneyException(
                request.call() + ": The broker answered " + status + ": " + (field == null ? "" : field + ": ")
                        + message + fix,
                status,
                null);
    }
}
