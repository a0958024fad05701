package dev.jitney.testing.client;

import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Where a broker listens without TLS, and the rule that opens it.
 *
 * @param webSocket whether AMQP is spoken there inside a WebSocket
 * @param ruleName name of a shared access rule, for SASL PLAIN
 * @param key its key
 */
public record Endpoint(String host, int port, boolean webSocket, String ruleName, String key) {
    private static final String WEB_SOCKET = "ws://";
    private static final int DEFAULT_PORT = 5672;
    private static final int DEFAULT_HTTP_PORT = 5300;
    private static final String DEFAULT_RULE = "RootManageSharedAccessKey";
    private static final String DEFAULT_KEY = "SAS_KEY_VALUE";

    /**
     * Reads {@code HOST}, {@code HOST:PORT} (with the emulator's well-known rule) or a connection string. A host after
     * {@code ws://} is connected to through a WebSocket.
     *
     * @throws IllegalArgumentException if it is none of them; its message is for the user
     */
    public static Endpoint parse(String text) {
        return text.contains("=") ? ofConnectionString(text) : ofAddress(text, DEFAULT_RULE, DEFAULT_KEY);
    }

    /** The same broker and rule through a WebSocket on the port where it speaks HTTP. */
    public Endpoint overWebSocket(int httpPort) {
        return new Endpoint(host, httpPort, true, ruleName, key);
    }

    private static Endpoint ofConnectionString(String text) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals).trim().toLowerCase(Locale.ROOT), part.substring(equals + 1));
            }
        }
        String endpoint = parts.get("endpoint");
        if (endpoint == null || !endpoint.contains("://")) {
            throw new IllegalArgumentException(
                    "Expected a connection string that begins with Endpoint=sb://HOST:PORT;, but got '" + text + "'.");
        }
        return ofAddress(
                endpoint.startsWith(WEB_SOCKET) ? endpoint : endpoint.substring(endpoint.indexOf("://") + 3),
                parts.getOrDefault("sharedaccesskeyname", DEFAULT_RULE),
                parts.getOrDefault("sharedaccesskey", DEFAULT_KEY));
    }

    private static Endpoint ofAddress(String address, String ruleName, String key) {
        try {
            boolean webSocket = address.startsWith(WEB_SOCKET);
            URI uri = URI.create(webSocket ? address : "amqp://" + address);
            if (uri.getHost() == null) {
                throw new IllegalArgumentException("no host");
            }
            int port = uri.getPort() >= 0 ? uri.getPort() : webSocket ? DEFAULT_HTTP_PORT : DEFAULT_PORT;
            return new Endpoint(uri.getHost(), port, webSocket, ruleName, key);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Expected HOST:PORT, but got '" + address + "'.", e);
        }
    }
}
