package dev.jitney.runtime.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.testing.AdjustableClock;
import dev.jitney.runtime.testing.BrokerTesting;
import dev.jitney.runtime.testing.MessageEvent;
import dev.jitney.runtime.testing.MessageEvent.Kind;
import dev.jitney.runtime.testing.MessageHistory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A broker under test")
class BrokerTestingTest {
    private final InMemoryMessagingStore first = new InMemoryMessagingStore();
    private final InMemoryMessagingStore second = new InMemoryMessagingStore();
    private Broker broker;
    private BrokerTesting testing;

    @BeforeEach
    void open() throws StoreException {
        BrokerOptions options = BrokerFixture.options("ns", "other").forTests();
        broker = ShardedBroker.open(options, List.of(first, second), new AdjustableClock());
        testing = Objects.requireNonNull(BrokerTesting.of(broker));
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private Namespace namespace() {
        return broker.namespaces().get(0);
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Entity queue(String path, UnaryOperator<QueueDescription.Builder> options) {
        return get(namespace()
                .createQueue(options.apply(QueueDescription.named(path)).build()));
    }

    private static Reply run(Entity entity, Command command) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        entity.submit(command, Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply value) {
                reply.complete(value);
            }

            @Override
            public void onRejected(Rejection rejection) {
                reply.completeExceptionally(new BrokerException(rejection));
            }
        });
        return get(reply);
    }

    private static ErrorCode refused(Entity entity, Command command) {
        try {
            return refusal(run(entity, command));
        } catch (CompletionException e) {
            return ((BrokerException) e.getCause()).rejection().code();
        }
    }

    private static ErrorCode refusal(Reply reply) {
        throw new AssertionError("Expected a refusal, but got " + reply);
    }

    private static IncomingMessage message(String id) {
        return BrokerFixture.message("m").toBuilder().messageId(id).build();
    }

    private static void send(Entity entity, String... ids) {
        run(
                entity,
                new Command.SendMessages(
                        Arrays.stream(ids).map(BrokerTestingTest::message).toList()));
    }

    private static long active(Entity entity) {
        return ((Reply.Counts) run(entity, new Command.GetCounts())).counts().active();
    }

    private static final class Listening implements ReceiverListener {
        final BlockingQueue<MessageView> messages = new LinkedBlockingQueue<>();
        Receiver receiver;

        @SuppressWarnings("NullAway.Init")
        Listening() {}

        static Listening to(Entity entity, int credit) {
            Listening listening = new Listening();
            listening.receiver =
                    entity.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, ReplyListener.IGNORE);
            listening.receiver.setCredit(credit, false);
            return listening;
        }

        MessageView next() throws InterruptedException {
            return Objects.requireNonNull(messages.poll(20, TimeUnit.SECONDS), "a message");
        }

        @Override
        public String holder() {
            return "a test";
        }

        @Override
        public boolean onDelivering(long bytes) {
            return true;
        }

        @Override
        public void onNotDelivered(long bytes) {}

        @Override
        public void onDelivered(MessageView message) {
            messages.add(message);
        }

        @Override
        public void onDrained(long deliveryLimit) {}

        @Override
        public void onSuspended(Rejection reason) {}

        @Override
        public void onClosed(Rejection reason) {}
    }

    private static Command complete(MessageView message) {
        return new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken())));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "has done everything that is due when the time has moved: locks, schedules, and what follows from them")
    void advance(boolean partitioned) throws InterruptedException {
        Entity sink = queue("sink", q -> q);
        Entity orders = queue(
                "orders",
                q -> q.maxDeliveryCount(1).enablePartitioning(partitioned).forwardDeadLetteredMessagesTo("sink"));
        Listening app = Listening.to(orders, 1);
        send(orders, "a");
        MessageView locked = app.next();
        app.receiver.setCredit(1, false);
        run(
                orders,
                new Command.SendMessages(List.of(message("later").toBuilder()
                        .sent(null, broker.messageTimeMs() + 600_000)
                        .build())));

        get(testing.changeTime(Duration.ofMinutes(11), 1));

        assertThat(active(sink)).isEqualTo(1);
        assertThat(refused(orders, complete(locked))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(testing.clock().aheadMs()).isBetween(655_000L, 665_000L);
        assertThat(broker.clock().nowMs()).isLessThanOrEqualTo(System.currentTimeMillis());
    }

    @Test
    @DisplayName("has a time that stands still, runs, or runs faster, and never runs backward")
    void speed() throws InterruptedException {
        get(testing.changeTime(Duration.ZERO, 0));
        long stands = broker.messageTimeMs();
        get(testing.changeTime(Duration.ZERO, 0));
        assertThat(broker.messageTimeMs()).isEqualTo(stands);
        get(testing.changeTime(Duration.ofHours(1), 0));
        assertThat(broker.messageTimeMs()).isEqualTo(stands + 3_600_000);

        Entity queue = queue("q", q -> q);
        run(
                queue,
                new Command.SendMessages(List.of(message("later").toBuilder()
                        .sent(null, broker.messageTimeMs() + 100_000)
                        .build())));
        Listening app = Listening.to(queue, 1);
        get(testing.changeTime(Duration.ZERO, 1_000)); // 100 s pass in 100 ms
        assertThat(app.next().sequenceNumber()).isEqualTo(2);
        assertThatThrownBy(() -> testing.changeTime(Duration.ofMillis(-1), 1))
                .hasMessage("Expected a time of 0 or more, but got -1 ms.");
        assertThatThrownBy(() -> testing.changeTime(Duration.ZERO, Double.NaN))
                .hasMessage("Expected a speed of 0 to 1000 times, but got NaN.");
    }

    @Test
    @DisplayName("moves the time while clients keep it busy, and does not wait for them")
    void advanceUnderLoad() throws InterruptedException {
        Entity busy = queue("busy", q -> q);
        Entity orders = queue("orders", q -> q);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            while (!ended.get()) {
                send(busy, "m", "n");
            }
        });
        Listening app = Listening.to(orders, 1);
        send(orders, "a");
        MessageView locked = app.next();
        for (int i = 0; i < 5; i++) {
            get(testing.changeTime(Duration.ofMinutes(10), 1_000));
        }
        assertThat(refused(orders, complete(locked))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        ended.set(true);
        get(load);
    }

    @Test
    @DisplayName("resets a namespace over all its stores and keeps other namespaces and receivers")
    void reset() throws InterruptedException {
        Entity plain = queue("plain", q -> q);
        Entity partitioned = queue("partitioned", q -> q.enablePartitioning(true));
        Entity ids = queue("ids", q -> q.requiresDuplicateDetection(true));
        Entity other = get(broker.namespaces()
                .get(1)
                .createQueue(QueueDescription.named("plain").build()));
        for (Entity entity : List.of(plain, partitioned, ids, other)) {
            send(entity, "1", "2", "3");
        }
        Listening app = Listening.to(plain, 1);
        MessageView locked = app.next();

        assertThat(get(testing.reset(namespace()))).isEqualTo(9);

        assertThat(List.of(active(plain), active(partitioned), active(ids), active(other)))
                .containsExactly(0L, 0L, 0L, 3L);
        assertThat(refused(plain, complete(locked))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        send(ids, "1");
        assertThat(active(ids)).isEqualTo(1);
        app.receiver.setCredit(2, false);
        send(plain, "after");
        assertThat(app.next().sequenceNumber()).isGreaterThan(3);
    }

    @Test
    @DisplayName("delivers the next message twice, and only that one")
    void duplicate() throws InterruptedException {
        Entity queue = queue("q", q -> q);
        get(testing.duplicateNextDelivery(queue));
        Listening app = Listening.to(queue, 10);
        send(queue, "a", "b");

        MessageView once = app.next();
        MessageView b = app.next();
        MessageView twice = app.next();

        assertThat(twice.sequenceNumber()).isEqualTo(once.sequenceNumber());
        assertThat(twice.deliveryCount()).isEqualTo(1);
        assertThat(refused(queue, complete(once))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        run(queue, complete(twice));
        run(queue, complete(b));
        assertThat(active(queue)).isZero();
    }

    @Test
    @DisplayName("loses all locks of an entity at once")
    void loseLocks() throws InterruptedException {
        Entity queue = queue("q", q -> q.maxDeliveryCount(10));
        Listening app = Listening.to(queue, 3);
        send(queue, "a", "b", "c");
        List<MessageView> locked = List.of(app.next(), app.next(), app.next());

        get(testing.loseLocks(queue));

        for (MessageView message : locked) {
            assertThat(refused(queue, complete(message))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        }
    }

    @Test
    @DisplayName("throttles a namespace for some time, and no other one")
    void throttle() {
        Entity queue = queue("q", q -> q);
        Entity other = get(broker.namespaces()
                .get(1)
                .createQueue(QueueDescription.named("q").build()));
        testing.throttle(namespace(), Duration.ofHours(1));
        assertThat(refused(queue, new Command.SendMessages(List.of(message("a")))))
                .isEqualTo(ErrorCode.THROTTLED);
        send(other, "a");
        testing.throttle(namespace(), Duration.ZERO);
        send(queue, "a");
    }

    @Test
    @DisplayName("names what is on its way, and nothing if the namespace is idle")
    void pending() throws InterruptedException {
        Entity queue = queue("q", q -> q);
        send(queue, "a", "b");
        assertThat(idle()).isEmpty();

        Listening app = Listening.to(queue, 1);
        MessageView locked = app.next();
        assertThat(idle()).containsExactly("'q': 1 message is locked by receivers.");

        run(queue, complete(locked));
        assertThat(idle()).isEmpty();
    }

    private List<String> idle() {
        List<String> last = get(testing.pending(namespace()));
        return last.contains("The broker is working.") ? get(testing.pending(namespace())) : last;
    }

    @Test
    @DisplayName("has the history of each message, by its id")
    void history() throws InterruptedException {
        Entity sink = queue("sink", q -> q);
        Entity queue = queue("q", q -> q.requiresDuplicateDetection(true));
        Entity passing = queue("passing", q -> q.forwardTo("sink"));
        Listening app = Listening.to(queue, 2);
        send(queue, "a", "b");
        MessageView a = app.next();
        MessageView b = app.next();
        send(queue, "a");
        run(queue, complete(a));
        run(
                queue,
                new Command.DeadLetterMessages(
                        List.of(Objects.requireNonNull(b.lockToken())), "Broken", "for a test", Map.of()));
        send(passing, "c");
        assertThat(active(sink)).isEqualTo(1);

        MessageHistory.Page page = testing.history().of("NS");

        assertThat(page.dropped()).isZero();
        assertThat(kinds(page, "q", "a"))
                .containsExactly(Kind.ENQUEUED, Kind.DELIVERED, Kind.DUPLICATE, Kind.COMPLETED);
        assertThat(kinds(page, "q", "b")).containsExactly(Kind.ENQUEUED, Kind.DELIVERED, Kind.DEAD_LETTERED);
        assertThat(page.events())
                .filteredOn(event -> event.kind() == Kind.DEAD_LETTERED)
                .extracting(MessageEvent::reason)
                .containsExactly("Broken");
        assertThat(kinds(page, "passing", "c")).containsExactly(Kind.FORWARDED);
        assertThat(kinds(page, "sink", "c")).containsExactly(Kind.ENQUEUED);
        assertThat(testing.history().of("other").events()).isEmpty();
    }

    private static List<Kind> kinds(MessageHistory.Page page, String entity, String id) {
        return page.events().stream()
                .filter(event -> event.entity().equals(entity) && id.equals(event.messageId()))
                .map(MessageEvent::kind)
                .toList();
    }

    @Test
    @DisplayName("drops the oldest events of the history and counts them")
    void historyIsBounded() {
        MessageHistory history = new MessageHistory();
        for (int i = 0; i < MessageHistory.EVENTS_MAX + 10; i++) {
            history.add(
                    "ns",
                    new MessageEvent(i, "q", Kind.ENQUEUED, i, UUID.randomUUID().toString(), null));
        }
        assertThat(history.of("ns").events()).hasSize(MessageHistory.EVENTS_MAX);
        assertThat(history.of("ns").dropped()).isEqualTo(10);
        history.drop("ns");
        assertThat(history.of("ns").events()).isEmpty();
    }
}
