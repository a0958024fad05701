package dev.jitney.server.node;

/**
 * The address and limits of a {@link NodePort}.
 *
 * @param host name or address of the interface to bind
 * @param port its port, 0 for any free one
 * @param connectionsMax limit of open connections, without those of clients that were passed on; further ones are closed at
 *     once
 * @param headMs time for the head of the first request, in milliseconds
 * @param idleMs time for the head of each later request, in milliseconds
 * @param stallMs time for another node to read an answer, in milliseconds
 * @param openMetrics whether the metrics are for programs without a certificate, too, on a port with TLS
 */
public record NodePortOptions(
        String host, int port, int connectionsMax, long headMs, long idleMs, long stallMs, boolean openMetrics) {
    private static final int CONNECTIONS_MAX = 4_096;
    private static final long HEAD_MS = 5_000;
    private static final long IDLE_MS = 60_000;
    private static final long STALL_MS = 30_000;

    /** Returns the options for this address with the usual limits. */
    public static NodePortOptions on(String host, int port) {
        return new NodePortOptions(host, port, CONNECTIONS_MAX, HEAD_MS, IDLE_MS, STALL_MS, false);
    }

    /** Returns a copy with another limit of connections. */
    public NodePortOptions withConnectionsMax(int value) {
        return new NodePortOptions(host, port, value, headMs, idleMs, stallMs, openMetrics);
    }

    /** Returns a copy with other time limits. */
    public NodePortOptions withTimes(long head, long idle, long stall) {
        return new NodePortOptions(host, port, connectionsMax, head, idle, stall, openMetrics);
    }

    /** Returns a copy with other access to the metrics. */
    public NodePortOptions withOpenMetrics(boolean value) {
        return new NodePortOptions(host, port, connectionsMax, headMs, idleMs, stallMs, value);
    }
}
