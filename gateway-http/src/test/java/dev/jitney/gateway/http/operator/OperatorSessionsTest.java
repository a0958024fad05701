package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@DisplayName("An operator of an entity with sessions")
class OperatorSessionsTest extends OperatorScenario {
    private static final String TRIPS = "trips";
    private static final String DEAD = "trips%2F$DeadLetterQueue";
    private Entity trips;

    @BeforeEach
    void createTrips() throws Exception {
        trips = broker.create(TRIPS, queue -> queue.requiresSession(true));
    }

    private void session(String entity, String session, String body) throws Exception {
        HttpResponse<String> answer = send(
                "POST",
                "/" + entity + "/messages",
                body,
                TestBroker.token(),
                "BrokerProperties",
                new JsonObject().put("SessionId", session).encode());
        assertThat(answer.statusCode()).isEqualTo(201);
    }

    private HttpResponse<String> ask(String method, String below) throws Exception {
        return send(method, "/$operator/v1/entities/" + below, "", TestBroker.token());
    }

    private JsonObject get(String below) throws Exception {
        return answered(ask("GET", below));
    }

    private static JsonObject answered(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static List<JsonObject> documents(JsonObject answer, String member) {
        JsonArray array = answer.getJsonArray(member);
        return IntStream.range(0, array.size()).mapToObj(array::getJsonObject).toList();
    }

    private static List<String> ids(JsonObject page) {
        return documents(page, "sessions").stream()
                .map(session -> session.getString("sessionId"))
                .toList();
    }

    private static String refusal(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new JsonObject(answer.body()).getJsonObject("error").getString("message");
    }

    /** A receiver that holds a session. */
    private static final class Holder implements ReceiverListener, ReplyListener {
        private final CompletableFuture<Reply> accepted = new CompletableFuture<>();
        private final CompletableFuture<ErrorCode> closed = new CompletableFuture<>();
        private final CompletableFuture<MessageView> delivered = new CompletableFuture<>();
        private Receiver receiver;

        @Override
        public void onReply(Reply reply) {
            accepted.complete(reply);
        }

        @Override
        public void onRejected(Rejection rejection) {
            accepted.completeExceptionally(new AssertionError(rejection));
        }

        @Override
        public void onDelivered(MessageView message) {
            delivered.complete(message);
        }

        @Override
        public void onDrained(long deliveryLimit) {}

        @Override
        public void onClosed(Rejection reason) {
            closed.complete(reason.code());
        }

        @Override
        public String holder() {
            return "link 'l' of container 'c'";
        }
    }

    private Holder hold(Entity entity, String session) throws Exception {
        Holder holder = new Holder();
        holder.receiver = entity.acceptSession(session, ReceiveMode.PEEK_LOCK, 0, Runnable::run, holder, holder);
        holder.accepted.get(30, TimeUnit.SECONDS);
        return holder;
    }

    private void state(Entity entity, Holder holder, String session, byte[] state) throws Exception {
        Holder done = new Holder();
        entity.submit(
                new Command.SetSessionState(new SessionHold(holder.receiver.id(), session), state),
                Runnable::run,
                done);
        done.accepted.get(30, TimeUnit.SECONDS);
    }

    /** Dead-letters all messages of the queue. */
    private void deadLetterAll(int count) throws Exception {
        JsonArray numbers = new JsonArray();
        documents(get("trips/messages"), "messages")
                .forEach(message -> numbers.add(message.getString("sequenceNumber")));
        assertThat(numbers).hasSize(count);
        JsonObject results = answered(send(
                "POST",
                "/$operator/v1/entities/trips/messages/deadLetter",
                new JsonObject().put("sequenceNumbers", numbers).encode(),
                TestBroker.token()));
        assertThat(results.getInteger("done")).isEqualTo(count);
    }

    private List<String> bodies(String entity) throws Exception {
        return documents(get(entity + "/messages"), "messages").stream()
                .map(message -> message.getString("body"))
                .toList();
    }

    @Test
    @DisplayName("lists sessions with their messages, state and holder")
    void lists() throws Exception {
        session(TRIPS, "t/1", "a");
        session(TRIPS, "t/1", "b");
        session(TRIPS, "t2", "c");
        Holder holder = hold(trips, "t/1");
        state(trips, holder, "t/1", "{\"step\": 3}".getBytes(StandardCharsets.UTF_8));

        JsonObject page = get("trips/sessions");

        assertThat(ids(page)).containsExactly("t/1", "t2");
        assertThat(page.getString("next")).isNull();
        assertThat(page.getInteger("scanned")).isEqualTo(2);
        JsonObject held = documents(page, "sessions").get(0);
        assertThat(held.getInteger("messageCount")).isEqualTo(2);
        assertThat(held.getInteger("deferredMessageCount")).isZero();
        assertThat(held.getString("firstSequenceNumber")).isEqualTo("1");
        assertThat(held.getString("oldestEnqueuedTime")).isEqualTo("2026-11-21T07:01:43Z");
        assertThat(held.getInteger("stateSizeInBytes")).isEqualTo(11);
        assertThat(held.getBoolean("locked")).isTrue();
        assertThat(held.getString("lockedUntil")).isEqualTo("2026-11-21T07:02:43Z");
        assertThat(held.getString("holder")).isEqualTo("link 'l' of container 'c'");
        JsonObject free = documents(page, "sessions").get(1);
        assertThat(free.getBoolean("locked")).isFalse();
        assertThat(free.containsKey("lockedUntil")).isFalse();
        assertThat(free.containsKey("stateSizeInBytes")).isFalse();
        assertThat(get("trips/sessions/t%2F1")).isEqualTo(held);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("pages through all sessions, also those of a partitioned queue")
    void pages(boolean partitioned) throws Exception {
        broker.create("many", queue -> queue.requiresSession(true).enablePartitioning(partitioned));
        for (int i = 0; i < 45; i++) {
            session("many", "s" + i, "m");
        }
        session("many", "", "a session with an empty id");

        List<String> found = new ArrayList<>();
        JsonObject page = get("many/sessions?max=7");
        while (true) {
            assertThat(ids(page)).hasSizeLessThanOrEqualTo(7);
            found.addAll(ids(page));
            String next = page.getString("next");
            if (next == null) {
                break;
            }
            page = get("many/sessions?max=7&after=" + next);
        }

        assertThat(found).hasSize(46).doesNotHaveDuplicates().contains("", "s0", "s44");
        assertThat(ids(get("many/sessions?contains=4"))).hasSize(9).allMatch(id -> id.contains("4"));
    }

    @Test
    @DisplayName("reads a state as bytes, and as text if it is UTF-8")
    void readsState() throws Exception {
        Holder text = hold(trips, "text");
        state(trips, text, "text", "gr\u00fcn".getBytes(StandardCharsets.UTF_8));
        byte[] bytes = {(byte) 0xff, 0, 1};
        Holder binary = hold(trips, "binary");
        state(trips, binary, "binary", bytes);
        session(TRIPS, "none", "m");

        JsonObject first = get("trips/sessions/text/state");
        assertThat(first.getString("text")).isEqualTo("gr\u00fcn");
        assertThat(first.getString("base64")).isEqualTo("Z3LDvG4=");
        assertThat(first.getString("stateChangedAt")).isEqualTo("2026-11-21T07:01:43Z");
        JsonObject second = get("trips/sessions/binary/state");
        assertThat(Base64.getDecoder().decode(second.getString("base64"))).isEqualTo(bytes);
        assertThat(second.containsKey("text")).isFalse();
        assertThat(get("trips/sessions/none/state").getString("base64")).isNull();
    }

    @Test
    @DisplayName("unlocks a session, so that its receiver loses it, and clears its state")
    void unlocksAndClears() throws Exception {
        Holder holder = hold(trips, "t1");
        state(trips, holder, "t1", new byte[] {1});

        String locked = refusal(ask("DELETE", "trips/sessions/t1/state"), 400);
        assertThat(locked).contains("is locked until 2026-11-21T07:02:43Z");
        assertThat(answered(ask("POST", "trips/sessions/t1/unlock")).getBoolean("done"))
                .isTrue();
        assertThat(holder.closed.get(30, TimeUnit.SECONDS)).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(refusal(ask("POST", "trips/sessions/t1/unlock"), 400)).contains("is not locked");
        answered(ask("DELETE", "trips/sessions/t1/state"));
        assertThat(refusal(ask("GET", "trips/sessions/t1/state"), 404)).contains("There is no session 't1'");
    }

    @Test
    @DisplayName("unlocks a session and clears its state in one commit, and the audit log has each change and refusal")
    void unlocksWithState() throws Exception {
        session(TRIPS, "t1", "m");
        Holder holder = hold(trips, "t1");
        state(trips, holder, "t1", new byte[] {1});
        Logger audit = (Logger) LoggerFactory.getLogger("audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        audit.setLevel(Level.INFO);
        lines.start();
        audit.addAppender(lines);
        try {
            answered(ask("DELETE", "trips/sessions/t1/state?unlock=true"));
            refusal(ask("POST", "trips/sessions/t1/unlock"), 400);
            deadLetterAll(1);
            answered(ask("POST", DEAD + "/sessions/t1/resubmit"));
            assertThat(ask("GET", "trips").statusCode()).isEqualTo(200); // after the end of the request
        } finally {
            audit.detachAppender(lines);
            audit.setLevel(null);
        }

        assertThat(holder.closed.get(30, TimeUnit.SECONDS)).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(get("trips/sessions/t1").containsKey("stateSizeInBytes")).isFalse();
        assertThat(lines.list)
                .extracting(line -> line.getLoggerName() + ": " + line.getKeyValuePairs())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("audit: ").contains("changed=\"session 't1'\""),
                        line -> assertThat(line)
                                .startsWith("audit.refused: ")
                                .contains("action=\"unlock session\"")
                                .contains("is not locked"),
                        line -> assertThat(line).startsWith("audit: "),
                        line -> assertThat(line)
                                .startsWith("audit: ")
                                .contains("session 't1', 1 messages: from 1 to 1"));
        assertThat(lines.list.get(0).getFormattedMessage()).isEqualTo("Done: unlock session and clear state");
    }

    @Test
    @DisplayName("resubmits the dead letters of one session in their order, and those of others stay")
    void resubmits() throws Exception {
        for (int i = 1; i <= 20; i++) {
            session(TRIPS, "it's", "m" + i);
            session(TRIPS, "other", "o" + i);
        }
        deadLetterAll(40);

        JsonObject first = answered(ask("POST", DEAD + "/sessions/it's/resubmit?max=18"));
        assertThat(first.getInteger("done")).isEqualTo(18);
        assertThat(first.getInteger("refused")).isZero();
        JsonObject second =
                answered(ask("POST", DEAD + "/sessions/it's/resubmit?max=18&after=" + first.getString("next")));
        assertThat(second.getInteger("done")).isEqualTo(2);
        assertThat(second.getString("next")).isNull();

        assertThat(bodies(TRIPS))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).mapToObj(i -> "m" + i).toList());
        assertThat(bodies(DEAD)).hasSize(20).allMatch(body -> body.startsWith("o"));
        assertThat(documents(second, "results"))
                .extracting(result -> result.getString("sequenceNumber"))
                .containsExactly("37", "39");
    }

    @Test
    @DisplayName("keeps the order: a dead letter that is refused ends the request, and the ones behind it stay")
    void stops() throws Exception {
        for (int i = 1; i <= 3; i++) {
            session(TRIPS, "t1", "m" + i);
        }
        deadLetterAll(3);
        Holder lock = new Holder();
        Receiver receiver = trips.attach(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, Runnable::run, lock, lock);
        lock.accepted.get(30, TimeUnit.SECONDS);
        receiver.setCredit(1, true);
        lock.delivered.get(30, TimeUnit.SECONDS); // the first one is locked

        JsonObject stopped = answered(ask("POST", DEAD + "/sessions/t1/resubmit"));

        assertThat(stopped.getInteger("done")).isZero();
        assertThat(stopped.getInteger("refused")).isEqualTo(1);
        assertThat(stopped.getString("stopped")).contains("is locked until");
        assertThat(bodies(DEAD)).containsExactly("m1", "m2", "m3");
        broker.nowMs.addAndGet(61_000);
        JsonObject rest = answered(ask("POST", DEAD + "/sessions/t1/resubmit?after=" + stopped.getString("next")));
        assertThat(rest.getInteger("done")).isEqualTo(3);
        assertThat(bodies(TRIPS)).containsExactly("m1", "m2", "m3");
    }

    @Test
    @DisplayName("leaves a dead letter that failed again after the first request began")
    void failsAgain() throws Exception {
        session(TRIPS, "t1", "m1");
        session(TRIPS, "t1", "m2");
        deadLetterAll(2);
        JsonObject first = answered(ask("POST", DEAD + "/sessions/t1/resubmit?max=1"));
        broker.nowMs.addAndGet(1_000);
        session(TRIPS, "t1", "m3");
        deadLetterAll(2);

        JsonObject second = answered(ask("POST", DEAD + "/sessions/t1/resubmit?after=" + first.getString("next")));

        assertThat(second.getInteger("done")).isEqualTo(2);
        assertThat(second.getString("next")).isNull();
        assertThat(bodies(DEAD)).containsExactly("m3");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, trips/sessions, send, 401",
        "GET, trips/sessions/t1, send, 401",
        "GET, trips/sessions/t1/state, send, 401",
        "DELETE, trips/sessions/t1/state, listen, 401",
        "POST, trips/sessions/t1/unlock, listen, 401",
        "POST, trips%2F$DeadLetterQueue/sessions/t1/resubmit, listen, 401",
        "GET, nothing/sessions, send, 401",
        "GET, trips/sessions, listen, 200",
        "GET, trips/sessions/t1, listen, 404",
    })
    @DisplayName(
            "needs the right to Listen for reading, to Manage for changes, and to Listen and Send for resubmitting")
    void rights(String method, String path, String rule, int status) throws Exception {
        HttpResponse<String> answer = send(
                method,
                "/$operator/v1/entities/" + path,
                "",
                TestBroker.token("https://localhost", rule, rule + "-key"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, shop%2Forders/sessions, does not require sessions",
        "GET, shop%2Forders/sessions/t1, does not require sessions",
        "DELETE, shop%2Forders/sessions/t1/state, does not require sessions",
        "POST, shop%2Forders/sessions/t1/unlock, does not require sessions",
        "POST, shop%2Forders%2F$DeadLetterQueue/sessions/t1/resubmit, does not require sessions",
        "GET, trips%2F$DeadLetterQueue/sessions, is a dead-letter queue",
        "POST, trips/sessions/t1/resubmit, Expected a dead-letter queue",
        "POST, trips%2F$DeadLetterQueue/sessions/t1/resubmit?after=7, Expected the value of 'next'",
        "GET, trips/sessions?max=251, a number from 1 to 250",
        "GET, trips/sessions?state=1, Expected the parameters",
        "DELETE, trips/sessions/t1/state?unlock=yes, one of",
    })
    @DisplayName("gets an error that names the problem")
    void refused(String method, String path, String sentence) throws Exception {
        assertThat(refusal(ask(method, path), 400)).contains(sentence);
    }

    @Test
    @DisplayName("gets 404 for a session that does not exist")
    void missing() throws Exception {
        assertThat(refusal(ask("GET", "trips/sessions/t1"), 404)).contains("There is no session 't1'");
        assertThat(refusal(ask("POST", "trips/sessions/t1/unlock"), 404)).contains("There is no session 't1'");
        assertThat(refusal(ask("DELETE", "trips/sessions/t1/state"), 404)).contains("There is no session 't1'");
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, trips/sessions/t1/state",
        "POST, trips/sessions/t1/unlock",
        "POST, trips%2F$DeadLetterQueue/sessions/t1/resubmit"
    })
    @DisplayName("gets an error for members in a body, which would have no effect")
    void body(String method, String path) throws Exception {
        String target = "/$operator/v1/entities/" + path;
        assertThat(refusal(send(method, target, "{\"target\": \"source\"}", TestBroker.token()), 400))
                .contains("without a body");
    }

    @Test
    @DisplayName("finds the operations on sessions in the description of the API")
    void described() throws Exception {
        JsonObject paths = answered(send("GET", "/$operator/v1/openapi.json", "", TestBroker.token()))
                .getJsonObject("paths");

        assertThat(paths.getJsonObject("/entities/{entity}/sessions/{session}/state")
                        .fieldNames())
                .containsExactlyInAnyOrder("get", "delete");
        JsonObject unlock = paths.getJsonObject("/entities/{entity}/sessions/{session}/unlock")
                .getJsonObject("post");
        assertThat(unlock.containsKey("requestBody")).isFalse();
        assertThat(documents(unlock, "parameters"))
                .allSatisfy(parameter ->
                        assertThat(parameter.getString("description")).isNotBlank())
                .extracting(parameter -> parameter.getString("name"))
                .containsExactly("entity", "session");
    }
}
