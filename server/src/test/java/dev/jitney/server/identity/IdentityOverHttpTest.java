package dev.jitney.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.server.Eventually;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.config.ConfigReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bearer tokens over HTTP, with a real provider over HTTP. */
@Timeout(60)
class IdentityOverHttpTest {
    private static final String OWNER = "Azure Service Bus Data Owner";
    private static final String CONFIG = """
            {"UserConfig":{"Namespaces":[
              {"Name":"shop","Queues":[{"Name":"orders"},{"Name":"invoices"},{"Name":"empty"}],"Topics":[]},
              {"Name":"other","Queues":[{"Name":"orders"}],"Topics":[]}],"Logging":{"Type":"Console"}}}""";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final TestIdentityProvider PROVIDER = new TestIdentityProvider();
    private static JitneyServer server;

    @BeforeAll
    static void start() throws Exception {
        PROVIDER.mode(TestIdentityProvider.Mode.IS_SILENT);
        server = JitneyServer.builder()
                .inMemory(true)
                .port(0)
                .config(ConfigReader.parse("the test", CONFIG.getBytes(StandardCharsets.UTF_8), false))
                .identityProvider(new OidcSettings(
                        PROVIDER.issuer().issuer(),
                        List.of(TestIssuer.AUDIENCE),
                        null,
                        null,
                        null,
                        0,
                        OidcSettings.NAME_CLAIM,
                        OidcSettings.ROLE_CLAIMS,
                        RoleMap.of(List.of(
                                "clerk=Send,Listen@shop/orders", "other-team=Manage@other", "shop-team=Manage@shop"))))
                .build()
                .start();
        waitsForTheKeys();
    }

    @AfterAll
    static void stop() {
        server.close();
        PROVIDER.close();
    }

    private static String token(String... roles) {
        return PROVIDER.issuer()
                .token(PROVIDER.issuer()
                        .claims("f3c1", System.currentTimeMillis(), roles)
                        .claim("preferred_username", "alice"));
    }

    private static HttpResponse<String> call(String method, String path, String credential, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + server.httpPort() + "/" + path))
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"))
                .header("Authorization", credential);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static int status(String method, String path, String... roles) throws Exception {
        return call(method, path, "Bearer " + token(roles)).statusCode();
    }

    @Test
    void sendsAndReceivesWithARoleOnTheQueue() throws Exception {
        assertThat(status("POST", "orders/messages", "clerk")).isEqualTo(201);
        assertThat(status("DELETE", "orders/messages/head?timeout=5", "clerk")).isEqualTo(200);
        assertThat(status("POST", "invoices/messages", "clerk")).isEqualTo(401);
        assertThat(status("GET", "orders", "clerk")).isEqualTo(401);
        assertThat(status("POST", "orders/messages", "unknown")).isEqualTo(401);
    }

    @Test
    void administersTheNamespaceInWhichItsRolesGiveRights() throws Exception {
        assertThat(status("GET", "$Resources/Queues", "shop-team")).isEqualTo(200);
        assertThat(call("GET", "$Resources/Queues", "Bearer " + token("shop-team"))
                        .body())
                .contains("invoices");
        assertThat(call("GET", "$Resources/Queues", "Bearer " + token("other-team"))
                        .body())
                .contains("orders")
                .doesNotContain("invoices");
        assertThat(status("GET", "$namespaces", "other-team")).isEqualTo(401);
        assertThat(status("GET", "$namespaces", OWNER)).isEqualTo(200);
    }

    @Test
    void theAuditTrailNamesTheIdentity() throws Exception {
        String entry = """
                <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><QueueDescription \
                xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"/></content></entry>""";
        HttpRequest create = HttpRequest.newBuilder(URI.create("http://localhost:" + server.httpPort() + "/audited"))
                .PUT(BodyPublishers.ofString(entry))
                .header("Authorization", "Bearer " + token("shop-team"))
                .build();
        assertThat(CLIENT.send(create, BodyHandlers.ofString()).statusCode()).isEqualTo(201);

        String trail = call("GET", "$operator/v1/audit", "Bearer " + token("shop-team"))
                .body();

        assertThat(trail).contains("\"oidc:alice (f3c1)\"").contains("audited");
    }

    @Test
    @DisplayName("A bare token in a supplementary header permits forwarding, as the Java SDK sends it")
    void supplementaryToken() throws Exception {
        String entry = """
                <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><QueueDescription \
                xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
                <ForwardTo>sb://localhost/invoices</ForwardTo></QueueDescription></content></entry>""";
        String ofClerk = token("clerk");
        for (String supplementary : List.of(ofClerk, token("shop-team"))) {
            HttpRequest create = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + server.httpPort() + "/forwarding"))
                    .PUT(BodyPublishers.ofString(entry))
                    .header("Authorization", "Bearer " + token("shop-team"))
                    .header("ServiceBusSupplementaryAuthorization", supplementary)
                    .build();
            assertThat(CLIENT.send(create, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(supplementary.equals(ofClerk) ? 401 : 201);
        }
    }

    @Test
    void jobsContinueWithTheRolesOfTheirAuthor() throws Exception {
        assertThat(status("POST", "orders/messages", "clerk")).isEqualTo(201);
        HttpRequest order = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + server.httpPort() + "/$operator/v1/entities/orders/jobs"))
                .POST(BodyPublishers.ofString("{\"operation\":\"delete\"}"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token("shop-team"))
                .build();

        HttpResponse<String> answer;
        do {
            answer = CLIENT.send(order, BodyHandlers.ofString());
        } while (answer.statusCode() == 503); // the jobs are being read

        assertThat(answer.body()).contains("\"oidc:alice (f3c1)\"");
    }

    @Test
    @DisplayName("A receive that waits ends with 401 when its token expires, and a message that comes then stays")
    void aWaitingReceiveEndsWithItsToken() throws Exception {
        TestIssuer issuer = PROVIDER.issuer();
        long now = System.currentTimeMillis();
        String shortLived = issuer.token(issuer.claims("a", now, "shop-team").expirationTime(new Date(now + 2_000)));

        HttpResponse<String> answer = call("DELETE", "empty/messages/head?timeout=50", "Bearer " + shortLived);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(System.currentTimeMillis() - now).isLessThan(40_000);
        assertThat(status("POST", "empty/messages", "shop-team")).isEqualTo(201);
        assertThat(status("DELETE", "empty/messages/head?timeout=5", "shop-team"))
                .isEqualTo(200);
    }

    @Test
    void refusesWithTheReason() throws Exception {
        long now = System.currentTimeMillis();
        TestIssuer issuer = PROVIDER.issuer();
        assertThat(call(
                                "GET",
                                "orders",
                                "Bearer "
                                        + issuer.token(
                                                issuer.claims("a", now, OWNER).audience("api://x")))
                        .body())
                .contains("SubCode=40104");
        assertThat(call(
                                "GET",
                                "orders",
                                "Bearer "
                                        + issuer.token(
                                                issuer.claims("a", now, OWNER).expirationTime(new Date(now - 1_000))))
                        .body())
                .contains("SubCode=40106");
        for (String credential : List.of(
                "Bearer",
                "Bearer x",
                "Bearer " + "x".repeat(IdentityProvider.TOKEN_CHARACTERS_MAX / 4),
                "Basic YTpi",
                "WRAP access_token=\"x\"")) {
            assertThat(call("GET", "orders", credential).statusCode())
                    .as(credential)
                    .isEqualTo(401);
        }
    }

    /** Before the keys have arrived, a request waits for them, and its body for the request. */
    private static void waitsForTheKeys() {
        HttpRequest send = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + server.httpPort() + "/invoices/messages"))
                .POST(BodyPublishers.ofString("x".repeat(100_000)))
                .header("Authorization", "Bearer " + token(OWNER))
                .build();
        CompletableFuture<HttpResponse<String>> waiting = CLIENT.sendAsync(send, BodyHandlers.ofString());
        Eventually.await(() -> PROVIDER.reads() > 0);
        assertThat(waiting).isNotDone();
        PROVIDER.mode(TestIdentityProvider.Mode.ANSWERS);
        assertThat(waiting.join().statusCode()).isEqualTo(201);
    }
}
