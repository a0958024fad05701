package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.TestIdentities;
import dev.jitney.gateway.http.operator.request.OpenApiDocument;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.Permission;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the roles of people in the operator API")
class OperatorRolesTest extends OperatorScenario {
    /** A text in bodies, values of application properties, reasons, and states. No answer for a viewer has it. */
    private static final String SECRET = "S3CR3T-4711";

    private static final String ORDERS = "shop%2Forders";
    private static final String DEAD = ORDERS + "%2F$DeadLetterQueue";

    private final TestIdentities identities = new TestIdentities();
    private final HttpClient client = HttpClient.newHttpClient();

    /** An operation as the description of the API names it. */
    private record Operation(String id, String method, String path, OperatorRole role) {
        @Override
        public String toString() {
            return id;
        }
    }

    private record Answer(int status, String body) {}

    @Override
    ClientAdmission admission() {
        return ClientAdmission.open().withIdentities(identities);
    }

    @BeforeEach
    void fill() throws Exception {
        for (OperatorRole role : OperatorRole.values()) {
            Set<AccessRight> rights = role == OperatorRole.ADMIN ? Set.of(AccessRight.values()) : Set.of();
            identities.give(role.word(), new Permission(rights, role, null, ""));
        }
        identities.give("sender", new Permission(Set.of(AccessRight.SEND), null, ""));
        broker.broker
                .namespace(null)
                .createTopic(TopicDescription.named("events").build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        broker.broker
                .namespace(null)
                .createSubscription(
                        SubscriptionDescription.of("events", "billing").build(), RuleDescription.takeEverything())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        for (int i = 0; i < 3; i++) {
            message(SECRET, "color", "\"" + SECRET + "\"");
        }
        String one =
                "{\"sequenceNumbers\": [\"1\"], \"reason\": \"" + SECRET + "\", \"description\": \"" + SECRET + "\"}";
        assertThat(send("POST", "/$operator/v1/entities/" + ORDERS + "/messages/deadLetter", one, TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
        fillSession(broker.create("sessions", queue -> queue.requiresSession(true)));
    }

    private static void fillSession(Entity entity) throws Exception {
        CompletableFuture<Reply> accepted = new CompletableFuture<>();
        CompletableFuture<Reply> stored = new CompletableFuture<>();
        Receiver receiver = entity.acceptSession(
                "s", ReceiveMode.PEEK_LOCK, 0, Runnable::run, new SilentReceiver(), new Replies(accepted));
        accepted.get(30, TimeUnit.SECONDS);
        entity.submit(
                new Command.SetSessionState(
                        new SessionHold(receiver.id(), "s"), SECRET.getBytes(StandardCharsets.UTF_8)),
                Runnable::run,
                new Replies(stored));
        stored.get(30, TimeUnit.SECONDS);
    }

    private record Replies(CompletableFuture<Reply> reply) implements ReplyListener {
        @Override
        public void onReply(Reply got) {
            reply.complete(got);
        }

        @Override
        public void onRejected(Rejection rejection) {
            reply.completeExceptionally(new AssertionError(rejection));
        }
    }

    private static final class SilentReceiver implements ReceiverListener {
        @Override
        public void onDelivered(MessageView message) {}

        @Override
        public void onDrained(long deliveryLimit) {}

        @Override
        public void onClosed(Rejection reason) {}
    }

    /** Returns all operations of the description of the API. */
    private static List<Operation> operations() {
        JsonObject paths = OpenApiDocument.of("test").getJsonObject("paths");
        List<Operation> all = new ArrayList<>();
        for (String path : paths.fieldNames()) {
            for (String method : paths.getJsonObject(path).fieldNames()) {
                JsonObject operation = paths.getJsonObject(path).getJsonObject(method);
                all.add(new Operation(
                        operation.getString("operationId"),
                        method.toUpperCase(Locale.ROOT),
                        path,
                        OperatorRole.valueOf(
                                operation.getString("x-jitney-role").toUpperCase(Locale.ROOT))));
            }
        }
        return all;
    }

    private static String target(Operation operation, String entity) {
        return OperatorRequest.PREFIX
                + operation
                        .path()
                        .replace("{entity}", entity)
                        .replace("{sequenceNumber}", entity.equals(DEAD) ? "1" : "2")
                        .replace("{session}", "s")
                        .replace("{rule}", "$Default")
                        .replace("{accessRule}", "listen")
                        .replace("{job}", "1")
                        .replace("{run}", "1")
                        .replace("{group}", "x");
    }

    private static String target(Operation operation) {
        String entity = operation.path().contains("/sessions")
                ? "sessions"
                : operation.path().contains("/rules") ? "events%2FSubscriptions%2Fbilling" : ORDERS;
        String query = operation.id().equals("delete_entity") ? "?dryRun=true" : "";
        return target(operation, entity) + query;
    }

    private static String body(Operation operation) {
        return switch (operation.id()) {
            case "move", "copy" -> "{\"sequenceNumbers\": [\"3\"], \"to\": \"shop/orders\"}";
            case "delete", "dead_letter", "resubmit", "deliver_now", "reschedule", "unlock" ->
                "{\"sequenceNumbers\": [\"77\"]}";
            case "edit" -> "{\"subject\": \"new\"}";
            case "new_job" -> "{\"operation\": \"delete\", \"dryRun\": true}";
            case "note" -> "{\"text\": \"on hold\"}";
            case "send" -> "{\"messages\": [{\"body\": \"x\"}]}";
            case "explain" -> "{\"sequenceNumber\": \"2\", \"from\": \"shop/orders\"}";
            case "put_rule" -> "{\"filter\": \"1=1\"}";
            case "new_entity" -> "{\"kind\": \"queue\"}";
            case "change_settings" -> "{\"maxDeliveryCount\": 11}";
            case "put_namespace_access_rule", "put_access_rule" -> "{\"rights\": [\"Listen\"]}";
            default -> "";
        };
    }

    /** Sends a request. Of a stream it takes the beginning. */
    private Answer call(String method, String target, String body, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + target))
                .method(method, BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + token)
                .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        boolean stream =
                response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        try (InputStream in = response.body()) {
            byte[] bytes = stream ? in.readNBytes(200) : in.readAllBytes();
            return new Answer(response.statusCode(), new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private Answer call(Operation operation, String token) throws Exception {
        return call(operation.method(), target(operation), body(operation), token);
    }

    @Test
    @DisplayName(
            "each route of the description refuses all lower roles with 403 and the needed role, and no other role")
    void allRoutes() throws Exception {
        assertThat(operations()).hasSizeGreaterThan(50);
        Map<OperatorRole, Integer> counts = new EnumMap<>(OperatorRole.class);
        for (Operation operation : operations()) {
            counts.merge(operation.role(), 1, Integer::sum);
            for (OperatorRole role : OperatorRole.values()) {
                Answer answer = call(operation, role.word());
                if (role.includes(operation.role())) {
                    assertThat(answer.status())
                            .as(operation + " as " + role + ": " + answer.body())
                            .isNotIn(401, 403)
                            .isLessThan(504);
                } else {
                    assertThat(answer.status())
                            .as(operation + " as " + role + ": " + answer.body())
                            .isEqualTo(403);
                    assertThat(answer.body())
                            .contains("Expected the role '" + operation.role().word() + "'")
                            .contains("'" + role.word() + "'");
                }
            }
            assertThat(call(operation, "sender").status())
                    .as(operation + " without a role")
                    .isIn(
                            operation.role() == OperatorRole.VIEWER
                                            || operation.id().matches("send|note|delete_note")
                                    ? List.of(200, 400, 403, 404)
                                    : List.of(403));
        }
        assertThat(counts).hasSize(OperatorRole.values().length);
    }

    @Test
    @DisplayName("no answer to a viewer has bytes of a body, a value of a property, a reason or a state, on any route")
    void viewerSeesNoContent() throws Exception {
        List<String> targets = new ArrayList<>();
        for (Operation operation : operations()) {
            for (String entity : List.of(ORDERS, DEAD, "sessions", "events", "events%2FSubscriptions%2Fbilling")) {
                String target = target(operation, entity);
                Answer answer = call(operation.method(), target, body(operation), "viewer");
                assertThat(answer.body()).as(operation.method() + " " + target).doesNotContain(SECRET);
                if (answer.status() == 200) {
                    targets.add(operation.method() + " " + target);
                }
            }
        }
        for (String query : List.of("?body=4096", "?body=4096&max=250&state=active,locked,deferred,scheduled")) {
            for (String entity : List.of(ORDERS, DEAD)) {
                Answer answer =
                        call("GET", OperatorRequest.PREFIX + "/entities/" + entity + "/messages" + query, "", "viewer");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body())
                        .contains("\"contentHidden\":true")
                        .contains("\"messageId\"")
                        .doesNotContain(SECRET)
                        .doesNotContain("applicationProperties");
            }
        }
        assertThat(targets).anyMatch(target -> target.endsWith("/messages/2"));
        // The same pages have the text for a reader, so this test can fail.
        for (String path : List.of(
                ORDERS + "/messages?body=4096",
                ORDERS + "/messages/2",
                DEAD + "/messages/1",
                DEAD + "/groups",
                "sessions/sessions/s/state")) {
            Answer answer = call("GET", OperatorRequest.PREFIX + "/entities/" + path, "", "reader");
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.body()).as(path).contains(SECRET);
        }
    }

    @Test
    @DisplayName("a viewer cannot find out a value with a filter, which needs the role of a reader")
    void viewerHasNoFilters() throws Exception {
        for (String filter :
                List.of("color='x'", "body%20CONTAINS%20'S3'", "sys.MessageId='1'", "1=1", "color%20LIKE%20'S%25'")) {
            String target = OperatorRequest.PREFIX + "/entities/" + ORDERS + "/messages?filter=" + filter;
            Answer answer = call("GET", target, "", "viewer");
            assertThat(answer.status()).as(filter).isEqualTo(403);
            assertThat(answer.body()).contains("'reader'");
            assertThat(call("GET", target, "", "reader").status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("a role on an entity does not reach other entities, the namespace, or the target of a move")
    void scopes() throws Exception {
        broker.create("other");
        identities.give(
                "scoped", new Permission(Set.of(), OperatorRole.OPERATOR, "first", EntityAddress.keyOf("shop/orders")));
        identities.give("second", new Permission(Set.of(), OperatorRole.OPERATOR, "second", ""));
        String messages = OperatorRequest.PREFIX + "/entities/" + ORDERS + "/messages";
        assertThat(call("GET", messages, "", "scoped").status()).isEqualTo(200);
        assertThat(call("GET", OperatorRequest.PREFIX + "/entities/" + DEAD + "/messages", "", "scoped")
                        .status())
                .isEqualTo(200);
        assertThat(call("GET", OperatorRequest.PREFIX + "/entities/other/messages", "", "scoped")
                        .status())
                .isEqualTo(403);
        assertThat(call("GET", OperatorRequest.PREFIX + "/entities", "", "scoped")
                        .status())
                .isEqualTo(403);
        String move = "{\"sequenceNumbers\": [\"3\"], \"to\": \"other\"}";
        assertThat(call("POST", messages + "/move", move, "scoped").status()).isEqualTo(403);
        assertThat(call("POST", messages + "/move", move, "operator").status()).isEqualTo(200);
        assertThat(call("GET", messages, "", "second").status()).isEqualTo(404);
    }

    @Test
    @DisplayName("roles give nothing outside of the operator API, and the rights of keys stay as they are")
    void otherApis() throws Exception {
        for (String role : List.of("viewer", "reader", "operator")) {
            assertThat(call("POST", "/shop/orders/messages", "x", role).status())
                    .isEqualTo(401);
            assertThat(call("DELETE", "/shop/orders/messages/head?timeout=0", "", role)
                            .status())
                    .isEqualTo(401);
            assertThat(call("GET", "/$Resources/Queues", "", role).status()).isEqualTo(401);
        }
        assertThat(call("POST", "/shop/orders/messages", "x", "admin").status()).isEqualTo(201);
        String listens = TestBroker.token("https://localhost", "listen", "listen-key");
        assertThat(send("GET", OperatorRequest.PREFIX + "/entities/" + DEAD + "/groups", "", listens)
                        .body())
                .contains(SECRET);
        assertThat(send("GET", OperatorRequest.PREFIX + "/audit", "", listens).statusCode())
                .isEqualTo(401);
    }

    @Test
    @DisplayName("a job of an operator runs with the role, and ends with it")
    void jobs() throws Exception {
        String jobs = OperatorRequest.PREFIX + "/entities/" + ORDERS + "/jobs";
        Answer ordered;
        do {
            ordered = call("POST", jobs, "{\"operation\": \"delete\", \"dryRun\": true}", "operator");
        } while (ordered.status() == 503); // the jobs are being read
        assertThat(ordered.status()).as(ordered.body()).isEqualTo(200);
        String id = new JsonObject(ordered.body()).getString("id");
        assertThat(call("GET", OperatorRequest.PREFIX + "/jobs", "", "operator").body())
                .contains("oidc:operator (id-of-operator)");
        identities.give("operator", new Permission(Set.of(), OperatorRole.VIEWER, null, ""));
        Answer resumed = call("POST", OperatorRequest.PREFIX + "/jobs/" + id + "/resume", "", "operator");
        assertThat(resumed.status()).isEqualTo(403);
        assertThat(Stream.of("viewer", "reader").map(role -> status(OperatorRequest.PREFIX + "/jobs", role)))
                .containsOnly(403);
    }

    private int status(String target, String token) {
        try {
            return call("GET", target, "", token).status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
