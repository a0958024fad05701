package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The operator API over HTTP")
class OperatorApiTest extends OperatorScenario {
    private JsonObject get(String target) throws Exception {
        HttpResponse<String> answer = send("GET", "/$operator/v1" + target, "", TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        return new JsonObject(answer.body());
    }

    private static String query(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("a search finds messages by a property, and shows their parts with their types")
    void search() throws Exception {
        message("{\"id\": 1}", "color", "\"red\"", "count", "5", "Content-Type", "application/json");
        message(
                "\u00fcber",
                "color",
                "\"blue\"",
                "BrokerProperties",
                "{\"Label\": \"urgent\", \"MessageId\": \"m-2\"}");

        JsonObject all = get("/entities/shop%2Forders/messages");
        assertThat(all.getJsonArray("messages")).hasSize(2);
        assertThat(all.getInteger("scanned")).isEqualTo(2);
        assertThat(all.getInteger("total")).isEqualTo(2);
        assertThat(all.containsKey("next")).isTrue();
        assertThat(all.getString("next")).isNull();

        JsonObject red = get("/entities/shop%2Forders/messages?filter=" + query("color = 'red' AND count > 4"));
        assertThat(red.getJsonArray("messages")).hasSize(1);
        JsonObject message = red.getJsonArray("messages").getJsonObject(0);
        assertThat(message.getString("sequenceNumber")).isEqualTo("1");
        assertThat(message.getString("state")).isEqualTo("Active");
        assertThat(message.getString("contentType")).isEqualTo("application/json");
        assertThat(message.getString("body")).isEqualTo("{\"id\": 1}");
        assertThat(message.getInteger("bodySizeInBytes")).isEqualTo(9);
        assertThat(message.getJsonObject("applicationProperties").getString("color"))
                .isEqualTo("red");
        assertThat(message.getJsonObject("applicationProperties")
                        .getJsonObject("count")
                        .getValue("value")
                        .toString())
                .isEqualTo("5");

        JsonObject byBody =
                get("/entities/shop%2Forders/messages?filter=" + query("json('$.id') = 1 OR body CONTAINS '\u00fcb'"));
        assertThat(byBody.getJsonArray("messages")).hasSize(2);
        HttpResponse<String> refused = send(
                "GET",
                "/$operator/v1/entities/shop%2Forders/messages?filter=" + query("json('$.*') = 1"),
                "",
                TestBroker.token());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("line 1, column 9");

        JsonObject cut = get("/entities/shop%2Forders/messages?body=1&filter=" + query("sys.Label = 'urgent'"));
        JsonObject urgent = cut.getJsonArray("messages").getJsonObject(0);
        assertThat(urgent.getString("messageId")).isEqualTo("m-2");
        assertThat(urgent.getString("body")).as("half of a character").isEmpty();
        assertThat(urgent.getBoolean("bodyTruncated")).isTrue();
        assertThat(get("/entities/shop%2Forders/messages/2").getString("body")).isEqualTo("\u00fcber");
    }

    @Test
    @DisplayName("pages of a search continue where the one before has ended, until all messages were looked at")
    void pages() throws Exception {
        Entity queue = broker.broker.namespace(null).entity("shop/orders");
        ByteBuffer empty = ByteBuffer.allocate(0);
        IncomingMessage sent = IncomingMessage.of(MessageContent.of(true, 4, false, empty, empty, empty, empty))
                .sizes(10, 0, 0)
                .sent(null, 0)
                .build();
        for (int i = 1; i <= 600; i++) {
            queue.submit(new Command.SendMessages(List.of(sent)), Runnable::run, ReplyListener.IGNORE);
        }
        List<String> numbers = new ArrayList<>();
        String next = "0";
        while (next != null) {
            JsonObject page = get("/entities/shop%2Forders/messages?max=250&from=" + next);
            page.getJsonArray("messages")
                    .forEach(message -> numbers.add(((JsonObject) message).getString("sequenceNumber")));
            next = page.getString("next");
        }
        assertThat(numbers).hasSize(600).doesNotHaveDuplicates();

        JsonObject rare = get("/entities/shop%2Forders/messages?filter=" + query("sys.SequenceNumber = 590"));
        assertThat(rare.getJsonArray("messages")).hasSize(1);
        assertThat(rare.getInteger("scanned")).isEqualTo(600);
        JsonObject paused =
                get("/entities/shop%2Forders/messages?scan=100&filter=" + query("sys.SequenceNumber = 590"));
        assertThat(paused.getJsonArray("messages")).isEmpty();
        assertThat(paused.getString("next")).isNotNull();
    }

    @Test
    @DisplayName("entities are listed with their counts, filtered, sorted and page by page")
    void entities() throws Exception {
        for (String path : List.of("a", "b", "c/d")) {
            broker.create(path);
        }
        message("x");

        JsonObject all = get("/entities");
        assertThat(paths(all)).containsExactly("a", "b", "c/d", "shop/orders");
        assertThat(all.getInteger("total")).isEqualTo(4);
        assertThat(paths(get("/entities?sort=active&max=1"))).containsExactly("shop/orders");
        assertThat(paths(get("/entities?contains=OR"))).containsExactly("shop/orders");
        assertThat(paths(get("/entities?kind=topic,subscription"))).isEmpty();

        List<String> paged = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        String next = "";
        while (next != null && seen.add(next)) {
            JsonObject page = get("/entities?max=3&sort=deadLetter&after=" + query(next));
            paged.addAll(paths(page));
            next = page.getString("next");
        }
        assertThat(paged).containsExactly("a", "b", "c/d", "shop/orders");

        JsonObject one = get("/entities/shop%2Forders");
        assertThat(one.getJsonObject("counts").getInteger("active")).isEqualTo(1);
        assertThat(one.getString("kind")).isEqualTo("queue");
        assertThat(one.getString("status")).isEqualTo("Active");
    }

    @Test
    @DisplayName("entities name the destinations of their messages and of their dead letters")
    void forwards() throws Exception {
        Namespace namespace = broker.broker.namespace(null);
        done(namespace.createQueue(QueueDescription.named("way")
                .forwardTo("shop/orders")
                .forwardDeadLetteredMessagesTo("shop/orders")
                .build()));
        done(namespace.createTopic(TopicDescription.named("news").build()));
        done(namespace.createSubscription(
                SubscriptionDescription.of("news", "all").forwardTo("way").build(), RuleDescription.takeEverything()));

        assertThat(get("/entities/way").getMap())
                .containsEntry("forwardTo", "shop/orders")
                .containsEntry("forwardDeadLetteredMessagesTo", "shop/orders");
        JsonArray all = get("/entities").getJsonArray("entities");
        assertThat(all.stream().map(each -> {
                    JsonObject entity = (JsonObject) each;
                    return entity.getString("path") + " " + entity.getString("forwardTo") + " "
                            + entity.getString("forwardDeadLetteredMessagesTo");
                }))
                .containsExactly(
                        "news null null",
                        "news/Subscriptions/all way null",
                        "shop/orders null null",
                        "way shop/orders shop/orders");
        assertThat(get("/entities/news").containsKey("forwardTo")).isFalse();
    }

    private static void done(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static List<String> paths(JsonObject page) {
        List<String> paths = new ArrayList<>();
        page.getJsonArray("entities").forEach(entity -> paths.add(((JsonObject) entity).getString("path")));
        return paths;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /entities/nothing                                   | 404
            /entities/nothing/messages                          | 404
            /entities/shop%2Forders/messages/7                  | 404
            /entities/shop%2Forders/messages/x                  | 400
            /entities/shop%2Forders/messages/99999999999999999999 | 400
            /entities/shop/orders/messages/7                    | 404
            /entities/shop%2Forders/messages?max=0              | 400
            /entities/shop%2Forders/messages?max=251            | 400
            /entities/shop%2Forders/messages?state=dead         | 400
            /entities/shop%2Forders/messages?state=             | 400
            /entities/shop%2Forders/messages?limit=5            | 400
            /entities/shop%2Forders/messages?from=-1            | 400
            /entities/shop%2Forders/messages?filter=color%20%3D | 400
            /entities?sort=name                                 | 400
            /entities?after=x                                   | 400
            /other                                              | 404
            ''                                                  | 404
            """)
    @DisplayName("a wrong request gets an error in JSON that names the parameter")
    void wrong(String target, int status) throws Exception {
        HttpResponse<String> answer = send("GET", "/$operator/v1" + target, "", TestBroker.token());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertThat(error.getInteger("status")).isEqualTo(status);
        assertThat(error.getString("message")).isNotBlank();
    }

    @Test
    @DisplayName("a filter that does not parse gets the place of its mistake")
    void filterMistake() throws Exception {
        HttpResponse<String> answer = send(
                "GET",
                "/$operator/v1/entities/shop%2Forders/messages?filter=" + query("color = = 'red'"),
                "",
                TestBroker.token());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new JsonObject(answer.body()).getJsonObject("error").getString("message"))
                .contains("line 1, column 9");
    }

    @Test
    @DisplayName("the right to Listen is needed, and other methods than GET are refused")
    void rights() throws Exception {
        String path = "/$operator/v1/entities";
        assertThat(send("GET", path, "", null).statusCode()).isEqualTo(401);
        assertThat(send("GET", path, "", TestBroker.token("https://localhost", "send", "send-key"))
                        .statusCode())
                .isEqualTo(401);
        HttpResponse<String> post = send("POST", path, "", TestBroker.token());
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("allow")).hasValue("GET");
        assertThat(send("GET", "/$operator/v2/entities", "", TestBroker.token()).statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/entities", "/entities/{entity}", "/entities/{entity}/messages"})
    @DisplayName("the description has all operations and their parameters")
    void description(String path) throws Exception {
        JsonObject description = get("/openapi.json");
        assertThat(description.getString("openapi")).isEqualTo("3.1.0");
        JsonObject operation =
                description.getJsonObject("paths").getJsonObject(path).getJsonObject("get");
        assertThat(operation.getString("summary")).endsWith(".");
        JsonArray parameters = operation.getJsonArray("parameters");
        assertThat(parameters.isEmpty()).isFalse();
    }
}
