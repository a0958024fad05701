package dev.jitney.conformance.security;

import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.TestTrust;
import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.identity.LoginSettings;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** Keycloak as the identity provider. It is not part of the build, because it downloads 160 MB. CONTRIBUTING.md has the command. */
@DisplayName("Keycloak")
class KeycloakCheck {
    private static final int CONSOLE_PORT = freePort();
    private static final String CONSOLE = "http://localhost:" + CONSOLE_PORT;
    private static final Path FOLDER = temporary();
    private static final Keycloak KEYCLOAK = keycloak();

    /** The form of the login page. */
    private static final Pattern ACTION = Pattern.compile("action=\"([^\"]+)\"");

    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps(b -> b.identityProvider(settings()));

    private static TestTrust trust;
    private static JitneyServer console;

    @BeforeAll
    static void start() throws Exception {
        trust = TestTrust.in(broker.trustStore());
        Path secret = Files.writeString(FOLDER.resolve("secret"), "secret-of-the-console\n");
        console = JitneyServer.builder()
                .inMemory(true)
                .amqpPort(0)
                .httpPort(CONSOLE_PORT)
                .console(ConsoleAccess.LOOPBACK)
                .identityProvider(settings()
                        .withLogin(
                                new LoginSettings("jitney-console", secret, LoginSettings.SCOPES, URI.create(CONSOLE))))
                .build()
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        console.close();
        trust.close();
        KEYCLOAK.close();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    private static OidcSettings settings() {
        return new OidcSettings(
                KEYCLOAK.issuer(),
                List.of("jitney"),
                null,
                null,
                null,
                0,
                OidcSettings.NAME_CLAIM,
                List.of("realm_access.roles", "resource_access.jitney.roles", "groups"),
                RoleMap.of(List.of(
                        "orders-worker=Send,Listen", "/support=Viewer", "/operators=Operator", "broker-admin=Admin")));
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("jitney-keycloak");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Keycloak keycloak() {
        String archive = System.getProperty("jitney.keycloak");
        if (archive == null) {
            throw new AssertionError("Expected the archive of Keycloak. Run Maven with -Pkeycloak.");
        }
        try (InputStream in = KeycloakCheck.class.getResourceAsStream("/keycloak-realm.json")) {
            String realm = new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("CONSOLE", CONSOLE);
            return Keycloak.start(Path.of(archive), FOLDER.resolve("keycloak"), freePort(), realm);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A program with a service account. */
    private record Worker(AtomicInteger issued) implements TokenCredential {
        @Override
        public Mono<AccessToken> getToken(com.azure.core.credential.TokenRequestContext context) {
            return Mono.fromCallable(() -> {
                issued.incrementAndGet();
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create(KEYCLOAK.issuer() + "/protocol/openid-connect/token"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(
                                "grant_type=client_credentials&client_id=worker&client_secret=secret-of-the-worker"))
                        .build();
                JsonObject answer = new JsonObject(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body());
                return new AccessToken(
                        answer.getString("access_token"),
                        OffsetDateTime.now().plusSeconds(answer.getInteger("expires_in")));
            });
        }
    }

    @Test
    @DisplayName("a service account sends and receives over AMQP with the roles of its client")
    void serviceAccount() throws Exception {
        String queue = broker.queue();
        AtomicInteger issued = new AtomicInteger();
        try (Sdk sdk = new Sdk(TestBroker.withShortTimeouts(new ServiceBusClientBuilder()
                .credential("localhost", new Worker(issued))
                .customEndpointAddress("https://localhost:" + broker.amqpsPort())))) {
            sdk.send(queue, "m");
            assertThat(next(sdk.deletingReceiver(queue)).getMessageId()).isEqualTo("m");
        }
        assertThat(issued.get()).isPositive();
        TokenCredential forged = context -> new Worker(issued)
                .getToken(context)
                .map(token -> new AccessToken(token.getToken().replaceAll(".{8}$", "AAAAAAAA"), token.getExpiresAt()));
        try (Sdk sdk = new Sdk(TestBroker.withShortTimeouts(new ServiceBusClientBuilder()
                .credential("localhost", forged)
                .customEndpointAddress("https://localhost:" + broker.amqpsPort())))) {
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> sdk.send(queue, "refused"));
        }
    }

    /** A browser, which follows redirects and keeps cookies. The cookies of both servers are those of localhost. */
    private static final class Browser {
        private final HttpClient client = HttpClient.newHttpClient();
        private final Map<String, String> cookies = new TreeMap<>();
        private String place = CONSOLE;

        HttpResponse<String> call(String method, String address, String body) throws Exception {
            place = address.startsWith("/") ? CONSOLE + address : address;
            StringBuilder cookie = new StringBuilder();
            cookies.forEach((name, value) -> cookie.append(cookie.isEmpty() ? "" : "; ")
                    .append(name)
                    .append('=')
                    .append(value));
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(place.split("#")[0]))
                    .method(method, BodyPublishers.ofString(body));
            if (!cookie.isEmpty()) {
                request.header("Cookie", cookie.toString());
            }
            if (method.equals("POST")) {
                request.header("Content-Type", "application/x-www-form-urlencoded");
            } else if (method.equals("DELETE")) {
                request.header("Origin", CONSOLE);
            }
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            for (String set : response.headers().allValues("Set-Cookie")) {
                String pair = set.split(";")[0];
                cookies.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
            String location = response.headers().firstValue("Location").orElse(null);
            return location == null ? response : call("GET", location, "");
        }

        /** Logs a user in, and returns the place in the console to which the browser came. */
        String logIn(String user) throws Exception {
            String page = call("GET", "/console/login/oidc", "").body();
            Matcher action = ACTION.matcher(page);
            assertThat(action.find()).as(place + ": " + page).isTrue();
            call(
                    "POST",
                    action.group(1).replace("&amp;", "&"),
                    "username=" + user + "&password=pass-of-" + user + "&credentialId=");
            return place.replace(CONSOLE, "");
        }

        JsonObject session() throws Exception {
            return new JsonObject(call("GET", "/console/session", "").body());
        }

        int status(String path) throws Exception {
            return call("GET", "/$operator/v1" + path, "").statusCode();
        }
    }

    @Test
    @DisplayName("people log in to the console with the roles of their groups and realm roles")
    void console() throws Exception {
        broker.queue();
        Browser vera = new Browser();
        assertThat(vera.logIn("vera")).isEqualTo("/console/");
        assertThat(vera.session().getString("role")).isEqualTo("viewer");
        assertThat(vera.session().getString("keyName")).startsWith("oidc:vera (");
        assertThat(vera.status("/entities")).isEqualTo(200);
        assertThat(vera.status("/jobs")).isEqualTo(403);
        Browser otto = new Browser();
        otto.logIn("otto");
        assertThat(otto.session().getString("role")).isEqualTo("operator");
        assertThat(otto.status("/jobs")).isEqualTo(200);
        assertThat(otto.status("/audit")).isEqualTo(403);
        Browser adam = new Browser();
        adam.logIn("adam");
        assertThat(adam.session().getString("role")).isEqualTo("admin");
        assertThat(adam.status("/audit")).isEqualTo(200);
        assertThat(new Browser().logIn("guest")).isEqualTo("/console/#/login/role");
    }

    @Test
    @DisplayName("a session outlives the tokens of 20 seconds with the refresh token, and a logout ends it at both")
    void refreshAndLogout() throws Exception {
        Browser vera = new Browser();
        vera.logIn("vera");
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 45_000_000_000L) { // each request takes a round trip, so this does not spin
            assertThat(vera.status("/overview")).isEqualTo(200);
        }
        HttpResponse<String> ended = vera.call("DELETE", "/console/session", "");
        String address = new JsonObject(ended.body()).getString("endOfSession");
        assertThat(address).startsWith(KEYCLOAK.issuer() + "/protocol/openid-connect/logout?");
        assertThat(vera.status("/entities")).isEqualTo(401);
        HttpResponse<String> page = vera.call("GET", address, "");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Do you want to log out?");
    }
}
