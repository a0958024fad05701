package dev.jitney.gateway.http;

/**
 * How long the HTTP listeners wait for clients.
 *
 * @param firstRequestMs from the opening of a connection to the end of the first request's head
 * @param idleMs silence in both directions after which a connection is closed
 */
record HttpPatience(long firstRequestMs, long idleMs) {
    static final HttpPatience DEFAULT = new HttpPatience(20_000, 60_000);
}
