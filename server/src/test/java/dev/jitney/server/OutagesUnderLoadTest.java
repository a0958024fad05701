package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PART-55, T-4: a store stops and starts again and again under load")
class OutagesUnderLoadTest {
    /** Few by default; a long run is {@code -Djitney.outages=500}. */
    private static final int OUTAGES = Integer.getInteger("jitney.outages", 6);

    private static final long OUTAGE_MS = 30;
    private static final long SERVICE_MS = 120;
    private static final long PATIENCE_S = 90;

    @TempDir
    Path dir;

    private final ScheduledExecutorService edge = Executors.newSingleThreadScheduledExecutor();
    private final AtomicBoolean over = new AtomicBoolean();
    private JitneyServer server;

    @BeforeEach
    void open() throws Exception {
        server = JitneyServer.builder()
                .dataDir(dir)
                .stores(2)
                .amqpPort(0)
                .httpPort(0)
                .build()
                .start();
    }

    @AfterEach
    void close() {
        over.set(true);
        edge.shutdownNow();
        server.close();
    }

    /** Sends to one queue as fast as a bounded number of unanswered sends lets it, and knows what was answered. */
    private final class Sending implements Runnable {
        private static final int UNANSWERED_MAX = 8;
        private final Entity to;
        private final Semaphore unanswered = new Semaphore(UNANSWERED_MAX);
        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        private final AtomicInteger refused = new AtomicInteger();
        private final Thread thread = new Thread(this);

        private final long pauseNanos;

        /** @param pauseNanos between two messages: what is handed on must not pile up behind the outages */
        Sending(Entity to, long pauseNanos) {
            this.to = to;
            this.pauseNanos = pauseNanos;
            thread.start();
        }

        @Override
        public void run() {
            for (int i = 0; !over.get(); i++) {
                String text = to.path() + "-" + i;
                unanswered.acquireUninterruptibly();
                if (pauseNanos > 0) {
                    LockSupport.parkNanos(pauseNanos);
                }
                to.submit(new Command.SendMessages(List.of(message(text))), Runnable::run, new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        acknowledged.add(text);
                        unanswered.release();
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        assertThat(rejection.code().retryable())
                                .as(rejection.toString())
                                .isTrue();
                        refused.incrementAndGet();
                        edge.schedule(() -> unanswered.release(), 2, TimeUnit.MILLISECONDS);
                    }
                });
            }
        }

        void finish() throws InterruptedException {
            thread.join();
            assertThat(unanswered.tryAcquire(UNANSWERED_MAX, PATIENCE_S, TimeUnit.SECONDS))
                    .as("every send of %s is answered", to.path())
                    .isTrue();
        }
    }

    /** Completes what comes, and attaches again whenever the store was away. */
    private final class Receiving implements ReceiverListener {
        private final Entity from;
        private final List<String> completed = new ArrayList<>(); // for the edge only
        private final AtomicInteger attachments = new AtomicInteger();
        private long wanted;
        private Receiver receiver;

        Receiving(Entity from) {
            this.from = from;
            edge.execute(this::attach);
        }

        private void attach() {
            wanted = 100;
            attachments.incrementAndGet();
            receiver = from.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, edge, this, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {}

                @Override
                public void onRejected(Rejection rejection) {
                    edge.schedule(Receiving.this::attach, 5, TimeUnit.MILLISECONDS);
                }
            });
            receiver.setCredit(wanted, false);
        }

        @Override
        public void onDelivered(MessageView message) {
            Command complete = new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken())));
            from.submit(complete, edge, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    completed.add(StandardCharsets.UTF_8
                            .decode(message.content().body())
                            .toString());
                }

                @Override
                public void onRejected(Rejection rejection) {
                    // It comes again, since its lock ended with the store.
                }
            });
            receiver.setCredit(++wanted, false);
        }

        @Override
        public void onDrained(long deliveryLimit) {}

        @Override
        public void onClosed(Rejection reason) {
            edge.schedule(this::attach, 5, TimeUnit.MILLISECONDS);
        }

        List<String> completed() throws Exception {
            return edge.submit(() -> List.copyOf(completed)).get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }

    private static IncomingMessage message(String text) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode(text));
        return IncomingMessage.of(content).build();
    }

    private Entity create(QueueDescription.Builder description) throws Exception {
        return get(server.broker().namespace(null).createQueue(description.build()));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** A queue of each store, and one of the first that hands everything on to another of the second. */
    private List<Entity> queues() throws Exception {
        Broker broker = server.broker();
        List<Entity> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(create(QueueDescription.named("q" + i)));
        }
        get(broker.stopStore(1));
        List<Entity> first = all.stream()
                .filter(queue -> queue.availability() == EntityAvailability.AVAILABLE)
                .toList();
        List<Entity> second =
                all.stream().filter(queue -> !first.contains(queue)).toList();
        get(broker.startStore(1));
        Entity relay = first.get(1);
        get(broker.namespace(null)
                .updateQueue(QueueDescription.named(relay.path())
                        .forwardTo(second.get(1).path())
                        .build()));
        return List.of(first.get(0), second.get(0), relay, second.get(1));
    }

    @Test
    @DisplayName("what was acknowledged is completed once, what was refused never existed, the other store goes on")
    void nothingLostNothingDoubled() throws Exception {
        List<Entity> queues = queues();
        Broker broker = server.broker();
        Receiving fromUp = new Receiving(queues.get(0));
        Receiving fromDown = new Receiving(queues.get(1));
        Receiving fromRelayed = new Receiving(queues.get(3));
        Sending toUp = new Sending(queues.get(0), 0);
        Sending toDown = new Sending(queues.get(1), 0);
        Sending toRelay = new Sending(queues.get(2), 1_000_000);
        for (int i = 0; i < OUTAGES; i++) {
            pause(SERVICE_MS);
            get(broker.stopStore(1));
            pause(OUTAGE_MS);
            get(broker.startStore(1));
            assertThat(broker.trouble()).isNull();
        }
        over.set(true);
        toUp.finish();
        toDown.finish();
        toRelay.finish();
        assertSame(toUp, fromUp);
        assertSame(toDown, fromDown);
        assertSame(toRelay, fromRelayed);
        assertThat(toUp.refused.get())
                .as("refusals of the store that never stopped")
                .isZero();
        assertThat(toRelay.refused.get())
                .as("refusals of the queue that hands on")
                .isZero();
        assertThat(toDown.refused.get())
                .as("refusals of the store that stopped")
                .isPositive();
        assertThat(fromUp.attachments.get()).isEqualTo(1);
        assertThat(fromDown.attachments.get()).isGreaterThan(OUTAGES);
        assertThat(toDown.acknowledged).hasSizeGreaterThan(20);
    }

    private static void assertSame(Sending sent, Receiving received) throws Exception {
        await(() -> {
            try {
                return received.completed().size() >= sent.acknowledged.size();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        List<String> completed = received.completed();
        Set<String> once = new HashSet<>(completed);
        assertThat(completed).as("no duplicates from %s", sent.to.path()).hasSize(once.size());
        assertThat(once.equals(sent.acknowledged))
                .as("%d messages of %s, %d of them received", sent.acknowledged.size(), sent.to.path(), once.size())
                .isTrue();
        // What was handed on is counted until its source knows that it has arrived.
        await(() -> sent.to.counts().total() == 0);
        assertThat(sent.to.counts().total()).isZero();
    }

    private static void pause(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        await(() -> System.nanoTime() >= end);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}
