package dev.jitney.gateway.amqp.shared;

import dev.jitney.runtime.memory.MemoryFigures;
import java.util.Map;

/**
 * The figures of an AMQP gateway, including WebSocket connections. Sums count from the start of the process.
 *
 * @param sockets open sockets, whether or not a connection was opened on them
 * @param refusedSockets sockets closed because too many were open
 * @param receivedBytes bytes read from sockets, without TLS
 * @param sentBytes bytes written to sockets, without TLS
 * @param directMemoryBytes off-heap memory of the network buffers of the process, -1 if not known
 * @param memory memory that clients hold
 * @param namespaces figures by namespace; a namespace without any connection so far is missing
 */
public record AmqpFigures(
        int sockets,
        long refusedSockets,
        long receivedBytes,
        long sentBytes,
        long directMemoryBytes,
        MemoryFigures memory,
        Map<String, NamespaceFigures> namespaces) {

    /** The figures of a gateway without any connection so far. */
    public static final AmqpFigures NONE = new AmqpFigures(0, 0, 0, 0, -1, MemoryFigures.NONE, Map.of());

    /**
     * The figures of one namespace.
     *
     * @param connections open connections
     * @param openedConnections connections opened so far
     * @param refusedConnections connections refused or closed because the namespace had reached its limit (QUOTA, MaxConnections)
     * @param links attached links
     * @param refusedCredentials refused tokens and passwords
     */
    public record NamespaceFigures(
            int connections, long openedConnections, long refusedConnections, int links, long refusedCredentials) {}
}
