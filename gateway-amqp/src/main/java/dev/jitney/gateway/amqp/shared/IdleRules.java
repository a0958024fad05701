package dev.jitney.gateway.amqp.shared;

/**
 * The times after which idle links and connections are closed (RECV-12). All times are milliseconds, more than 0.
 *
 * @param linkMs time without a transfer, disposition, flow or request that names the link
 * @param noLinksMs time of a connection without links
 * @param firstLinkMs time of a new connection until its first link
 */
public record IdleRules(long linkMs, long noLinksMs, long firstLinkMs) {

    /** The rules that close nothing, which are the default. */
    public static final IdleRules OFF = new IdleRules(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /** The rules of Service Bus: 10 minutes, 5 minutes and 1 minute. */
    public static final IdleRules SERVICE = new IdleRules(600_000, 300_000, 60_000);

    public IdleRules {
        if (linkMs <= 0 || noLinksMs <= 0 || firstLinkMs <= 0) {
            throw new IllegalArgumentException("Expected times of more than 0 ms, but got " + linkMs + ", " + noLinksMs
                    + " and " + firstLinkMs + ".");
        }
    }
}
