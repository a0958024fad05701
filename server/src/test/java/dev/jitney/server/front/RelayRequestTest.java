package dev.jitney.server.front;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.listener.SharedPort;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayRequestTest {
    private static final InetSocketAddress LEADER = new InetSocketAddress("127.0.0.1", 7401);

    @Test
    @DisplayName("CL-73: what one node writes, the other reads, also for IPv6")
    void roundTrip() {
        for (String host : new String[] {"192.0.2.7", "2001:db8::7"}) {
            for (int protocols = 1; protocols < 16; protocols++) {
                SharedPort port = new SharedPort(
                        0, (protocols & 1) != 0, (protocols & 2) != 0, (protocols & 4) != 0, (protocols & 8) != 0);
                RelayRequest request = new RelayRequest(port, new InetSocketAddress(host, 50_123));
                String text = new String(request.toBytes(LEADER), StandardCharsets.US_ASCII);
                assertThat(RelayRequest.read(
                                header(text, RelayRequest.PROTOCOLS_HEADER), header(text, RelayRequest.CLIENT_HEADER)))
                        .isEqualTo(request);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                ":1",
                "localhost:1",
                "192.0.2.7",
                "192.0.2.7:",
                "192.0.2.7:65536",
                "192.0.2.7:-1",
                "192.0.2.7:99999999999",
                "192.0.2.256:1",
                "[::1:1",
                "a very long text that is no address at all, and longer than any of them:1"
            })
    @DisplayName("An address that is malformed, or a name, is refused without a DNS lookup")
    void malformedAddress(String client) {
        assertThat(RelayRequest.read("amqp", client)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "amqp,",
                "amqp;http",
                "ftp",
                "amqp,http,amqps,https,amqp,http,amqps,https,amqp,http,amqps,https"
            })
    @DisplayName("Unknown or no protocols are refused")
    void malformedProtocols(String protocols) {
        assertThat(RelayRequest.read(protocols, "192.0.2.7:1")).isNull();
    }

    private static String header(String request, String name) {
        int from = request.indexOf(name + ": ") + name.length() + 2;
        return request.substring(from, request.indexOf("\r\n", from));
    }
}
