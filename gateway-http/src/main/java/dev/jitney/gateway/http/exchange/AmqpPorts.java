package dev.jitney.gateway.http.exchange;

/** The ports for AMQP, by the ports of the HTTP listeners. Any thread may call it. */
@FunctionalInterface
public interface AmqpPorts {
    /** Every port serves AMQP too, or no other one is known. */
    AmqpPorts SAME = (port, tls) -> port;

    /**
     * Returns the port to which clients of AMQP connect.
     *
     * @param port the local port of a connection of HTTP
     * @param tls whether the connection has TLS
     * @return the same port if it serves AMQP too, or if no other port does
     */
    int amqpPort(int port, boolean tls);
}
