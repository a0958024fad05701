package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.longs;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.sym;
import static dev.jitney.testing.amqp.Wire.uint;
import static dev.jitney.testing.amqp.Wire.uuids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.RawTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the metered operations over AMQP, read over HTTP (semantics 21.1). */
class MeteringTest extends RawTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;

    private String entity = "";

    private static long read(String path, String member) {
        String origin = "http://localhost:" + broker.httpPort();
        try {
            HttpResponse<String> answer = HTTP.send(
                    HttpRequest.newBuilder(URI.create(origin + path + "/$metering"))
                            .header(
                                    "Authorization",
                                    SasToken.create(origin, TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS))
                            .build(),
                    BodyHandlers.ofString());
            Matcher number = Pattern.compile('"' + member + "\":(\\d+)").matcher(answer.body());
            assertThat(number.find()).as(answer.body()).isTrue();
            return Long.parseLong(number.group(1));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks the number of operations that a call adds to the meters of the entity and of the namespace. */
    private void costs(long operations, String call, Runnable action) {
        long own = read("/" + entity, "operations");
        long all = read("", "operations");
        action.run();
        assertThat(read("/" + entity, "operations") - own).as(call).isEqualTo(operations);
        assertThat(read("", "operations") - all).as(call).isEqualTo(operations);
    }

    private static byte[] ping() {
        Object nothing = null;
        return Wire.encode(
                Wire.composite(
                        Code.PROPERTIES,
                        nothing,
                        nothing,
                        nothing,
                        nothing,
                        nothing,
                        nothing,
                        sym("application/vnd.ms-servicebus-ping")),
                Wire.section(Code.DATA, new byte[0]));
    }

    private static Map<?, ?> scheduled() {
        byte[] message = Wire.encode(
                Wire.section(
                        Code.MESSAGE_ANNOTATIONS,
                        map(sym("x-opt-scheduled-enqueue-time"), broker.now().plusSeconds(600))),
                Wire.section(Code.DATA, new byte[] {1}));
        return map("messages", Wire.list(map("message", message, "message-id", "m")));
    }

    @Test
    @DisplayName("MET-1, MET-3, PART-15: the exact count of a script of calls over AMQP, pings included")
    void script() {
        String queue = broker.queue();
        entity = queue;
        RawLink sender = session.sender(queue);
        RawLink receiver = session.receiver(queue);
        RawRequests management = RawRequests.open(session, queue + "/$management");
        RawDelivery[] last = new RawDelivery[1];
        long[] number = new long[1];

        costs(1, "send", () -> sender.sendAccepted(RawMessage.of("m", "one")));
        costs(1, "ping", () -> sender.sendAccepted(ping()));
        costs(1, "receive", () -> last[0] = receiver.receiveOne());
        costs(
                1,
                "renew its lock",
                () -> management.call("com.microsoft:renew-lock", map("lock-tokens", uuids(last[0].lockToken())), 200));
        costs(0, "abandon", () -> receiver.settle(last[0], RawLink.modified(true, null, null)));
        costs(1, "receive it again", () -> last[0] = receiver.receiveOne());
        number[0] = last[0].message().sequenceNumber();
        costs(0, "defer", () -> receiver.settle(last[0], RawLink.modified(null, true, null)));
        costs(1, "receive that ends empty", () -> assertThat(receiver.drain(1)).isEmpty());
        costs(1, "peek", () -> peek(management, 1, 200));
        costs(1, "peek that shows none", () -> peek(management, 1L << 60, 204));
        costs(
                1,
                "receive by number",
                () -> management.call(
                        "com.microsoft:receive-by-sequence-number",
                        map("sequence-numbers", longs(number[0]), "receiver-settle-mode", uint(0)),
                        200));
        costs(
                1,
                "schedule",
                () -> number[0] = management
                        .call("com.microsoft:schedule-message", scheduled(), 200)
                        .get("sequence-numbers")
                        .at(0)
                        .number());
        costs(1, "cancel", () -> cancel(management, number[0], 200));
        costs(0, "cancel again", () -> cancel(management, number[0], 404));
        costs(
                0,
                "renew a lock that nobody has",
                () -> management.call("com.microsoft:renew-lock", map("lock-tokens", uuids(UUID.randomUUID())), 410));
        costs(2, "send more than 64 KB", () -> sender.sendAccepted(RawMessage.ofData("x".repeat(64 * 1024))));
        costs(2, "receive it", () -> last[0] = receiver.receiveOne());
        costs(0, "complete", () -> receiver.settle(last[0], RawLink.ACCEPTED));
        costs(0, "open another link", () -> session.receiver(queue));

        assertThat(read("/" + queue, "operations")).isEqualTo(15);
        assertThat(read("/" + queue, "sends")).isEqualTo(5);
        assertThat(read("/" + queue, "deliveries")).isEqualTo(6);
        assertThat(read("/" + queue, "emptyReceives")).isEqualTo(2);
        assertThat(read("/" + queue, "calls")).isEqualTo(2);
        assertThat(read("/" + queue, "bytesIn"))
                .isGreaterThan(ping().length + RawMessage.of("m", "one").length + 64L * 1024);
    }

    @Test
    @DisplayName("MET-1: a batch delete is one call, however many messages it deletes")
    @OrdinaryOnly("PURGE-2: batch delete is refused on partitioned entities")
    void batchDelete() {
        entity = broker.queue();
        send(entity, "one");
        send(entity, "two");
        broker.advance(Duration.ofSeconds(1));
        RawRequests management = RawRequests.open(session, entity + "/$management");
        costs(1, "batch delete", () -> batchDelete(management, 200));
        costs(1, "batch delete of nothing", () -> batchDelete(management, 204));
    }

    private static void batchDelete(RawRequests management, int status) {
        management.call(
                "com.microsoft:batch-delete-messages",
                map("message-count", 10, "enqueued-time-utc", broker.now()),
                status);
    }

    private static void peek(RawRequests management, long from, int status) {
        management.call("com.microsoft:peek-message", map("from-sequence-number", from, "message-count", 1), status);
    }

    private static void cancel(RawRequests management, long number, int status) {
        management.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(number)), status);
    }

    @Test
    @DisplayName("MET-1: rules changed and listed over AMQP are calls of the subscription, rejected ones are free")
    void rules() {
        Subscription subscription = broker.topics().subscribe(broker.topics().create());
        entity = subscription.path();
        RawRequests management = RawRequests.open(session, subscription.path() + "/$management");
        costs(1, "list rules", () -> list(management));
        costs(1, "add a rule", () -> add(management, 200));
        costs(0, "add it again", () -> add(management, 409));
        costs(1, "remove it", () -> management.call("com.microsoft:remove-rule", map("rule-name", "r"), 200));
        costs(0, "remove it again", () -> management.call("com.microsoft:remove-rule", map("rule-name", "r"), 404));
    }

    private static Node list(RawRequests management) {
        return management.call("com.microsoft:enumerate-rules", map("top", 10, "skip", 0), 200);
    }

    private static void add(RawRequests management, int status) {
        Map<?, ?> rule = map("rule-name", "r", "sql-filter", map("expression", "1=1"), "sql-rule-action", null);
        management.call("com.microsoft:add-rule", map("rule-name", "r", "rule-description", rule), status);
    }
}
