package dev.jitney.cluster;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Three copies of a store and one log. The test decides in which term the log has an entry, and whether a proposal reaches it.
 */
final class TestNodes {
    /** An entry of the log. */
    record Logged(byte[] entry, long term) {}

    final List<Logged> log = new ArrayList<>();
    final List<InMemoryReplicaStore> stores = new ArrayList<>();
    private final List<StoreReplica> replicas = new ArrayList<>();

    TestNodes() {
        for (int i = 0; i < 3; i++) {
            stores.add(new InMemoryReplicaStore());
            replicas.add(new StoreReplica(stores.get(i)));
        }
    }

    /** Agrees on an entry, and applies it on all nodes. Returns the result, which is the same on all. */
    StoreReplica.Result agree(byte[] entry, long term) throws EntryException, StoreException {
        log.add(new Logged(entry, term));
        StoreReplica.Result first = replicas.get(0).apply(Entry.decode(entry), term, log.size());
        for (int i = 1; i < 3; i++) {
            StoreReplica.Result other = replicas.get(i).apply(Entry.decode(entry), term, log.size());
            if (other != first) {
                throw new AssertionError("Expected " + first + " on node " + i + ", but got " + other + ".");
            }
        }
        return first;
    }

    /** Restarts a node, and applies the whole log again. */
    void restart(int node) throws EntryException, StoreException {
        stores.set(node, stores.get(node).restarted());
        replicas.set(node, new StoreReplica(stores.get(node)));
        for (int i = 0; i < log.size(); i++) {
            replicas.get(node)
                    .apply(Entry.decode(log.get(i).entry()), log.get(i).term(), i + 1);
        }
    }

    /** The leader of a term, whose proposals the log may have in a later term or never. */
    class Leader implements Agreement {
        private final long term;
        /** The term in which the log has the next proposals; 0 loses them. */
        long logTerm;

        Leader(long term) {
            this.term = term;
            logTerm = term;
        }

        @Override
        public long term() {
            return term;
        }

        @Override
        public CompletionStage<StoreReplica.Result> append(List<byte[]> entries) {
            if (logTerm == 0) {
                return CompletableFuture.failedFuture(new TermEndedException("another node leads"));
            }
            try {
                StoreReplica.Result result = StoreReplica.Result.SKIPPED;
                for (byte[] entry : entries) {
                    result = agree(entry, logTerm);
                }
                return CompletableFuture.completedFuture(result);
            } catch (EntryException | StoreException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void awaitLease() throws TermEndedException {
            if (logTerm != term) {
                throw new TermEndedException("Another node leads.");
            }
        }

        @Override
        public boolean acceptsGrowth() {
            return true;
        }

        ReplicatedStore store() {
            return new ReplicatedStore(0, stores.get(0), this, () -> 1_000 * term);
        }
    }

    /** Returns a batch with one row. */
    static RowBatch row(String key, String value) {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
        return batch;
    }

    /** Returns the value of a row on a node, "-" if there is none. */
    String value(int node, String key) throws StoreException {
        byte[] value = stores.get(node).get(Table.META, key.getBytes(StandardCharsets.UTF_8));
        return value == null ? "-" : new String(value, StandardCharsets.UTF_8);
    }
}
