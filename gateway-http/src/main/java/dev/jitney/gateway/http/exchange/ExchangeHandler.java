package dev.jitney.gateway.http.exchange;

/** A handler of requests. Called on an event loop; it must not block. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Responds to the exchange, now or later, exactly once.
     *
     * @throws RefusedException for an error response
     */
    void handle(Exchange exchange) throws RefusedException;
}
