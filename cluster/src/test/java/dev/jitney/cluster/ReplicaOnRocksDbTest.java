package dev.jitney.cluster;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.MessagingStoreContract;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** A replicated store over a replica on RocksDB is a messaging store like any other. */
@DisplayName("A replicated store on RocksDB")
class ReplicaOnRocksDbTest extends MessagingStoreContract {
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);

    /** The entries of the log, which outlives the nodes. */
    private final List<byte[]> entries = new ArrayList<>();

    private final List<Long> terms = new ArrayList<>();

    @TempDir
    Path temporary;

    @Override
    protected MessagingStore openEmpty() throws StoreException {
        return new OneNode(RocksDbReplica.open(temporary.resolve("replica"), SMALL));
    }

    @Override
    protected MessagingStore closeAndOpen(MessagingStore store) throws StoreException {
        store.close();
        return new OneNode(RocksDbReplica.openExisting(temporary.resolve("replica"), SMALL));
    }

    /** A cluster of one node, which agrees on everything at once. A new term begins whenever the store is opened again. */
    private final class OneNode implements MessagingStore {
        private final RocksDbReplica replica;
        private volatile ReplicatedStore store;

        OneNode(RocksDbReplica replica) throws StoreException {
            this.replica = replica;
            store = lead();
        }

        /** Applies what the replica does not have, and leads the next term. */
        private ReplicatedStore lead() throws StoreException {
            StoreReplica rules = new StoreReplica(replica);
            for (int i = 0; i < entries.size(); i++) {
                agree(rules, i);
            }
            long term = terms.isEmpty() ? 1 : terms.get(terms.size() - 1) + 1;
            return new ReplicatedStore(0, replica, new Alone(rules, term), () -> 1);
        }

        private StoreReplica.Result agree(StoreReplica rules, int entry) throws StoreException {
            try {
                return rules.apply(Entry.decode(entries.get(entry)), terms.get(entry), entry + 1L);
            } catch (EntryException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void commit(RowBatch batch) throws StoreException {
            store.commit(batch);
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
            store.endTerm("The test opens it again.");
            replica.reopen();
            store = lead();
        }

        @Override
        public void close() {
            store.close();
            replica.close();
        }

        /** The agreement of a node with itself. */
        private final class Alone implements Agreement {
            private final StoreReplica rules;
            private final long term;

            Alone(StoreReplica rules, long term) {
                this.rules = rules;
                this.term = term;
            }

            @Override
            public long term() {
                return term;
            }

            @Override
            public CompletionStage<StoreReplica.Result> append(List<byte[]> proposed) {
                StoreReplica.Result result = StoreReplica.Result.SKIPPED;
                try {
                    for (byte[] entry : proposed) {
                        entries.add(entry);
                        terms.add(term);
                        result = agree(rules, entries.size() - 1);
                    }
                } catch (StoreException e) {
                    return CompletableFuture.failedFuture(e);
                }
                return CompletableFuture.completedFuture(result);
            }

            @Override
            public void awaitLease() {}

            @Override
            public boolean acceptsGrowth() {
                return true;
            }
        }
    }
}
