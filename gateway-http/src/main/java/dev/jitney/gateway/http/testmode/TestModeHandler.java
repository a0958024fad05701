package dev.jitney.gateway.http.testmode;

import dev.jitney.gateway.http.admin.NewKeys;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.gateway.http.testmode.TestServer.InvalidSetupException;
import dev.jitney.gateway.http.testmode.TestServer.Setup;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityNames;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.testing.AdjustableClock;
import dev.jitney.runtime.testing.BrokerTesting;
import dev.jitney.runtime.testing.MessageEvent;
import dev.jitney.runtime.testing.MessageHistory;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handler of the requests of tests. They need no key, but test mode, and a client on this machine unless the server was started for
 * all. Errors are JSON. For event loops; no method blocks.
 *
 * <table>
 * <caption>Requests below {@code /$test}</caption>
 * <tr><th>request</th><th>effect</th></tr>
 * <tr><td>{@code GET, POST /namespaces}, {@code DELETE /namespaces/NAME}</td><td>namespaces for tests</td></tr>
 * <tr><td>{@code POST /reset}</td><td>removes everything in the entities of a namespace</td></tr>
 * <tr><td>{@code GET, POST /clock}</td><td>reads, moves and sets the speed of the time of messages</td></tr>
 * <tr><td>{@code POST /idle}</td><td>waits until nothing is on its way</td></tr>
 * <tr><td>{@code POST /faults}</td><td>lost locks, duplicates, throttling, lost connections, delays, stopped stores</td></tr>
 * <tr><td>{@code GET /history}</td><td>what has happened to the messages</td></tr>
 * </table>
 */
public final class TestModeHandler implements Handler<RoutingContext> {
    private static final String NAME = "$test";
    private static final String JSON = "application/json; charset=utf-8";
    private static final int BODY_BYTES_MAX = 4 << 20;
    private static final long IDLE_MS_MAX = 300_000;
    private static final long IDLE_MS_DEFAULT = 10_000;
    private static final long IDLE_PAUSE_MS = 5;
    private static final long FAULT_MS_MAX = 3_600_000;
    private static final String NAMESPACE = "namespace";
    private static final CompletionStage<Void> NOTHING = CompletableFuture.completedFuture(null);

    private final Vertx vertx;
    private final Broker broker;
    private final @Nullable BrokerTesting testing;
    private final TestServer server;
    private final NewKeys keys = new NewKeys();
    private final AtomicLong names = new AtomicLong();

    /** Creates a handler for the listeners of an edge. It refuses everything if the server is not in test mode. */
    public TestModeHandler(HttpEdge edge, TestServer server) {
        this.vertx = edge.vertx();
        this.broker = edge.broker();
        this.testing = server.access() == TestModeAccess.OFF ? null : BrokerTesting.of(broker);
        this.server = server;
    }

    private BrokerTesting testing() {
        return Objects.requireNonNull(testing);
    }

    @Override
    public void handle(RoutingContext context) {
        Exchange exchange = Exchange.of(context);
        exchange.guarded(() -> {
            RequestTarget target = exchange.target();
            if (target.size() > 0 && target.segments().get(0).equalsIgnoreCase(NAME)) {
                exchange.refuseInJson();
                serve(exchange, target);
            } else {
                context.next();
            }
        });
    }

    private void serve(Exchange exchange, RequestTarget target) throws RefusedException {
        if (testing == null) {
            throw new RefusedException(HttpError.notFound(
                    "This server is not in test mode. Start it with --test-mode to control it by requests below /"
                            + NAME + "."));
        }
        if (server.access() == TestModeAccess.LOOPBACK && !exchange.isLocal()) {
            throw new RefusedException(new HttpError(
                    403,
                    0,
                    "The requests of tests serve only programs on the machine of the server that call it localhost, 127.0.0.1 or"
                            + " [::1]. To open them to others, start the server with --test-mode any."));
        }
        List<String> segments = target.segments();
        String what = segments.size() < 2 ? "" : segments.get(1);
        boolean named = what.equals("namespaces") && segments.size() == 3;
        if (segments.size() > 2 && !named) {
            throw unknown();
        }
        switch (what) {
            case "namespaces" -> {
                if (named) {
                    require(exchange, HttpMethod.DELETE);
                    delete(exchange, segments.get(2));
                } else if (isRead(exchange, HttpMethod.POST)) {
                    answer(exchange, 200, new JsonObject().put("namespaces", new JsonArray(names())));
                } else {
                    body(exchange, List.of("name", "config"), body -> create(exchange, body));
                }
            }
            case "reset" -> {
                require(exchange, HttpMethod.POST);
                body(exchange, List.of(NAMESPACE), body -> reset(exchange, body));
            }
            case "clock" -> {
                if (isRead(exchange, HttpMethod.POST)) {
                    answer(exchange, 200, clock());
                } else {
                    body(exchange, List.of("advance", "speed"), body -> changeTime(exchange, body));
                }
            }
            case "idle" -> {
                require(exchange, HttpMethod.POST);
                body(exchange, List.of(NAMESPACE, "timeoutMs"), body -> idle(exchange, body));
            }
            case "faults" -> {
                require(exchange, HttpMethod.POST);
                body(
                        exchange,
                        List.of(NAMESPACE, "fault", "entity", "durationMs", "delayMs", "store"),
                        body -> fault(exchange, body));
            }
            case "history" -> {
                require(exchange, HttpMethod.GET);
                history(exchange, target);
            }
            default -> throw unknown();
        }
    }

    private static RefusedException unknown() {
        return new RefusedException(HttpError.notFound("Expected /" + NAME
                + "/namespaces, /namespaces/NAME, /reset, /clock, /idle, /faults or /history below /" + NAME + "."));
    }

    // --- namespaces ---

    private List<String> names() {
        return broker.namespaces().stream().map(Namespace::name).toList();
    }

    private void create(Exchange exchange, TestBody body) throws RefusedException {
        String given = body.text("name");
        String name = given == null ? freeName() : given;
        Rejection refusal = EntityNames.refuseNamespace(name);
        if (refusal != null) {
            throw new RefusedException(refusal);
        }
        Map<?, ?> config = body.object("config");
        Setup setup;
        try {
            setup = server.read(
                    name,
                    config == null
                            ? new byte[] {'{', '}'}
                            : Json.encodeToBuffer(config).getBytes());
        } catch (InvalidSetupException e) {
            throw new RefusedException(HttpError.badRequest(String.valueOf(e.getMessage())));
        }
        TierProfile tier = setup.tier();
        AccessRule rule = new AccessRule(
                name.toLowerCase(Locale.ROOT), EnumSet.allOf(AccessRight.class), keys.next(), keys.next());
        CompletionStage<Namespace> created = broker.createNamespace(
                name, tier == null ? broker.namespaces().get(0).limits().tier() : tier, List.of(rule));
        CompletionStage<Void> done = created.thenCompose(namespace -> setup.create(namespace)
                .handle((made, failure) -> failure)
                .thenCompose(failure -> failure == null ? NOTHING : dropped(name, failure)));
        follow(
                exchange,
                done,
                nothing -> answer(
                        exchange,
                        201,
                        new JsonObject()
                                .put("name", name)
                                .put("keyName", rule.name())
                                .put("key", rule.primaryKey())
                                .put("connectionString", server.connectionString(rule))));
    }

    /** Removes a namespace whose entities could not be created, and fails with the reason. */
    private CompletionStage<Void> dropped(String name, Throwable failure) {
        return broker.deleteNamespace(name)
                .handle((gone, other) -> (Void) null)
                .thenCompose(gone -> CompletableFuture.<Void>failedFuture(cause(failure)));
    }

    private String freeName() {
        String name;
        do {
            name = "test-" + names.incrementAndGet();
        } while (broker.namespaceNamed(name) != null);
        return name;
    }

    private void delete(Exchange exchange, String name) throws RefusedException {
        String known = namespace(name).name();
        follow(exchange, broker.deleteNamespace(known), gone -> {
            testing().history().drop(known);
            if (!exchange.isOver()) {
                exchange.answer(204);
            }
        });
    }

    private void reset(Exchange exchange, TestBody body) throws RefusedException {
        follow(
                exchange,
                testing().reset(namespace(body.text(NAMESPACE))),
                messages -> answer(exchange, 200, new JsonObject().put("messages", messages)));
    }

    // --- time ---

    private JsonObject clock() {
        AdjustableClock clock = testing().clock();
        return new JsonObject()
                .put("now", Instant.ofEpochMilli(broker.messageTimeMs()).toString())
                .put("speed", clock.speed())
                .put("aheadMs", clock.aheadMs());
    }

    private void changeTime(Exchange exchange, TestBody body) throws RefusedException {
        Duration advance = body.time("advance");
        double speed = body.number("speed", testing().clock().speed(), 0, AdjustableClock.SPEED_MAX);
        follow(exchange, testing().changeTime(advance, speed), done -> answer(exchange, 200, clock()));
    }

    private void idle(Exchange exchange, TestBody body) throws RefusedException {
        Namespace namespace = namespace(body.text(NAMESPACE));
        long timeoutMs = (long) body.number("timeoutMs", IDLE_MS_DEFAULT, 0, IDLE_MS_MAX);
        look(exchange, namespace, System.nanoTime() + timeoutMs * 1_000_000);
    }

    private void look(Exchange exchange, Namespace namespace, long endNanos) {
        follow(exchange, testing().pending(namespace), reasons -> {
            if (exchange.isOver()) {
                return;
            }
            if (reasons.isEmpty() || System.nanoTime() - endNanos >= 0) {
                answer(
                        exchange,
                        200,
                        new JsonObject().put("idle", reasons.isEmpty()).put("reasons", new JsonArray(reasons)));
            } else {
                vertx.setTimer(IDLE_PAUSE_MS, again -> look(exchange, namespace, endNanos));
            }
        });
    }

    // --- faults ---

    private void fault(Exchange exchange, TestBody body) throws RefusedException {
        Namespace namespace = namespace(body.text(NAMESPACE));
        String fault = body.requiredText("fault");
        CompletionStage<?> done = switch (fault) {
            case "loseLocks" -> testing().loseLocks(entity(namespace, body.requiredText("entity")));
            case "duplicateNextDelivery" ->
                testing().duplicateNextDelivery(entity(namespace, body.requiredText("entity")));
            case "throttle" -> {
                testing().throttle(namespace, Duration.ofMillis(body.requiredNumber("durationMs", FAULT_MS_MAX)));
                yield NOTHING;
            }
            case "disconnect" -> {
                server.disconnect(namespace);
                yield NOTHING;
            }
            case "delay" -> {
                server.delay(namespace, body.requiredNumber("delayMs", FAULT_MS_MAX));
                yield NOTHING;
            }
            case "stopStore" -> broker.stopStore(store(body));
            case "startStore" -> broker.startStore(store(body));
            case "clear" -> {
                testing().throttle(namespace, Duration.ZERO);
                server.delay(namespace, 0);
                yield NOTHING;
            }
            default ->
                throw new RefusedException(HttpError.badRequest(
                        "Expected loseLocks, duplicateNextDelivery, throttle, disconnect, delay, stopStore, startStore or"
                                + " clear in 'fault', but got '" + ClientText.abbreviate(fault) + "'."));
        };
        follow(exchange, done, nothing -> answer(exchange, 200, new JsonObject()));
    }

    private int store(TestBody body) throws RefusedException {
        return (int) body.requiredNumber("store", broker.shards().size() - 1L);
    }

    private static Entity entity(Namespace namespace, String path) throws RefusedException {
        Entity entity = namespace.entity(path);
        if (entity == null) {
            throw new RefusedException(HttpError.notFound("Expected a queue or topic, or a subscription as"
                    + " topic/Subscriptions/name, but the namespace '" + namespace.name() + "' has no '"
                    + ClientText.abbreviate(path) + "'."));
        }
        return entity;
    }

    private Namespace namespace(@Nullable String name) throws RefusedException {
        if (name == null) {
            return broker.namespaces().get(0);
        }
        for (Namespace namespace : broker.namespaces()) {
            if (namespace.name().equalsIgnoreCase(name)) {
                return namespace;
            }
        }
        throw new RefusedException(HttpError.notFound("There is no namespace '" + ClientText.abbreviate(name) + "'."));
    }

    // --- history ---

    private void history(Exchange exchange, RequestTarget target) throws RefusedException {
        String entity = target.query("entity");
        MessageHistory.Page page =
                testing().history().of(namespace(target.query(NAMESPACE)).name());
        JsonArray events = new JsonArray();
        for (MessageEvent event : page.events()) {
            if (entity == null || event.entity().equalsIgnoreCase(entity)) {
                events.add(json(event));
            }
        }
        answer(exchange, 200, new JsonObject().put("events", events).put("dropped", page.dropped()));
    }

    private static JsonObject json(MessageEvent event) {
        JsonObject json = new JsonObject()
                .put("at", Instant.ofEpochMilli(event.atMs()).toString())
                .put("entity", event.entity())
                .put("event", event.kind().text());
        if (event.sequenceNumber() != 0) {
            json.put("sequenceNumber", event.sequenceNumber());
        }
        if (event.messageId() != null) {
            json.put("messageId", event.messageId());
        }
        if (event.reason() != null) {
            json.put(event.kind() == MessageEvent.Kind.FORWARDED ? "to" : "reason", event.reason());
        }
        return json;
    }

    // --- requests and answers ---

    private static boolean isRead(Exchange exchange, HttpMethod other) throws RefusedException {
        if (exchange.request().method() == HttpMethod.GET) {
            return true;
        }
        require(exchange, other);
        return false;
    }

    private static void require(Exchange exchange, HttpMethod method) throws RefusedException {
        HttpMethod given = exchange.request().method();
        if (!given.equals(method)) {
            exchange.response().putHeader(HttpHeaders.ALLOW, method.name());
            throw new RefusedException(HttpError.methodNotAllowed(given.name()));
        }
    }

    /** The use of the members of a body. */
    @FunctionalInterface
    private interface Action {
        void run(TestBody body) throws RefusedException;
    }

    /** Reads a body whose type a form of a web page cannot have, so that no page can send it. */
    private static void body(Exchange exchange, List<String> permitted, Action action) throws RefusedException {
        String type = exchange.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
            throw new RefusedException(new HttpError(415, 0, "Expected the header 'Content-Type: application/json'."));
        }
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(bytes -> exchange.guarded(() -> action.run(new TestBody(bytes, permitted))));
    }

    private static <T> void follow(Exchange exchange, CompletionStage<T> work, Consumer<T> answer) {
        work.whenCompleteAsync(
                (done, failure) -> {
                    if (failure == null) {
                        exchange.guarded(() -> answer.accept(done));
                    } else if (!exchange.isOver()) {
                        Throwable cause = cause(failure);
                        exchange.fail(
                                cause instanceof InvalidSetupException
                                        ? new RefusedException(HttpError.badRequest(String.valueOf(cause.getMessage())))
                                        : cause);
                    }
                },
                exchange.executor());
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static void answer(Exchange exchange, int status, JsonObject body) {
        if (!exchange.isOver()) {
            exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            exchange.answer(status, JSON, Buffer.buffer(body.encode()));
        }
    }
}
