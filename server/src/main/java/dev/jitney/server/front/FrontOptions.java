package dev.jitney.server.front;

import dev.jitney.gateway.amqp.listener.SharedPort;
import java.util.List;

/**
 * The ports and limits of a {@link Front}.
 *
 * @param host name or address of the interface to bind
 * @param ports ports with their protocols; 0 for any free port
 * @param connectionsMax limit of connections that wait or are passed on, together; further ones are closed at once
 * @param waitingMax limit of connections that wait; the oldest is closed when there is one more
 * @param waitMs time after which a waiting connection is closed, in milliseconds (CL-21)
 * @param retryMs pause between attempts to reach a leader that does not serve yet, in milliseconds
 * @param connectMs time for a leader to accept a connection, in milliseconds
 * @param bufferBytesMax limit of the bytes of all passed on connections that one side has sent and the other has not
 *     taken yet
 */
public record FrontOptions(
        String host,
        List<SharedPort> ports,
        int connectionsMax,
        int waitingMax,
        long waitMs,
        long retryMs,
        long connectMs,
        long bufferBytesMax) {

    private static final int CONNECTIONS_MAX = 50_000;
    private static final int WAITING_MAX = 10_000;
    private static final long WAIT_MS = 10_000;
    private static final long RETRY_MS = 20;
    private static final long CONNECT_MS = 2_000;
    private static final int BUFFER_PART_OF_HEAP = 16;
    private static final long BUFFER_BYTES_MIN = 4L << 20;

    public FrontOptions {
        ports = List.copyOf(ports);
        if (connectionsMax < 1 || waitingMax < 1) {
            throw new IllegalArgumentException("Expected room for at least 1 connection, but got " + connectionsMax
                    + " connections, " + waitingMax + " of them waiting.");
        }
    }

    /** Returns the options for these ports with the usual limits. */
    public static FrontOptions on(String host, List<SharedPort> ports) {
        long buffers = Math.max(BUFFER_BYTES_MIN, Runtime.getRuntime().maxMemory() / BUFFER_PART_OF_HEAP);
        return new FrontOptions(host, ports, CONNECTIONS_MAX, WAITING_MAX, WAIT_MS, RETRY_MS, CONNECT_MS, buffers);
    }

    /** Returns a copy with other limits of connections. */
    public FrontOptions withConnections(int connections, int waiting) {
        return new FrontOptions(host, ports, connections, waiting, waitMs, retryMs, connectMs, bufferBytesMax);
    }

    /** Returns a copy with another waiting time. */
    public FrontOptions withWaitMs(long value) {
        return new FrontOptions(host, ports, connectionsMax, waitingMax, value, retryMs, connectMs, bufferBytesMax);
    }

    /** Returns a copy with another limit of buffered bytes. */
    public FrontOptions withBufferBytesMax(long value) {
        return new FrontOptions(host, ports, connectionsMax, waitingMax, waitMs, retryMs, connectMs, value);
    }
}
