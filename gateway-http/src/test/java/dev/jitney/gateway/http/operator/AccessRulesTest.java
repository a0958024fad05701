package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An operator who administers access rules")
class AccessRulesTest extends OperatorScenario {
    private static final String API = "/$operator/v1";
    private static final String OF_ORDERS = API + "/entities/shop%2Forders/accessRules";
    private static final String OF_NAMESPACE = API + "/accessRules";

    private HttpResponse<String> send(String method, String target, String body) throws Exception {
        return send(method, target, body, TestBroker.token());
    }

    private JsonObject ok(String method, String target, String body) throws Exception {
        HttpResponse<String> answer = send(method, target, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private List<String> names(String rules) throws Exception {
        JsonArray list = ok("GET", rules, "").getJsonArray("accessRules");
        return IntStream.range(0, list.size())
                .mapToObj(i -> list.getJsonObject(i).getString("accessRule") + " "
                        + list.getJsonObject(i).getJsonArray("rights").getList())
                .toList();
    }

    private int listing(String rule, String key) throws Exception {
        return send(
                        "GET",
                        API + "/entities/shop%2Forders",
                        "",
                        TestBroker.token("https://localhost/shop/orders", rule, key))
                .statusCode();
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_ORDERS, OF_NAMESPACE})
    @DisplayName("creates one, changes its rights, renews its keys and deletes it, and its clients feel it at once")
    void life(String rules) throws Exception {
        List<String> before = names(rules);
        JsonObject created = ok("PUT", rules + "/worker", "{\"rights\": [\"Send\", \"Listen\"]}");
        assertThat(created.encode())
                .isEqualTo("{\"accessRule\":\"worker\",\"rights\":[\"Send\",\"Listen\"],\"created\":true}");
        assertThat(names(rules)).hasSize(before.size() + 1).contains("worker [Send, Listen]");

        JsonObject keys = ok("POST", rules + "/WORKER/keys", "");
        String primary = keys.getString("primaryKey");
        String secondary = keys.getString("secondaryKey");
        assertThat(primary).hasSize(44).isNotEqualTo(secondary);
        assertThat(keys.getString("primaryConnectionString"))
                .isEqualTo("Endpoint=sb://127.0.0.1:" + port() + ";SharedAccessKeyName=worker;SharedAccessKey="
                        + primary + (rules.equals(OF_ORDERS) ? ";EntityPath=shop/orders" : "")
                        + ";UseDevelopmentEmulator=true;");
        assertThat(listing("worker", primary)).isEqualTo(200);
        assertThat(listing("worker", secondary)).isEqualTo(200);

        assertThat(send("POST", rules + "/worker/swap", "").body()).doesNotContain("Key");
        JsonObject swapped = ok("POST", rules + "/worker/keys", "");
        assertThat(swapped.getString("primaryKey")).isEqualTo(secondary);
        assertThat(swapped.getString("secondaryKey")).isEqualTo(primary);
        assertThat(listing("worker", primary)).as("both keys stay valid").isEqualTo(200);
        ok("POST", rules + "/worker/swap", "");

        HttpResponse<String> renewed = send("POST", rules + "/worker/renew?key=primary", "");
        assertThat(renewed.statusCode()).isEqualTo(200);
        assertThat(renewed.body()).doesNotContain("Key");
        assertThat(listing("worker", primary)).isEqualTo(401);
        assertThat(listing("worker", secondary)).isEqualTo(200);
        ok("POST", rules + "/worker/renew", "");
        assertThat(listing("worker", secondary)).isEqualTo(401);
        JsonObject after = ok("POST", rules + "/worker/keys", "");
        assertThat(listing("worker", after.getString("primaryKey"))).isEqualTo(200);

        assertThat(ok("PUT", rules + "/Worker", "{\"rights\": [\"Send\"]}").getBoolean("created"))
                .isFalse();
        assertThat(listing("worker", after.getString("primaryKey"))).isEqualTo(401);
        assertThat(ok("POST", rules + "/worker/keys", "").getString("primaryKey"))
                .as("a change of rights keeps the keys")
                .isEqualTo(after.getString("primaryKey"));
        assertThat(ok("DELETE", rules + "/worker", "").getBoolean("deleted")).isTrue();
        assertThat(names(rules)).isEqualTo(before);
        assertThat(send("DELETE", rules + "/worker", "").statusCode()).isEqualTo(404);
        assertThat(send("POST", rules + "/worker/keys", "").statusCode()).isEqualTo(404);
        assertThat(send("POST", rules + "/worker/renew", "").statusCode()).isEqualTo(404);
        assertThat(send("POST", rules + "/worker/swap", "").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("finds each change and each look at keys in the audit trail, without the keys")
    void audited() throws Exception {
        ok("PUT", OF_ORDERS + "/worker", "{\"rights\": [\"Listen\"]}");
        String key = ok("POST", OF_ORDERS + "/worker/keys", "").getString("primaryKey");
        ok("POST", OF_ORDERS + "/worker/renew?key=primary", "");
        ok("DELETE", OF_ORDERS + "/worker", "");
        HttpResponse<String> trail = send("GET", API + "/audit?entity=shop%2Forders", "");
        JsonArray entries = new JsonObject(trail.body()).getJsonArray("entries");
        assertThat(IntStream.range(0, entries.size())
                        .mapToObj(entries::getJsonObject)
                        .map(entry -> entry.getString("action") + " " + entry.getString("rule")))
                .containsExactly(
                        "delete authorization rule worker",
                        "update authorization rule worker",
                        "show keys of authorization rule worker",
                        "create authorization rule worker");
        assertThat(trail.body()).contains("primary key changed").doesNotContain(key);
    }

    @Test
    @DisplayName("needs Manage to list them, to read keys and to change them")
    void rights() throws Exception {
        ok("PUT", OF_ORDERS + "/worker", "{\"rights\": [\"Send\", \"Listen\"]}");
        String worker = ok("POST", OF_ORDERS + "/worker/keys", "").getString("primaryKey");
        String[] tokens = {
            TestBroker.token("https://localhost", "listen", "listen-key"),
            TestBroker.token("https://localhost", "send", "send-key"),
            TestBroker.token("https://localhost/shop/orders", "worker", worker),
            null
        };
        for (String token : tokens) {
            for (String rules : List.of(OF_ORDERS, OF_NAMESPACE)) {
                HttpResponse<String> keys = send("POST", rules + "/worker/keys", "", token);
                assertThat(keys.statusCode()).isEqualTo(401);
                assertThat(keys.body()).doesNotContain(worker);
                assertThat(send("GET", rules, "", token).statusCode()).isEqualTo(401);
                assertThat(send("PUT", rules + "/worker", "{\"rights\": [\"Manage\"]}", token)
                                .statusCode())
                        .isEqualTo(401);
                assertThat(send("POST", rules + "/worker/swap", "", token).statusCode())
                        .isEqualTo(401);
                assertThat(send("POST", rules + "/worker/renew", "", token).statusCode())
                        .isEqualTo(401);
                assertThat(send("DELETE", rules + "/worker", "", token).statusCode())
                        .isEqualTo(401);
            }
        }
        assertThat(names(OF_ORDERS)).containsExactly("worker [Send, Listen]");
    }

    @Test
    @DisplayName("cannot give a rule a name with which the audit trail names a person")
    void namesOfPeople() throws Exception {
        HttpResponse<String> refused =
                send("PUT", "/$operator/v1/accessRules/OIDC%3Aalice", "{\"rights\": [\"Listen\"]}", TestBroker.token());
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains("does not begin with 'oidc:'");
    }

    @Test
    @DisplayName("with Manage for one queue cannot touch the rules of the namespace or of another queue")
    void scope() throws Exception {
        broker.create("other");
        ok("PUT", OF_ORDERS + "/owner", "{\"rights\": [\"Manage\"]}");
        assertThat(names(OF_ORDERS)).containsExactly("owner [Manage, Send, Listen]");
        String key = ok("POST", OF_ORDERS + "/owner/keys", "").getString("primaryKey");
        String owner = TestBroker.token("https://localhost/shop/orders", "owner", key);
        assertThat(send("GET", OF_ORDERS, "", owner).statusCode()).isEqualTo(200);
        assertThat(send("GET", OF_NAMESPACE, "", owner).statusCode()).isEqualTo(401);
        assertThat(send("POST", OF_NAMESPACE + "/listen/keys", "", owner).statusCode())
                .isEqualTo(401);
        assertThat(send("PUT", API + "/entities/other/accessRules/x", "{\"rights\": [\"Listen\"]}", owner)
                        .statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a|{}|rights",
                "a|{\"rights\": []}|rights",
                "a|{\"rights\": [\"listen\"]}|rights",
                "a|{\"rights\": [\"Listen\", 7]}|rights",
                "a|{\"rights\": \"Listen\"}|rights",
                "a|{\"rights\": [\"Listen\"], \"primaryKey\": \"mine\"}|primaryKey",
                "a%0Ab|{\"rights\": [\"Listen\"]}|accessRule",
                "%20|{\"rights\": [\"Listen\"]}|accessRule"
            })
    @DisplayName("is refused with the field that is wrong")
    void wrong(String name, String body, String field) throws Exception {
        for (String rules : List.of(OF_ORDERS, OF_NAMESPACE)) {
            List<String> before = names(rules);
            HttpResponse<String> answer = send("PUT", rules + "/" + name, body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            JsonArray fields =
                    new JsonObject(answer.body()).getJsonObject("error").getJsonArray("fields");
            assertThat(fields.getJsonObject(0).getString("field")).isEqualTo(field);
            assertThat(fields.size()).isEqualTo(1);
            assertThat(names(rules)).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("is refused for a name that is too long, a 13th rule, the last rule with Manage, and a subscription")
    void limits() throws Exception {
        assertThat(send("PUT", OF_ORDERS + "/" + "n".repeat(257), "{\"rights\": [\"Listen\"]}")
                        .statusCode())
                .isEqualTo(400);
        for (int i = 0; i < 12; i++) {
            ok("PUT", OF_ORDERS + "/r" + i, "{\"rights\": [\"Listen\"]}");
        }
        assertThat(send("PUT", OF_ORDERS + "/r12", "{\"rights\": [\"Listen\"]}").body())
                .contains("at most 12");
        HttpResponse<String> last = send("DELETE", OF_NAMESPACE + "/RootManageSharedAccessKey", "");
        assertThat(last.statusCode()).isEqualTo(400);
        assertThat(last.body()).contains("Manage");
        ok("PUT", API + "/entities/t", "{\"kind\": \"topic\"}");
        ok("PUT", API + "/entities/t%2FSubscriptions%2Fs", "{\"kind\": \"subscription\"}");
        HttpResponse<String> subscription =
                send("PUT", API + "/entities/t%2FSubscriptions%2Fs/accessRules/a", "{\"rights\": [\"Listen\"]}");
        assertThat(subscription.statusCode()).isEqualTo(400);
        assertThat(subscription.body()).contains("access rules of its topic");
    }

    @Test
    @DisplayName("gets no connection string for a name that would add a part of its own to it")
    void semicolon() throws Exception {
        String name = "a%3BSharedAccessKey%3Dx";
        ok("PUT", OF_ORDERS + "/" + name, "{\"rights\": [\"Listen\"]}");
        JsonObject keys = ok("POST", OF_ORDERS + "/" + name + "/keys", "");
        assertThat(keys.getString("primaryKey")).hasSize(44);
        assertThat(keys.getValue("primaryConnectionString")).isNull();
    }
}
