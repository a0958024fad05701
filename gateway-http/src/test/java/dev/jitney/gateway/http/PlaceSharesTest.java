package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.exchange.HttpLimits;
import dev.jitney.runtime.client.ClientAdmission;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that holds all places for requests, or for receives, and others that need some. Its deadlines are longer than any test. */
@Timeout(180)
class PlaceSharesTest {
    private static final int PLACES = 10;
    private static final int WAITING_MAX = 4;
    private static final String GREEDY = TestBroker.token();
    private static final String OTHER = TestBroker.token("https://localhost", "listen", "listen-key");
    private static final String FORGED = TestBroker.token("https://localhost", "listen", "wrong-key");

    private final TestBroker broker = new TestBroker();
    private final ClientAdmission admission = ClientAdmission.open();
    private final List<RawClient> clients = new ArrayList<>();
    private HttpGateway gateway;

    @BeforeEach
    void start() throws Exception {
        start(PLACES);
    }

    private void start(int places) throws Exception {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null).withAdmission(admission),
                broker.broker,
                () -> null,
                new RecordingTunnels(),
                new HttpLimits(places, 4, 600, 600, 600, 1 << 20, 4 << 20, WAITING_MAX, 600));
        if (broker.broker.namespace(null).entity("orders") == null) {
            broker.create("orders");
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        gateway.close();
        broker.close();
    }

    private RawClient send(String request) throws IOException {
        RawClient client = new RawClient(gateway.httpPort());
        clients.add(client);
        return client.send(request);
    }

    private static String request(String line, String token) {
        return line + " HTTP/1.1\r\nHost: h\r\nAuthorization: " + token + "\r\n";
    }

    private static String receive(String token) {
        return request("DELETE /orders/messages/head?timeout=500", token) + "\r\n";
    }

    private static String poll(String token) {
        return request("DELETE /orders/messages/head?timeout=0", token) + "\r\n";
    }

    /** Takes all places with requests whose body is not complete. */
    private void fillWithBodies(String line) throws IOException {
        for (int i = 0; i < PLACES; i++) {
            send(request(line, GREEDY) + "Content-Length: 1000\r\n\r\nx");
        }
        await("the bodies", () -> gateway.figures().heldBytes().get("body") == PLACES);
    }

    private static void await(String what, BooleanSupplier condition) {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40); System.nanoTime() < end; ) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        throw new AssertionError("Expected " + what + " within 40 s.");
    }

    @Test
    @DisplayName(
            "QUOTA-8: a slow body of the client that holds all connections is refused for a request of another client")
    void bodiesGiveWay() throws Exception {
        fillWithBodies("POST /orders/messages");
        assertThat(send(poll(OTHER)).answer()).startsWith("HTTP/1.1 204");
        assertThat(clients.get(0).answer()).startsWith("HTTP/1.1 503").contains("SubCode=50004.", "onnection: close");
        assertThat(gateway.figures().displacedConnections()).isOne();

        // The rest of that body is no message, and the other bodies are not concerned.
        clients.get(0).send("x".repeat(999));
        assertThat(clients.get(1).send("x".repeat(999)).answer()).startsWith("HTTP/1.1 201");
        await(
                "one message",
                () -> broker.broker.namespace(null).entity("orders").counts().active() == 1);
        assertThat(send(poll(OTHER)).answer()).startsWith("HTTP/1.1 200");
        assertThat(send(poll(OTHER)).answer()).startsWith("HTTP/1.1 204");
    }

    @Test
    @DisplayName("QUOTA-8: a client gets no more than its share from another one, and none from its own slow bodies")
    void sharesAreEqual() throws Exception {
        fillWithBodies("POST /orders/messages");
        assertThat(send(poll(GREEDY)).answer()).startsWith("HTTP/1.1 503").contains("SubCode=50004.");
        for (int i = 0; i < PLACES / 2; i++) {
            send(request("DELETE /orders/messages/head", OTHER) + "Content-Length: 1000\r\n\r\nx");
            assertThat(clients.get(i).answer()).startsWith("HTTP/1.1 503");
        }
        assertThat(send(poll(OTHER)).answer()).startsWith("HTTP/1.1 503");
        assertThat(send(poll(GREEDY)).answer()).startsWith("HTTP/1.1 503");
    }

    @Test
    @DisplayName("QUOTA-8: a request without a token gets a place, too, and a wrong key is refused as such")
    void strangersHaveAShare() throws Exception {
        fillWithBodies("POST /orders/messages");
        assertThat(send(poll(FORGED)).answer()).startsWith("HTTP/1.1 401").contains("SubCode=40103.");
        assertThat(admission.addresses().figures().failedAttempts()).isOne();
        assertThat(send("GET /$Resources/Queues HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                .startsWith("HTTP/1.1 401")
                .contains("SubCode=40102.");
    }

    @Test
    @DisplayName(
            "QUOTA-8: when all receives wait for one client, its longest one ends without a message for another client")
    void receivesGiveWay() throws Exception {
        for (int i = 0; i < WAITING_MAX; i++) {
            send(receive(GREEDY));
            int waiting = i + 1;
            await("the receive", () -> gateway.waitingReceives() == waiting);
        }
        assertThat(send(receive(GREEDY)).answer()).startsWith("HTTP/1.1 503").contains("SubCode=50004.");
        RawClient other = send(receive(OTHER));
        assertThat(clients.get(0).answer()).startsWith("HTTP/1.1 204");
        assertThat(gateway.waitingReceives()).isEqualTo(WAITING_MAX);

        // A receive that has ended takes no message.
        for (int i = 0; i < WAITING_MAX; i++) {
            String message = request("POST /orders/messages", GREEDY) + "Content-Length: 1\r\n\r\nx";
            assertThat(send(message).answer()).startsWith("HTTP/1.1 201");
        }
        assertThat(other.answer()).startsWith("HTTP/1.1 200");
        for (int i = 1; i < WAITING_MAX; i++) {
            assertThat(clients.get(i).answer()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    @DisplayName(
            "QUOTA-8: the longest receive of the client that holds all connections ends for a request of another client")
    void receivesGiveWayToRequests() throws Exception {
        for (int i = 0; i < WAITING_MAX; i++) {
            send(receive(GREEDY));
            int waiting = i + 1;
            await("the receive", () -> gateway.waitingReceives() == waiting);
        }
        for (int i = WAITING_MAX; i < PLACES; i++) {
            send(request("POST /orders/messages", GREEDY) + "Content-Length: 1000\r\n\r\nx");
        }
        await("the bodies", () -> gateway.figures().heldBytes().get("body") == PLACES - WAITING_MAX);
        String settings = request("GET /$operator/v1/entities", OTHER) + "\r\n";
        assertThat(send(settings).answer()).startsWith("HTTP/1.1 200");
        assertThat(clients.get(0).answer()).startsWith("HTTP/1.1 204");
        assertThat(gateway.figures().displacedConnections()).isZero();
    }

    @Test
    @DisplayName("QUOTA-8: a wrong key counts as a guess also if its request gets no place")
    void guessesWithoutAPlaceCount() throws Exception {
        gateway.close();
        start(1);
        send(request("POST /orders/messages", GREEDY) + "Content-Length: 1000\r\n\r\nx");
        await("the body", () -> gateway.figures().heldBytes().get("body") == 1);
        assertThat(send(poll(FORGED)).answer()).startsWith("HTTP/1.1 503");
        assertThat(admission.addresses().figures().failedAttempts()).isOne();
    }

    @Test
    @DisplayName("QUOTA-8: the administration of an entity named health has no place of a health check")
    void administrationOfHealthNeedsAPlace() throws Exception {
        fillWithBodies("PUT /health?api-version=2021-05");
        assertThat(send(request("PUT /health?api-version=2021-05", GREEDY) + "Content-Length: 1000\r\n\r\nx")
                        .answer())
                .startsWith("HTTP/1.1 503");
        assertThat(send("GET /health HTTP/1.1\r\nHost: h\r\n\r\n").answer()).startsWith("HTTP/1.1 200");
    }
}
