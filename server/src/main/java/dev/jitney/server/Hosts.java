package dev.jitney.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Interpretation of the value of {@code --host}. */
public final class Hosts {
    private Hosts() {}

    /**
     * Returns whether only programs on this machine can connect. A name without an address counts as open to others.
     */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns the host name in URLs for clients on this machine. */
    static String reachable(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
                return "localhost";
            }
            return host.contains(":") ? "[" + host + "]" : host;
        } catch (UnknownHostException e) {
            return host;
        }
    }
}
