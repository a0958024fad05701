package dev.jitney.gateway.http.console;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failed logins of each address. Any thread may call it. */
final class LoginAttempts {
    /** The number of failed logins after which an address has to wait. */
    static final int FAILURES_MAX = 10;

    /** The time in which they are counted, and after which the address may try again. */
    static final long WINDOW_MS = 60_000;

    private static final int ADDRESSES_MAX = 10_000;

    /** The bytes of an IPv6 address that name a network. One client can use all addresses of its network. */
    private static final int NETWORK_BYTES = 8;

    private final Map<String, Window> windows = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    private record Window(long sinceMs, int failures) {}

    /** Returns the seconds that an address has to wait, or 0. */
    synchronized long waitSeconds(@Nullable String address, long nowMs) {
        Window window = windows.get(network(address));
        if (window == null || window.failures < FAILURES_MAX || nowMs >= window.sinceMs + WINDOW_MS) {
            return 0;
        }
        return (window.sinceMs + WINDOW_MS - nowMs + 999) / 1_000;
    }

    synchronized void failed(@Nullable String address, long nowMs) {
        windows.merge(
                network(address),
                new Window(nowMs, 1),
                (old, first) -> nowMs >= old.sinceMs + WINDOW_MS ? first : new Window(old.sinceMs, old.failures + 1));
    }

    /** Returns the address, or the network of an IPv6 address, of which one client can use all addresses. */
    static String network(@Nullable String address) {
        if (address == null || !address.contains(":")) {
            return String.valueOf(address);
        }
        try {
            // A literal address, so there is no look-up.
            InetAddress parsed = InetAddress.getByName(address);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
                    : address;
        } catch (UnknownHostException notAnAddress) {
            return address;
        }
    }
}
