package dev.jitney.gateway.http.operator.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jitney.core.Command;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The history of figures")
class FigureHistoryTest {
    private final TestBroker broker = new TestBroker();
    private FigureHistory history = new FigureHistory(broker.broker, 100);

    @AfterEach
    void close() {
        broker.close();
    }

    /** Samples all entities, if a round is due. */
    private int round() {
        if (!history.isDue()) {
            return 0;
        }
        history.begin();
        int slices = 1;
        while (!history.slice()) {
            slices++;
        }
        return slices;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            broker.nowMs.addAndGet(FigureHistory.FINE_STEP_MS);
            round();
        }
    }

    private static void send(Entity queue, int messages) throws Exception {
        ByteBuffer empty = ByteBuffer.allocate(0);
        IncomingMessage sent = IncomingMessage.of(MessageContent.of(true, 4, false, empty, empty, empty, empty))
                .sizes(10, 0, 0)
                .sent(null, 0)
                .build();
        long before = queue.figures().incomingMessages();
        queue.submit(
                new Command.SendMessages(Collections.nCopies(messages, sent)), Runnable::run, ReplyListener.IGNORE);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (queue.figures().incomingMessages() < before + messages && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(queue.figures().incomingMessages()).isEqualTo(before + messages);
    }

    @Test
    @DisplayName("rates are those of the last minute and of the last five minutes")
    void rates() throws Exception {
        Entity queue = broker.create("a");
        assertThat(history.rates(queue)).isEqualTo(FlowRates.UNKNOWN);
        round();
        assertThat(history.rates(queue)).as("at the moment of the first sample").isEqualTo(FlowRates.UNKNOWN);
        send(queue, 60);
        broker.nowMs.addAndGet(5_000);
        assertThat(history.rates(queue).incomingOneMinute())
                .as("since the first sample")
                .isEqualTo(12);
        rounds(12);
        assertThat(history.rates(queue).incomingOneMinute())
                .as("older than a minute")
                .isZero();
        assertThat(history.rates(queue).incomingFiveMinutes()).isCloseTo(60 / 125.0, within(0.001));
        send(queue, 30);
        assertThat(history.rates(queue).incomingOneMinute()).isEqualTo(0.5);
        assertThat(history.rates(queue).outgoingOneMinute()).isZero();
        rounds(31);
        assertThat(history.rates(queue).incomingFiveMinutes())
                .as("older than five minutes")
                .isZero();
    }

    @Test
    @DisplayName("the series has the last hour by minutes, and the last five minutes by ten seconds")
    void series() throws Exception {
        Entity queue = broker.create("a");
        round();
        for (int minute = 0; minute < 70; minute++) {
            send(queue, 1 + minute % 2);
            rounds(6);
        }

        JsonObject hour = HistoryPage.of(queue, history, "1m");
        assertThat(hour.getJsonArray("times")).hasSize(60);
        assertThat(hour.getJsonArray("times").getString(59)).isEqualTo(minutesAgo(0));
        assertThat(hour.getJsonArray("times").getString(0)).isEqualTo(minutesAgo(59));
        assertThat(hour.getJsonArray("incoming").getList().subList(0, 4)).isEqualTo(List.of(1L, 2L, 1L, 2L));
        assertThat(hour.getJsonArray("active").getLong(59)).isEqualTo(105);
        assertThat(hour.getJsonArray("outgoing").getLong(59)).isZero();
        assertThat(hour.getJsonArray("deadLetter").getLong(59)).isZero();

        JsonObject fine = HistoryPage.of(queue, history, "10s");
        assertThat(fine.getJsonArray("times")).hasSize(30);
        assertThat(fine.getJsonArray("incoming").getList().subList(0, 7))
                .isEqualTo(List.of(2L, 0L, 0L, 0L, 0L, 0L, 1L));
    }

    private String minutesAgo(int minutes) {
        return Instant.ofEpochMilli(broker.nowMs.get() - minutes * 60_000L).toString();
    }

    @Test
    @DisplayName("a round that begins late still gives a sample each minute")
    void late() throws Exception {
        Entity queue = broker.create("a");
        round();
        for (int i = 0; i < 55; i++) { // 10.9 s each, so a minute is 5.5 rounds
            broker.nowMs.addAndGet(10_900);
            round();
        }
        JsonArray times = HistoryPage.of(queue, history, "1m").getJsonArray("times");
        assertThat(times.size()).isBetween(8, 10);
    }

    @Test
    @DisplayName("at most the limit of entities has a history, shared by the namespaces, and the others have none")
    void limit() throws Exception {
        history = new FigureHistory(broker.broker, 6);
        for (int i = 0; i < 10; i++) {
            broker.create("first" + i);
        }
        round();
        assertThat(history.size()).isEqualTo(6);
        List<Entity> second = List.of(createInSecond("x"), createInSecond("y"));
        rounds(1);
        assertThat(history.size()).as("at most the limit, also meanwhile").isEqualTo(4);
        rounds(1);
        assertThat(history.size()).isEqualTo(6);
        assertThat(second).allSatisfy(entity -> assertThat(history.of(entity)).isNotNull());
        Entity without = broker.broker.namespace(null).entity("first9");
        assertThat(history.of(without)).isNull();
        JsonObject page = HistoryPage.of(without, history, "1m");
        assertThat(page.getBoolean("sampled")).isFalse();
        assertThat(page.getJsonArray("times")).isEmpty();
        assertThat(history.rates(without)).isEqualTo(FlowRates.UNKNOWN);
        rounds(3);
        assertThat(history.size()).isEqualTo(6);
    }

    private Entity createInSecond(String path) throws Exception {
        return broker.broker
                .namespace("second")
                .createQueue(QueueDescription.named(path).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("a deleted entity loses its history, and one of the same name begins again")
    void deleted() throws Exception {
        Entity old = broker.create("a");
        round();
        broker.broker.namespace(null).deleteEntity("a").toCompletableFuture().get(30, TimeUnit.SECONDS);
        rounds(1);
        assertThat(history.of(old)).isNull();
        assertThat(history.size()).isZero();
        Entity next = broker.create("a");
        rounds(1);
        assertThat(history.of(next).fine.size()).isEqualTo(1);
    }

    @Test
    @DisplayName("a round samples subscriptions too, and takes several slices for many entities")
    void slices() throws Exception {
        history = new FigureHistory(broker.broker, 10_000);
        var namespace = broker.broker.namespace(null);
        namespace
                .createTopic(TopicDescription.named("t").build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        Entity subscription = namespace
                .createSubscription(SubscriptionDescription.of("t", "s").build(), null)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        for (int i = 0; i < FigureHistory.SLICE; i++) {
            broker.create("q" + i);
        }
        assertThat(round()).as("two to list the namespaces, two to sample").isEqualTo(4);
        assertThat(history.of(subscription)).isNotNull();
        assertThat(history.size()).isEqualTo(FigureHistory.SLICE + 2);
    }

    @Test
    @DisplayName("a round over 10,000 entities takes many short turns; it prints their cost")
    void cost() throws Exception {
        history = new FigureHistory(broker.broker, FigureHistory.ENTITIES_MAX);
        List<CompletionStage<Entity>> created = new ArrayList<>();
        for (int i = 0; i < FigureHistory.ENTITIES_MAX; i++) {
            created.add(broker.broker
                    .namespace(null)
                    .createQueue(QueueDescription.named("q" + i).build()));
        }
        for (CompletionStage<Entity> one : created) {
            one.toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
        int rounds = 21;
        long[] round = new long[rounds];
        long[] turn = new long[rounds];
        long[] pass = new long[rounds];
        long[] passTurn = new long[rounds];
        for (int i = 0; i < rounds; i++) {
            broker.nowMs.addAndGet(FigureHistory.FINE_STEP_MS);
            assertThat(history.isDue()).isTrue();
            history.begin();
            int slices = 0;
            for (boolean over = false; !over; slices++) {
                long start = cpuNanos();
                over = history.slice();
                long took = cpuNanos() - start;
                round[i] += took;
                turn[i] = Math.max(turn[i], took);
            }
            assertThat(slices).isGreaterThan(FigureHistory.ENTITIES_MAX / FigureHistory.SLICE);
            Queue<Runnable> turns = new ArrayDeque<>();
            List<Overview> made = new ArrayList<>();
            Map<Entity, FigureSample> figures = new IdentityHashMap<>();
            turns.add(() ->
                    Overview.make(broker.broker.namespace(null), history, 3_600, figures::put, turns::add, made::add));
            slices = 0;
            for (; !turns.isEmpty(); slices++) {
                Runnable next = turns.remove();
                long start = cpuNanos();
                next.run();
                long took = cpuNanos() - start;
                pass[i] += took;
                passTurn[i] = Math.max(passTurn[i], took);
            }
            assertThat(slices).isGreaterThanOrEqualTo(FigureHistory.ENTITIES_MAX / Overview.SLICE);
            assertThat(figures).hasSize(FigureHistory.ENTITIES_MAX);
            assertThat(made)
                    .singleElement()
                    .satisfies(overview -> assertThat(overview.attentionCounts().getInteger("noReceiver"))
                            .isZero());
        }
        System.out.printf(
                "Processor time for %,d entities, medians of %d: a round of samples %,d us, its longest turn %,d us, an overview"
                        + " %,d us, its longest turn %,d us%n",
                history.size(),
                rounds,
                medianMicros(round),
                medianMicros(turn),
                medianMicros(pass),
                medianMicros(passTurn));
        assertThat(history.size()).isEqualTo(FigureHistory.ENTITIES_MAX);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long medianMicros(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1_000;
    }

    @Test
    @DisplayName("a full series keeps the latest samples, and finds the one of a time, or the oldest one")
    void ring() {
        FigureSeries ring = new FigureSeries(3);
        assertThat(ring.at(0)).isNull();
        for (int i = 1; i <= 5; i++) {
            ring.add(new FigureSample(i * 10, i, 0, 0, 0));
        }
        assertThat(ring.size()).isEqualTo(3);
        assertThat(ring.get(0).active()).isEqualTo(3);
        assertThat(ring.at(45).active()).isEqualTo(4);
        assertThat(ring.at(50).active()).isEqualTo(5);
        assertThat(ring.at(5).active()).isEqualTo(3);
    }
}
