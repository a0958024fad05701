package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** HTTP reference chapter 3 over a real listener and a whole broker: rights, refusals, and disconnecting clients. */
class MessagingLimitsTest extends MessagingScenario {
    // Refusals

    @Test
    @DisplayName("HTTP 71: an unknown entity is 404, a message that is too large is 403, a sub-queue refuses sends")
    void refusesSends() throws Exception {
        HttpResponse<String> unknown = http.send("nowhere", "x");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("SubCode=40400. The messaging entity 'first:nowhere' could not be found.");
        for (int size : new int[] {256 * 1024, 400 * 1024, 3 << 20}) {
            HttpResponse<String> large = http.send("orders", "x".repeat(size));
            assertThat(large.statusCode()).isEqualTo(403);
            assertThat(large.body()).contains("SubCode=40300.", "exceeds the limit");
        }
        assertThat(http.send("orders", "x".repeat(255 * 1024)).statusCode()).isEqualTo(201);
        assertThat(http.send("orders/$DeadLetterQueue", "x").statusCode()).isEqualTo(400);
        assertThat(http.send("orders/$management", "x").statusCode()).isEqualTo(404);
        assertThat(counts().active()).isEqualTo(1);
    }

    @Test
    @DisplayName("HTTP 3.3: a property given twice, or with a quote that does not end, is a bad request")
    void refusesProperties() throws Exception {
        assertThat(http.send("orders", "x", "a", "\"x").statusCode()).isEqualTo(400);
        assertThat(http.send("orders", "x", "a", "\"x\"y\"").statusCode()).isEqualTo(400);
        assertThat(http.send("orders", "x", "a", "\"x\\\"").statusCode()).isEqualTo(400);
        assertThat(http.send("orders", "x", "a", "1", "a", "2").statusCode()).isEqualTo(400);
        assertThat(http.send("orders", "x", "a", "\"").statusCode()).isEqualTo(400);
        assertThat(counts().active()).isZero();
    }

    @Test
    @DisplayName("HTTP 1.6: sending needs Send, receiving and settling need Listen; refusals have no details")
    void needsRights() throws Exception {
        String send = TestBroker.token("https://localhost/orders", "send", "send-key");
        String listen = TestBroker.token("https://localhost/orders", "listen", "listen-key");
        String lockUrl = "/orders/messages/1/" + UUID.randomUUID();
        assertThat(status(http.to("/orders/messages")
                        .setHeader("Authorization", send)
                        .POST(BodyPublishers.noBody())))
                .isEqualTo(201);
        assertThat(status(http.to("/orders/messages")
                        .setHeader("Authorization", listen)
                        .POST(BodyPublishers.noBody())))
                .isEqualTo(401);
        assertThat(status(http.to("/orders/messages/head?timeout=0")
                        .setHeader("Authorization", send)
                        .DELETE()))
                .isEqualTo(401);
        assertThat(status(http.to(lockUrl).setHeader("Authorization", send).DELETE()))
                .isEqualTo(401);
        assertThat(status(http.to(lockUrl).setHeader("Authorization", listen).DELETE()))
                .isEqualTo(404);
        assertThat(status(http.to("/secret/messages/head")
                        .setHeader("Authorization", listen)
                        .DELETE()))
                .isEqualTo(401);
        String whole = TestBroker.token("http://localhost:1/orders/messages/head?timeout=0", "listen", "listen-key");
        assertThat(status(http.to("/orders/messages/head?timeout=0")
                        .setHeader("Authorization", whole)
                        .DELETE()))
                .isEqualTo(200);
        assertThat(status(http.to("/orders/messages")
                        .setHeader("Authorization", whole)
                        .POST(BodyPublishers.noBody())))
                .isEqualTo(401);
    }

    @Test
    @DisplayName("HTTP 10: a rule of a queue permits access to that queue over HTTP, and to no other")
    void honoursRulesOfEntities() throws Exception {
        AccessRule rule = new AccessRule("own", Set.of(AccessRight.SEND), "own-key", null);
        broker.create("guarded", builder -> builder.accessRules(List.of(rule)));
        String token = TestBroker.token("https://localhost", "own", "own-key");
        assertThat(status(http.to("/guarded/messages")
                        .setHeader("Authorization", token)
                        .POST(BodyPublishers.noBody())))
                .isEqualTo(201);
        assertThat(status(http.to("/orders/messages")
                        .setHeader("Authorization", token)
                        .POST(BodyPublishers.noBody())))
                .isEqualTo(401);
        assertThat(status(http.to("/guarded/messages/head")
                        .setHeader("Authorization", token)
                        .DELETE()))
                .isEqualTo(401);
    }

    private int status(java.net.http.HttpRequest.Builder request) throws Exception {
        return http.call(request).statusCode();
    }

    @Test
    @DisplayName("HTTP 3.1: an unsupported method is 405; paths that may be names of entities go to administration")
    void refusesMethods() throws Exception {
        for (String path :
                new String[] {"/orders/messages", "/orders/messages/head", "/orders/messages/1/" + UUID.randomUUID()}) {
            HttpResponse<String> refused = http.call(http.to(path).method("PATCH", BodyPublishers.noBody()));
            assertThat(refused.statusCode()).isEqualTo(405);
            assertThat(refused.body()).contains("The specified HTTP verb (PATCH) is not valid");
            assertThat(refused.headers().firstValue("Allow").orElseThrow()).contains("POST");
            assertThat(http.call(http.to(path).method("HEAD", BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(405);
            assertThat(http.call(http.to(path).GET()).body()).contains("Publicly Listed Services");
        }
    }

    @Test
    @DisplayName("HTTP 3.1: a disabled queue answers 403, and 400 to the older Java client")
    void refusesDisabled() throws Exception {
        broker.create("off", builder -> builder.status(EntityStatus.DISABLED));
        assertThat(http.send("off", "x").statusCode()).isEqualTo(403);
        assertThat(http.lock("off", 5).statusCode()).isEqualTo(403);
        assertThat(http.lock("off", 5).body()).contains("SubCode=40301.", "disabled");
    }

    @Test
    @DisplayName("HTTP 78: a receive from a queue with sessions is refused with 400, but not from its dead letters")
    void refusesSessions() throws Exception {
        broker.create("sessions", builder -> builder.requiresSession(true));
        assertThat(http.lock("sessions", 5).statusCode()).isEqualTo(400);
        assertThat(http.remove("sessions", 5).statusCode()).isEqualTo(400);
        assertThat(http.lock("sessions/$DeadLetterQueue", 0).statusCode()).isNotEqualTo(400);
        assertThat(http.send("sessions", "x", "BrokerProperties", "{\"SessionId\":\"s\"}")
                        .statusCode())
                .isIn(201, 501); // 501 while sessions are not supported
    }

    // Disconnecting clients, and too many clients

    @Test
    @DisplayName("HTTP 3.1: a client that disconnects while it waits takes no message with it")
    void losesNothingToClientsThatGo() throws Exception {
        for (String method : new String[] {"DELETE", "POST"}) {
            for (int i = 0; i < WAITING_MAX + 2; i++) {
                RawClient waiting = new RawClient(gateway.httpPort());
                waiting.send(method + " /orders/messages/head?timeout=30 HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n"
                        + "Authorization: " + TestBroker.token() + "\r\n\r\n");
                awaitAttached();
                waiting.reset();
                await(() -> receivers() == 0);
            }
        }
        http.send("orders", "still here");
        HttpResponse<String> got = http.lock("orders", 30);
        assertThat(got.body()).isEqualTo("still here");
        assertThat(properties(got).get("DeliveryCount").intValue()).isEqualTo(1);
    }

    @Test
    @DisplayName("A race of disconnecting clients and arriving messages loses and duplicates no message")
    void survivesRaces() throws Exception {
        int rounds = 60;
        for (int i = 0; i < rounds; i++) {
            RawClient waiting = new RawClient(gateway.httpPort());
            waiting.send("POST /orders/messages/head?timeout=30 HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n"
                    + "Authorization: " + TestBroker.token() + "\r\n\r\n");
            CompletableFuture<HttpResponse<String>> sending =
                    http.start(http.to("/orders/messages").POST(BodyPublishers.ofString("m" + i)));
            waiting.reset();
            assertThat(sending.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        }
        List<String> bodies = new ArrayList<>();
        // A request of a disconnected client may run late, and lock a message that the clock leap unlocked.
        for (int leap = 0; leap < 5 || bodies.size() < rounds && leap < 30; leap++) {
            broker.nowMs.addAndGet(61_000); // locks of unread responses expire
            for (HttpResponse<String> got = http.remove("orders", 1);
                    got.statusCode() == 200;
                    got = http.remove("orders", 1)) {
                bodies.add(got.body());
            }
        }
        assertThat(bodies).hasSize(rounds).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("The number of waiting receives is limited, one per connection; a refused client may retry")
    void boundsWaiting() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX; i++) {
            waiting.add(http.start(http.lockRequest("orders", 30)));
        }
        await(() -> receivers() == WAITING_MAX);
        HttpResponse<String> refused = http.lock("orders", 20);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("SubCode=50004.");
        for (int i = 0; i < WAITING_MAX; i++) {
            http.send("orders", "m" + i);
        }
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        }
        await(() -> receivers() == 0);
        assertThat(http.lock("orders", 0).statusCode()).isEqualTo(204);

        try (RawClient pipelining = new RawClient(gateway.httpPort())) {
            String receive = "DELETE /orders/messages/head?timeout=30 HTTP/1.1\r\nHost: h\r\nAuthorization: "
                    + TestBroker.token() + "\r\n\r\n";
            pipelining.send(receive + receive + receive + receive);
            await(() -> receivers() == 1);
            http.send("orders", "x");
            assertThat(pipelining.answer()).startsWith("HTTP/1.1 200");
            await(() -> receivers() == 1);
        }
        await(() -> receivers() == 0);
    }

    @Test
    @DisplayName("HTTP 3.1: a waiting receive ends when its entity is deleted or disabled")
    void endsWithTheEntity() throws Exception {
        CompletableFuture<HttpResponse<String>> first = http.start(http.lockRequest("orders", 30));
        awaitAttached();
        broker.broker
                .namespace(null)
                .deleteEntity("orders")
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        HttpResponse<String> gone = first.get(30, TimeUnit.SECONDS);
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(gone.body()).contains("SubCode=41000.");
    }

    @Test
    @DisplayName("THR-6: a throttled request gets 429 with sub-code 50004")
    void throttles() throws Exception {
        try (TestBroker throttled = new TestBroker(2);
                HttpGateway other = HttpGateway.start(
                        new HttpGatewayOptions("127.0.0.1", 0, null, null),
                        throttled.broker,
                        () -> null,
                        new RecordingTunnels())) {
            throttled.create("q");
            throttled.nowMs.addAndGet(2_000);
            HttpMessages messages = new HttpMessages(other.httpPort());
            assertThat(messages.send("q", "1").statusCode()).isEqualTo(201);
            assertThat(messages.send("q", "2").statusCode()).isEqualTo(201);
            HttpResponse<String> refused = messages.send("q", "3");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).contains("SubCode=50004.", "50009");
            assertThat(messages.lock("q", 5).statusCode()).isEqualTo(429);
        }
    }
}
