package dev.jitney.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AddressLimitsTest {
    private static final String RULE = "orders";

    private long nowMs = 1_000_000;

    private AddressLimits limits(int connections, int perSecond, int failures) {
        return new AddressLimits(new ClientLimits(connections, perSecond, failures, 0), () -> nowMs);
    }

    private static InetAddress address(String text) throws Exception {
        return InetAddress.getByName(text);
    }

    @Test
    @DisplayName("An address has its limit of open connections, and others are not affected")
    void limitsConnections() throws Exception {
        AddressLimits limits = limits(2, 0, 0);
        InetAddress one = address("192.0.2.1");
        assertThat(limits.connected(one)).isTrue();
        assertThat(limits.connected(one)).isTrue();
        assertThat(limits.connected(one)).isFalse();
        assertThat(limits.connected(address("192.0.2.2"))).isTrue();
        limits.disconnected(one);
        assertThat(limits.connected(one)).isTrue();
        assertThat(limits.figures().refusedConnections()).isOne();
        assertThat(limits.figures().addresses()).isEqualTo(2);
        assertThat(limits.figures().mostConnections()).isEqualTo(2);
    }

    @Test
    @DisplayName("The addresses of one /64 prefix of IPv6 count together, and an IPv4 address inside IPv6 as IPv4")
    void countsPrefixes() throws Exception {
        AddressLimits limits = limits(1, 0, 0);
        assertThat(limits.connected(address("2001:db8:1:2::1"))).isTrue();
        assertThat(limits.connected(address("2001:db8:1:2:ffff::9"))).isFalse();
        assertThat(limits.connected(address("2001:db8:1:3::1"))).isTrue();
        assertThat(limits.connected(address("192.0.2.1"))).isTrue();
        assertThat(limits.connected(address("::ffff:192.0.2.1"))).isFalse();
    }

    @Test
    @DisplayName("New connections are limited by the second, with ten seconds' worth at once")
    void limitsTheRate() throws Exception {
        AddressLimits limits = limits(0, 2, 0);
        InetAddress one = address("192.0.2.1");
        for (int i = 0; i < 20; i++) {
            assertThat(limits.connected(one)).isTrue();
        }
        assertThat(limits.connected(one)).isFalse();
        nowMs += 500;
        assertThat(limits.connected(one)).isTrue();
        assertThat(limits.connected(one)).isFalse();
        assertThat(limits.figures().refusedByRate()).isEqualTo(2);
    }

    @Test
    @DisplayName("After too many wrong keys for a rule, its credentials are not checked for a time that doubles")
    void pausesARule() throws Exception {
        AddressLimits limits = limits(0, 0, 30);
        InetAddress one = address("192.0.2.1");
        for (int i = 0; i < 3; i++) {
            assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
            limits.refused(one, RULE);
        }
        assertThat(limits.mayAuthenticate(one, RULE)).isFalse();
        assertThat(limits.mayAuthenticate(one, "ORDERS")).isFalse();
        assertThat(limits.mayAuthenticate(one, "billing")).isTrue();
        assertThat(limits.mayAuthenticate(address("192.0.2.2"), RULE)).isTrue();
        nowMs += AddressLimits.FIRST_PAUSE_MS;
        assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
        limits.refused(one, RULE);
        nowMs += AddressLimits.FIRST_PAUSE_MS;
        assertThat(limits.mayAuthenticate(one, RULE)).isFalse();
        nowMs += AddressLimits.FIRST_PAUSE_MS;
        assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
        for (int i = 0; i < 10; i++) {
            limits.refused(one, RULE);
            nowMs += AddressLimits.LAST_PAUSE_MS;
            assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
        }
    }

    @Test
    @DisplayName("After too many wrong keys for many rules, no credential of the address is checked")
    void pausesAnAddress() throws Exception {
        AddressLimits limits = limits(0, 0, 30);
        InetAddress one = address("192.0.2.1");
        for (int i = 0; i < 30; i++) {
            limits.refused(one, "rule-" + i);
        }
        assertThat(limits.mayAuthenticate(one, RULE)).isFalse();
        assertThat(limits.figures().pausedAddresses()).isOne();
        assertThat(limits.figures().refusedAttempts()).isOne();
        assertThat(limits.figures().failedAttempts()).isEqualTo(30);
        nowMs += AddressLimits.MEMORY_MS + 1;
        assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
        limits.refused(one, RULE);
        assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
    }

    @Test
    @DisplayName("An accepted credential ends the failures of its rule")
    void heals() throws Exception {
        AddressLimits limits = limits(0, 0, 30);
        InetAddress one = address("192.0.2.1");
        for (int i = 0; i < 50; i++) {
            limits.refused(one, RULE);
            limits.refused(one, RULE);
            limits.accepted(one, RULE);
            limits.accepted(one, RULE);
            assertThat(limits.mayAuthenticate(one, RULE)).isTrue();
        }
    }

    @Test
    @DisplayName("Clients with very many addresses and rule names cannot make the tables grow")
    void isBounded() throws Exception {
        AddressLimits limits = limits(0, 1, 10);
        for (int i = 0; i < 2 * AddressLimits.RECENT_MAX; i++) {
            InetAddress each = InetAddress.getByAddress(new byte[] {10, (byte) (i >> 16), (byte) (i >> 8), (byte) i});
            assertThat(limits.connected(each)).isTrue();
            limits.refused(each, "rule-" + i);
            limits.disconnected(each);
        }
        assertThat(limits.figures().addresses()).isZero();
        assertThat(limits.entries()).isLessThanOrEqualTo(3 * AddressLimits.RECENT_MAX);
    }
}
