package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ReplyListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PART-3, PART-58: a server starts while one of its stores is away")
class WithoutAStoreTest {
    private static final int QUEUES = 12;
    private static final int MESSAGES = 32;

    @TempDir
    Path dir;

    private Path[] homes = {};
    private Path[] stores = {};

    @BeforeEach
    void fill() throws Exception {
        homes = new Path[] {dir.resolve("a"), dir.resolve("b")};
        stores = new Path[] {homes[0].resolve("store-0"), homes[1].resolve("store-1")};
        try (JitneyServer server = start()) {
            Namespace namespace = server.broker().namespace(null);
            for (int i = 0; i < QUEUES; i++) {
                send(get(namespace.createQueue(QueueDescription.named("q" + i).build())), 1);
            }
            Entity pq = get(namespace.createQueue(
                    QueueDescription.named("pq").enablePartitioning(true).build()));
            send(pq, MESSAGES);
            get(namespace.createTopic(
                    TopicDescription.named("t").enablePartitioning(true).build()));
            get(namespace.createSubscription(
                    SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything()));
        }
    }

    private JitneyServer start() throws StartException {
        return builder(homes).build().start();
    }

    private JitneyServerBuilder builder(Path... directories) {
        return JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .storeDirs(List.of(directories))
                .amqpPort(0)
                .httpPort(0);
    }

    private Path takeAway(int store) throws Exception {
        return Files.move(stores[store], dir.resolve("away"));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static Entity entity(JitneyServer server, String path) {
        return Objects.requireNonNull(server.broker().namespace(null).entity(path), path);
    }

    private static @Nullable ErrorCode send(Entity to, int count) throws Exception {
        ErrorCode refused = null;
        for (int i = 0; i < count; i++) {
            CompletableFuture<@Nullable ErrorCode> answer = new CompletableFuture<>();
            ByteBuffer nothing = ByteBuffer.allocate(0);
            MessageContent content =
                    MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode("m"));
            IncomingMessage message = IncomingMessage.of(content).build();
            to.submit(new Command.SendMessages(List.of(message)), Runnable::run, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    answer.complete(null);
                }

                @Override
                public void onRejected(Rejection rejection) {
                    answer.complete(rejection.code());
                }
            });
            refused = answer.get(60, TimeUnit.SECONDS);
        }
        return refused;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static int limited(JitneyServer server) {
        int count = 0;
        for (int i = 0; i < QUEUES; i++) {
            count += entity(server, "q" + i).availability() == EntityAvailability.LIMITED ? 1 : 0;
        }
        return count;
    }

    private static void assertWhole(JitneyServer server, long partitioned) throws Exception {
        await(() -> server.trouble() == null);
        assertThat(limited(server)).isZero();
        for (int i = 0; i < QUEUES; i++) {
            Entity queue = entity(server, "q" + i);
            assertThat(queue.counts().active()).as(queue.path()).isEqualTo(1);
        }
        Entity pq = entity(server, "pq");
        assertThat(pq.availability()).isEqualTo(EntityAvailability.AVAILABLE);
        assertThat(pq.counts().active()).isEqualTo(partitioned);
        get(server.broker().namespace(null).updateQueue((QueueDescription) pq.description()));
    }

    @Test
    @DisplayName("its entities are Limited, the others are served; when it comes it is taken up with all that is in it")
    void startsWithoutIt() throws Exception {
        int store = 0; // which also has the namespaces
        Path away = takeAway(store);
        try (JitneyServer server = start()) {
            await(() -> server.trouble() != null);
            assertThat(server.trouble()).contains("Messaging store " + store, stores[store].toString());
            assertThat(server.queuePaths(0)).hasSize(QUEUES + 1);
            assertThat(limited(server)).isBetween(1, QUEUES - 1);
            for (int i = 0; i < QUEUES; i++) {
                Entity queue = entity(server, "q" + i);
                boolean there = queue.availability() == EntityAvailability.AVAILABLE;
                assertThat(queue.counts().active()).isEqualTo(there ? 1 : 0);
                if (!there) {
                    assertThat(send(queue, 1)).isEqualTo(ErrorCode.SERVER_BUSY);
                }
            }
            Entity pq = entity(server, "pq");
            assertThat(pq.availability()).isEqualTo(EntityAvailability.LIMITED);
            assertThat(pq.counts().active()).isEqualTo(MESSAGES / 2);
            assertThat(send(pq, MESSAGES)).isNull();
            assertThat(entity(server, "t").subscriptions()).hasSize(1);
            assertThat(entity(server, "t").subscriptions().get(0).rules()).hasSize(1);
            assertThatThrownBy(
                            () -> get(server.broker().namespace(null).updateQueue((QueueDescription) pq.description())))
                    .hasMessageContaining("temporarily unavailable");
        }
        try (JitneyServer server = start()) { // once more
            await(() -> server.trouble() != null);
            Files.move(away, stores[store]);
            assertWhole(server, 2 * MESSAGES);
        }
    }

    @Test
    @DisplayName(
            "what was changed last before a kill is known as well; what came in after that is found at the next start")
    void changes() throws Exception {
        try (JitneyServer server = start()) {
            Namespace namespace = server.broker().namespace(null);
            for (int i = 0; i < QUEUES; i += 2) {
                get(namespace.deleteEntity("q" + i));
                get(namespace.createQueue(
                        QueueDescription.named("n" + i).lockDurationMs(7_000).build()));
            }
            get(namespace.deleteEntity("t/subscriptions/s"));
        }
        Path away = takeAway(1);
        try (JitneyServer server = start()) {
            assertThat(server.queuePaths(0))
                    .hasSize(QUEUES + 1)
                    .contains("n0", "n2", "q1")
                    .doesNotContain("q0");
            for (int i = 0; i < QUEUES; i += 2) {
                assertThat(((QueueDescription) entity(server, "n" + i).description()).lockDurationMs())
                        .isEqualTo(7_000);
            }
            assertThat(entity(server, "t").subscriptions()).isEmpty();
            await(() -> server.trouble() != null);
            Files.move(away, stores[1]);
            await(() -> server.trouble() == null);
            assertThat(send(entity(server, "n2"), 1)).isNull();
        }
    }

    @Test
    @DisplayName(
            "PART-25: it does not start with directories that are swapped, with none of them, or when nothing is known")
    void refused() throws Exception {
        assertRefused(builder(homes[1], homes[0]), "the order of the directories matters");
        Path away = takeAway(1);
        Files.move(homes[0], dir.resolve("other"));
        assertRefused(builder(homes), "Messaging store 0 is missing");
        Files.move(dir.resolve("other"), homes[0]);
        Path copy = dir.resolve("data/entities-1.copy");
        Files.move(copy, dir.resolve("kept"));
        assertRefused(builder(homes), "Messaging store 1 is missing");
        Files.writeString(copy, "not a copy at all");
        assertRefused(builder(homes), "What is known of its entities cannot be read");
        Files.delete(copy);
        Files.move(dir.resolve("kept"), copy);
        Files.createDirectories(stores[1]);
        Files.copy(stores[0].resolve("jitney.store"), stores[1].resolve("jitney.store"));
        assertRefused(builder(homes), "a directory was renamed or swapped");
        Files.delete(stores[1].resolve("jitney.store"));
        Files.delete(stores[1]);
        try (JitneyServer server = start()) {
            Files.createDirectories(stores[1]); // an empty mount point
            await(() -> server.trouble() != null);
            Files.delete(stores[1]);
            Files.move(away, stores[1]);
            assertWhole(server, MESSAGES);
        }
    }

    private static void assertRefused(JitneyServerBuilder builder, String words) {
        assertThatThrownBy(() -> builder.build().start())
                .isInstanceOf(StartException.class)
                .hasMessageContaining(words);
    }
}
