package dev.jitney.server.front;

import dev.jitney.gateway.amqp.listener.SharedPort;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The request that turns a connection between two nodes into the connection of a client. It is HTTP (RFC 9110 section
 * 7.8):
 *
 * <pre>
 * GET /relay HTTP/1.1
 * Host: 10.0.0.2:7401
 * Connection: Upgrade
 * Upgrade: jitney-relay
 * Jitney-Protocols: amqp,http,amqps,https
 * Jitney-Client: 192.0.2.7:50123
 * </pre>
 *
 * <p>The leader answers 101, and then both sides send the bytes of the connection, or 503 if it does not serve clients.
 * The listener of the client is named by its protocols, because ports may differ between nodes (CL-31).
 *
 * @param protocols protocols that the client may use; its port number has no meaning
 * @param client address of the client (CL-73)
 */
public record RelayRequest(SharedPort protocols, InetSocketAddress client) {
    /** The path of the request. */
    public static final String PATH = "/relay";

    /** The value of the header {@code Upgrade}. */
    public static final String PROTOCOL = "jitney-relay";

    /** The header with the protocols of the client's listener. */
    public static final String PROTOCOLS_HEADER = "Jitney-Protocols";

    /** The header with the address of the client. */
    public static final String CLIENT_HEADER = "Jitney-Client";

    private static final int PORT_MAX = 65_535;
    private static final int CLIENT_CHARACTERS_MAX = 64;
    private static final int PROTOCOLS_CHARACTERS_MAX = 64;

    /** Returns the request as bytes. */
    byte[] toBytes(InetSocketAddress leader) {
        StringJoiner words = new StringJoiner(",");
        addIf(protocols.amqp(), "amqp", words);
        addIf(protocols.http(), "http", words);
        addIf(protocols.amqps(), "amqps", words);
        addIf(protocols.https(), "https", words);
        return ("GET " + PATH + " HTTP/1.1\r\nHost: " + NetUtil.toSocketAddressString(leader)
                        + "\r\nConnection: Upgrade\r\nUpgrade: " + PROTOCOL
                        + "\r\n" + PROTOCOLS_HEADER + ": " + words
                        + "\r\n" + CLIENT_HEADER + ": " + NetUtil.toSocketAddressString(client)
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void addIf(boolean served, String word, StringJoiner words) {
        if (served) {
            words.add(word);
        }
    }

    /**
     * Reads the headers of a request.
     *
     * @return the request, or null if a header is missing or malformed
     */
    public static @Nullable RelayRequest read(@Nullable String protocols, @Nullable String client) {
        SharedPort port = protocols == null ? null : protocols(protocols);
        InetSocketAddress address = client == null ? null : address(client);
        return port == null || address == null ? null : new RelayRequest(port, address);
    }

    private static @Nullable SharedPort protocols(String text) {
        if (text.length() > PROTOCOLS_CHARACTERS_MAX) {
            return null;
        }
        boolean amqp = false;
        boolean http = false;
        boolean amqps = false;
        boolean https = false;
        for (String word : text.split(",", -1)) {
            switch (word.strip().toLowerCase(Locale.ROOT)) {
                case "amqp" -> amqp = true;
                case "http" -> http = true;
                case "amqps" -> amqps = true;
                case "https" -> https = true;
                default -> {
                    return null;
                }
            }
        }
        return new SharedPort(0, amqp, http, amqps, https);
    }

    private static @Nullable InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (text.length() > CLIENT_CHARACTERS_MAX || colon < 1) {
            return null;
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        int port = port(text.substring(colon + 1));
        if (bytes == null || port < 0) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) { // has a wrong length
            return null;
        }
    }

    private static int port(String text) {
        if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int port = Integer.parseInt(text);
        return port <= PORT_MAX ? port : -1;
    }
}
