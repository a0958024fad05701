package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.store.StoreException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An operator who reads the audit trail")
class AuditTrailTest extends OperatorScenario {
    private static final String QUEUE =
            "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
                    + "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>"
                    + "</content></entry>";

    private HttpResponse<String> get(String query, String token) throws Exception {
        return send("GET", "/$operator/v1/audit" + query, "", token);
    }

    private JsonObject page(String query) throws Exception {
        HttpResponse<String> answer = get(query, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static List<JsonObject> entries(JsonObject page) {
        JsonArray entries = page.getJsonArray("entries");
        return IntStream.range(0, entries.size())
                .mapToObj(entries::getJsonObject)
                .toList();
    }

    private List<String> found(String query) throws Exception {
        return entries(page(query)).stream()
                .map(entry -> entry.getString("details"))
                .toList();
    }

    private void done(String action, String key, String entity, String details) {
        Namespace namespace = broker.broker.namespace(null);
        Audit.done(new AuditedAction(action, key, "10.0.0.1:4711", namespace, entity, ""), details);
    }

    @Test
    @DisplayName("sees real changes and refusals, the newest first, with their authors")
    void realChanges() throws Exception {
        assertThat(send("PUT", "/shop/bills?api-version=2021-05", QUEUE, TestBroker.token())
                        .statusCode())
                .isEqualTo(201);
        message("a");
        assertThat(send(
                                "POST",
                                "/$operator/v1/entities/shop%2Forders/messages/delete",
                                "{\"sequenceNumbers\": [1]}",
                                TestBroker.token())
                        .body())
                .contains("\"done\":1");
        assertThat(send("DELETE", "/shop/missing?api-version=2021-05", "", TestBroker.token())
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("PUT", "/$namespaces/team", "", TestBroker.token()).statusCode())
                .isEqualTo(201);
        assertThat(send("PUT", "/shop/other?api-version=2021-05", QUEUE, "nonsense")
                        .statusCode())
                .isEqualTo(401);

        JsonObject page = page("");

        List<JsonObject> entries = entries(page);
        assertThat(entries)
                .extracting(entry -> entry.getString("id") + " " + entry.getString("action") + " "
                        + entry.getString("result") + " " + entry.getString("namespace") + ":"
                        + entry.getString("entity"))
                .containsExactly(
                        "4 create namespace done team:",
                        "3 delete entity refused first:shop/missing",
                        "2 delete messages done first:shop/orders",
                        "1 create queue done first:shop/bills");
        assertThat(entries).allSatisfy(entry -> {
            assertThat(entry.getString("key")).isEqualTo("RootManageSharedAccessKey");
            assertThat(entry.getString("client")).startsWith("127.0.0.1:");
            assertThat(Instant.parse(entry.getString("time")).toEpochMilli()).isEqualTo(broker.nowMs.get());
        });
        assertThat(entries.get(2).getString("details")).isEqualTo("1 of 1 messages: [1]");
        assertThat(page.getString("next")).isNull();
    }

    @Test
    @DisplayName("gets page after page, without gaps, while entries are added")
    void pages() throws Exception {
        for (int i = 1; i <= 100; i++) {
            done("update queue", "root", "orders", String.valueOf(i));
        }
        List<String> seen = new ArrayList<>();
        String next = null;
        int pages = 0;
        do {
            JsonObject page = page("?max=7" + (next == null ? "" : "&before=" + next));
            entries(page).forEach(entry -> seen.add(entry.getString("details")));
            next = page.getString("next");
            done("update queue", "root", "orders", "new");
            pages++;
        } while (next != null);

        assertThat(seen)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 100)
                        .mapToObj(i -> String.valueOf(101 - i))
                        .toList());
        assertThat(pages).isEqualTo(15);
    }

    @Test
    @DisplayName("chooses entries by entity, action, key, result and time")
    void filters() throws Exception {
        String early = Instant.ofEpochMilli(broker.nowMs.get()).toString();
        done("create queue", "root", "Orders", "queue");
        done("delete messages", "app", "orders/$DeadLetterQueue", "messages");
        done("create queue", "root", "orders2", "other queue");
        broker.nowMs.addAndGet(60_000);
        String late = Instant.ofEpochMilli(broker.nowMs.get()).toString();
        done("delete queue", "root", "orders", "deleted");
        for (int i = 0; i < 200; i++) {
            done("update topic", "root", "events", "noise");
        }
        Audit.refused(
                new AuditedAction("delete queue", "app", "c", broker.broker.namespace(null), "orders", ""), "refusal");

        assertThat(found("?entity=ORDERS")).containsExactly("refusal", "deleted", "messages", "queue");
        assertThat(found("?action=QUEUE")).containsExactly("refusal", "deleted", "other queue", "queue");
        assertThat(found("?key=App")).containsExactly("refusal", "messages");
        assertThat(found("?result=refused")).containsExactly("refusal");
        assertThat(found("?until=" + late)).containsExactly("other queue", "messages", "queue");
        assertThat(found("?since=" + late + "&entity=orders&result=done")).containsExactly("deleted");
        assertThat(found("?since=" + early + "&until=" + late + "&key=root&max=1"))
                .containsExactly("other queue");
        assertThat(found("?entity=nothing")).isEmpty();
    }

    @Test
    @DisplayName("gets a page of limited size, even if the entries are long")
    void longEntries() throws Exception {
        for (int i = 0; i < 250; i++) {
            done("update queue", "€".repeat(2_048), "€".repeat(2_048), "€".repeat(2_048));
        }

        JsonObject page = page("?max=250");

        assertThat(page.getString("next")).isNotNull();
        assertThat(page.encode().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .hasSizeBetween(1 << 20, (1 << 20) + (32 << 10));
    }

    @Test
    @DisplayName("needs the right Manage for the namespace")
    void rights() throws Exception {
        for (String token : new String[] {
            null,
            "nonsense",
            TestBroker.token("https://localhost", "listen", "listen-key"),
            TestBroker.token("https://localhost", "send", "send-key"),
            TestBroker.token("https://localhost/shop/orders", "RootManageSharedAccessKey", TestBroker.KEY)
        }) {
            assertThat(get("", token).statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "before=0|a number from 1",
                "before=x|a number from 1",
                "max=251|a number from 1 to 250",
                "since=yesterday|a time such as 2026-11-28T03:00:00Z in 'since'",
                "until=5|a time such as 2026-11-28T03:00:00Z in 'until'",
                "result=lost|some of [done, refused, leftOut]",
                "user=me|Expected the parameters [max, before"
            })
    @DisplayName("gets an error that names the parameter")
    void wrongParameters(String query, String expected) throws Exception {
        HttpResponse<String> answer = get("?" + query, TestBroker.token());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(expected);
    }

    @Test
    @DisplayName("gets the reason if the store does not work")
    void failedStore() throws Exception {
        broker.stores.get(0).refuseReopens(1_000);
        broker.stores.get(0).failNextCommit(StoreException.Reason.IO, false);
        done("update queue", "root", "orders", "lost");

        HttpResponse<String> answer = get("", TestBroker.token());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    }
}
