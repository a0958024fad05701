package dev.jitney.conformance.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.cli.backup.BackupCommands;
import dev.jitney.testing.amqp.SasToken;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Backups of a server with two stores, with clients of the official SDK")
@OrdinaryOnly("The ledger names the stores of queues")
class JavaSdkBackupTest {
    /** Enough names that some of the queues are in each store. */
    private static final int QUEUES = 4;

    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path temporary;

    private JitneyServer server;
    private Sdk sdk;

    @BeforeEach
    void start() throws Exception {
        server = builder(temporary.resolve("data")).backupDir(backups()).build().start();
        sdk = sdk();
    }

    @AfterEach
    void stop() throws Exception {
        sdk.close();
        server.close();
    }

    private Path backups() {
        return temporary.resolve("backups");
    }

    private static JitneyServerBuilder builder(Path dataDir) {
        return JitneyServer.builder().dataDir(dataDir).port(0).stores(2);
    }

    private Sdk sdk() {
        return new Sdk(TestBroker.clientBuilder(server.connectionString()).enableCrossEntityTransactions());
    }

    private Namespace namespace() {
        return server.broker().namespaces().get(0);
    }

    private void queue(String name, UnaryOperator<QueueDescription.Builder> description) {
        namespace()
                .createQueue(description.apply(QueueDescription.named(name)).build())
                .toCompletableFuture()
                .join();
    }

    /** Runs {@code jitney backup} and returns its output. */
    private static String backup(int status, String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int actual =
                BackupCommands.backup(out, out, () -> new String[] {"test"}).execute(arguments);
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(actual).as(text).isEqualTo(status);
        return text;
    }

    /** Ends the server, makes a data directory of the newest backup, and starts a server on it. */
    private void restore(String... more) throws Exception {
        sdk.close();
        server.close();
        Path restored = temporary.resolve("restored");
        List<String> arguments =
                new ArrayList<>(List.of("restore", backups().toString(), "--into", restored.toString()));
        arguments.addAll(List.of(more));
        backup(0, arguments.toArray(new String[0]));
        server = builder(restored).build().start();
        sdk = sdk();
    }

    @Test
    @DisplayName(
            "Everything acknowledged before the request is in a backup under load, and nothing sent after the answer")
    void underLoad() throws Exception {
        List<String> loads = new ArrayList<>();
        List<String> sources = new ArrayList<>();
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            loads.add("load-" + i);
            sources.add("in-" + i);
            pairs.add("pair-" + i);
            queue("load-" + i, q -> q);
            queue("out-" + i, q -> q);
            String target = "out-" + i;
            queue("in-" + i, q -> q.forwardTo(target));
            queue("pair-" + i, q -> q);
        }
        SendingLedger ledger = new SendingLedger();
        loads.subList(0, 2).forEach(queue -> ledger.send(sdk, queue));
        sources.forEach(queue -> ledger.send(sdk, queue));
        ledger.transact(sdk, pairs.get(0), pairs.get(1));
        ledger.transact(sdk, pairs.get(2), pairs.get(3));
        Await.until("all clients send", () -> ledger.acknowledged().size() > 2_000);

        backup(0, "create", "-c", server.connectionString());
        Await.until("more is sent", () -> ledger.acknowledged().size() > 3_000);
        Set<String> before = ledger.acknowledged();
        String created = backup(0, "create", "-c", server.connectionString(), "--keep", "1");
        Set<String> notAfter = ledger.begun();
        Await.until("more is sent", () -> ledger.acknowledged().size() > notAfter.size() + 500);
        assertThat(ledger.stop()).isEmpty();
        assertThat(created).contains("Commits waited for");

        assertThat(backup(0, "verify", backups().toString())).contains("Verified 1 backup");
        restore();
        Await.until(
                "transfers to the other store have arrived",
                () -> namespace().entities().stream()
                        .allMatch(entity -> entity.counts().transfer() == 0));
        List<String> found = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            for (String queue : List.of("load-" + i, "out-" + i, "pair-" + i)) {
                found.addAll(ids(queue));
            }
        }
        Set<String> once = new TreeSet<>(found);
        assertThat(found).hasSameSizeAs(once);
        assertThat(once).containsAll(before);
        assertThat(notAfter).containsAll(once);
        for (int pair = 0; pair < QUEUES; pair += 2) {
            String first = pairs.get(pair) + ":";
            String second = pairs.get(pair + 1) + ":";
            assertThat(numbers(once, first)).isEqualTo(numbers(once, second));
        }
    }

    private static Set<String> numbers(Set<String> ids, String prefix) {
        Set<String> numbers = new TreeSet<>();
        ids.stream().filter(id -> id.startsWith(prefix)).forEach(id -> numbers.add(id.substring(prefix.length())));
        return numbers;
    }

    /** Returns the ids of all messages of a queue. Peeking loses none of them, whatever the client does in between. */
    private List<String> ids(String queue) {
        List<String> ids = new ArrayList<>();
        try (ServiceBusReceiverClient receiver = sdk.receiver(queue)) {
            long next = 1;
            List<ServiceBusReceivedMessage> page =
                    receiver.peekMessages(250, next).stream().toList();
            while (!page.isEmpty()) {
                page.forEach(message -> ids.add(message.getMessageId()));
                next = page.get(page.size() - 1).getSequenceNumber() + 1;
                page = receiver.peekMessages(250, next).stream().toList();
            }
        }
        return ids;
    }

    @Test
    @DisplayName(
            "Messages come back with sequence numbers, states, sessions, dead letters, schedules and the history of ids")
    void everyKindOfMessage() throws Exception {
        queue("plain", q -> q);
        queue("trips", q -> q.requiresSession(true));
        queue("unique", q -> q.requiresDuplicateDetection(true));
        namespace()
                .createTopic(TopicDescription.named("news").build())
                .toCompletableFuture()
                .join();
        namespace()
                .createSubscription(SubscriptionDescription.of("news", "all").build(), RuleDescription.takeEverything())
                .toCompletableFuture()
                .join();
        for (String text : List.of("locked", "deferred", "dead", "active")) {
            sdk.send("plain", new ServiceBusMessage(text).setMessageId(text));
        }
        ServiceBusReceiverClient receiver = sdk.receiver("plain");
        ServiceBusReceivedMessage locked = Sdk.next(receiver);
        ServiceBusReceivedMessage deferred = Sdk.next(receiver);
        receiver.defer(deferred);
        receiver.deadLetter(Sdk.next(receiver), new DeadLetterOptions().setDeadLetterReason("Tested"));
        long scheduled = sdk.sender("plain")
                .scheduleMessage(
                        new ServiceBusMessage("scheduled"), OffsetDateTime.now().plusHours(1));
        sdk.send("trips", new ServiceBusMessage("trip").setSessionId("s"));
        try (ServiceBusSessionReceiverClient sessions =
                        sdk.builder().sessionReceiver().queueName("trips").buildClient();
                ServiceBusReceiverClient session = sessions.acceptSession("s")) {
            session.setSessionState("half way".getBytes(StandardCharsets.UTF_8));
        }
        sdk.send("unique", new ServiceBusMessage("first").setMessageId("same"));
        sdk.publish("news", "published");

        backup(0, "create", backups().toString(), "-c", server.connectionString());
        assertThat(backup(0, "list", "-c", server.connectionString())).contains("BACKUP", "MiB");
        sdk.send("plain", "too late");
        restore();

        ServiceBusReceiverClient after = sdk.receiver("plain");
        ServiceBusReceivedMessage unlocked = Sdk.next(after);
        assertThat(unlocked.getBody().toString()).isEqualTo("locked");
        assertThat(unlocked.getSequenceNumber()).isEqualTo(locked.getSequenceNumber());
        after.complete(unlocked);
        ServiceBusReceivedMessage active = Sdk.next(after);
        assertThat(active.getBody().toString()).isEqualTo("active");
        after.complete(active);
        assertThat(Sdk.none(after)).isEmpty();
        assertThat(after.receiveDeferredMessage(deferred.getSequenceNumber())
                        .getBody()
                        .toString())
                .isEqualTo("deferred");
        ServiceBusReceivedMessage dead = Sdk.next(sdk.receiver("plain", r -> r.subQueue(SubQueue.DEAD_LETTER_QUEUE)));
        assertThat(dead.getDeadLetterReason()).isEqualTo("Tested");
        assertThat(after.peekMessage(scheduled).getBody().toString()).isEqualTo("scheduled");
        sdk.sender("plain").cancelScheduledMessage(scheduled);
        try (ServiceBusSessionReceiverClient sessions =
                        sdk.builder().sessionReceiver().queueName("trips").buildClient();
                ServiceBusReceiverClient session = sessions.acceptSession("s")) {
            assertThat(new String(session.getSessionState(), StandardCharsets.UTF_8))
                    .isEqualTo("half way");
            assertThat(Sdk.next(session).getBody().toString()).isEqualTo("trip");
        }
        sdk.send("unique", new ServiceBusMessage("second").setMessageId("same"));
        ServiceBusReceiverClient unique = sdk.deletingReceiver("unique");
        assertThat(Sdk.next(unique).getBody().toString()).isEqualTo("first");
        assertThat(Sdk.none(unique)).isEmpty();
        assertThat(sdk.builder()
                        .receiver()
                        .topicName("news")
                        .subscriptionName("all")
                        .buildClient()
                        .peekMessage()
                        .getBody()
                        .toString())
                .isEqualTo("published");
        sdk.send("plain", "new");
        assertThat(Sdk.next(after).getSequenceNumber()).isGreaterThan(scheduled);
    }

    @Test
    @DisplayName("A stopped server is backed up from its data directory, and chosen entities come back alone")
    void stoppedServerAndSelection() throws Exception {
        for (String name : List.of("orders", "invoices", "parcels")) {
            queue(name, q -> q);
            sdk.send(name, name);
        }
        String data = temporary.resolve("data").toString();
        String inUse = backup(1, "create", backups().toString(), "--from", data);
        assertThat(inUse).contains("Another server");
        sdk.close();
        server.close();
        backup(0, "create", backups().toString(), "--from", data);
        assertThat(backup(0, "list", backups().toString())).hasLineCount(2);
        assertThat(backup(
                        1,
                        "restore",
                        backups().toString(),
                        "--into",
                        temporary.resolve("none").toString(),
                        "--entity",
                        "Orders,letters"))
                .contains("--entity", "letters");
        restore("--entity", "Orders,parcels");
        assertThat(namespace().entities().stream()
                        .map(entity -> entity.description().path())
                        .toList())
                .containsExactlyInAnyOrder("orders", "parcels");
        assertThat(Sdk.next(sdk.deletingReceiver("orders")).getBody().toString())
                .isEqualTo("orders");
        assertThat(Sdk.next(sdk.deletingReceiver("parcels")).getBody().toString())
                .isEqualTo("parcels");
    }

    @Test
    @DisplayName("Backups need the right to Manage, a directory of the server, and no other backup")
    void refusals() throws Exception {
        assertThat(backup(
                        1,
                        "create",
                        "-c",
                        server.connectionString().replaceAll("SharedAccessKey=[^;]*", "SharedAccessKey=wrong")))
                .contains("(401)");
        assertThat(backup(1, "create", temporary.resolve("elsewhere").toString(), "-c", server.connectionString()))
                .contains("--backup-dir", backups().toString());
        assertThat(temporary.resolve("elsewhere")).doesNotExist();
        Files.createDirectories(backups());
        Files.writeString(backups().resolve("letter.txt"), "");
        assertThat(backup(1, "create", "-c", server.connectionString())).contains("letter.txt");
        Files.delete(backups().resolve("letter.txt"));
        backup(0, "create", "-c", server.connectionString());
        assertThat(IntStream.range(0, 2)
                        .mapToObj(i -> backup(0, "prune", backups().toString(), "--keep", "1"))
                        .toList())
                .allSatisfy(text -> assertThat(text).contains("No backup is older"));
    }

    @Test
    @DisplayName("A second order is refused while a backup runs, and both orders are in the audit trail")
    void oneAtATime() throws Exception {
        queue("large", q -> q);
        for (int i = 0; i < 40; i++) { // enough that the first backup outlasts a stall of the machine
            sdk.send("large", new ServiceBusMessage(randomText(200_000)));
        }
        String[] order = {"create", "-c", server.connectionString(), "--rate", "1"};
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() ->
                BackupCommands.backup(out, out, () -> new String[] {"test"}).execute(order));
        Await.until(
                "the first backup runs",
                () -> output.toString(StandardCharsets.UTF_8).contains("Copying its files"));
        assertThat(backup(1, order)).contains("(409)", "one is running");
        int status = first.join();
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("Backup 20");
        assertThat(status).isZero();

        URI trail = URI.create("http://" + server.connectionString().replaceAll("^Endpoint=sb://([^;/]*).*$", "$1")
                + "/$operator/v1/audit?max=50");
        HttpResponse<String> audit = HTTP.send(
                HttpRequest.newBuilder(trail)
                        .header(
                                "Authorization",
                                SasToken.create(
                                        "http://localhost/", TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(audit.statusCode()).as(audit.body()).isEqualTo(200);
        assertThat(audit.body().split("\"action\":\"create backup\"", -1)).hasSize(3);
        assertThat(audit.body()).contains("\"result\":\"done\"", "\"result\":\"refused");
    }

    /** Returns whether the archive has a moment after a time, in milliseconds since the epoch. */
    private boolean hasMomentAfter(long ms) throws Exception {
        URI metrics = URI.create("http://localhost:" + server.httpPort() + "/metrics");
        return HTTP.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith("jitney_archive_last_moment_timestamp_seconds "))
                .anyMatch(line ->
                        Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) * 1_000) > ms);
    }

    private static String randomText(int characters) {
        Random random = new Random();
        StringBuilder text = new StringBuilder(characters);
        for (int i = 0; i < characters; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    @Test
    @DisplayName("Selected entities are restored to a point in time, with every kind of message as after a crash")
    void selectedEntitiesAtAPointInTime() throws Exception {
        sdk.close();
        server.close();
        Path archive = temporary.resolve("archive");
        server = builder(temporary.resolve("data"))
                .backupDir(backups())
                .archive(ArchiveOptions.in(archive).every(Duration.ofMillis(100)))
                .build()
                .start();
        sdk = sdk();
        queue("orders", q -> q.requiresDuplicateDetection(true));
        queue("trips", q -> q.requiresSession(true));
        queue("other", q -> q);
        sdk.send("orders", new ServiceBusMessage("one").setMessageId("one"));
        backup(0, "create", "-c", server.connectionString());

        sdk.send("orders", new ServiceBusMessage("two").setMessageId("two"));
        sdk.send("orders", new ServiceBusMessage("dead").setMessageId("dead"));
        sdk.send("trips", new ServiceBusMessage("trip").setSessionId("s"));
        sdk.send("other", new ServiceBusMessage("other"));
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        receiver.complete(Sdk.next(receiver));
        ServiceBusReceivedMessage locked = Sdk.next(receiver);
        receiver.deadLetter(Sdk.next(receiver));
        long scheduled = sdk.sender("orders")
                .scheduleMessage(
                        new ServiceBusMessage("scheduled").setMessageId("scheduled"),
                        OffsetDateTime.now().plusHours(1));
        try (ServiceBusSessionReceiverClient sessions =
                        sdk.builder().sessionReceiver().queueName("trips").buildClient();
                ServiceBusReceiverClient session = sessions.acceptSession("s")) {
            session.setSessionState("half way".getBytes(StandardCharsets.UTF_8));
        }
        long acknowledgedMs = System.currentTimeMillis();
        // A busy machine may miss moments, so the wait is for one that has everything acknowledged so far.
        Await.until("a moment after the acknowledgments", () -> hasMomentAfter(acknowledgedMs));
        Instant time = Instant.now();
        Await.until("a moment after that time", () -> hasMomentAfter(time.toEpochMilli()));
        sdk.send("orders", new ServiceBusMessage("late").setMessageId("late"));
        receiver.complete(locked);

        restore("--archive-dir", archive.toString(), "--to-time", time.toString(), "--entity", "orders,trips");
        assertThat(namespace().entities().stream()
                        .map(entity -> entity.description().path())
                        .toList())
                .containsExactlyInAnyOrder("orders", "trips");
        ServiceBusReceiverClient after = sdk.receiver("orders");
        ServiceBusReceivedMessage two = Sdk.next(after);
        assertThat(two.getBody().toString()).isEqualTo("two");
        assertThat(two.getSequenceNumber()).isEqualTo(locked.getSequenceNumber());
        after.complete(two);
        assertThat(Sdk.none(after)).isEmpty();
        assertThat(after.peekMessage(scheduled).getBody().toString()).isEqualTo("scheduled");
        assertThat(Sdk.next(sdk.receiver("orders", r -> r.subQueue(SubQueue.DEAD_LETTER_QUEUE)))
                        .getBody()
                        .toString())
                .isEqualTo("dead");
        sdk.send("orders", new ServiceBusMessage("again").setMessageId("one"));
        assertThat(Sdk.none(after)).isEmpty();
        try (ServiceBusSessionReceiverClient sessions =
                        sdk.builder().sessionReceiver().queueName("trips").buildClient();
                ServiceBusReceiverClient session = sessions.acceptSession("s")) {
            assertThat(new String(session.getSessionState(), StandardCharsets.UTF_8))
                    .isEqualTo("half way");
            assertThat(Sdk.next(session).getBody().toString()).isEqualTo("trip");
        }
    }
}
