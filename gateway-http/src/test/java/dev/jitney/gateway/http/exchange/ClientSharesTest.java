package dev.jitney.gateway.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.exchange.ClientShares.Client;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientSharesTest {
    private static final int LIMIT = 10;
    private static final Client GREEDY = new Client(null, "first", "greedy");
    private static final Client MODEST = new Client(null, "first", "modest");
    private static final Client THIRD = new Client(null, "first", "third");

    private final ClientShares<String> shares = new ClientShares<>();

    private void hold(Client client, int places) {
        for (int i = 0; i < places; i++) {
            shares.add(client.holder() + i, client);
        }
    }

    @Test
    @DisplayName(
            "QUOTA-8: a client below its share displaces the oldest places of the client that holds most, up to its share")
    void displacesTheLargest() {
        hold(THIRD, 2);
        hold(GREEDY, 8);
        assertThat(shares.displace(MODEST, LIMIT, place -> true)).isEqualTo("greedy0");
        shares.add("modest0", MODEST);
        assertThat(shares.displace(MODEST, LIMIT, place -> true)).isEqualTo("greedy1");
        shares.add("modest1", MODEST);
        assertThat(shares.displace(MODEST, LIMIT, place -> true)).isEqualTo("greedy2");
        shares.add("modest2", MODEST);
        assertThat(shares.displace(MODEST, LIMIT, place -> true))
                .as("more than a third of the limit")
                .isNull();
        assertThat(shares.size()).isEqualTo(LIMIT);
    }

    @Test
    @DisplayName("QUOTA-8: a client displaces none of its own places, also if it is alone")
    void sparesItsOwn() {
        hold(GREEDY, LIMIT);
        assertThat(shares.displace(GREEDY, LIMIT, place -> true)).isNull();
        assertThat(shares.size()).isEqualTo(LIMIT);
    }

    @Test
    @DisplayName("QUOTA-8: no client is displaced that holds no more than the other would have")
    void sparesEquals() {
        hold(GREEDY, 5);
        hold(MODEST, 4);
        assertThat(shares.displace(MODEST, LIMIT, place -> true)).isNull();
        shares.remove("modest0");
        assertThat(shares.displace(MODEST, LIMIT, place -> true)).isEqualTo("greedy0");
    }

    @Test
    @DisplayName("QUOTA-8: places that do not yield are passed over, and so is a client whose places do not yield")
    void passesOver() {
        hold(THIRD, 3);
        hold(GREEDY, 7);
        assertThat(shares.displace(MODEST, LIMIT, place -> place.endsWith("2"))).isEqualTo("greedy2");
        assertThat(shares.displace(MODEST, LIMIT, place -> place.startsWith("third")))
                .isEqualTo("third0");
        assertThat(shares.displace(MODEST, LIMIT, place -> false)).isNull();
    }

    @Test
    @DisplayName("QUOTA-8: a place that moves to another client counts once")
    void moves() {
        hold(GREEDY, 3);
        shares.add("greedy0", MODEST);
        assertThat(shares.size()).isEqualTo(3);
        shares.remove("greedy0");
        shares.remove("greedy0");
        assertThat(shares.size()).isEqualTo(2);
        assertThat(shares.contains("greedy0")).isFalse();
    }

    @Test
    @DisplayName("QUOTA-8: addresses of one IPv6 network are one client, others are not")
    void addresses() throws UnknownHostException {
        assertThat(Client.at(InetAddress.getByName("2001:db8::1")))
                .isEqualTo(Client.at(InetAddress.getByName("2001:db8::2")))
                .isNotEqualTo(Client.at(InetAddress.getByName("2001:db8:0:1::1")));
        assertThat(Client.at(InetAddress.getByName("192.0.2.1")))
                .isNotEqualTo(Client.at(InetAddress.getByName("192.0.2.2")));
    }
}
