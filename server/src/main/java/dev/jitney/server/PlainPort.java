package dev.jitney.server;

import org.jspecify.annotations.Nullable;

/**
 * A listener without TLS, as it was asked for.
 *
 * @param number its port, 0 for any free one, or null for no such listener
 * @param asked whether somebody asked for it, or for having none
 */
public record PlainPort(@Nullable Integer number, boolean asked) {
    /** There shall be none. */
    public static final PlainPort OFF = new PlainPort(null, true);

    /** A listener that was asked for, wherever the server is bound. */
    public static PlainPort of(int number) {
        return new PlainPort(number, true);
    }

    /** Nothing was said: the usual port, but none where others connect with TLS. */
    public static PlainPort unasked(int usual) {
        return new PlainPort(usual, false);
    }

    /** Whether somebody asked for having none. */
    boolean isOff() {
        return asked && number == null;
    }

    /**
     * The port in force, or null for no listener.
     *
     * @param tls whether the server has a certificate
     * @param host what it is bound to
     */
    public @Nullable Integer inForce(boolean tls, String host) {
        return asked || !tls || Hosts.isLoopback(host) ? number : null;
    }
}
