package dev.jitney.runtime.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A moment at which no shard commits")
class SharedMomentTest {
    private static final int SHARDS = 3;
    private static final int QUEUES = 24;

    private final AtomicInteger committing = new AtomicInteger();
    private final AtomicInteger commits = new AtomicInteger();
    private final List<SlowStore> stores = new ArrayList<>();
    private Broker broker;

    /** A store whose commits take some time, and may be stopped. */
    private final class SlowStore implements MessagingStore {
        private final InMemoryMessagingStore store = new InMemoryMessagingStore();
        private volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public void commit(RowBatch batch) throws StoreException {
            committing.incrementAndGet();
            try {
                gate.await();
                LockSupport.parkNanos(200_000);
                store.commit(batch);
                commits.incrementAndGet();
            } catch (InterruptedException e) {
                throw new StoreException(StoreException.Reason.IO, "interrupted", e);
            } finally {
                committing.decrementAndGet();
            }
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
            return store.get(table, key);
        }

        @Override
        public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
            return store.scan(table, from, to);
        }

        @Override
        public boolean acceptsGrowth() {
            return store.acceptsGrowth();
        }

        @Override
        public void check() throws StoreException {
            store.check();
        }

        @Override
        public void suspend() {
            store.suspend();
        }

        @Override
        public void reopen() throws StoreException {
            store.reopen();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @BeforeEach
    void open() throws StoreException {
        for (int i = 0; i < SHARDS; i++) {
            stores.add(new SlowStore());
        }
        broker = ShardedBroker.open(BrokerFixture.options("ns"), List.<MessagingStore>copyOf(stores), Clock.system());
    }

    @AfterEach
    void close() {
        stores.forEach(store -> store.gate.countDown());
        broker.close();
    }

    private CompletableFuture<?> create(String queue) {
        return broker.namespaces()
                .get(0)
                .createQueue(QueueDescription.named(queue).build())
                .toCompletableFuture();
    }

    @Test
    @DisplayName("No commit is in progress and none completes during the action, while clients are busy")
    void nothingCommits() throws Exception {
        List<CompletableFuture<?>> work = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < QUEUES; i++) {
                work.add(create("q-" + round + "-" + i));
            }
            AtomicInteger during = new AtomicInteger();
            AtomicInteger before = new AtomicInteger();
            AtomicInteger after = new AtomicInteger();
            long paused = broker.atOneMoment(() -> {
                before.set(commits.get());
                during.set(committing.get());
                LockSupport.parkNanos(1_000_000);
                after.set(commits.get());
                during.addAndGet(committing.get());
            });
            assertThat(during).hasValue(0);
            assertThat(after).hasValue(before.get());
            assertThat(paused).isPositive();
        }
        CompletableFuture.allOf(work.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("Idle shards arrive at once, and continue afterwards")
    void idle() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            broker.atOneMoment(ran::incrementAndGet);
        }
        assertThat(ran).hasValue(10);
        create("later").get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("A shard that is late holds up the others for a bounded time, and the moment comes after it")
    void late() throws Exception {
        SlowStore slow = stores.get(0);
        slow.gate = new CountDownLatch(1);
        List<CompletableFuture<?>> work = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            work.add(create("q-" + i));
        }
        CompletableFuture<Long> moment = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                moment.complete(broker.atOneMoment(() -> {}));
            } catch (InterruptedException | RuntimeException e) {
                moment.completeExceptionally(e);
            }
        });
        waiting.start();
        // The queues of the other shards are created although the moment cannot come.
        List<CompletableFuture<?>> meanwhile = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            meanwhile.add(create("meanwhile-" + i));
        }
        work.addAll(meanwhile);
        CompletableFuture.anyOf(meanwhile.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
        assertThat(moment).isNotDone();
        slow.gate.countDown();
        assertThat(moment.get(30, TimeUnit.SECONDS)).isLessThan(TimeUnit.MILLISECONDS.toNanos(1_000));
        CompletableFuture.allOf(work.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
        waiting.join();
    }

    @Test
    @DisplayName("A store that does not work is named")
    void stopped() throws Exception {
        broker.stopStore(1).toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> broker.atOneMoment(() -> {}))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("Messaging store 1 was stopped");
    }
}
