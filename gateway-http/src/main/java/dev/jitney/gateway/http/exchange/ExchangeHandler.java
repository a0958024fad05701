package dev.jitney.gateway.http.exchange;

/** Serves requests. Called on an event loop; it must not block. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Answers the exchange, now or later, exactly once.
     *
     * @throws RefusedException to have it answered with an error
     */
    void handle(Exchange exchange) throws RefusedException;
}
