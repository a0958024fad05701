package dev.jitney.server.config;

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
    public boolean isOff() {
        return asked && number == null;
    }

    /**
     * Returns the port in force, or null for no listener.
     *
     * @param tls true if the server has a certificate
     * @param exposed true if other machines can connect
     */
    public @Nullable Integer inForce(boolean tls, boolean exposed) {
        return asked || !tls || !exposed ? number : null;
    }
}
