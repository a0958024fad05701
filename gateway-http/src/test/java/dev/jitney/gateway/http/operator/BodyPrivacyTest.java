package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A reader without the right to Manage")
class BodyPrivacyTest extends OperatorScenario {
    private static final String KEY = "reader-key";
    private static final String MESSAGES = "/$operator/v1/entities/shop%2Forders/messages";
    private static final String ORDER = "{\"id\": 7, \"card\": {\"number\": \"4111\"}, \"names\": [\"Ann\", \"Bob\"]}";

    @Override
    BodyPrivacy privacy() {
        return BodyPrivacy.of(List.of("$.card.number", "first=$.names", "other=$.id"), true);
    }

    @BeforeEach
    void addReader() throws Exception {
        addRule(new AccessRule("reader", Set.of(AccessRight.LISTEN, AccessRight.SEND), KEY, null));
    }

    private static String reader() {
        return TestBroker.token("https://localhost", "reader", KEY);
    }

    private JsonObject shown(int number) throws Exception {
        return new JsonObject(send("GET", MESSAGES + "/" + number, "", reader()).body());
    }

    private HttpResponse<String> search(String filter, String token) throws Exception {
        return send("GET", MESSAGES + "?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8), "", token);
    }

    @Test
    @DisplayName("sees *** in place of hidden values, on a page and in one message, and Manage sees all")
    void masks() throws Exception {
        message(ORDER);
        String masked = "{\"id\":7,\"card\":{\"number\":\"***\"},\"names\":\"***\"}";

        JsonObject one = shown(1);
        assertThat(one.getString("body")).isEqualTo(masked);
        assertThat(one.getBoolean("bodyMasked")).isTrue();
        assertThat(one.getInteger("bodySizeInBytes")).isEqualTo(ORDER.length());
        JsonObject found = new JsonObject(
                        send("GET", MESSAGES + "?body=20", "", reader()).body())
                .getJsonArray("messages")
                .getJsonObject(0);
        assertThat(found.getString("body")).isEqualTo(masked.substring(0, 20));
        assertThat(found.getBoolean("bodyTruncated")).isTrue();
        JsonObject all = new JsonObject(
                send("GET", MESSAGES + "/1", "", TestBroker.token()).body());
        assertThat(all.getString("body")).isEqualTo(ORDER);
        assertThat(all.containsKey("bodyMasked")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"card\":{\"number\":\"4111\"}",
                "{\"card\":{\"number\":\"4111\"}} and more",
                "text before {\"card\":{\"number\":\"4111\"}}",
                "[\"4111\",]",
                "\0{\0\"\0c"
            })
    @DisplayName("does not see a body that could be JSON and cannot be read")
    void hidesUnreadable(String body) throws Exception {
        message(body);

        assertThat(shown(1).containsKey("body")).isFalse();
        assertThat(shown(1).getBoolean("bodyMasked")).isTrue();
    }

    @Test
    @DisplayName("does not see a body that is JSON and too large, or nested too deeply")
    void hidesLarge() throws Exception {
        message("{\"text\": \"" + "x".repeat(129 << 10) + "\"}");
        message("[".repeat(5_000) + "4111" + "]".repeat(5_000));

        assertThat(shown(1).containsKey("body")).isFalse();
        assertThat(shown(2).containsKey("body")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"card\":{\"number\":1},\"card\":{\"number\":4111}}",
                "{\"c\\u0061rd\":{\"number\":4111}}",
                "{\"card\":{\"number\":{\"a\":[4111]}}}",
                "{\"a\":1}\n{\"card\":{\"number\":\"4111\"}}",
                "\uFEFF{\"card\":{\"number\":\"4111\"}, \"half\": \"\\ud800\"}"
            })
    @DisplayName("does not see a hidden value that is written in another way")
    void hidesOtherSpellings(String body) throws Exception {
        message(body);

        assertThat(shown(1).getString("body")).contains("***").doesNotContain("4111");
        assertThat(search("1 = 1", reader()).body()).contains("***").doesNotContain("4111");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain text", "<order id='4'/>", "{\"id\": 1.000000000000000000000000001}", "42"})
    @DisplayName("sees bodies without hidden values as they are")
    void showsOthers(String body) throws Exception {
        message(body);

        assertThat(shown(1).getString("body")).isEqualTo(body);
        assertThat(shown(1).containsKey("bodyMasked")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body CONTAINS '4111'",
                "color = 'red' OR NOT (body NOT CONTAINS '4')",
                "json('$.card.number') = '4111'",
                "json('$[\"card\"]') IS NULL",
                "json('$') IS NOT NULL",
                "json('$.card.number.x') = 1",
                "json('$.names[1]') LIKE 'B%'",
                "json('$.id') = 7 AND json('$.names') IS NULL"
            })
    @DisplayName("may not use a filter that depends on a hidden value, in searches, groups and jobs")
    void refusesFilters(String filter) throws Exception {
        message(ORDER);

        HttpResponse<String> refused = search(filter, reader());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("the server hides values of bodies").doesNotContain("4111\"");
        assertThat(search(filter, TestBroker.token()).statusCode()).isEqualTo(200);
        String encoded = URLEncoder.encode(filter, StandardCharsets.UTF_8);
        assertThat(send("GET", "/$operator/v1/entities/shop%2Forders/groups?filter=" + encoded, "", reader())
                        .statusCode())
                .isEqualTo(403);
        String order = new JsonObject()
                .put("operation", "copy")
                .put("to", "shop/orders")
                .put("dryRun", true)
                .put("filter", filter)
                .encode();
        assertThat(send("POST", "/$operator/v1/entities/shop%2Forders/jobs", order, reader())
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    @DisplayName("gets pages of many messages, without hidden values")
    void pages() throws Exception {
        for (int i = 0; i < 9; i++) {
            message(ORDER);
        }

        JsonObject page =
                new JsonObject(send("GET", MESSAGES + "?max=7", "", reader()).body());
        assertThat(page.getJsonArray("messages"))
                .hasSize(7)
                .allSatisfy(message -> assertThat(((JsonObject) message).getString("body"))
                        .contains("***")
                        .doesNotContain("4111"));
        assertThat(page.getString("next")).isEqualTo("8");
    }

    @Test
    @DisplayName("may use filters on other values")
    void permitsFilters() throws Exception {
        message(ORDER);

        assertThat(search("json('$.id') = 7 AND json('$.card.type') IS NULL", reader())
                        .body())
                .contains("\"sequenceNumber\":\"1\"");
    }

    @Test
    @DisplayName("keeps hidden values in an edit, and cannot write *** over them")
    void edits() throws Exception {
        message(ORDER);
        String masked = shown(1).getString("body");

        HttpResponse<String> refused = send(
                "POST",
                MESSAGES + "/1/edit",
                new JsonObject().put("body", masked).encode(),
                reader());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("in place of a value that the server hides");
        assertThat(send("POST", MESSAGES + "/1/edit", "{\"subject\": \"repaired\"}", reader())
                        .body())
                .contains("\"done\":1");
        assertThat(send("GET", MESSAGES + "/2", "", TestBroker.token()).body()).contains("4111", "repaired");
        String own = "{\"card\":{\"number\":\"5500\"},\"names\":null}";
        assertThat(send(
                                "POST",
                                MESSAGES + "/2/edit",
                                new JsonObject().put("body", own).encode(),
                                reader())
                        .body())
                .contains("\"done\":1");
        assertThat(send("GET", MESSAGES + "/3", "", TestBroker.token()).body()).contains("5500");
    }

    @Test
    @DisplayName("has an entry in the audit trail for each request that returns bodies, up to a ration")
    void audits() throws Exception {
        message(ORDER);
        search("json('$.id') = 7", reader());
        search("json('$.id') = 8", reader()); // finds nothing
        send("GET", MESSAGES + "?body=0", "", reader());
        shown(1);

        String trail = send("GET", "/$operator/v1/audit?action=read", "", TestBroker.token())
                .body();
        assertThat(new JsonObject(trail).getJsonArray("entries"))
                .extracting(entry -> ((JsonObject) entry).getString("details"))
                .containsExactly("message 1", "1 messages; filter: json('$.id') = 7");
        for (int i = 0; i < 100; i++) {
            shown(1);
        }
        JsonObject many = new JsonObject(send("GET", "/$operator/v1/audit?max=250", "", TestBroker.token())
                .body());
        assertThat(many.getJsonArray("entries")).hasSize(61);
        assertThat(many.getJsonArray("entries").encode())
                .contains("reads without an entry, because there were many: 42");
    }
}
