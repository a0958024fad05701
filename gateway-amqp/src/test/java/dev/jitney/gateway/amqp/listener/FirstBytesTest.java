package dev.jitney.gateway.amqp.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.listener.FirstBytes.Protocol;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstBytesTest {

    @ParameterizedTest(name = "{0} is {1} after {2} bytes")
    @CsvSource({
        "AMQP, AMQP, 4",
        "'GET /', HTTP, 4",
        "'A /', HTTP, 2",
        "'AMQ /', HTTP, 4",
        "'ACL /', HTTP, 4",
        "'M-SEARCH * HTTP/1.1', HTTP, 9",
        "'PRI * HTTP/2.0', HTTP, 4",
        "'UPDATEREDIRECTREF /', HTTP, 18",
        "'get /', HTTP, 4",
        "'(GET /', UNKNOWN, 1",
        "' GET /', UNKNOWN, 1",
        "'AMQ:', UNKNOWN, 4",
        "'hello;', UNKNOWN, 6",
    })
    @DisplayName("The first bytes identify the protocol as soon as they are unambiguous")
    void decides(String text, Protocol protocol, int bytes) {
        assertThat(bytesNeeded(text.getBytes(StandardCharsets.US_ASCII), protocol))
                .isEqualTo(bytes);
    }

    @Test
    @DisplayName("TLS begins with a handshake record of version 3; empty lines may come before a request")
    void decidesBinary() {
        assertThat(bytesNeeded(new byte[] {0x16, 3, 1}, Protocol.TLS)).isEqualTo(2);
        assertThat(bytesNeeded(new byte[] {0x16, 2}, Protocol.UNKNOWN)).isEqualTo(2);
        assertThat(bytesNeeded(new byte[] {0x16, 0x16}, Protocol.UNKNOWN)).isEqualTo(2);
        assertThat(bytesNeeded(new byte[] {0x15, 3}, Protocol.UNKNOWN)).isEqualTo(1);
        assertThat(bytesNeeded(new byte[] {'\r', '\n'}, Protocol.HTTP)).isEqualTo(1);
        assertThat(bytesNeeded(new byte[] {0}, Protocol.UNKNOWN)).isEqualTo(1);
        assertThat(bytesNeeded(new byte[] {(byte) 0xff}, Protocol.UNKNOWN)).isEqualTo(1);
    }

    @Test
    @DisplayName("A method has at most 32 characters: a longer word is no protocol")
    void longestMethod() {
        assertThat(bytesNeeded("x".repeat(32).concat(" ").getBytes(StandardCharsets.US_ASCII), Protocol.HTTP))
                .isEqualTo(33);
        assertThat(bytesNeeded("x".repeat(40).getBytes(StandardCharsets.US_ASCII), Protocol.UNKNOWN))
                .isEqualTo(33);
    }

    /** Returns the number of bytes that decide the protocol; fewer decide nothing, and more change nothing. */
    private static int bytesNeeded(byte[] bytes, Protocol expected) {
        FirstBytes first = new FirstBytes();
        int needed = 0;
        for (int i = 0; i < bytes.length; i++) {
            Protocol now = first.next(bytes[i]);
            assertThat(first.protocol()).isEqualTo(now);
            if (now == Protocol.UNDECIDED) {
                assertThat(needed).isZero();
            } else {
                assertThat(now).isEqualTo(expected);
                needed = needed == 0 ? i + 1 : needed;
            }
        }
        return needed;
    }
}
