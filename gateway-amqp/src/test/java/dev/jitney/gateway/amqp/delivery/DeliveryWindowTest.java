package dev.jitney.gateway.amqp.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deliveries between a shard and a socket. */
class DeliveryWindowTest {
    @ParameterizedTest
    @CsvSource({"100, 1024", "1024, 1024", "16384, 256", "131072, 32", "1048576, 4", "104857600, 1"})
    @DisplayName("ADR 45: as many messages are in transit as a turn stores, and fewer if they are large")
    void size(int messageBytes, int count) {
        DeliveryWindow window = new DeliveryWindow();
        assertThat(window.room(0)).isEqualTo(32);
        for (int i = 0; i < 300; i++) {
            window.delivered(messageBytes);
        }
        assertThat(window.room(0)).isBetween(count - count / 50 - 1, count);
        assertThat(window.room(2_000)).isZero();
        assertThat(window.low(0)).isTrue();
        assertThat(window.low(count)).isFalse();
    }
}
