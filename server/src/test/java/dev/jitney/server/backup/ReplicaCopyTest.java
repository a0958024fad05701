package dev.jitney.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.cluster.Agreement;
import dev.jitney.cluster.Entry;
import dev.jitney.cluster.EntryException;
import dev.jitney.cluster.ReplicatedStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.TermEndedException;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import dev.jitney.store.rocksdb.StoreBackup;
import dev.jitney.store.rocksdb.StoreRestore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The copy of a cluster's store (CL-54)")
class ReplicaCopyTest {
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final byte[] KEY = {0, 0, 0, 1};

    @TempDir
    Path temporary;

    private RocksDbReplica replica;
    private Alone agreement;
    private ReplicatedStore store;

    @BeforeEach
    void open() throws Exception {
        RocksDbLibrary.load(temporary.resolve("native"));
        replica = RocksDbReplica.open(temporary.resolve("replica"), SMALL);
        agreement = new Alone(new StoreReplica(replica));
        store = new ReplicatedStore(0, replica, agreement, () -> 1);
        RowBatch batch = new RowBatch();
        batch.put(Table.MESSAGES, KEY, new byte[] {7});
        store.commit(batch);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private Path work() {
        return temporary.resolve("work");
    }

    @Test
    @DisplayName("An idle leader, whose lease has ended, makes a copy after a majority has confirmed its term")
    void anIdleLeaderMakesACopy() throws Exception {
        try (ReplicaCopy copy = new ReplicaCopy(store, replica, work())) {
            copy.cut();
            assertThat(agreement.confirmations).isZero();
            copy.finish();
            assertThat(agreement.confirmations).isOne();
            StoreRestore.restore(work(), SMALL, copy.log(), copy.lastCommit());
        }
        try (RocksDbMessagingStore restored = RocksDbMessagingStore.openExisting(work(), SMALL)) {
            assertThat(restored.get(Table.MESSAGES, KEY)).containsExactly(7);
        }
    }

    @Test
    @DisplayName("A copy fails if the term is not confirmed after its moment, also if it was confirmed before")
    void aCopyOfADeposedLeaderFails() throws Exception {
        try (ReplicaCopy copy = new ReplicaCopy(store, replica, work())) {
            store.confirm();
            copy.cut();
            agreement.deposed = true;
            assertThatThrownBy(copy::finish)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Expected this node to lead")
                    .hasMessageContaining("Another node leads");
            assertThat(work().resolve(StoreBackup.COMMITS)).doesNotExist();
        }
    }

    /** The agreement of a node with itself. It never knows that it holds a lease, as after a while without commits. */
    private static final class Alone implements Agreement {
        private final StoreReplica rules;
        private long index;
        private int confirmations;
        private boolean deposed;

        Alone(StoreReplica rules) {
            this.rules = rules;
        }

        @Override
        public long term() {
            return 1;
        }

        @Override
        public CompletionStage<StoreReplica.Result> append(List<byte[]> entries) {
            try {
                StoreReplica.Result result = StoreReplica.Result.SKIPPED;
                for (byte[] entry : entries) {
                    result = rules.apply(Entry.decode(entry), 1, ++index);
                }
                return CompletableFuture.completedFuture(result);
            } catch (EntryException | StoreException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void awaitLease() throws TermEndedException {
            if (deposed) {
                throw new TermEndedException("Another node leads.");
            }
            confirmations++;
        }

        @Override
        public boolean acceptsGrowth() {
            return true;
        }
    }
}
