package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.TestIdentities;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.runtime.client.CredentialCounts;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.Permission;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Credentials of the operator API")
@Timeout(60)
class CredentialsTest extends OperatorScenario {
    private static final String JOBS = "/$operator/v1/jobs";
    private static final String DEAD = "orders%2F$DeadLetterQueue";
    private static final String DRY_RUN = "{\"operation\": \"resubmit\", \"dryRun\": true}";

    /** A tenth of it applies to one rule name of an address. */
    private static final int FAILURES_MAX = 40;

    private final TestIdentities identities = new TestIdentities();

    @Override
    ClientAdmission admission() {
        return new ClientAdmission(
                new AddressLimits(new ClientLimits(0, 0, FAILURES_MAX, 0), () -> 0),
                new CredentialCounts(0),
                new CertificateRules(),
                identities);
    }

    @BeforeEach
    void fill() throws Exception {
        AccessRule team = new AccessRule("team", Set.of(AccessRight.LISTEN, AccessRight.SEND), "key-of-the-team", null);
        broker.create("orders");
        createOrders(broker.broker.namespaces().get(1), List.of(team));
        identities.give(
                "operator-there",
                new Permission(Set.of(), OperatorRole.OPERATOR, "second", EntityAddress.keyOf("orders")));
        assertThat(order(TestBroker.token())).isEqualTo("1");
    }

    private static void createOrders(Namespace namespace, List<AccessRule> rules) throws Exception {
        namespace
                .createQueue(QueueDescription.named("orders").accessRules(rules).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    /** Orders a job on the dead-letter queue of the queue, and returns its number. */
    private String order(String token) throws Exception {
        HttpResponse<String> answer = patiently("POST", "/$operator/v1/entities/" + DEAD + "/jobs", DRY_RUN, token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getString("id");
    }

    /** Sends a request, and again while the jobs are being read. */
    private HttpResponse<String> patiently(String method, String target, String body, String token) throws Exception {
        HttpResponse<String> answer;
        do {
            answer = send(method, target, body, token);
        } while (answer.statusCode() == 503 && answer.body().contains("being read"));
        return answer;
    }

    private JsonArray jobs(String token) throws Exception {
        HttpResponse<String> answer = patiently("GET", JOBS, "", token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getJsonArray("jobs");
    }

    private static String teamToken() {
        return TestBroker.token("http://localhost", "team", "key-of-the-team");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("reach the jobs of their own namespace only, with a key of an entity and with a role on an entity")
    @ValueSource(strings = {"the key of an entity", "a role on an entity"})
    void otherNamespace(String kind) throws Exception {
        String token = kind.startsWith("the key") ? teamToken() : "Bearer operator-there";
        HttpResponse<String> none = patiently("GET", JOBS, "", token);
        assertThat(none.body()).doesNotContain("resubmit");
        assertThat(patiently("POST", JOBS + "/1/cancel", "", token).statusCode())
                .isBetween(401, 404);

        assertThat(order(token)).isEqualTo("1");
        assertThat(jobs(token)).hasSize(1);
        HttpResponse<String> canceled = patiently("POST", JOBS + "/1/cancel", "", token);
        assertThat(canceled.statusCode()).as(canceled.body()).isEqualTo(200);
        assertThat(jobs(token).getJsonObject(0).getString("state")).isEqualTo("canceled");
        assertThat(jobs(TestBroker.token())).hasSize(1);
        assertThat(jobs(TestBroker.token()).getJsonObject(0).getString("state")).isNotEqualTo("canceled");
    }

    @Test
    @DisplayName("of an entity without jobs reach none, and count as no guess however often they look")
    void withoutJobs() throws Exception {
        for (int i = 0; i < FAILURES_MAX; i++) {
            assertThat(jobs(teamToken())).isEmpty();
            assertThat(patiently("GET", JOBS + "/1", "", teamToken()).statusCode())
                    .isEqualTo(404);
        }
        assertThat(send("POST", "/orders/messages", "hello", teamToken()).statusCode())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("with a wrong key count as guessed")
    void wrongKey() throws Exception {
        String wrong = TestBroker.token("http://localhost", "team", "wrong");
        for (int i = 0; i < FAILURES_MAX / 10; i++) {
            assertThat(patiently("GET", JOBS, "", wrong).statusCode()).isEqualTo(401);
        }
        assertThat(send("GET", JOBS, "", wrong).statusCode()).isEqualTo(503);
    }

    @Test
    @DisplayName("with a wrong key of an entity count as guessed too, and each of them once")
    void wrongKeyOfEntity() throws Exception {
        String wrong = TestBroker.token("http://localhost/orders", "team", "wrong");
        for (int i = 0; i < FAILURES_MAX / 10; i++) {
            assertThat(patiently("GET", JOBS, "", wrong).statusCode()).isEqualTo(401);
        }
        assertThat(send("GET", JOBS, "", wrong).statusCode()).isEqualTo(503);
    }

    @Test
    @DisplayName("with a forged signature count on paths that need no credential, too")
    void forgedAnywhere() throws Exception {
        for (int i = 0; i < FAILURES_MAX; i++) {
            assertThat(send("GET", "/$operator/v1/no-such-path", "", "Bearer forged")
                            .statusCode())
                    .isBetween(401, 404);
        }
        long verified = identities.verified();
        send("GET", "/$operator/v1/no-such-path", "", "Bearer forged");
        assertThat(identities.verified()).isEqualTo(verified);
    }

    @Test
    @DisplayName("of an identity provider administer an entity whose path is that of a health page")
    void entityNamedHealth() throws Exception {
        identities.give("manager", new Permission(Set.of(AccessRight.MANAGE), null, "first", ""));
        broker.create("health");
        assertThat(send("GET", "/health?api-version=2021-05", "", "Bearer manager")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("with a forged signature are not checked while the address is paused, and health needs none at all")
    void forgedTokens() throws Exception {
        for (int i = 0; i < FAILURES_MAX; i++) {
            assertThat(send("GET", JOBS, "", "Bearer forged").statusCode()).isEqualTo(401);
        }
        long verified = identities.verified();
        assertThat(send("GET", JOBS, "", "Bearer forged").statusCode()).isEqualTo(503);
        assertThat(send("GET", "/health/live", "", "Bearer forged").statusCode())
                .isEqualTo(200);
        assertThat(identities.verified()).isEqualTo(verified);
    }

    @Test
    @DisplayName("end a running job within seconds when their rule loses a right")
    void revoked() throws Exception {
        for (int i = 0; i < 30; i++) {
            message("body " + i);
        }
        AccessRule root = broker.broker.namespaces().get(0).accessRules().get(0);
        addRule(new AccessRule("again", Set.of(AccessRight.values()), "again-key", null));
        String again = TestBroker.token("http://localhost", "again", "again-key");
        String slowly = "{\"operation\": \"move\", \"to\": \"orders\", \"messagesPerSecond\": 1}";
        String id = new JsonObject(patiently("POST", "/$operator/v1/entities/shop%2Forders/jobs", slowly, again)
                        .body())
                .getString("id");
        awaitState(id, "running");

        broker.broker
                .namespaces()
                .get(0)
                .setAccessRules(List.of(root, new AccessRule("again", Set.of(AccessRight.LISTEN), "again-key", null)))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);

        JsonObject failed = awaitState(id, "failed");
        assertThat(failed.getString("reason")).contains("The access rule 'again'");
        assertThat(Objects.requireNonNull(broker.broker.namespaces().get(0).entity("shop/orders"))
                        .counts()
                        .active())
                .isPositive();
    }

    @Test
    @DisplayName("of one namespace run two jobs at a time, and those of another namespace start meanwhile")
    void jobsOfSeveralNamespaces() throws Exception {
        for (int i = 0; i < 30; i++) {
            message("body " + i);
        }
        String slowly = "{\"operation\": \"copy\", \"to\": \"orders\", \"messagesPerSecond\": 1}";
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(new JsonObject(
                            patiently("POST", "/$operator/v1/entities/shop%2Forders/jobs", slowly, TestBroker.token())
                                    .body())
                    .getString("id"));
        }
        awaitState(ids.get(0), "running");
        awaitState(ids.get(1), "running");
        assertThat(order(teamToken())).isEqualTo("1");
        while (!jobs(teamToken()).getJsonObject(0).getString("state").equals("ready")) { // the timeout ends it
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        awaitState(ids.get(2), "waiting");
        assertThat(patiently("POST", JOBS + "/" + ids.get(0) + "/cancel", "", TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
        awaitState(ids.get(2), "running");
    }

    @Test
    @DisplayName("of three namespaces take turns: a job starts before those of namespaces that have running ones")
    void jobsTakeTurns() throws Exception {
        Namespace other = broker.broker
                .createNamespace(
                        "other",
                        TierProfile.STANDARD,
                        List.of(new AccessRule("elsewhere", Set.of(AccessRight.values()), "elsewhere-key", null)))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        createOrders(other, List.of());
        String elsewhere = TestBroker.token("http://localhost", "elsewhere", "elsewhere-key");
        // The jobs last longer than the test.
        String many = "{\"messages\": [{\"body\": \"body\"}], \"count\": 200}";
        assertThat(send("POST", "/$operator/v1/entities/shop%2Forders/messages", many, TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
        assertThat(send("POST", "/$operator/v1/entities/orders/messages", many, elsewhere)
                        .statusCode())
                .isEqualTo(200);
        String slowly = "{\"operation\": \"copy\", \"to\": \"orders\", \"messagesPerSecond\": 1}";
        for (int i = 0; i < 3; i++) {
            patiently("POST", "/$operator/v1/entities/shop%2Forders/jobs", slowly, TestBroker.token());
            patiently("POST", "/$operator/v1/entities/orders/jobs", slowly, elsewhere);
        }
        awaitState("3", "running");
        assertThat(order(teamToken())).isEqualTo("1");
        assertThat(jobs(teamToken()).getJsonObject(0).getString("state")).isEqualTo("waiting");

        assertThat(patiently("POST", JOBS + "/1/cancel", "", elsewhere).statusCode())
                .isEqualTo(200);
        while (!jobs(teamToken()).getJsonObject(0).getString("state").equals("ready")) { // the timeout ends it
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Test
    @DisplayName("of an identity end a stream of figures when the provider withdraws their key")
    void withdrawn() throws Exception {
        identities.give("reader", new Permission(Set.of(), OperatorRole.READER, "first", ""));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port() + "/$operator/v1/overview/events"))
                .header("Authorization", "Bearer reader")
                .build();
        HttpResponse<InputStream> events =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(events.statusCode()).isEqualTo(200);
        identities.withdrawKeyOf("reader");
        assertThat(new String(events.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("event: end");
    }

    private JsonObject awaitState(String id, String state) throws Exception {
        while (true) { // the timeout of the test ends it
            JsonObject job = new JsonObject(
                    patiently("GET", JOBS + "/" + id, "", TestBroker.token()).body());
            if (state.equals(job.getString("state"))) {
                return job;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
