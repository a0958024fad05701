package dev.jitney.runtime.client;

/**
 * The limits of the clients with one IP address, or with one prefix of 64 bits of IPv6. 0 means no limit.
 *
 * @param connections open connections
 * @param connectionsPerSecond new connections in a second, on average; {@value #BURST_SECONDS} times as many at once, because all
 *     clients reconnect after a restart
 * @param failures refused credentials in a minute. Then the credentials of the address are not checked for a time that begins with a
 *     second and doubles up to a minute
 * @param credentialConnections open AMQP connections of one access rule, whatever their addresses
 */
public record ClientLimits(int connections, int connectionsPerSecond, int failures, int credentialConnections) {
    /** The seconds whose connections may come at once. */
    public static final int BURST_SECONDS = 10;

    /** The default limits: many applications may share an address behind a router or a load balancer. */
    public static final ClientLimits DEFAULT = new ClientLimits(20_000, 2_000, 300, 0);

    /** No limits. */
    public static final ClientLimits NONE = new ClientLimits(0, 0, 0, 0);

    public ClientLimits {
        if (connections < 0 || connectionsPerSecond < 0 || failures < 0 || credentialConnections < 0) {
            throw new IllegalArgumentException("Expected limits of 0 or more.");
        }
    }
}
