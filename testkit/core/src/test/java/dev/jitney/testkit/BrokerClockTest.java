package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The clock with a broker whose answers the test chooses. */
class BrokerClockTest {
    private HttpServer broker;
    private volatile String answer = "";

    @BeforeEach
    void start() throws IOException {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broker.createContext("/", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        broker.start();
    }

    @AfterEach
    void stop() {
        broker.stop(0);
    }

    @Test
    @DisplayName("The time does not run backward if the broker is less far than its former speed suggests")
    void neverBackward() {
        BrokerClock clock = new BrokerClock(new BrokerHttp(broker.getAddress().getPort()));
        Clock java = clock.asJavaClock();
        answer = "{\"now\":\"2026-01-01T00:00:00Z\",\"speed\":1000}";
        Instant before = java.instant();
        assertThat(before).isAfterOrEqualTo("2026-01-01T00:00:00Z");

        answer = "{\"now\":\"2025-12-31T23:59:59Z\",\"speed\":0}";
        clock.freeze();
        Instant after = java.instant();
        assertThat(after).isAfterOrEqualTo(before);
        assertThat(java.instant()).isEqualTo(after);

        answer = "{\"now\":\"2026-01-02T00:00:00Z\",\"speed\":0}";
        clock.freeze();
        assertThat(java.instant()).isEqualTo("2026-01-02T00:00:00Z");
    }
}
