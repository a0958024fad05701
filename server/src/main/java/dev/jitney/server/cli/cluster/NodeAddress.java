package dev.jitney.server.cli.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a node port.
 *
 * @param host a name or an address; an IPv6 address has brackets
 * @param port from 1 to 65535
 */
record NodeAddress(String host, int port) {
    private static final String HOST = "([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.%]{2,60}\\])";
    private static final Pattern ADDRESS = Pattern.compile(HOST + ":([0-9]{1,5})");
    private static final Pattern MEMBER = Pattern.compile("[^=]{1,64}=" + HOST + ":([0-9]{1,5})(?::([0-9]{1,5}))?");
    private static final int PORT_MAX = 65_535;

    /**
     * Parses {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static NodeAddress parse(String text) {
        Matcher matcher = ADDRESS.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Expected HOST:PORT, for example localhost:7401, but got '" + text + "'.");
        }
        return of(matcher.group(1), Integer.parseInt(matcher.group(2)), text);
    }

    /**
     * Returns the node port of a member in the form {@code NAME=HOST:PORT[:NODE-PORT]}.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static NodeAddress parseMember(String text) {
        Matcher matcher = MEMBER.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Expected NAME=HOST:PORT or NAME=HOST:PORT:NODE-PORT, for example a=10.0.0.1:7400, but got '" + text
                            + "'.");
        }
        String nodePort = matcher.group(3);
        return of(
                matcher.group(1),
                nodePort == null ? Integer.parseInt(matcher.group(2)) + 1 : Integer.parseInt(nodePort),
                text);
    }

    private static NodeAddress of(String host, int port, String text) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("Expected a node port from 1 to 65535, but got '" + text + "'.");
        }
        return new NodeAddress(host, port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
