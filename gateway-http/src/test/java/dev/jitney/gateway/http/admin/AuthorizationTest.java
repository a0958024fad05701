package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rights from the rules of the namespace and from an entity's own rules. */
class AuthorizationTest {
    private static final String KEY_1 = "A".repeat(43) + "=";
    private static final String KEY_2 = "B".repeat(43) + "=";

    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    private int status(String method, String path, String token) {
        String body = method.equals("PUT") ? AdminFixture.entry(queue("")) : null;
        return f.send(method, path, body, "Authorization", token).statusCode();
    }

    @Test
    @DisplayName(
            "HTTP checklist 1, 2, 3: the test vectors of 1.4 permit their operations; one wrong character does not")
    void vectors() {
        f.broker.nowMs.set(1_795_243_000_000L);
        f.created("/queue-a", queue(""));
        String host =
                "SharedAccessSignature sr=https%3A%2F%2Flocalhost&sig=OltQ3A3LJtbZX5NK%2FA4k9jTll%2FlHGUzqOR248GcCaLk%3D"
                        + "&se=1795244503&skn=RootManageSharedAccessKey";
        assertThat(status("GET", "/queue-a", host)).isEqualTo(200);
        assertThat(status("GET", "/queue-a", host.replace("OltQ", "OltR"))).isEqualTo(401);
        String info = "SharedAccessSignature sig=4WxHkEL%2FaUJE0HjYgK6AUzJJLQG86j3fXZ36WUPQ1B0%3D&se=1795243857"
                + "&skn=RootManageSharedAccessKey"
                + "&sr=https%3a%2f%2flocalhost%2f%24namespaceinfo%3fapi-version%3d2021-05";
        assertThat(status("GET", "/$namespaceinfo?api-version=2021-05", info)).isEqualTo(200);
        assertThat(status("GET", "/queue-a", info)).isEqualTo(401);
        String entity = "SharedAccessSignature sr=https%3A%2F%2Flocalhost%2Fqueue-a%3Fapi-version%3D2017-04"
                + "&sig=Ujxs5aauH7GyaeJNoQHnWHDQGefK7jwaTtXOAbkZOSE%3D&se=1795245346&skn=RootManageSharedAccessKey";
        assertThat(status("GET", "/queue-a?api-version=2017-04", entity)).isEqualTo(200);
        assertThat(status("GET", "/$Resources/Queues", entity)).isEqualTo(401);
    }

    @Test
    @DisplayName("HTTP checklist 4: an expired token and a missing token have different errors")
    void oldAndMissing() {
        String old = dev.jitney.runtime.security.SharedAccessSignature.create(
                "https://localhost", AccessRule.ROOT_NAME, TestBroker.KEY, 1_795_244_502L);
        assertThat(detail(f.send("GET", "/orders", null, "Authorization", old), 401))
                .startsWith("SubCode=40106. ");
        assertThat(detail(f.send("GET", "/orders", null), 401)).startsWith("SubCode=40102. ");
        assertThat(detail(f.send("PUT", "/orders", AdminFixture.entry(queue(""))), 401))
                .startsWith("SubCode=40102. ");
    }

    @Test
    @DisplayName("HTTP checklist 5: a token covers its entity and no entity with a longer name")
    void scopes() {
        f.created("/orders", queue(""));
        f.created("/ord", queue(""));
        String ord = TestBroker.token("https://localhost/ord", AccessRule.ROOT_NAME, TestBroker.KEY);
        assertThat(status("GET", "/ord", ord)).isEqualTo(200);
        assertThat(status("GET", "/orders", ord)).isEqualTo(401);
        assertThat(status("GET", "/$Resources/Queues", ord)).isEqualTo(401);
        assertThat(status("GET", "/$namespaceinfo", ord)).isEqualTo(401);
        assertThat(status("GET", "/", ord)).isEqualTo(401);
        assertThat(status("PUT", "/ord/child", ord)).isEqualTo(201);
    }

    @Test
    @DisplayName("HTTP checklist 7: Listen permits to list rules and read the namespace, but not to create entities")
    void listenOnly() {
        f.created("/t", topic(""));
        f.created("/t/subscriptions/s", subscription(""));
        String listen = TestBroker.token("https://localhost", "listen", "listen-key");
        assertThat(status("GET", "/t/subscriptions/s/rules", listen)).isEqualTo(200);
        assertThat(status("GET", "/$namespaceinfo", listen)).isEqualTo(200);
        for (String path : new String[] {"/q", "/t", "/t/subscriptions/s", "/t/subscriptions/s/rules/$Default"}) {
            for (String method : new String[] {"GET", "PUT", "DELETE"}) {
                assertThat(detail(
                                f.send(
                                        method,
                                        path,
                                        method.equals("PUT") ? AdminFixture.entry(queue("")) : null,
                                        "Authorization",
                                        listen),
                                401))
                        .startsWith("SubCode=40100. ");
            }
        }
        for (String path : new String[] {
            "/", "/t/subscriptions", "/$Resources/Queues", "/$Resources/Topics", "/$namespaceinfo/AuthorizationRules"
        }) {
            assertThat(status("GET", path, listen)).as(path).isEqualTo(401);
        }
        assertThat(status("GET", "/$namespaceinfo", TestBroker.token("https://localhost", "send", "send-key")))
                .isEqualTo(200);
        assertThat(status("GET", "/t/subscriptions/s/rules", TestBroker.token("https://localhost", "send", "send-key")))
                .isEqualTo(401);
    }

    private static String accessRule(String name, String rights, String keys) {
        StringBuilder words = new StringBuilder();
        for (String right : rights.split(" ")) {
            words.append("<AccessRights>").append(right).append("</AccessRights>");
        }
        return "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\"><ClaimType>SharedAccessKey</ClaimType>"
                + "<ClaimValue>None</ClaimValue><Rights>" + words + "</Rights><KeyName>" + name + "</KeyName>" + keys
                + "</AuthorizationRule>";
    }

    private static String keys(String primary, String secondary) {
        return "<PrimaryKey>" + primary + "</PrimaryKey><SecondaryKey>" + secondary + "</SecondaryKey>";
    }

    private static String queueWith(String... rules) {
        return queue("<AuthorizationRules>" + String.join("", rules) + "</AuthorizationRules>");
    }

    @Test
    @DisplayName("HTTP checklist 10: an entity's own rule is returned with both keys and covers that entity only")
    void entityRules() {
        f.created("/orders", queueWith(accessRule("own", "Manage Send Listen", keys(KEY_1, KEY_2))));
        f.created("/orders/other", queue(""));
        HttpResponse<String> answer = f.get("/orders");
        assertThat(answer.body())
                .contains("<AuthorizationRules><AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
                        + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue><Rights><AccessRights>"
                        + "Manage</AccessRights><AccessRights>Send</AccessRights><AccessRights>Listen</AccessRights>"
                        + "</Rights><KeyName>own</KeyName><PrimaryKey>" + KEY_1 + "</PrimaryKey><SecondaryKey>" + KEY_2
                        + "</SecondaryKey></AuthorizationRule></AuthorizationRules>");
        for (String key : new String[] {KEY_1, KEY_2}) {
            String token = TestBroker.token("https://localhost", "own", key);
            assertThat(status("GET", "/orders", token)).isEqualTo(200);
            assertThat(status("GET", "/orders/other", token)).isEqualTo(401);
            assertThat(status("GET", "/$namespaceinfo", token)).isEqualTo(401);
            assertThat(status("PUT", "/new", token)).isEqualTo(401);
        }
        f.created(
                "/t",
                topic("<AuthorizationRules>" + accessRule("own", "Manage Send Listen", keys(KEY_1, KEY_2))
                        + "</AuthorizationRules>"));
        String token = TestBroker.token("https://localhost/t", "own", KEY_1);
        String body = AdminFixture.entry(subscription(""));
        assertThat(f.send("PUT", "/t/subscriptions/s", body, "Authorization", token)
                        .statusCode())
                .isEqualTo(201);
        assertThat(status("GET", "/t/subscriptions", token)).isEqualTo(200);
        assertThat(f.send("PUT", "/t/subscriptions/s/rules/r", AdminFixture.entry(rule("")), "Authorization", token)
                        .statusCode())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("HTTP checklist 8: missing keys are generated, omitted keys stay, and each key can be changed alone")
    void entityKeys() {
        f.created("/orders", queueWith(accessRule("own", "Listen", "")));
        HttpResponse<String> created = f.get("/orders");
        String primary = String.valueOf(text(created, "PrimaryKey"));
        String secondary = String.valueOf(text(created, "SecondaryKey"));
        assertThat(primary).hasSize(44).endsWith("=").isNotEqualTo(secondary);
        HttpResponse<String> updated =
                f.update("/orders", queueWith(accessRule("OWN", "Listen", "<PrimaryKey>" + KEY_1 + "</PrimaryKey>")));
        assertThat(text(updated, "PrimaryKey")).isEqualTo(KEY_1);
        assertThat(text(updated, "SecondaryKey")).isEqualTo(secondary);
        String path = "/orders"; // Listen is not enough, so that the missing right is refused, not the signature
        assertThat(detail(send(path, TestBroker.token("h", "own", primary)), 401))
                .startsWith("SubCode=40103. ");
        assertThat(detail(send(path, TestBroker.token("h", "own", KEY_1)), 401)).startsWith("SubCode=40100. ");
        assertThat(detail(send(path, TestBroker.token("h", "own", secondary)), 401))
                .startsWith("SubCode=40100. ");
    }

    private HttpResponse<String> send(String path, String token) {
        return f.send("GET", path, null, "Authorization", token);
    }

    @Test
    @DisplayName("HTTP 2.7: Manage comes with Send and Listen; names and rights differ; at most twelve rules")
    void wrongEntityRules() {
        for (String wrong : new String[] {
            queueWith(accessRule("own", "Manage", "")),
            queueWith(accessRule("own", "Manage Send", "")),
            queueWith(accessRule("own", "Send Send", "")),
            queueWith(accessRule("own", "Rule", "")),
            queueWith(accessRule("own", "send", "")),
            queueWith(accessRule("", "Send", "")),
            queueWith(accessRule("n".repeat(257), "Send", "")),
            queueWith(accessRule("own", "Send", "<PrimaryKey>" + "k".repeat(257) + "</PrimaryKey>")),
            queueWith(accessRule("own", "Send", ""), accessRule("OWN", "Listen", "")),
            queueWith(accessRule("own", "Send", "").replace("<Rights>", "<x>").replace("</Rights>", "</x>")),
            queueWith(accessRule("own", "Send", "").replace("SharedAccessAuthorizationRule", "AllowRule")),
        }) {
            HttpResponse<String> answer = f.create("/orders", wrong);
            assertThat(detail(answer, 400)).startsWith("SubCode=40000. ").doesNotContain("kkkk");
        }
        String[] many = new String[13];
        for (int i = 0; i < many.length; i++) {
            many[i] = accessRule("r" + i, "Send", "");
        }
        assertThat(f.create("/orders", queueWith(many)).statusCode()).isEqualTo(403);
        assertThat(f.create("/orders", queueWith(List.of(many).subList(0, 12).toArray(new String[0])))
                        .statusCode())
                .isEqualTo(201);
    }

    // --- the namespace's own rules, an extension ---

    private static final String RULES = "/$namespaceinfo/AuthorizationRules";

    private static String namespaceRule(String rights, String keys) {
        return accessRule("ignored", rights, keys)
                .replaceFirst(
                        "<AuthorizationRule ",
                        "<AuthorizationRule xmlns=\"" + AdminFixture.CONNECT + "\" xmlns:i=\"" + AdminFixture.INSTANCE
                                + "\" ");
    }

    @Test
    @DisplayName("Extension: rules of the namespace are created, read, changed and deleted at run time")
    void namespaceRules() {
        HttpResponse<String> created = f.create(RULES + "/Reader", namespaceRule("Listen", ""));
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(text(created, "title")).isEqualTo("Reader");
        String primary = String.valueOf(text(created, "PrimaryKey"));
        String secondary = String.valueOf(text(created, "SecondaryKey"));
        assertThat(primary).hasSize(44).isNotEqualTo(secondary);
        assertThat(status("GET", "/$namespaceinfo", TestBroker.token("h", "reader", primary)))
                .isEqualTo(200);
        assertThat(f.get(RULES + "/reader").body()).contains(primary, secondary);
        assertThat(f.get(RULES).body())
                .contains(">AuthorizationRules</title>")
                .containsSubsequence(">listen<", ">Reader<", ">RootManageSharedAccessKey<", ">send<");
        assertThat(f.get(RULES + "?$top=1").body()).contains("rel=\"next\"");
        assertThat(detail(f.create(RULES + "/READER", namespaceRule("Send", "")), 409))
                .startsWith("SubCode=40900. ");

        HttpResponse<String> updated = f.update(RULES + "/reader", namespaceRule("Send Listen", ""));
        assertThat(updated.statusCode()).isEqualTo(200);
        assertThat(text(updated, "PrimaryKey")).isEqualTo(primary);
        assertThat(text(updated, "KeyName")).isEqualTo("Reader");

        assertThat(f.delete(RULES + "/reader").statusCode()).isEqualTo(200);
        assertThat(status("GET", "/$namespaceinfo", TestBroker.token("h", "reader", primary)))
                .isEqualTo(401);
        assertThat(detail(f.delete(RULES + "/reader"), 404)).startsWith("SubCode=40400. Not Found.");
        assertThat(detail(f.get(RULES + "/reader"), 404)).startsWith("SubCode=40400. Not Found.");
        assertThat(detail(f.update(RULES + "/reader", namespaceRule("Send", "")), 404))
                .startsWith("SubCode=40400. Not Found.");
    }

    @Test
    @DisplayName("HTTP checklist 8, extension: after regeneration of one key, the other one still works")
    void regenerates() {
        String root = RULES + "/" + AccessRule.ROOT_NAME;
        HttpResponse<String> answer = f.send("PUT", root + "?regenerate=secondary", null, "Authorization", f.token);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(text(answer, "PrimaryKey")).isEqualTo(TestBroker.KEY);
        String secondary = String.valueOf(text(answer, "SecondaryKey"));
        String second = TestBroker.token("h", AccessRule.ROOT_NAME, secondary);
        answer = f.send("PUT", root + "?regenerate=Primary", null, "Authorization", second);
        assertThat(text(answer, "SecondaryKey")).isEqualTo(secondary);
        String primary = String.valueOf(text(answer, "PrimaryKey"));
        assertThat(primary).hasSize(44).isNotIn(TestBroker.KEY, secondary);
        assertThat(status("GET", "/$namespaceinfo", f.token)).isEqualTo(401);
        assertThat(status("GET", "/$namespaceinfo", second)).isEqualTo(200);
        assertThat(status("GET", "/$namespaceinfo", TestBroker.token("h", AccessRule.ROOT_NAME, primary)))
                .isEqualTo(200);
        assertThat(f.send("PUT", RULES + "/none?regenerate=primary", null, "Authorization", second)
                        .statusCode())
                .isEqualTo(404);
        assertThat(f.send("PUT", root + "?regenerate=both", null, "Authorization", second)
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("Extension: the last rule with Manage cannot be removed, and rules are checked like those of entities")
    void wrongNamespaceRules() {
        String root = RULES + "/" + AccessRule.ROOT_NAME;
        assertThat(detail(f.delete(root), 400)).startsWith("SubCode=40000. ");
        assertThat(detail(f.update(root, namespaceRule("Send Listen", "")), 400))
                .startsWith("SubCode=40000. ");
        assertThat(detail(f.create(RULES + "/x", namespaceRule("Manage", "")), 400))
                .startsWith("SubCode=40000. ");
        assertThat(detail(f.create(RULES + "/x", queue("")), 400)).startsWith("SubCode=40000. ");
        assertThat(status("GET", root, f.token)).isEqualTo(200);
    }

    @Test
    @DisplayName("HTTP 2.10: a second change during a change of the same resource is refused as in progress")
    void concurrentChanges() throws Exception {
        f.created("/orders", queue(""));
        List<AccessRule> rules =
                List.of(AccessRule.root(TestBroker.KEY), new AccessRule("s", Set.of(AccessRight.SEND), "k", null));
        f.broker
                .broker
                .namespace(null)
                .setAccessRules(rules)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        List<Integer> answers = java.util.stream.IntStream.range(0, 40)
                .parallel()
                .mapToObj(i -> f.update("/orders", queue("<MaxDeliveryCount>" + (i + 1) + "</MaxDeliveryCount>"))
                        .statusCode())
                .toList();
        assertThat(answers).contains(200).isSubsetOf(200, 409);
        assertThat(f.update("/orders", queue("")).statusCode()).isEqualTo(200);
    }
}
