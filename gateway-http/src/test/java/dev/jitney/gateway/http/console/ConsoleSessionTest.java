package dev.jitney.gateway.http.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.runtime.Namespace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the session of a browser")
class ConsoleSessionTest extends ConsoleScenario {
    private static final String SESSION = "/console/session";
    private static final String ENTITIES = "/$operator/v1/entities";
    private static final String DELETE = "/$operator/v1/entities/shop%2Forders/messages/delete";
    private static final String ONE = "{\"sequenceNumbers\": [\"1\"]}";

    @BeforeEach
    void open() throws Exception {
        open(ConsoleAccess.LOOPBACK);
        broker.create("shop/orders");
        assertThat(own("POST", "/shop/orders/messages", "hello", "Authorization", TestBroker.token())
                        .status())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("a connection string logs in once; the cookie is only for this site and no script")
    void connectionString() throws Exception {
        Answer login = own(
                "POST",
                SESSION,
                "{\"connectionString\": \"Endpoint=sb://localhost/;SharedAccessKeyName=listen;SharedAccessKey=second-key\"}");
        assertThat(login.status()).isEqualTo(200);
        assertThat(login.headers().get("set-cookie"))
                .matches("jitney-console-" + port() + "=[\\w-]{43}; Max-Age=28800; .*")
                .contains("Path=/;", "HTTPOnly", "SameSite=Strict")
                .doesNotContain("Secure", "Domain");
        assertThat(login.json())
                .isEqualTo(own("GET", SESSION, "", "Cookie", login.cookie()).json());
        assertThat(login.json().getString("namespace")).isEqualTo("first");
        assertThat(login.json().getString("keyName")).isEqualTo("listen");
        assertThat(login.json().getJsonArray("rights")).isEqualTo(new JsonArray(List.of("Listen")));
        assertThat(login.body()).doesNotContain("second-key");
        Answer entities = own("GET", ENTITIES, "", "Cookie", login.cookie());
        assertThat(entities.json().getInteger("total")).isEqualTo(1);
    }

    @Test
    @DisplayName("the cookie is secure if the browser uses TLS, also if a proxy ends it")
    void secure() throws Exception {
        String origin = "https://localhost:" + port();
        Answer login = call(
                "POST",
                SESSION,
                "{\"keyName\": \"listen\", \"key\": \"listen-key\"}",
                "Host",
                "localhost:" + port(),
                "Origin",
                origin);
        assertThat(login.headers().get("set-cookie")).contains("; Secure");
    }

    @Test
    @DisplayName("the session has the rights of the key, and no others")
    void rights() throws Exception {
        String listens = login("listen", "listen-key");
        assertThat(own("POST", DELETE, ONE, "Cookie", listens).status()).isEqualTo(401);
        String sends = login("send", "send-key");
        assertThat(own("GET", ENTITIES, "", "Cookie", sends).status()).isEqualTo(401);
        String manages = login(AccessRule.ROOT_NAME, TestBroker.KEY);
        assertThat(own("POST", DELETE, ONE, "Cookie", manages).json().getInteger("done"))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("a key with too many sessions loses the oldest one, and other keys keep theirs")
    void tooMany() throws Exception {
        String other = login("listen", "listen-key");
        List<String> cookies = new ArrayList<>();
        for (int i = 0; i <= ConsoleSessions.OF_KEY_MAX; i++) {
            String path = i % 3 < 2 ? "" : ";EntityPath=q" + i; // which the client chooses
            String text = "SharedAccessKeyName=" + AccessRule.ROOT_NAME + ";SharedAccessKey=" + TestBroker.KEY + path;
            cookies.add(own(
                            "POST",
                            SESSION,
                            new JsonObject().put("connectionString", text).encode())
                    .cookie());
        }
        assertThat(own("GET", ENTITIES, "", "Cookie", cookies.get(0)).status()).isEqualTo(401);
        assertThat(own("GET", ENTITIES, "", "Cookie", cookies.get(1)).status()).isEqualTo(200);
        assertThat(own("GET", ENTITIES, "", "Cookie", other).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("the key of an entity needs the entity in the connection string, and reaches nothing else")
    void entityKey() throws Exception {
        broker.create(
                "own",
                queue -> queue.accessRules(
                        List.of(new AccessRule("team", Set.of(AccessRight.LISTEN), "key-of-the-team", null))));
        String key = "SharedAccessKeyName=team;SharedAccessKey=key-of-the-team";
        Answer without = own(
                "POST", SESSION, new JsonObject().put("connectionString", key).encode());
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.body()).contains("EntityPath").doesNotContain("key-of-the-team");
        assertThat(without.headers()).doesNotContainKey("set-cookie");
        Answer with = own(
                "POST",
                SESSION,
                new JsonObject()
                        .put("connectionString", key + ";EntityPath=own")
                        .encode());
        assertThat(with.json().getString("entity")).isEqualTo("own");
        assertThat(own("GET", ENTITIES + "/own/messages", "", "Cookie", with.cookie())
                        .status())
                .isEqualTo(200);
        assertThat(own("GET", ENTITIES + "/shop%2Forders/messages", "", "Cookie", with.cookie())
                        .status())
                .isEqualTo(401);
        assertThat(own("GET", ENTITIES, "", "Cookie", with.cookie()).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("a host name that names no namespace leaves the choice to the connection string")
    void namespaces() throws Exception {
        Answer second = own(
                "POST",
                SESSION,
                "{\"connectionString\": \"Endpoint=sb://second.localhost;SharedAccessKeyName=listen;SharedAccessKey=listen-key\"}");
        assertThat(second.json().getString("namespace")).isEqualTo("second");
        assertThat(own("GET", ENTITIES, "", "Cookie", second.cookie()).json().getInteger("total"))
                .isZero();
        Answer elsewhere = call("GET", ENTITIES, "", "Host", "first.localhost:" + port(), "Cookie", second.cookie());
        assertThat(elsewhere.status()).isEqualTo(401);
        assertThat(elsewhere.body()).contains("for 'second'");
    }

    @Test
    @DisplayName("a wrong key is refused, and ten of them stop the logins of the address for a minute")
    void wrongKeys() throws Exception {
        String wrong = "{\"keyName\": \"listen\", \"key\": \"guess-of-a-key\"}";
        for (int i = 0; i < LoginAttempts.FAILURES_MAX; i++) {
            Answer refused = own("POST", SESSION, wrong);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body()).doesNotContain("guess-of-a-key");
        }
        String right = "{\"keyName\": \"listen\", \"key\": \"listen-key\"}";
        Answer limited = own("POST", SESSION, right);
        assertThat(limited.status()).isEqualTo(429);
        assertThat(limited.headers()).containsEntry("retry-after", "60").doesNotContainKey("set-cookie");
        broker.nowMs.addAndGet(LoginAttempts.WINDOW_MS);
        assertThat(own("POST", SESSION, right).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"keyName\": \"listen\"}",
                "{\"keyName\": 1, \"key\": \"s3cret\"}",
                "{\"publicKey\": false}",
                "{\"connectionString\": \"Endpoint=sb://localhost;SharedAccessKey=s3cret\"}"
            })
    @DisplayName("a login of another form is refused, without the key in the answer")
    void malformed(String body) throws Exception {
        Answer refused = own("POST", SESSION, body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("Expected").doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "http://localhost:1", "null", "http://localhost"})
    @DisplayName("a change that a page of another origin sends is refused")
    void foreignOrigin(String origin) throws Exception {
        String cookie = login(AccessRule.ROOT_NAME, TestBroker.KEY);
        String host = "localhost:" + port();
        Answer refused = call("POST", DELETE, ONE, "Host", host, "Origin", origin, "Cookie", cookie);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("Expected a request of the console itself");
        assertThat(call("DELETE", SESSION, "", "Host", host, "Origin", origin, "Cookie", cookie)
                        .status())
                .isEqualTo(403);
        assertThat(own("POST", DELETE, ONE, "Cookie", cookie).json().getInteger("done"))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("a change without an origin, or with two, is refused")
    void missingOrigin() throws Exception {
        String cookie = login(AccessRule.ROOT_NAME, TestBroker.KEY);
        Answer none = call("POST", DELETE, ONE, "Host", "localhost:" + port(), "Cookie", cookie);
        assertThat(none.status()).isEqualTo(403);
        Answer two = own("POST", DELETE, ONE, "Origin", "http://evil.example", "Cookie", cookie);
        assertThat(two.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, cross-site, 403",
        "POST, same-site, 403",
        "POST, none, 403",
        "POST, same-origin, 200",
        "GET, cross-site, 403",
        "GET, same-site, 403",
        "GET, none, 200",
        "GET, same-origin, 200"
    })
    @DisplayName("a request that the browser attributes to another site is refused")
    void fetchSite(String method, String site, int status) throws Exception {
        String cookie = login(AccessRule.ROOT_NAME, TestBroker.KEY);
        String path = method.equals("GET") ? ENTITIES : DELETE;
        Answer answer = own(method, path, method.equals("GET") ? "" : ONE, "Sec-Fetch-Site", site, "Cookie", cookie);
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    @DisplayName("a page of another site cannot log a browser in")
    void foreignLogin() throws Exception {
        String body = "{\"keyName\": \"listen\", \"key\": \"listen-key\"}";
        Answer foreign = call("POST", SESSION, body, "Host", "localhost:" + port(), "Origin", "http://evil.example");
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(foreign.headers()).doesNotContainKey("set-cookie");
    }

    @Test
    @DisplayName("a session, and a copy of its cookie, end when the key changes")
    void rotatedKey() throws Exception {
        String cookie = login("listen", "listen-key");
        assertThat(own("GET", ENTITIES, "", "Cookie", cookie).status()).isEqualTo(200);
        Namespace first = broker.broker.namespace("first");
        List<AccessRule> rules = new ArrayList<>(first.accessRules());
        rules.replaceAll(rule ->
                rule.name().equals("listen") ? new AccessRule("listen", rule.rights(), "another-key", null) : rule);
        first.setAccessRules(rules).toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(own("GET", ENTITIES, "", "Cookie", cookie).status()).isEqualTo(401);
        assertThat(own("GET", SESSION, "", "Cookie", cookie).json().getBoolean("loggedIn"))
                .isFalse();
    }

    @Test
    @DisplayName("a session loses the rights that its rule loses")
    void lostRights() throws Exception {
        String cookie = login(AccessRule.ROOT_NAME, TestBroker.KEY);
        Namespace first = broker.broker.namespace("first");
        List<AccessRule> rules = List.of(
                new AccessRule("keeper", Set.of(AccessRight.values()), "key-of-the-keeper", null),
                new AccessRule(AccessRule.ROOT_NAME, Set.of(AccessRight.LISTEN), TestBroker.KEY, null));
        first.setAccessRules(rules).toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(own("POST", DELETE, ONE, "Cookie", cookie).status()).isEqualTo(401);
        assertThat(own("GET", ENTITIES, "", "Cookie", cookie).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("the cookie opens the operator API only")
    void otherApis() throws Exception {
        String cookie = login(AccessRule.ROOT_NAME, TestBroker.KEY);
        assertThat(own("POST", "/shop/orders/messages", "x", "Cookie", cookie).status())
                .isEqualTo(401);
        assertThat(own("DELETE", "/shop/orders/messages/head", "", "Cookie", cookie)
                        .status())
                .isEqualTo(401);
        assertThat(own("DELETE", "/shop/orders?api-version=2021-05", "", "Cookie", cookie)
                        .status())
                .isEqualTo(401);
        assertThat(own("GET", "/$stores", "", "Cookie", cookie).status()).isEqualTo(401);
        assertThat(own("GET", "/$namespaces", "", "Cookie", cookie).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("an Authorization header takes precedence over the cookie, and needs no origin")
    void authorization() throws Exception {
        String cookie = login("listen", "listen-key");
        Answer answer = call(
                "POST",
                DELETE,
                ONE,
                "Host",
                "localhost:" + port(),
                "Cookie",
                cookie,
                "Authorization",
                TestBroker.token());
        assertThat(answer.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]"})
    @DisplayName("the public key needs no login on this machine")
    void publicKey(String name) throws Exception {
        String host = name + ":" + port();
        assertThat(call("GET", SESSION, "", "Host", host).json().getBoolean("publicKey"))
                .isTrue();
        Answer login = call("POST", SESSION, "{\"publicKey\": true}", "Host", host, "Origin", "http://" + host);
        assertThat(login.json().getBoolean("publicKey")).isTrue();
        assertThat(login.json().getJsonArray("rights")).hasSize(3);
        assertThat(call("GET", ENTITIES, "", "Host", host, "Cookie", login.cookie())
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "first.localhost"})
    @DisplayName("a page whose own name resolves to this machine gets no session without a key")
    void rebinding(String name) throws Exception {
        String host = name + ":" + port();
        assertThat(call("GET", SESSION, "", "Host", host).json().getBoolean("publicKey"))
                .isFalse();
        Answer refused = call("POST", SESSION, "{\"publicKey\": true}", "Host", host, "Origin", "http://" + host);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.headers()).doesNotContainKey("set-cookie");
    }

    @Test
    @DisplayName("a proxy on this machine does not open the public key to others")
    void proxied() throws Exception {
        Answer refused = own("POST", SESSION, "{\"publicKey\": true}", "X-Forwarded-For", "203.0.113.9");
        assertThat(refused.status()).isEqualTo(400);
    }

    @Test
    @DisplayName("a key of one's own always needs a login")
    void ownKey() throws Exception {
        Namespace first = broker.broker.namespace("first");
        first.setAccessRules(List.of(AccessRule.root("a-key-of-my-own-0123456789")))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertThat(own("GET", SESSION, "").json().getBoolean("publicKey")).isFalse();
        assertThat(own("POST", SESSION, "{\"publicKey\": true}").status()).isEqualTo(400);
    }

    @Test
    @DisplayName("a session ends after eight hours, and when the user logs out")
    void ends() throws Exception {
        String cookie = login("listen", "listen-key");
        broker.nowMs.addAndGet(ConsoleSessions.LIFE_MS - 1_000);
        assertThat(own("GET", ENTITIES, "", "Cookie", cookie).status()).isEqualTo(200);
        broker.nowMs.addAndGet(1_000);
        Answer ended = own("GET", ENTITIES, "", "Cookie", cookie);
        assertThat(ended.status()).isEqualTo(401);
        assertThat(ended.body()).contains("Log in again");

        String second = login("listen", "listen-key");
        Answer out = own("DELETE", SESSION, "", "Cookie", second);
        assertThat(out.headers().get("set-cookie")).contains("Max-Age=0");
        assertThat(own("GET", ENTITIES, "", "Cookie", second).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("a new login of a browser ends its session before")
    void loginAgain() throws Exception {
        String before = login("listen", "listen-key");
        Answer again = own("POST", SESSION, "{\"keyName\": \"send\", \"key\": \"send-key\"}", "Cookie", before);
        assertThat(again.status()).isEqualTo(200);
        assertThat(own("GET", ENTITIES, "", "Cookie", before).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("beyond the maximum, the session that was not used for the longest time ends")
    void bounded() throws Exception {
        int keys = ConsoleSessions.SESSIONS_MAX / ConsoleSessions.OF_KEY_MAX;
        broker.broker
                .namespace(null)
                .setAccessRules(IntStream.range(0, keys)
                        .mapToObj(i -> new AccessRule("rule-" + i, Set.of(AccessRight.values()), "key-" + i, null))
                        .toList())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        String first = login("rule-0", "key-0");
        String second = login("rule-1", "key-1");
        for (int i = 2; i < ConsoleSessions.SESSIONS_MAX; i++) {
            login("rule-" + i % keys, "key-" + i % keys);
        }
        assertThat(own("GET", ENTITIES, "", "Cookie", first).status()).isEqualTo(200);
        broker.broker
                .namespace(null)
                .setAccessRules(Stream.concat(
                                broker.broker.namespace(null).accessRules().stream(),
                                Stream.of(new AccessRule("last", Set.of(AccessRight.LISTEN), "key", null)))
                        .toList())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        login("last", "key");
        assertThat(own("GET", ENTITIES, "", "Cookie", first).status()).isEqualTo(200);
        assertThat(own("GET", ENTITIES, "", "Cookie", second).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("a cookie that was never given to a browser opens nothing")
    void guessed() throws Exception {
        String guess = "jitney-console-" + port() + "=" + "A".repeat(43);
        assertThat(own("GET", ENTITIES, "", "Cookie", guess).status()).isEqualTo(401);
        assertThat(own("GET", ENTITIES, "", "Cookie", guess + "A").status()).isEqualTo(401);
        assertThat(own("GET", SESSION, "", "Cookie", guess).json().getBoolean("loggedIn"))
                .isFalse();
    }
}
