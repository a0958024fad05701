package dev.jitney.gateway.amqp.shared;

import dev.jitney.runtime.memory.MemoryFigures;
import java.util.Map;

/**
 * What an AMQP gateway has to do, WebSocket connections included. Sums count from the start of the process.
 *
 * @param sockets sockets that are open, whether or not a connection was opened on them
 * @param refusedSockets sockets closed at once because too many were open
 * @param receivedBytes bytes read from sockets, without TLS
 * @param sentBytes bytes written to sockets, without TLS
 * @param directMemoryBytes memory outside the heap that network buffers of the process take, -1 if that is not known
 * @param memory the memory that clients hold
 * @param namespaces by name; one to which nobody ever connected is not in it
 */
public record AmqpFigures(
        int sockets,
        long refusedSockets,
        long receivedBytes,
        long sentBytes,
        long directMemoryBytes,
        MemoryFigures memory,
        Map<String, NamespaceFigures> namespaces) {

    /** Those of a gateway nobody has connected to. */
    public static final AmqpFigures NONE = new AmqpFigures(0, 0, 0, 0, -1, MemoryFigures.NONE, Map.of());

    /**
     * What belongs to one namespace.
     *
     * @param connections connections that are open
     * @param openedConnections connections that were opened
     * @param refusedConnections connections refused because the namespace had as many as it may (QUOTA, MaxConnections)
     * @param links links that are attached
     * @param refusedCredentials tokens and passwords that were not believed
     */
    public record NamespaceFigures(
            int connections, long openedConnections, long refusedConnections, int links, long refusedCredentials) {}
}
