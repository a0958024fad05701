package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.Entity;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 17.2: receives over HTTP from partitioned entities")
class PartitionedMessagingTest {
    private final TestBroker broker = TestBroker.onStores(4);
    private HttpGateway gateway;
    private HttpMessages http;
    private Entity queue;

    @BeforeEach
    void start() throws Exception {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null), broker.broker, () -> null, new RecordingTunnels());
        http = new HttpMessages(gateway.httpPort());
        queue = broker.create("orders", description -> description.enablePartitioning(true));
    }

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    @Test
    @DisplayName("PART-12, PART-14, T-10: messages of all partitions are received, removed and settled")
    void receivesAll() throws Exception {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            http.send("orders", "m" + i);
            bodies.add("m" + i);
        }
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            got.add(http.remove("orders", 30).body());
            HttpResponse<String> locked = http.lock("orders", 30);
            got.add(locked.body());
            assertThat(http.delete(locked.headers().firstValue("Location").orElseThrow())
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(got).containsExactlyInAnyOrderElementsOf(bodies);
        assertThat(http.lock("orders", 0).statusCode()).isEqualTo(204);
        await(() -> queue.counts().total() == 0);
    }

    private interface FirstReceive {
        void from(String queue) throws Exception;
    }

    /**
     * Returns a queue with one received message and at least one more prefetched message. Several attempts may be
     * needed, because a partition may deliver its message before or after the receiver is detached.
     */
    private Entity withOneFetched(FirstReceive receive) throws Exception {
        for (int i = 0; i < 100; i++) {
            String name = "q" + i;
            Entity created = broker.create(name, description -> description.enablePartitioning(true));
            for (int k = 0; k < 3; k++) {
                http.send(name, "m" + k);
            }
            receive.from(name);
            Instant deadline = Instant.now().plusMillis(100);
            while (Instant.now().isBefore(deadline)) {
                if (created.counts().locked() > 1) {
                    return created;
                }
                Thread.onSpinWait();
            }
            broker.broker
                    .namespace(null)
                    .deleteEntity(name)
                    .toCompletableFuture()
                    .get();
        }
        throw new AssertionError("Expected a receive that prefetches surplus messages, but there was none.");
    }

    private int received(String name) throws Exception {
        int count = 0;
        for (HttpResponse<String> got = http.lock(name, 0); got.statusCode() != 204; got = http.lock(name, 0)) {
            assertThat(got.headers().firstValue("BrokerProperties").orElseThrow())
                    .contains("\"DeliveryCount\":1,");
            count++;
        }
        return count;
    }

    @Test
    @DisplayName("PART-59, PART-61: surplus prefetched messages go to the next receives of the connection")
    void keepsWhatItFetched() throws Exception {
        HttpMessages connection = new HttpMessages(gateway.httpPort());
        Entity fetched = withOneFetched(
                name -> assertThat(connection.lock(name, 0).statusCode()).isEqualTo(201));
        for (int left = 2; left > 0; left--) {
            HttpResponse<String> next = connection.remove(fetched.path(), 30);
            assertThat(next.statusCode()).isEqualTo(200);
        }
        assertThat(connection.lock(fetched.path(), 0).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("PART-59, PART-60: another connection receives prefetched messages while the first one is open")
    void givesToAnother() throws Exception {
        HttpMessages connection = new HttpMessages(gateway.httpPort());
        Entity fetched = withOneFetched(
                name -> assertThat(connection.lock(name, 0).statusCode()).isEqualTo(201));
        for (int left = 2; left > 0; left--) {
            HttpResponse<String> got = http.lock(fetched.path(), 30);
            assertThat(got.statusCode()).isEqualTo(201);
            assertThat(got.headers().firstValue("BrokerProperties").orElseThrow())
                    .contains("\"DeliveryCount\":1,");
        }
        assertThat(connection.lock(fetched.path(), 0).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("PART-60: prefetched messages of a closed connection are available again and not counted as delivered")
    void givesBackWhatItFetched() throws Exception {
        RawClient[] connection = new RawClient[1];
        Entity fetched = withOneFetched(name -> {
            connection[0] = new RawClient(gateway.httpPort());
            assertThat(connection[0]
                            .send("POST /" + name + "/messages/head?timeout=0 HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Authorization: " + TestBroker.token() + "\r\nContent-Length: 0\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 201 ");
        });
        connection[0].close();
        await(() -> fetched.counts().locked() == 1);
        // A partition may deliver its message only now, without a receiver, and release it a little later.
        int[] others = {0};
        await(() -> (others[0] += received(fetched.path())) >= 2);
        assertThat(others[0]).isEqualTo(2);
    }

    @Test
    @DisplayName("PART-61: a connection receives later messages after a receive without a result")
    void receivesAfterNothing() throws Exception {
        HttpMessages connection = new HttpMessages(gateway.httpPort());
        for (int i = 0; i < 5; i++) {
            assertThat(connection.lock("orders", i == 2 ? 1 : 0).statusCode()).isEqualTo(204);
            http.send("orders", "m" + i);
            assertThat(connection.lock("orders", i == 3 ? 30 : 0).body()).isEqualTo("m" + i);
        }
    }

    @Test
    @DisplayName("PART-61: the kept receiver of a deleted and recreated queue is not used again")
    void deleted() throws Exception {
        http.send("orders", "old");
        HttpMessages connection = new HttpMessages(gateway.httpPort());
        assertThat(connection.lock("orders", 0).body()).isEqualTo("old");
        broker.broker
                .namespace(null)
                .deleteEntity("orders")
                .toCompletableFuture()
                .get();
        queue = broker.create("orders", description -> description.enablePartitioning(true));
        assertThat(connection.lock("orders", 0).statusCode()).isEqualTo(204);
        http.send("orders", "new");
        assertThat(connection.lock("orders", 0).body()).isEqualTo("new");
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
        while (!condition.call()) {
            assertThat(Instant.now()).isBefore(deadline);
            Thread.onSpinWait();
        }
    }
}
