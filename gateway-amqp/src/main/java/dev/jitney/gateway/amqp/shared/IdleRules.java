package dev.jitney.gateway.amqp.shared;

/**
 * When links and connections that nobody uses are closed (RECV-12). All times are milliseconds, more than 0.
 *
 * @param linkMs how long a link may be without a transfer, disposition, flow or request that names it
 * @param noLinksMs how long a connection may be without links
 * @param firstLinkMs how long a new connection may take until its first link
 */
public record IdleRules(long linkMs, long noLinksMs, long firstLinkMs) {

    /** Nothing is closed for being idle, which is the default. */
    public static final IdleRules OFF = new IdleRules(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /** As the service does it: 10 minutes, 5 minutes and 1 minute. */
    public static final IdleRules SERVICE = new IdleRules(600_000, 300_000, 60_000);

    public IdleRules {
        if (linkMs <= 0 || noLinksMs <= 0 || firstLinkMs <= 0) {
            throw new IllegalArgumentException("Expected times of more than 0 ms, but got " + linkMs + ", " + noLinksMs
                    + " and " + firstLinkMs + ".");
        }
    }
}
