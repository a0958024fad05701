package dev.jitney.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What the value of {@code --host} means. */
final class Hosts {
    private Hosts() {}

    /** Whether only programs on this machine can connect. A name without an address counts as open to others. */
    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** What a client on this machine calls a server that is bound there, ready for a URL. */
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
