package dev.jitney.server;

import org.jspecify.annotations.Nullable;

/**
 * The setting of a listener without TLS.
 *
 * @param number its port, 0 for any free port, or null for no such listener
 * @param asked true if the setting was given, including the setting that there is no listener
 */
public record PlainPort(@Nullable Integer number, boolean asked) {
    /** No listener. */
    public static final PlainPort OFF = new PlainPort(null, true);

    /** Returns a requested listener, which is open even if other machines can connect. */
    public static PlainPort of(int number) {
        return new PlainPort(number, true);
    }

    /** Returns the default: the usual port, but no listener if other machines connect with TLS. */
    public static PlainPort unasked(int usual) {
        return new PlainPort(usual, false);
    }

    /** Returns whether the listener was turned off explicitly. */
    boolean isOff() {
        return asked && number == null;
    }

    /**
     * Returns the port in force, or null for no listener.
     *
     * @param tls true if the server has a certificate
     * @param host the value of {@code --host}
     */
    public @Nullable Integer inForce(boolean tls, String host) {
        return asked || !tls || Hosts.isLoopback(host) ? number : null;
    }
}
