package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Namespace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An operator who administers entities")
class AdministrationTest extends OperatorScenario {
    private static final String API = "/$operator/v1";
    private static final String ORDERS = API + "/entities/shop%2Forders";
    private static final String NEVER = "P10675199DT2H48M5.4775807S";
    private static final String ATOM = "?api-version=2021-05";

    private Namespace namespace() {
        return broker.broker.namespace(null);
    }

    private HttpResponse<String> send(String method, String target, String body) throws Exception {
        return send(method, target, body, TestBroker.token());
    }

    private JsonObject ok(String method, String target, String body) throws Exception {
        HttpResponse<String> answer = send(method, target, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    /** Returns the messages of the error by field. */
    private Map<String, String> fields(int status, String method, String target, String body) throws Exception {
        HttpResponse<String> answer = send(method, target, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonArray fields = new JsonObject(answer.body()).getJsonObject("error").getJsonArray("fields", new JsonArray());
        Map<String, String> messages = new TreeMap<>();
        IntStream.range(0, fields.size())
                .mapToObj(fields::getJsonObject)
                .forEach(field -> messages.put(field.getString("field"), field.getString("message")));
        return messages;
    }

    private List<JsonObject> audited() throws Exception {
        JsonArray entries = ok("GET", API + "/audit", "").getJsonArray("entries");
        return IntStream.range(0, entries.size())
                .mapToObj(entries::getJsonObject)
                .toList();
    }

    @Test
    @DisplayName("reads all settings of a queue under the names of the SDK, with ISO 8601 durations")
    void reads() throws Exception {
        broker.create("mails", queue -> queue.lockDurationMs(30_000).forwardTo("sb://host.example/shop/orders"));
        JsonObject document = ok("GET", API + "/entities/mails/settings", "");
        assertThat(document.getString("kind")).isEqualTo("queue");
        assertThat(document.getJsonObject("settings").getMap())
                .containsEntry("lockDuration", "PT30S")
                .containsEntry("maxSizeInMegabytes", 1024)
                .containsEntry("defaultMessageTimeToLive", NEVER)
                .containsEntry("maxDeliveryCount", 10)
                .containsEntry("status", "Active")
                .containsEntry("forwardTo", "shop/orders")
                .containsEntry("forwardDeadLetteredMessagesTo", null)
                .containsEntry("requiresSession", false)
                .containsEntry("maxMessageSizeInKilobytes", 256)
                .hasSize(18);
    }

    @Test
    @DisplayName("creates a queue, a topic and a subscription, and the administration API shows the same")
    void creates() throws Exception {
        JsonObject made = ok(
                "PUT",
                API + "/entities/new%2Fqueue",
                "{\"kind\": \"queue\", \"lockDuration\": \"PT45S\", \"requiresSession\": true, \"maxDeliveryCount\": 3,"
                        + " \"forwardDeadLetteredMessagesTo\": \"shop/orders\"}");
        assertThat(made.getBoolean("created")).isTrue();
        assertThat(made.getJsonObject("settings").getString("lockDuration")).isEqualTo("PT45S");
        assertThat(send("GET", "/new/queue" + ATOM, "").body())
                .contains(
                        "<LockDuration>PT45S</LockDuration>",
                        "<RequiresSession>true</RequiresSession>",
                        "<MaxDeliveryCount>3</MaxDeliveryCount>",
                        "/shop/orders</ForwardDeadLetteredMessagesTo>");

        ok("PUT", API + "/entities/news", "{\"kind\": \"topic\", \"requiresDuplicateDetection\": true}");
        ok(
                "PUT",
                API + "/entities/news%2FSubscriptions%2Freds",
                "{\"kind\": \"subscription\", \"rule\": {\"rule\": \"reds\", \"filter\": \"color = 'red'\"}}");
        assertThat(send("GET", "/news/subscriptions/reds/rules" + ATOM, "").body())
                .contains("color = 'red'")
                .doesNotContain("$Default");
        ok("PUT", API + "/entities/news%2FSubscriptions%2Fnone", "{\"kind\": \"subscription\", \"rule\": null}");
        ok("PUT", API + "/entities/news%2FSubscriptions%2Fall", "{\"kind\": \"subscription\"}");
        assertThat(namespace().entity("news/Subscriptions/none").rules()).isEmpty();
        assertThat(namespace().entity("news/Subscriptions/all").rules()).hasSize(1);
        assertThat(audited())
                .extracting(entry -> entry.getString("action") + " " + entry.getString("entity"))
                .containsExactly(
                        "create subscription news/Subscriptions/all",
                        "create subscription news/Subscriptions/none",
                        "create subscription news/Subscriptions/reds",
                        "create topic news",
                        "create queue new/queue");
    }

    @Test
    @DisplayName(
            "changes only the settings in the request, null sets the default, and the audit trail has the difference")
    void changes() throws Exception {
        ok("PATCH", ORDERS + "/settings", "{\"lockDuration\": \"PT10S\", \"userMetadata\": \"of the shop\"}");
        JsonObject changed = ok("PATCH", ORDERS + "/settings", "{\"status\": \"Disabled\", \"lockDuration\": null}");
        assertThat(changed.getJsonObject("settings").getMap())
                .containsEntry("status", "Disabled")
                .containsEntry("lockDuration", "PT1M")
                .containsEntry("userMetadata", "of the shop");
        assertThat(send("GET", "/shop/orders" + ATOM, "").body()).contains("<Status>Disabled</Status>");
        assertThat(audited().get(0).getString("details"))
                .contains("lockDurationMs: 10000 -> 60000", "status: ACTIVE -> DISABLED");
        JsonObject settings = changed.getJsonObject("settings");
        assertThat(ok("PATCH", ORDERS + "/settings", settings.encode()).getJsonObject("settings"))
                .as("all settings as they were shown")
                .isEqualTo(settings);
    }

    @Test
    @DisplayName("gets one message for each wrong field, all of them at once, and nothing changes")
    void wrongFields() throws Exception {
        QueueDescription before =
                (QueueDescription) namespace().entity("shop/orders").description();
        Map<String, String> messages = fields(
                400,
                "PATCH",
                ORDERS + "/settings",
                "{\"lockDuration\": \"PT10M\", \"maxDeliveryCount\": 0, \"defaultMessageTimeToLive\": \"tomorrow\","
                        + " \"requiresSession\": true, \"status\": \"Asleep\", \"maxSizeInMegabytes\": 7,"
                        + " \"forwardTo\": \"sb://elsewhere/x\", \"enableBatchedOperations\": \"yes\","
                        + " \"lockduration\": 1, \"maxMessageSizeInKilobytes\": 1.5, \"userMetadata\": 7}");
        assertThat(messages)
                .containsOnlyKeys(
                        "lockDuration",
                        "maxDeliveryCount",
                        "defaultMessageTimeToLive",
                        "requiresSession",
                        "status",
                        "maxSizeInMegabytes",
                        "forwardTo",
                        "enableBatchedOperations",
                        "lockduration",
                        "maxMessageSizeInKilobytes",
                        "userMetadata");
        assertThat(messages.get("lockDuration")).contains("PT5M");
        assertThat(messages.get("requiresSession")).contains("fixed at creation");
        assertThat(messages.get("status")).contains("ReceiveDisabled", "'Asleep'");
        assertThat(messages.get("maxSizeInMegabytes")).contains("1024;2048");
        assertThat(namespace().entity("shop/orders").description()).isEqualTo(before);
        assertThat(fields(
                        400,
                        "PUT",
                        API + "/entities/bad%20name",
                        "{\"kind\": \"queue\", \"lockDuration\": 5, \"enableExpress\": true, \"requiresDuplicateDetection\": true,"
                                + " \"userMetadata\": \"a\\u0000b\", \"maxDeliveryCount\": 3000000000}"))
                .containsOnlyKeys("path", "lockDuration", "enableExpress", "userMetadata", "maxDeliveryCount");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shop%2Forders|{\"kind\": \"queue\"}|409|path",
                "x|{\"kind\": \"queue\", \"forwardTo\": \"missing\"}|400|forwardTo",
                "x|{\"kind\": \"queue\", \"forwardDeadLetteredMessagesTo\": \"x\"}|400|forwardDeadLetteredMessagesTo",
                "x|{\"kind\": \"queue\", \"forwardTo\": \"shop/orders\", \"requiresSession\": true}|400|forwardTo",
                "x|{\"kind\": \"exchange\"}|400|kind",
                "x|{}|400|kind",
                "x|{\"kind\": \"subscription\"}|400|path",
                "x|{\"kind\": \"topic\", \"lockDuration\": \"PT5S\"}|400|lockDuration",
                "x|{\"kind\": \"topic\", \"status\": \"ReceiveDisabled\"}|400|status",
                "x|{\"kind\": \"queue\", \"rule\": null}|400|rule",
                "t%2FSubscriptions%2F$s|{\"kind\": \"subscription\"}|400|path",
                "t%2FSubscriptions%2Fs|{\"kind\": \"subscription\", \"rule\": {\"rule\": \"a\", \"filter\": 7}}|400|rule",
                "t%2FSubscriptions%2Fs|{\"kind\": \"subscription\", \"rule\": {\"filter\": \"1=1\"}}|400|rule"
            })
    @DisplayName("is refused with the field that a new entity has wrong")
    void refusedCreation(String path, String body, int status, String field) throws Exception {
        ok("PUT", API + "/entities/t", "{\"kind\": \"topic\"}");
        assertThat(fields(status, "PUT", API + "/entities/" + path, body)).containsOnlyKeys(field);
        assertThat(namespace().entity("x")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a%5Cb",
                "%2Fa",
                "a%2F",
                "a%2F%2Fb",
                "..%2Fa",
                "$a",
                "a%2F$DeadLetterQueue",
                "a%2F$management",
                "a%00b",
                "a%0Ab",
                "a%25b",
                "a%3Cscript%3E%20",
                "topic%2FSubscriptions%2Fa"
            })
    @DisplayName("cannot create a queue with a hostile name")
    void hostileNames(String name) throws Exception {
        int before = namespace().entities().size();
        HttpResponse<String> answer = send("PUT", API + "/entities/" + name, "{\"kind\": \"queue\"}");
        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 404);
        assertThat(namespace().entities()).hasSize(before);
    }

    @Test
    @DisplayName("lists at most 50 wrong fields, however many a request has")
    void manyWrongFields() throws Exception {
        JsonObject body = new JsonObject();
        for (int i = 0; i < 5_000; i++) {
            body.put("x".repeat(20) + i, i);
        }
        assertThat(fields(400, "PATCH", ORDERS + "/settings", body.encode())).hasSize(50);
    }

    @Test
    @DisplayName("gets the numbers of messages and subscriptions that go with an entity, before and after its deletion")
    void deletes() throws Exception {
        ok("PUT", API + "/entities/news", "{\"kind\": \"topic\"}");
        ok("PUT", API + "/entities/news%2FSubscriptions%2Fa", "{\"kind\": \"subscription\"}");
        ok("PUT", API + "/entities/news%2FSubscriptions%2Fb", "{\"kind\": \"subscription\"}");
        assertThat(send("POST", "/news/messages", "hello").statusCode()).isEqualTo(201);
        JsonObject dry = ok("DELETE", API + "/entities/news?dryRun=true", "");
        assertThat(dry.getMap())
                .containsEntry("deleted", false)
                .containsEntry("kind", "topic")
                .containsEntry("messages", 2)
                .containsEntry("subscriptions", 2)
                .containsEntry("rules", 2);
        assertThat(namespace().entity("news")).isNotNull();
        JsonObject done = ok("DELETE", API + "/entities/news", "");
        assertThat(done).isEqualTo(dry.copy().put("deleted", true));
        assertThat(namespace().entity("news")).isNull();
        assertThat(send("DELETE", API + "/entities/news", "").statusCode()).isEqualTo(404);
        assertThat(send("DELETE", ORDERS + "%2F$DeadLetterQueue", "").statusCode())
                .isEqualTo(400);
        assertThat(namespace().entity("shop/orders")).isNotNull();
        assertThat(audited().get(0).getString("action")).isEqualTo("delete topic");
        assertThat(audited().get(0).getString("details")).isEqualTo("2 messages, 2 subscriptions");
    }

    @Test
    @DisplayName("reads settings with Listen, and needs Manage for every change")
    void rights() throws Exception {
        String listen = TestBroker.token("https://localhost", "listen", "listen-key");
        String send = TestBroker.token("https://localhost", "send", "send-key");
        assertThat(send("GET", ORDERS + "/settings", "", listen).statusCode()).isEqualTo(200);
        assertThat(send("GET", API + "/namespace", "", listen).statusCode()).isEqualTo(200);
        assertThat(send("GET", ORDERS + "/settings", "", send).statusCode()).isEqualTo(401);
        assertThat(send("GET", API + "/entities/missing/settings", "", send).statusCode())
                .as("the same answer for an entity that does not exist")
                .isEqualTo(401);
        for (String token : new String[] {listen, send, null}) {
            assertThat(send("PUT", API + "/entities/x", "{\"kind\": \"queue\"}", token)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(send("PATCH", ORDERS + "/settings", "{\"status\": \"Disabled\"}", token)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(send("DELETE", ORDERS, "", token).statusCode()).isEqualTo(401);
            assertThat(send("DELETE", ORDERS + "?dryRun=true", "", token).statusCode())
                    .isEqualTo(401);
        }
        assertThat(namespace().entity("shop/orders").description().status().word())
                .isEqualTo("Active");
        assertThat(namespace().entities()).hasSize(1);
    }

    @Test
    @DisplayName("needs Manage for the destination of forwarding too")
    void forwardingRights() throws Exception {
        ok("PUT", API + "/entities/own", "{\"kind\": \"queue\"}");
        ok("PUT", API + "/entities/own/accessRules/owner", "{\"rights\": [\"Manage\"]}");
        String key =
                ok("POST", API + "/entities/own/accessRules/owner/keys", "").getString("primaryKey");
        String owner = TestBroker.token("https://localhost/own", "owner", key);
        String settings = API + "/entities/own/settings";
        assertThat(send("PATCH", settings, "{\"maxDeliveryCount\": 5}", owner).statusCode())
                .isEqualTo(200);
        assertThat(send("PATCH", settings, "{\"forwardTo\": \"shop/orders\"}", owner)
                        .statusCode())
                .isEqualTo(401);
        assertThat(send("PATCH", settings, "{\"forwardDeadLetteredMessagesTo\": \"shop/orders\"}", owner)
                        .statusCode())
                .isEqualTo(401);
        ok("PATCH", settings, "{\"forwardTo\": \"shop/orders\"}");
        assertThat(send("PATCH", settings, "{\"maxDeliveryCount\": 6}", owner).statusCode())
                .isEqualTo(200);
        assertThat(send("PUT", API + "/entities/other", "{\"kind\": \"queue\"}", owner)
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    @DisplayName("gets a description of all settings of each kind, from which a form can be made")
    void settingsOfKinds() throws Exception {
        JsonObject kinds = ok("GET", API + "/settings", "");
        for (String kind : List.of("queue", "topic", "subscription")) {
            JsonArray settings = kinds.getJsonArray(kind);
            assertThat(settings.size()).isGreaterThan(10);
            IntStream.range(0, settings.size())
                    .mapToObj(settings::getJsonObject)
                    .forEach(setting -> {
                        assertThat(setting.getString("meaning")).endsWith(".").doesNotContain("(");
                        assertThat(setting.containsKey("default")).isTrue();
                    });
        }
        JsonArray queue = kinds.getJsonArray("queue");
        assertThat(ok("GET", ORDERS + "/settings", "").getJsonArray("fields")).isEqualTo(queue);
        assertThat(statuses(kinds, "queue")).hasSize(4);
        assertThat(statuses(kinds, "topic")).containsExactly("Active", "Disabled", "SendDisabled");
        assertThat(statuses(kinds, "subscription")).containsExactly("Active", "Disabled", "ReceiveDisabled");
        assertThat(IntStream.range(0, queue.size())
                        .mapToObj(queue::getJsonObject)
                        .map(setting -> setting.getString("name")))
                .containsExactlyInAnyOrderElementsOf(ok("GET", ORDERS + "/settings", "")
                        .getJsonObject("settings")
                        .fieldNames());
    }

    private static List<String> statuses(JsonObject kinds, String kind) {
        JsonArray settings = kinds.getJsonArray(kind);
        return IntStream.range(0, settings.size())
                .mapToObj(settings::getJsonObject)
                .filter(setting -> setting.getString("type").equals("status"))
                .findFirst()
                .orElseThrow()
                .getJsonArray("values")
                .stream()
                .map(String::valueOf)
                .toList();
    }

    @Test
    @DisplayName("finds the operations and the wrong fields of an error in the description of the API")
    void described() throws Exception {
        JsonObject paths = ok("GET", API + "/openapi.json", "").getJsonObject("paths");
        assertThat(paths.getJsonObject("/entities/{entity}").fieldNames()).contains("get", "put", "delete");
        assertThat(paths.getJsonObject("/entities/{entity}/settings").fieldNames())
                .contains("get", "patch");
        assertThat(paths.getJsonObject("/entities/{entity}/messages")
                        .getJsonObject("post")
                        .getJsonObject("requestBody"))
                .isNotNull();
    }
}
