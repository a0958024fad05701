package dev.jitney.testing.client;

import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The address of a broker, with a shared access rule.
 *
 * @param webSocket whether AMQP uses a WebSocket there
 * @param tls whether AMQP uses TLS there, whose certificate is not checked
 * @param ruleName name of a shared access rule, for SASL PLAIN
 * @param key the rule's key
 */
public record Endpoint(String host, int port, boolean webSocket, boolean tls, String ruleName, String key) {
    private static final String WEB_SOCKET = "ws://";
    private static final int DEFAULT_PORT = 5672;
    private static final int DEFAULT_HTTP_PORT = 5300;
    private static final String DEFAULT_RULE = "RootManageSharedAccessKey";
    private static final String DEFAULT_KEY = "SAS_KEY_VALUE";

    /**
     * Parses {@code HOST}, {@code HOST:PORT} (with the emulator's public rule) or a connection string. A host after {@code
     * ws://} uses a WebSocket.
     *
     * @throws IllegalArgumentException with a message for the user, if it is none of them
     */
    public static Endpoint parse(String text) {
        return text.contains("=") ? ofConnectionString(text) : ofAddress(text, DEFAULT_RULE, DEFAULT_KEY);
    }

    /** Creates an endpoint without TLS. */
    public Endpoint(String host, int port, boolean webSocket, String ruleName, String key) {
        this(host, port, webSocket, false, ruleName, key);
    }

    /** Returns the same broker and rule with a WebSocket on its HTTP port. */
    public Endpoint overWebSocket(int httpPort) {
        return new Endpoint(host, httpPort, true, ruleName, key);
    }

    /** Returns the same broker and rule with TLS on its port for AMQP over TLS. */
    public Endpoint overTls(int amqpsPort) {
        return new Endpoint(host, amqpsPort, false, true, ruleName, key);
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
