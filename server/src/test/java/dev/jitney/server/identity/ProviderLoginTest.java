package dev.jitney.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.server.Eventually;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.testing.process.FreePorts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the login to the console with an identity provider, over HTTP")
@Timeout(120)
class ProviderLoginTest {
    private static final String CONFIG = """
            {"UserConfig": {"Namespaces": [
              {"Name": "shop", "Queues": [{"Name": "orders"}]},
              {"Name": "other", "Queues": [{"Name": "returns"}]}]}}""";
    private static final String START = "/console/login/oidc";
    private static final String SESSION = "/console/session";
    private static final String ENTITIES = "/$operator/v1/entities";

    private static final long LIFE_SECONDS = 60;

    /** The time of the server and of the provider, a whole second as the times in tokens. */
    private final AtomicLong nowMs = new AtomicLong(System.currentTimeMillis() / 1_000 * 1_000);

    private final TestIdentityProvider provider = new TestIdentityProvider();
    private final TestLogins logins = provider.logins();
    private JitneyServer server;
    private int port;

    @TempDir
    Path dir;

    /** A browser, with its cookies. It follows no redirects by itself. */
    private final class Browser {
        private final HttpClient client = HttpClient.newHttpClient();
        private final Map<String, String> cookies = new TreeMap<>();

        HttpResponse<String> call(String method, String address, String... headers) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(address.startsWith("/") ? "http://localhost:" + port + address : address))
                    .method(method, BodyPublishers.noBody());
            if (headers.length > 0) {
                request.headers(headers);
            }
            if (!cookies.isEmpty() && (address.startsWith("/") || address.contains("localhost:" + port))) {
                StringBuilder all = new StringBuilder();
                cookies.forEach((name, value) -> all.append(all.isEmpty() ? "" : "; ")
                        .append(name)
                        .append('=')
                        .append(value));
                request.header("Cookie", all.toString());
            }
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            for (String cookie : response.headers().allValues("Set-Cookie")) {
                String pair = cookie.split(";")[0];
                int equals = pair.indexOf('=');
                if (cookie.contains("Max-Age=0")) {
                    cookies.remove(pair.substring(0, equals));
                } else {
                    cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
                }
            }
            return response;
        }

        HttpResponse<String> get(String address, String... headers) throws Exception {
            return call("GET", address, headers);
        }

        /** Goes to the provider, and returns the address to which it sends the browser back. */
        String answerFor(String user) throws Exception {
            String authorize = location(get(START));
            return location(get(authorize + "&user=" + user));
        }

        HttpResponse<String> logIn(String user) throws Exception {
            return get(answerFor(user));
        }

        JsonObject session() throws Exception {
            return new JsonObject(get(SESSION).body());
        }
    }

    private static String location(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(302);
        return response.headers().firstValue("Location").orElseThrow();
    }

    @BeforeEach
    void start() throws Exception {
        provider.clock(nowMs::get);
        logins.user("vera", "support");
        logins.user("rita", "readers");
        logins.user("otto", "operators");
        logins.user("adam", "admins");
        logins.user("nobody", "guests");
        logins.user("scoped", "orders-team");
        logins.user("twice", "orders-team", "returns-team");
        logins.user("foreign", "other-team");
        start(null);
    }

    private void start(Path secret) throws Exception {
        port = FreePorts.of(1).get(0);
        server = JitneyServer.builder()
                .inMemory(true)
                .clock(nowMs::get)
                .httpPort(port)
                .amqpPort(0)
                .console(ConsoleAccess.LOOPBACK)
                .config(ConfigReader.parse("the test", CONFIG.getBytes(StandardCharsets.UTF_8), false))
                .identityProvider(new OidcSettings(
                                provider.issuer().issuer(),
                                List.of(TestIssuer.AUDIENCE),
                                null,
                                null,
                                null,
                                0,
                                OidcSettings.NAME_CLAIM,
                                OidcSettings.ROLE_CLAIMS,
                                RoleMap.of(List.of(
                                        "support=Viewer",
                                        "readers=Reader",
                                        "operators=Operator",
                                        "admins=Admin",
                                        "orders-team=Operator@shop/orders",
                                        "returns-team=Viewer@shop/returns",
                                        "other-team=Viewer@other")))
                        .withLogin(new LoginSettings(
                                "console", secret, LoginSettings.SCOPES, URI.create("http://localhost:" + port))))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
        provider.close();
    }

    @Test
    @DisplayName("a browser goes to the provider and back, and gets a session with the role, and no token")
    void logsIn() throws Exception {
        Browser browser = new Browser();
        assertThat(browser.session().getString("provider")).isEqualTo("127.0.0.1");
        HttpResponse<String> begun = browser.get(START);
        Map<String, String> query =
                TestIdentityProvider.form(URI.create(location(begun)).getRawQuery());
        assertThat(query)
                .containsEntry("client_id", "console")
                .containsEntry("scope", "openid profile")
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("redirect_uri", "http://localhost:" + port + "/console/login/oidc/callback");
        assertThat(query.get("state")).hasSize(43);
        assertThat(query.get("nonce")).hasSize(43).isNotEqualTo(query.get("state"));
        assertThat(begun.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("jitney-login-" + port + "=")
                .contains("HTTPOnly", "SameSite=Lax", "Max-Age=600")
                .doesNotContain("Secure");
        assertThat(begun.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(begun.headers().firstValue("Cache-Control")).hasValue("no-store");

        HttpResponse<String> entered = browser.logIn("vera");

        assertThat(location(entered)).isEqualTo("/console/");
        assertThat(entered.headers().allValues("Set-Cookie"))
                .anyMatch(cookie -> cookie.startsWith("jitney-console-" + port + "=")
                        && cookie.contains("HTTPOnly")
                        && cookie.contains("SameSite=Strict"));
        assertThat(entered.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        JsonObject session = browser.session();
        assertThat(session.getString("keyName")).isEqualTo("oidc:vera (vera-id)");
        assertThat(session.getString("role")).isEqualTo("viewer");
        assertThat(session.getJsonArray("rights")).isEqualTo(new JsonArray());
        assertThat(session.encode() + entered.body() + entered.headers()).doesNotContain("eyJ");
        assertThat(browser.get(ENTITIES).statusCode()).isEqualTo(200);
        assertThat(browser.get(ENTITIES + "/orders/groups").statusCode()).isEqualTo(403);
    }

    @Test
    @DisplayName("the audit trail has the login, the logout, and the refused login of a known user with its reason")
    void auditTrail() throws Exception {
        Browser vera = new Browser();
        vera.logIn("vera");
        HttpResponse<String> ended = vera.call("DELETE", SESSION, "Origin", "http://localhost:" + port);
        assertThat(new JsonObject(ended.body()).getString("endOfSession"))
                .startsWith(provider.issuer().issuer() + "/logout?")
                .contains("client_id=console")
                .contains("post_logout_redirect_uri=http%3A%2F%2Flocalhost%3A" + port + "%2Fconsole%2F")
                .doesNotContain("id_token");
        assertThat(vera.get(ENTITIES).statusCode()).isEqualTo(401);
        assertThat(location(new Browser().logIn("nobody"))).isEqualTo("/console/#/login/role");
        assertThat(location(new Browser().logIn("-"))).isEqualTo("/console/#/login/denied");
        Browser adam = new Browser();
        adam.logIn("adam");
        String trail = adam.get("/$operator/v1/audit").body();
        assertThat(trail)
                .contains("log in to the console", "log out of the console", "oidc:vera (vera-id)")
                .contains("oidc:nobody (nobody-id)", "have none")
                .doesNotContain("access_denied") // of an unknown user: only in the audit log
                .contains("oidc:adam (adam-id)");
    }

    @Test
    @DisplayName("an answer works once, in the browser that has begun the login, and with its own state")
    void statesAndReplays() throws Exception {
        Browser victim = new Browser();
        Browser attacker = new Browser();
        String ofAttacker = attacker.answerFor("adam");
        assertThat(location(victim.get(ofAttacker))).isEqualTo("/console/#/login/state"); // login CSRF, no cookie
        String ofVictim = victim.answerFor("vera");
        assertThat(location(victim.get(ofAttacker))).isEqualTo("/console/#/login/state"); // the wrong cookie
        assertThat(location(victim.get(ofVictim.replaceAll("state=[^&]*", "state=" + "x".repeat(43)))))
                .isEqualTo("/console/#/login/state");
        assertThat(location(victim.get(ofVictim.replaceAll("&state=[^&]*", ""))))
                .isEqualTo("/console/#/login/state");
        assertThat(victim.session().getBoolean("loggedIn")).isFalse();
        assertThat(location(victim.get(ofVictim))).isEqualTo("/console/");
        Map<String, String> cookies = Map.copyOf(victim.cookies);
        assertThat(location(victim.get(ofVictim))).isEqualTo("/console/#/login/state"); // a replay
        assertThat(victim.cookies).isEqualTo(cookies);
        assertThat(location(attacker.get(ofAttacker))).isEqualTo("/console/"); // still its own
        assertThat(logins.requests()).hasSize(2);
    }

    @Test
    @DisplayName("a code of another login is refused, because its challenge is of another verifier")
    void injectedCode() throws Exception {
        String ofAttacker = new Browser().answerFor("adam");
        Browser victim = new Browser();
        String ofVictim = victim.answerFor("vera");
        String code =
                TestIdentityProvider.form(URI.create(ofAttacker).getRawQuery()).get("code");
        assertThat(location(victim.get(ofVictim.replaceAll("code=[^&]*", "code=" + code))))
                .isEqualTo("/console/#/login/invalid");
        assertThat(victim.session().getBoolean("loggedIn")).isFalse();
    }

    @Test
    @DisplayName("an answer of another issuer is refused before its code leaves the server")
    void mixUp() throws Exception {
        for (String iss : List.of("https%3A%2F%2Fevil.example.com", "")) {
            Browser browser = new Browser();
            String answer = browser.answerFor("vera").replaceAll("iss=[^&]*", "iss=" + iss);
            assertThat(location(browser.get(answer))).isEqualTo("/console/#/login/invalid");
        }
        Browser without = new Browser();
        assertThat(location(without.get(without.answerFor("vera").replaceAll("&iss=[^&]*", ""))))
                .isEqualTo("/console/"); // a provider that names no issuer
        assertThat(logins.requests()).hasSize(1);
    }

    @Test
    @DisplayName("a provider that names itself in all answers must do so")
    void namedIssuer() throws Exception {
        logins.moreDiscovery = ",\"authorization_response_iss_parameter_supported\":true";
        Browser browser = new Browser();
        assertThat(location(browser.get(browser.answerFor("vera").replaceAll("&iss=[^&]*", ""))))
                .isEqualTo("/console/#/login/invalid");
    }

    @Test
    @DisplayName("forged, foreign, expired and unsigned ID tokens give no session")
    void hostileTokens() throws Exception {
        TestIssuer issuer = provider.issuer();
        Date past = new Date(nowMs.get() - 10_000);
        Map<String, UnaryOperator<JWTClaimsSet.Builder>> claims = new TreeMap<>();
        claims.put("nonce of another login", with -> with.claim("nonce", "x".repeat(43)));
        claims.put("no nonce", with -> with.claim("nonce", null));
        claims.put("audience of the API", with -> with.audience(TestIssuer.AUDIENCE));
        claims.put("several audiences without azp", with -> with.audience(List.of("console", "x")));
        claims.put("azp of another client", with -> with.claim("azp", "x"));
        claims.put("issuer", with -> with.issuer("https://evil.example.com"));
        claims.put("expired", with -> with.expirationTime(past));
        claims.put("no subject", with -> with.subject(null).claim("azp", "console"));
        for (Map.Entry<String, UnaryOperator<JWTClaimsSet.Builder>> each : claims.entrySet()) {
            logins.idClaims = each.getValue();
            refused(each.getKey());
        }
        logins.idClaims = with -> with;
        Map<String, UnaryOperator<String>> tokens = new TreeMap<>();
        tokens.put("none", token -> new PlainJWT(claimsOf(token)).serialize());
        tokens.put("HMAC", ProviderLoginTest::withHmac);
        tokens.put("at+jwt", token -> {
            JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                    .keyID("rsa-1")
                    .type(new JOSEObjectType("at+jwt"))
                    .build();
            return issuer.token(new JWTClaimsSet.Builder(claimsOf(token)), header, TestIssuer.key("rsa-1"));
        });
        tokens.put("key of another issuer", token -> {
            JWSHeader header =
                    new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1").build();
            return issuer.token(new JWTClaimsSet.Builder(claimsOf(token)), header, TestIssuer.key("rsa-2"));
        });
        tokens.put("changed", token -> token.substring(0, token.length() - 10) + "AAAAAAAAAA");
        tokens.put("huge", token -> "e".repeat(17_000));
        tokens.put("empty", token -> "");
        for (Map.Entry<String, UnaryOperator<String>> each : tokens.entrySet()) {
            logins.idToken = each.getValue();
            refused(each.getKey());
        }
    }

    private void refused(String what) throws Exception {
        Browser browser = new Browser();
        assertThat(location(browser.logIn("adam"))).as(what).isEqualTo("/console/#/login/invalid");
        assertThat(browser.session().getBoolean("loggedIn")).as(what).isFalse();
    }

    private static JWTClaimsSet claimsOf(String token) {
        try {
            return SignedJWT.parse(token).getJWTClaimsSet();
        } catch (ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String withHmac(String token) {
        try {
            JWSObject signed = new JWSObject(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(),
                    new Payload(claimsOf(token).toJSONObject()));
            signed.sign(new MACSigner(new byte[32]));
            return signed.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("a page of another site cannot begin a login, and no parameter changes where the browser goes")
    void noOpenRedirect() throws Exception {
        Browser browser = new Browser();
        assertThat(browser.get(START, "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(403);
        assertThat(browser.call("POST", START, "Origin", "http://localhost:" + port)
                        .statusCode())
                .isEqualTo(405);
        String authorize = location(browser.get(START
                + "?return=https://evil.example.com&redirect_uri=https://evil.example.com&state=" + "x".repeat(43)));
        assertThat(authorize).startsWith(provider.issuer().issuer()).doesNotContain("evil");
        String answer = location(browser.get(authorize + "&user=vera"));
        assertThat(answer).startsWith("http://localhost:" + port + "/");
        assertThat(location(browser.get(answer + "&return=//evil.example.com", "Sec-Fetch-Site", "cross-site")))
                .isEqualTo("/console/");
    }

    @Test
    @DisplayName("under another host name, the login begins with a redirection to the address of the console")
    void otherHost() throws Exception {
        HttpResponse<String> other = new Browser().get("http://127.0.0.1:" + port + START);
        assertThat(location(other)).isEqualTo("http://localhost:" + port + "/console/");
        assertThat(other.headers().allValues("Set-Cookie")).isEmpty();
    }

    @Test
    @DisplayName("the scope of roles is the part of the server that the session has")
    void scopes() throws Exception {
        Browser scoped = new Browser();
        scoped.logIn("scoped");
        assertThat(scoped.session().getString("entity")).isEqualTo("orders");
        assertThat(scoped.session().getString("role")).isEqualTo("operator");
        assertThat(scoped.get(ENTITIES).statusCode()).isEqualTo(403);
        assertThat(scoped.get(ENTITIES + "/orders/messages").statusCode()).isEqualTo(200);
        assertThat(location(new Browser().logIn("twice"))).isEqualTo("/console/#/login/role");
        Browser foreign = new Browser();
        foreign.logIn("foreign");
        assertThat(foreign.session().getString("namespace")).isEqualTo("other");
        Browser chooses = new Browser();
        String authorize = location(chooses.get(START + "?namespace=other"));
        chooses.get(location(chooses.get(authorize + "&user=vera")));
        assertThat(chooses.session().getString("namespace")).isEqualTo("other");
        assertThat(chooses.get(ENTITIES).body()).contains("returns").doesNotContain("orders");
    }

    @Test
    @DisplayName("a session without a refresh token ends with the tokens")
    void endsWithTheTokens() throws Exception {
        provider.lifeSeconds(LIFE_SECONDS);
        Browser browser = new Browser();
        browser.logIn("vera");
        nowMs.addAndGet(LIFE_SECONDS * 1_000 - 1);
        assertThat(browser.get(ENTITIES).statusCode()).isEqualTo(200);
        nowMs.addAndGet(1);
        assertThat(browser.get(ENTITIES).statusCode()).isEqualTo(401);
        assertThat(browser.get(ENTITIES).body()).contains("The session of the console has ended. Log in again.");
        assertThat(browser.session().getBoolean("loggedIn")).isFalse();
    }

    private static int status(Browser browser) {
        try {
            return browser.get(ENTITIES).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName(
            "a refresh token renews the tokens on the server, also for many requests at once, until the provider ends it")
    void renews() throws Exception {
        logins.refreshes = true;
        provider.lifeSeconds(LIFE_SECONDS);
        Browser browser = new Browser();
        browser.logIn("vera");
        assertThat(renewals()).isZero();
        nowMs.addAndGet(LIFE_SECONDS * 1_000);
        assertThat(statusesAtOnce(browser)).as("with expired tokens").containsOnly(200);
        assertThat(renewals()).as("one for all of them").isEqualTo(1);
        for (int i = 0; i < 15; i++) {
            nowMs.addAndGet(10_000);
            assertThat(statusesAtOnce(browser)).containsOnly(200);
        }
        // In 150 s, each after half a life at the earliest. The requests do not wait for them, so there may be fewer.
        assertThat(renewals()).isBetween(3L, 6L);
        assertThat(browser.session().encode()).doesNotContain("eyJ");
        logins.user("vera", "readers");
        nowMs.addAndGet(LIFE_SECONDS * 1_000);
        Eventually.await(() -> "reader".equals(role(browser)));
        logins.user("vera", "guests");
        nowMs.addAndGet(LIFE_SECONDS * 1_000);
        Eventually.await(() -> status(browser) == 401);
    }

    private static List<Integer> statusesAtOnce(Browser browser) {
        List<CompletableFuture<Integer>> all = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> status(browser)))
                .limit(8)
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    private long renewals() {
        return logins.requests().stream()
                .filter(form -> "refresh_token".equals(form.get("grant_type")))
                .count();
    }

    private static String role(Browser browser) {
        try {
            return browser.session().getString("role");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("a provider that is away, silent, endless or huge gives a message, and the server continues to serve")
    void provider() throws Exception {
        for (TestIdentityProvider.Mode mode : List.of(
                TestIdentityProvider.Mode.FAILS,
                TestIdentityProvider.Mode.IS_HUGE,
                TestIdentityProvider.Mode.REDIRECTS)) {
            provider.mode(mode);
            assertThat(location(new Browser().get(START))).as(mode.name()).isEqualTo("/console/#/login/provider");
        }
        provider.mode(TestIdentityProvider.Mode.IS_SILENT);
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        for (int i = 0; i < CodeFlow.REQUESTS_MAX + 4; i++) {
            waiting.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return location(new Browser().get(START));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }));
        }
        assertThat(CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new))
                        .join())
                .isIn("/console/#/login/busy", "/console/#/login/provider");
        assertThat(new Browser().get("/health").statusCode()).isEqualTo(200);
        provider.mode(TestIdentityProvider.Mode.ANSWERS);
        waiting.forEach(CompletableFuture::join);
        provider.announce("https://evil.example.com");
        Browser browser = new Browser();
        browser.logIn("vera"); // the document that was read before
        assertThat(browser.session().getBoolean("loggedIn")).isTrue();
    }

    @Test
    @DisplayName("the secret of the client comes from its file at each login")
    void secret() throws Exception {
        server.close();
        logins.secret = "s3cret & more";
        Path file = Files.writeString(dir.resolve("secret"), "wrong\n");
        start(file);
        assertThat(location(new Browser().logIn("vera"))).isEqualTo("/console/#/login/invalid");
        Files.writeString(file, "s3cret & more\n");
        Browser browser = new Browser();
        assertThat(location(browser.logIn("vera"))).isEqualTo("/console/");
        Files.delete(file);
        assertThat(location(new Browser().logIn("vera"))).isEqualTo("/console/#/login/provider");
    }

    @Test
    @DisplayName("a server without the console refuses the login at the start")
    void withoutConsole() {
        JitneyServer without = JitneyServer.builder()
                .inMemory(true)
                .httpPort(0)
                .amqpPort(0)
                .console(ConsoleAccess.OFF)
                .identityProvider(new OidcSettings(
                                provider.issuer().issuer(),
                                List.of(TestIssuer.AUDIENCE),
                                null,
                                null,
                                null,
                                0,
                                OidcSettings.NAME_CLAIM,
                                OidcSettings.ROLE_CLAIMS,
                                RoleMap.of(List.of()))
                        .withLogin(new LoginSettings(
                                "console", null, LoginSettings.SCOPES, URI.create("https://broker.example"))))
                .build();
        assertThatThrownBy(without::start).hasMessageContaining("--console is off");
    }
}
