package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Documents;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A job over many messages")
@Timeout(60)
class JobsTest extends OperatorScenario {
    private static final String ORDERS = "shop%2Forders";
    private static final String LATER = "{\"ScheduledEnqueueTimeUtc\": \"Wed, 02 Jan 2036 03:04:05 GMT\"}";
    private static final String DEAD = ORDERS + "%2F$DeadLetterQueue";

    private HttpResponse<String> order(String entity, JsonObject order, String token) throws Exception {
        HttpResponse<String> answer;
        do {
            answer = send("POST", "/$operator/v1/entities/" + entity + "/jobs", order.encode(), token);
        } while (answer.statusCode() == 503); // the jobs are being read
        return answer;
    }

    private String order(String entity, JsonObject order) throws Exception {
        HttpResponse<String> answer = order(entity, order, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getString("id");
    }

    private JsonObject job(String id) throws Exception {
        HttpResponse<String> answer;
        do {
            answer = send("GET", "/$operator/v1/jobs/" + id, "", TestBroker.token());
        } while (answer.statusCode() == 503);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private JsonObject await(String id, Predicate<JsonObject> condition) throws Exception {
        while (true) { // the timeout of the test ends it
            JsonObject job = job(id);
            if (condition.test(job)) {
                return job;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private JsonObject await(String id, String state) throws Exception {
        return await(id, job -> job.getString("state").equals(state));
    }

    private HttpResponse<String> control(String id, String verb) throws Exception {
        return send("POST", "/$operator/v1/jobs/" + id + "/" + verb, "", TestBroker.token());
    }

    private MessageCounts counts() {
        return Objects.requireNonNull(broker.broker.namespaces().get(0).entity("shop/orders"))
                .counts();
    }

    /** Sends messages and makes them dead letters. */
    private void deadLetters(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            message("body " + i, "kind", i % 2 == 0 ? "\"even\"" : "\"odd\"");
        }
        deadLetterAll();
    }

    private void deadLetterAll() throws Exception {
        JsonArray messages = messages(ORDERS);
        deadLetter(IntStream.range(0, messages.size())
                .mapToObj(i -> messages.getJsonObject(i).getString("sequenceNumber"))
                .toArray(String[]::new));
    }

    private JsonArray messages(String entity) throws Exception {
        return new JsonObject(
                        send("GET", "/$operator/v1/entities/" + entity + "/messages?max=250", "", TestBroker.token())
                                .body())
                .getJsonArray("messages");
    }

    private void deadLetter(String... numbers) throws Exception {
        deadLetterAs("Broken", numbers);
    }

    private void deadLetterAs(@Nullable String reason, String... numbers) throws Exception {
        JsonObject body = new JsonObject()
                .put("sequenceNumbers", new JsonArray(List.of(numbers)))
                .put("reason", reason);
        assertThat(send(
                                "POST",
                                "/$operator/v1/entities/" + ORDERS + "/messages/deadLetter",
                                body.encode(),
                                TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("counts them first, and changes them when its dry run is resumed")
    void dryRun() throws Exception {
        deadLetters(10);
        String id = order(
                DEAD,
                new JsonObject()
                        .put("operation", "resubmit")
                        .put("filter", "kind = 'even'")
                        .put("dryRun", true));

        JsonObject ready = await(id, "ready");
        assertThat(ready.getLong("total")).isEqualTo(5);
        assertThat(ready.getLong("scanned")).isZero();
        assertThat(counts().deadLetter()).isEqualTo(10);

        assertThat(control(id, "resume").statusCode()).isEqualTo(200);
        JsonObject done = await(id, "done");
        assertThat(done.getLong("done")).isEqualTo(5);
        assertThat(done.getLong("refused")).isZero();
        assertThat(done.getString("endedAt")).isNotNull();
        assertThat(counts().deadLetter()).isEqualTo(5);
        assertThat(counts().active()).isEqualTo(5);
    }

    @Test
    @DisplayName("leaves messages alone that came after its count, also those that it has sent itself")
    void onlyCounted() throws Exception {
        for (int i = 0; i < 5; i++) {
            message("body");
        }
        String id = order(ORDERS, new JsonObject().put("operation", "copy").put("to", "shop/orders"));

        assertThat(await(id, "done").getLong("done")).isEqualTo(5);
        assertThat(counts().active()).isEqualTo(10);
    }

    @ParameterizedTest
    @DisplayName("leaves dead letters alone that arrive after its count with lower numbers, also after a restart")
    @ValueSource(booleans = {false, true})
    void laterDeadLetters(boolean restart) throws Exception {
        for (int i = 0; i < 5; i++) {
            message("body");
        }
        deadLetter("3", "5");
        String id = order(DEAD, new JsonObject().put("operation", "delete").put("dryRun", true));
        assertThat(await(id, "ready").getLong("total")).isEqualTo(2);
        deadLetter("1", "2", "4");
        if (restart) {
            reopenGateway();
        }

        assertThat(job(id).getString("state")).isEqualTo("ready");
        control(id, "resume");
        assertThat(await(id, "done").getLong("done")).isEqualTo(2);
        assertThat(messages(DEAD).stream().map(each -> ((JsonObject) each).getString("sequenceNumber")))
                .containsExactly("1", "2", "4");
        assertThat(documents(Documents.Kind.JOB_NUMBERS)).isEmpty();
    }

    private List<Documents.Document> documents(Documents.Kind kind) throws Exception {
        return broker.broker
                .namespaces()
                .get(0)
                .documents()
                .read(kind, 0, Documents.READ_MAX)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    /** Makes the only job one that an earlier release has counted, which did not keep the numbers. */
    private void forgetNumbers(String state) throws Exception {
        JsonObject row = new JsonObject(
                Buffer.buffer(documents(Documents.Kind.JOB).get(0).content()));
        row.getJsonObject("progress").remove("numberParts");
        row.getJsonObject("progress").remove("totalIfResumed");
        row.put("state", state);
        broker.broker
                .namespaces()
                .get(0)
                .documents()
                .put(Documents.Kind.JOB, 1, row.toBuffer().getBytes())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        reopenGateway();
    }

    @Test
    @DisplayName("without the counted numbers changes as many messages as it has counted, and then pauses")
    void asksForMore() throws Exception {
        for (int i = 0; i < 5; i++) {
            message("body");
        }
        deadLetter("3", "5");
        String id = order(DEAD, new JsonObject().put("operation", "delete").put("dryRun", true));
        await(id, "ready");
        deadLetter("1", "2", "4");
        forgetNumbers("ready");

        assertThat(job(id).getLong("total")).isEqualTo(2);
        control(id, "resume");
        JsonObject paused = await(id, "paused");
        assertThat(paused.getString("reason"))
                .isEqualTo("3 more messages match now than the job counted. Resume it to change them too.");
        assertThat(paused.getLong("done")).isEqualTo(2);
        assertThat(counts().deadLetter()).isEqualTo(3);

        control(id, "resume");
        JsonObject done = await(id, "done");
        assertThat(done.getLong("done")).isEqualTo(5);
        assertThat(done.getLong("total")).isEqualTo(5);
    }

    @Test
    @DisplayName("without the counted numbers changes nothing after the server has stopped, and pauses")
    void asksAfterStop() throws Exception {
        deadLetters(3);
        String id = order(DEAD, new JsonObject().put("operation", "delete").put("dryRun", true));
        await(id, "ready");
        forgetNumbers("running");

        JsonObject paused = await(id, "paused");
        assertThat(paused.getString("reason"))
                .isEqualTo("The server has stopped while the job ran, and 3 more messages match now."
                        + " Resume the job to change them.");
        assertThat(counts().deadLetter()).isEqualTo(3);
        control(id, "resume");
        assertThat(await(id, "done").getLong("done")).isEqualTo(3);
    }

    @Test
    @DisplayName("deletes no more active messages in batches than it has counted, if a lock ends meanwhile")
    void purgesCounted() throws Exception {
        for (int i = 0; i < 3; i++) {
            message("body");
        }
        broker.nowMs.addAndGet(1);
        HttpResponse<String> locked = send("POST", "/shop/orders/messages/head", "", TestBroker.token());
        assertThat(locked.statusCode()).isEqualTo(201);
        String id = order(ORDERS, new JsonObject().put("operation", "delete").put("dryRun", true));
        assertThat(await(id, "ready").getLong("total")).isEqualTo(2);
        send(
                "PUT",
                URI.create(locked.headers().firstValue("Location").orElseThrow())
                        .getPath(),
                "",
                TestBroker.token());
        assertThat(counts().active()).isEqualTo(3);

        control(id, "resume");
        assertThat(await(id, "paused").getString("reason")).startsWith("1 more message matches now");
        assertThat(counts().active()).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("fails if its entity was deleted and created again after the order, also after a restart")
    @ValueSource(booleans = {false, true})
    void createdAgain(boolean restart) throws Exception {
        deadLetters(3);
        String id = order(DEAD, new JsonObject().put("operation", "delete").put("dryRun", true));
        await(id, "ready");
        broker.broker
                .namespaces()
                .get(0)
                .deleteEntity("shop/orders")
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        broker.create("shop/orders");
        deadLetters(3);
        if (restart) {
            reopenGateway();
        }

        assertThat(job(id).getString("state")).isEqualTo("ready");
        control(id, "resume");
        assertThat(await(id, "failed").getString("reason"))
                .isEqualTo("The entity 'shop/orders' was deleted and created again after the job was ordered."
                        + " Order the job again.");
        assertThat(counts().deadLetter()).isEqualTo(3);
    }

    private void deadLetterWith(String description, String number) throws Exception {
        JsonObject body = new JsonObject()
                .put("sequenceNumbers", new JsonArray().add(number))
                .put("reason", "Broken")
                .put("description", description);
        assertThat(send(
                                "POST",
                                "/$operator/v1/entities/" + ORDERS + "/messages/deadLetter",
                                body.encode(),
                                TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
    }

    /** Returns the id of the group with this number of messages. */
    private String groupOf(int count) throws Exception {
        return new JsonObject(send("GET", "/$operator/v1/entities/" + DEAD + "/groups", "", TestBroker.token())
                        .body())
                .getJsonArray("groups").stream()
                        .map(JsonObject.class::cast)
                        .filter(group -> group.getInteger("count") == count)
                        .findFirst()
                        .orElseThrow()
                        .getString("id");
    }

    @Test
    @DisplayName("changes the messages of one group, and no others with a similar or a long description")
    void group() throws Exception {
        for (int i = 0; i < 6; i++) {
            message("body");
        }
        deadLetterWith("order 1 is bad", "1");
        deadLetterWith("order 2 of shop 3 is bad", "2");
        deadLetterWith("order 33 is bad", "3");
        for (int i = 4; i <= 6; i++) {
            deadLetterWith("order 77 " + "%_!'".repeat(100) + i, String.valueOf(i));
        }
        String orders = groupOf(2);
        String longOnes = groupOf(3);

        HttpResponse<String> found = send(
                "GET", "/$operator/v1/entities/" + DEAD + "/messages?max=2&group=" + longOnes, "", TestBroker.token());
        JsonObject page = new JsonObject(found.body());
        assertThat(page.getJsonArray("messages")).hasSize(2);
        assertThat(page.getString("next")).isEqualTo("6");
        String id = order(DEAD, new JsonObject().put("operation", "delete").put("group", orders));
        JsonObject done = await(id, "done");
        assertThat(done.getLong("total")).isEqualTo(2);
        assertThat(done.getLong("done")).isEqualTo(2);
        assertThat(messages(DEAD).stream().map(each -> ((JsonObject) each).getString("sequenceNumber")))
                .containsExactly("2", "4", "5", "6");
        id = order(DEAD, new JsonObject().put("operation", "resubmit").put("group", longOnes));
        assertThat(await(id, "done").getLong("done")).isEqualTo(3);
    }

    @Test
    @DisplayName("purges a queue in batches, and lets younger messages be")
    void purges() throws Exception {
        for (int i = 0; i < 600; i++) {
            message("body");
        }
        broker.nowMs.addAndGet(1);
        String id = order(ORDERS, new JsonObject().put("operation", "delete").put("dryRun", true));
        JsonObject ready = await(id, "ready");
        assertThat(ready.getLong("total")).isEqualTo(600);
        message("younger");
        control(id, "resume");

        assertThat(await(id, "done").getLong("done")).isEqualTo(600);
        assertThat(counts().active()).isEqualTo(1);
    }

    @Test
    @DisplayName("deletes active, deferred and scheduled messages, the active ones in batches")
    void deletesAll() throws Exception {
        for (int i = 0; i < 300; i++) {
            message("body");
        }
        message("later", "BrokerProperties", LATER);
        assertThat(counts().scheduled()).isEqualTo(1);
        broker.nowMs.addAndGet(1);
        String id =
                order(ORDERS, new JsonObject().put("operation", "delete").put("state", "active,deferred,scheduled"));

        assertThat(await(id, "done").getLong("done")).isEqualTo(301);
        assertThat(counts().active()).isZero();
        assertThat(counts().scheduled()).isZero();
    }

    @Test
    @DisplayName("PURGE-2: deletes all messages of a partitioned queue one by one, because batches are refused")
    void partitioned() throws Exception {
        broker.broker
                .namespaces()
                .get(0)
                .createQueue(
                        QueueDescription.named("parts").enablePartitioning(true).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        for (int i = 0; i < 20; i++) {
            assertThat(send("POST", "/parts/messages", "body", TestBroker.token())
                            .statusCode())
                    .isEqualTo(201);
        }
        String id = order("parts", new JsonObject().put("operation", "delete"));

        assertThat(await(id, "done").getLong("done")).isEqualTo(20);
    }

    @Test
    @DisplayName("deletes all scheduled messages of a topic, which refuses batches too")
    void topic() throws Exception {
        broker.broker
                .namespaces()
                .get(0)
                .createTopic(TopicDescription.named("news").build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        for (int i = 0; i < 3; i++) {
            assertThat(send("POST", "/news/messages", "body", TestBroker.token(), "BrokerProperties", LATER)
                            .statusCode())
                    .isEqualTo(201);
        }
        String id = order("news", new JsonObject().put("operation", "delete").put("state", "active,scheduled"));

        assertThat(await(id, "done").getLong("done")).isEqualTo(3);
    }

    @Test
    @DisplayName("keeps a rate, is paused and resumed, and is canceled; what is done stays done")
    void pausedAndCanceled() throws Exception {
        for (int i = 0; i < 4; i++) {
            deadLetters(100); // more at a time do not fit in one page
        }
        String id = order(DEAD, new JsonObject().put("operation", "resubmit").put("messagesPerSecond", 20));
        await(id, job -> job.getLong("done") >= 3);

        control(id, "pause");
        long done = await(id, "paused").getLong("done");
        assertThat(done).isBetween(3L, 300L);
        assertThat(control(id, "pause").statusCode()).isEqualTo(409);
        control(id, "resume");
        await(id, job -> job.getLong("done") > done + 1);
        control(id, "cancel");

        JsonObject canceled = await(id, job -> job.getString("state").equals("canceled"));
        assertThat(canceled.getLong("done")).isBetween(done + 2, 399L);
        assertThat(control(id, "resume").body()).contains("Expected a job that is paused or ready, but job " + id);
        MessageCounts counts = counts();
        assertThat(counts.deadLetter()).isBetween(1L, 398L - done);
        assertThat(counts.active()).isEqualTo(400 - counts.deadLetter());
        assertThat(send("GET", "/$operator/v1/audit?action=job&entity=shop/orders", "", TestBroker.token())
                        .body())
                .contains("start job", "pause job", "resume job", "cancel job", "job " + id + ": resubmit of ");
    }

    @Test
    @DisplayName("continues after a restart where it was, and changes each message once")
    void restart() throws Exception {
        deadLetters(60);
        String id = order(DEAD, new JsonObject().put("operation", "resubmit").put("messagesPerSecond", 40));
        String waiting =
                order(ORDERS, new JsonObject().put("operation", "delete").put("dryRun", true));
        await(waiting, "ready");
        await(id, job -> job.getLong("done") >= 5);

        reopenGateway();

        assertThat(await(id, "done").getLong("refused")).isZero();
        assertThat(counts().deadLetter()).isZero();
        assertThat(counts().active()).isEqualTo(60);
        assertThat(job(waiting).getString("state")).isEqualTo("ready");
        assertThat(order(ORDERS, new JsonObject().put("operation", "unlock"))).isEqualTo("3");
    }

    @Test
    @DisplayName("with a canary stops by itself if a message comes back dead, and continues if an operator resumes it")
    void canaryFails() throws Exception {
        deadLetters(8);
        String id = order(
                DEAD,
                new JsonObject()
                        .put("operation", "resubmit")
                        .put("canaryMessages", 3)
                        .put("canarySeconds", 10)); // a real time, in which the messages have to come back
        await(id, "canary");
        assertThat(counts().active()).isEqualTo(3);
        deadLetterAll();

        JsonObject paused = await(id, "paused");
        assertThat(paused.getString("reason"))
                .startsWith("3 of 3 messages of the canary came back dead, such as ")
                .contains("with the reason Broken");
        assertThat(paused.getString("canary")).isEqualTo("failed");
        assertThat(paused.getLong("done")).isEqualTo(3);

        control(id, "resume");
        assertThat(await(id, "done").getLong("done")).isEqualTo(8);
        assertThat(counts().deadLetter())
                .as("the canary, which the job does not send again")
                .isEqualTo(3);
    }

    @Test
    @DisplayName("with a canary shows the beginning of a long and hostile reason, and stops")
    void hostileReason() throws Exception {
        for (String id : List.of("a", "b", "c")) {
            message("body", "BrokerProperties", "{\"MessageId\": \"" + id + "\"}");
        }
        deadLetter("1", "2", "3");
        String id = order(
                DEAD,
                new JsonObject()
                        .put("operation", "resubmit")
                        .put("canaryMessages", 2)
                        .put("canarySeconds", 10)); // a real time, in which the message has to come back
        await(id, "canary");
        JsonObject properties = new JsonObject()
                .put("x-jitney-resubmitted", new JsonObject().put("type", "int").put("value", 1))
                .put("DeadLetterReason", "\u001b[2J" + "é\u0007".repeat(10_000));
        JsonObject hostile = new JsonObject().put("messageId", "a").put("applicationProperties", properties);
        JsonObject messages = new JsonObject().put("messages", new JsonArray().add(hostile));
        HttpResponse<String> sent =
                send("POST", "/$operator/v1/entities/" + ORDERS + "/messages", messages.encode(), TestBroker.token());
        assertThat(sent.statusCode()).as(sent.body()).isEqualTo(200);
        deadLetterAs(null, "6");

        String reason = await(id, "paused").getString("reason");
        assertThat(reason)
                .startsWith("1 of 2 messages of the canary came back dead, such as 6 with the reason ?[2Jé?")
                .hasSizeLessThan(300)
                .doesNotContainPattern("\\p{Cc}");
        reopenGateway();
        assertThat(job(id).getString("reason")).isEqualTo(reason);
    }

    @Test
    @DisplayName("with a canary continues if no message comes back dead, also after a restart in between")
    void canaryPasses() throws Exception {
        deadLetters(8);
        String id = order(
                DEAD,
                new JsonObject()
                        .put("operation", "resubmit")
                        .put("canaryMessages", 3)
                        .put("canarySeconds", 60));
        await(id, "canary");

        broker.nowMs.addAndGet(59_000); // so that the wait ends one second after the restart
        reopenGateway();

        JsonObject done = await(id, "done");
        assertThat(done.getString("canary")).isEqualTo("passed");
        assertThat(counts().active()).isEqualTo(8);
    }

    @Test
    @DisplayName("pauses after a hundred refusals in a row, and changes their messages when it is resumed")
    void refusals() throws Exception {
        deadLetters(120);
        broker.create("shop/closed", queue -> queue.status(EntityStatus.SEND_DISABLED));
        String id = order(DEAD, new JsonObject().put("operation", "move").put("to", "shop/closed"));

        JsonObject paused = await(id, "paused");
        assertThat(paused.getString("reason")).startsWith("The last 100 messages were refused: ");
        assertThat(paused.getLong("refused")).isZero();
        assertThat(paused.getJsonArray("refusals")).isEmpty();
        assertThat(counts().deadLetter()).isEqualTo(120);

        broker.update("shop/closed", queue -> queue.status(EntityStatus.ACTIVE));
        control(id, "resume");
        JsonObject done = await(id, "done");
        assertThat(done.getLong("done")).isEqualTo(120);
        assertThat(done.getLong("refused")).isZero();
    }

    @Test
    @DisplayName("shows the reason of refusals once with a count, and leaves their messages as they are")
    void fewRefusals() throws Exception {
        deadLetters(5);
        broker.create("shop/closed", queue -> queue.status(EntityStatus.SEND_DISABLED));
        String id = order(DEAD, new JsonObject().put("operation", "move").put("to", "shop/closed"));

        JsonArray refusals = await(id, "done").getJsonArray("refusals");
        assertThat(refusals).hasSize(1);
        assertThat(refusals.getJsonObject(0).getLong("count")).isEqualTo(5);
        assertThat(counts().deadLetter()).isEqualTo(5);
    }

    @ParameterizedTest
    @DisplayName("is canceled although its destination was deleted, with the rights that its order needs")
    @ValueSource(strings = {"move", "copy"})
    void withoutDestination(String operation) throws Exception {
        deadLetters(1);
        broker.create("shop/bills");
        String id = order(
                DEAD,
                new JsonObject()
                        .put("operation", operation)
                        .put("to", "shop/bills")
                        .put("dryRun", true));
        await(id, "ready");
        broker.broker
                .namespaces()
                .get(0)
                .deleteEntity("shop/bills")
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);

        String listens = TestBroker.token("http://localhost", "listen", "listen-key");
        assertThat(send("POST", "/$operator/v1/jobs/" + id + "/cancel", "", listens)
                        .statusCode())
                .isEqualTo(401);
        assertThat(control(id, "resume").statusCode()).isEqualTo(404);
        assertThat(control(id, "cancel").statusCode()).isEqualTo(200);
        assertThat(job(id).getString("state")).isEqualTo("canceled");
    }

    @Test
    @DisplayName("is ordered, listed, seen and controlled with a key of its entity, which reaches no other job")
    void keysOfEntities() throws Exception {
        broker.create(
                "own",
                queue -> queue.accessRules(List.of(
                        new AccessRule("team", Set.of(AccessRight.LISTEN, AccessRight.SEND), "team-key", null))));
        String other = order(DEAD, new JsonObject().put("operation", "resubmit").put("dryRun", true));
        await(other, "ready");
        JsonObject order = new JsonObject().put("operation", "resubmit").put("dryRun", true);
        for (String resource : List.of("http://localhost/own", "http://localhost")) {
            String token = TestBroker.token(resource, "team", "team-key");
            HttpResponse<String> ordered = order("own%2F$DeadLetterQueue", order, token);
            assertThat(ordered.statusCode()).as(ordered.body()).isEqualTo(200);
            String id = new JsonObject(ordered.body()).getString("id");
            await(id, "ready");

            JsonArray listed =
                    new JsonObject(send("GET", "/$operator/v1/jobs", "", token).body()).getJsonArray("jobs");
            assertThat(listed)
                    .allSatisfy(job ->
                            assertThat(((JsonObject) job).getString("entity")).isEqualTo("own/$DeadLetterQueue"));
            assertThat(listed.getJsonObject(0).getString("id")).isEqualTo(id);
            assertThat(send("GET", "/$operator/v1/jobs/" + id, "", token).statusCode())
                    .isEqualTo(200);
            assertThat(send("POST", "/$operator/v1/jobs/" + id + "/resume", "", token)
                            .statusCode())
                    .isEqualTo(200);
            await(id, "done");
            for (String verb : List.of("pause", "resume", "cancel")) {
                assertThat(send("POST", "/$operator/v1/jobs/" + other + "/" + verb, "", token)
                                .statusCode())
                        .isBetween(401, 404);
            }
            assertThat(order(DEAD, order, token).statusCode()).isEqualTo(401);
        }
        String token = TestBroker.token("http://localhost/own", "team", "team-key");
        HttpResponse<String> hidden = send("GET", "/$operator/v1/jobs/" + other, "", token);
        HttpResponse<String> missing = send("GET", "/$operator/v1/jobs/999", "", token);
        assertThat(hidden.statusCode()).isEqualTo(404);
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(hidden.body().replaceAll("trackingId.*", "").replace("'" + other + "'", "'999'"))
                .isEqualTo(missing.body().replaceAll("trackingId.*", ""));
        assertThat(job(other).getString("state")).isEqualTo("ready");
        for (String wrong : List.of(
                "nonsense",
                TestBroker.token("http://localhost/own", "team", "wrong-key"),
                TestBroker.token("http://localhost", "send", "send-key"))) {
            assertThat(send("GET", "/$operator/v1/jobs", "", wrong).statusCode())
                    .isEqualTo(401);
            assertThat(send("GET", "/$operator/v1/jobs/" + other, "", wrong).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    @DisplayName("needs the rights of its changes when it is ordered, and for as long as it runs")
    void rights() throws Exception {
        deadLetters(30);
        List<AccessRule> rules =
                new ArrayList<>(broker.broker.namespaces().get(0).accessRules());
        rules.add(new AccessRule("again", Set.of(AccessRight.LISTEN, AccessRight.SEND), "again-key", null));
        broker.broker
                .namespaces()
                .get(0)
                .setAccessRules(rules)
                .toCompletableFuture()
                .join();
        String token = TestBroker.token("http://localhost", "again", "again-key");

        JsonObject delete = new JsonObject().put("operation", "delete");
        assertThat(order(DEAD, delete, token).statusCode()).isEqualTo(401);
        JsonObject resubmit = new JsonObject().put("operation", "resubmit").put("dryRun", true);
        HttpResponse<String> answer = order(DEAD, resubmit, token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        String id = new JsonObject(answer.body()).getString("id");
        await(id, "ready");
        rules.removeIf(rule -> rule.name().equals("again"));
        broker.broker
                .namespaces()
                .get(0)
                .setAccessRules(rules)
                .toCompletableFuture()
                .join();

        control(id, "resume");
        assertThat(await(id, "failed").getString("reason")).contains("The access rule 'again'");
        assertThat(counts().deadLetter()).isEqualTo(30);
    }

    @Test
    @DisplayName("is refused while twenty others have not ended, and the newest are listed first")
    void limited() throws Exception {
        JsonObject order =
                new JsonObject().put("operation", "delete").put("dryRun", true).put("note", "BUG-123");
        for (int i = 0; i < 20; i++) {
            order(ORDERS, order);
        }
        HttpResponse<String> refused = order(ORDERS, order, TestBroker.token());
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("Expected at most 20 jobs that have not ended");

        await("20", "ready");
        control("20", "cancel");
        await("20", "canceled");
        order(ORDERS, order);
        JsonArray jobs = new JsonObject(send("GET", "/$operator/v1/jobs", "", TestBroker.token())
                        .body())
                .getJsonArray("jobs");
        assertThat(jobs.getJsonObject(0).getString("id")).isEqualTo("21");
        assertThat(jobs.getJsonObject(0).getJsonObject("order").getString("note"))
                .isEqualTo("BUG-123");
        assertThat(jobs).hasSize(21);
    }

    @ParameterizedTest
    @DisplayName("is refused with the name of the wrong member")
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | Expected one of [delete",
                "{\"operation\":\"explode\"} | 'operation', but got 'explode'",
                "{\"operation\":\"move\"} | in 'to'",
                "{\"operation\":\"delete\",\"to\":\"shop/bills\"} | has no member 'to'",
                "{\"operation\":\"delete\",\"canaryMessages\":3} | A canary is for the operation 'resubmit' only",
                "{\"operation\":\"resubmit\",\"canarySeconds\":3} | Expected 'canaryMessages'",
                "{\"operation\":\"resubmit\",\"canaryMessages\":1000} | a number from 0 to",
                "{\"operation\":\"resubmit\",\"messagesPerSecond\":\"x\"} | 'messagesPerSecond'",
                "{\"operation\":\"resubmit\",\"state\":\"lost\"} | in 'state', but got 'lost'",
                "{\"operation\":\"resubmit\",\"filter\":\"a = \"} | filter",
                "{\"operation\":\"resubmit\",\"group\":\"none\"} | in 'group', but got 'none'",
                "{\"operation\":\"resubmit\",\"until\":\"now\"} | but got 'until'"
            })
    void badInput(String order, String words) throws Exception {
        HttpResponse<String> answer =
                send("POST", "/$operator/v1/entities/" + DEAD + "/jobs", order, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).containsIgnoringCase(words);
    }
}
