package dev.jitney.server.cli.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.model.ClientText;
import dev.jitney.runtime.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A client of the operator API of a server. It uses the oldest HTTP client of the JDK, which starts fastest.
 *
 * @param address the server
 * @param tls     makes connections with TLS, or null for the default of Java
 */
record OperatorClient(ServerAddress address, @Nullable SSLSocketFactory tls) {
    private static final String PREFIX = "/$operator/v1";
    private static final int CONNECT_MS = 5_000;

    /** Longer than a server works on the moment of a backup. */
    private static final int ANSWER_MS = 60_000;

    private static final int ANSWER_BYTES_MAX = 16 << 20;
    private static final int REASON_CHARACTERS_MAX = 1_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Sends a request.
     *
     * @param body a JSON object, or null
     * @return the document in the answer
     * @throws CommandException if the server refuses it or does not answer
     */
    JsonNode send(String method, String path, @Nullable String body) throws CommandException {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    address.url().resolve(PREFIX + path).toURL().openConnection(Proxy.NO_PROXY);
            if (tls != null && connection instanceof HttpsURLConnection secure) {
                secure.setSSLSocketFactory(tls);
            }
            try {
                connection.setConnectTimeout(CONNECT_MS);
                connection.setReadTimeout(ANSWER_MS);
                connection.setInstanceFollowRedirects(false);
                connection.setRequestMethod(method);
                connection.setRequestProperty(
                        "Authorization", address.token(Clock.system().nowMs()));
                if (body != null) {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    connection.setDoOutput(true);
                    connection.setFixedLengthStreamingMode(bytes.length);
                    connection.getOutputStream().write(bytes);
                }
                int status = connection.getResponseCode();
                try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                    return document(status, in == null ? new byte[0] : in.readNBytes(ANSWER_BYTES_MAX));
                }
            } finally {
                connection.disconnect();
            }
        } catch (ConnectException e) {
            throw new CommandException("No server answers at " + address
                    + ". Is it running, and are --connection-string and --admin-url right? To back up a stopped server, use"
                    + " --from.");
        } catch (IOException e) {
            throw new CommandException("The server at " + address + " did not answer: "
                    + ClientText.oneLine(String.valueOf(e.getMessage())) + ".");
        }
    }

    private JsonNode document(int status, byte[] body) throws CommandException {
        JsonNode document;
        try {
            document = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            document = null;
        } catch (IOException e) {
            throw new IllegalStateException("Expected bytes in memory to be read", e);
        }
        if (status / 100 == 2 && document != null && document.isObject()) {
            return document;
        }
        String reason = document == null || !document.isObject()
                ? "another server answered, or one without the operator API"
                : document.path("error").path("message").asText("");
        reason = reason.isEmpty() && document != null ? document.toString() : reason;
        throw new CommandException("The server at " + address + " refused the request (" + status + "): "
                + ClientText.oneLine(reason.substring(0, Math.min(reason.length(), REASON_CHARACTERS_MAX))));
    }
}
