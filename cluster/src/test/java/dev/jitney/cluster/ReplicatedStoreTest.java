package dev.jitney.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A replicated store")
class ReplicatedStoreTest {
    private final TestNodes nodes = new TestNodes();

    @Test
    @DisplayName("has a commit on every node when it returns (CL-1, CL-5)")
    void commits() throws StoreException {
        ReplicatedStore store = nodes.new Leader(1).store();
        store.commit(TestNodes.row("a", "1"));
        store.commit(TestNodes.row("a", "2"));
        for (int node = 0; node < 3; node++) {
            assertThat(nodes.value(node, "a")).isEqualTo("2");
        }
        assertThat(nodes.stores.get(2).position()).isEqualTo(new ReplicaPosition(1, 2, 2, 1_000));
    }

    @Test
    @DisplayName("commits a batch larger than an entry as a whole (CL-7)")
    void commitsLargeBatches() throws StoreException {
        ReplicatedStore store = nodes.new Leader(1).store();
        RowBatch batch = TestNodes.row("a", "1");
        batch.put(Table.META, new byte[] {1}, new byte[5 << 20]);
        store.commit(batch);
        assertThat(nodes.log).hasSize(3);
        assertThat(nodes.value(1, "a")).isEqualTo("1");
        assertThat(nodes.stores.get(1).position()).isEqualTo(new ReplicaPosition(1, 3, 1, 1_000));
    }

    @Test
    @DisplayName("fails a commit that the log has in a later term, and no node applies it (CL-2, CL-3)")
    void skipsOtherTerms() throws StoreException {
        TestNodes.Leader leader = nodes.new Leader(1);
        ReplicatedStore store = leader.store();
        store.commit(TestNodes.row("a", "1"));
        leader.logTerm = 2;
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.commit(TestNodes.row("a", "2")))
                .withMessageContaining("does not lead any more")
                .withMessageContaining("decided in an earlier term");
        for (int node = 0; node < 3; node++) {
            assertThat(nodes.value(node, "a")).isEqualTo("1");
        }
    }

    @Test
    @DisplayName("skips every batch after one that was lost, because its number is not the next one (CL-3)")
    void skipsAfterGaps() throws StoreException, EntryException {
        nodes.new Leader(1).store().commit(TestNodes.row("a", "1"));
        List<byte[]> third = Entry.encode(TestNodes.row("a", "3"), 0, 1, 3, 1);
        assertThat(nodes.agree(third.get(0), 1)).isEqualTo(StoreReplica.Result.SKIPPED);
        List<byte[]> again = Entry.encode(TestNodes.row("a", "again"), 0, 1, 1, 1);
        assertThat(nodes.agree(again.get(0), 1)).isEqualTo(StoreReplica.Result.SKIPPED);
        assertThat(nodes.value(1, "a")).isEqualTo("1");
    }

    @Test
    @DisplayName("begins its numbers again in every term (CL-3)")
    void numbersBeginAgain() throws StoreException {
        nodes.new Leader(1).store().commit(TestNodes.row("a", "1"));
        nodes.new Leader(4).store().commit(TestNodes.row("a", "4"));
        assertThat(nodes.value(2, "a")).isEqualTo("4");
        assertThat(nodes.stores.get(2).position()).isEqualTo(new ReplicaPosition(4, 2, 1, 4_000));
    }

    @Test
    @DisplayName("drops the parts of a batch whose last part did not come in its term (CL-7)")
    void dropsPartsOfEarlierTerms() throws StoreException, EntryException {
        RowBatch large = TestNodes.row("large", "1");
        large.put(Table.META, new byte[] {1}, new byte[3 << 20]);
        List<byte[]> parts = Entry.encode(large, 0, 1, 1, 1);
        assertThat(nodes.agree(parts.get(0), 1)).isEqualTo(StoreReplica.Result.PART);
        nodes.new Leader(2).store().commit(TestNodes.row("a", "2"));
        assertThat(nodes.agree(parts.get(1), 2)).isEqualTo(StoreReplica.Result.SKIPPED);
        assertThat(nodes.value(0, "large")).isEqualTo("-");
        assertThat(nodes.value(0, "a")).isEqualTo("2");
    }

    @Test
    @DisplayName("applies every entry exactly once over restarts, wherever the last flush was (CL-4)")
    void exactlyOnce() throws StoreException, EntryException {
        ReplicatedStore store = nodes.new Leader(1).store();
        for (int i = 0; i < 6; i++) {
            RowBatch batch = TestNodes.row("n", "" + i);
            batch.put(Table.META, new byte[] {2}, new byte[i == 3 ? 3 << 20 : 1]);
            store.commit(batch);
            if (i % 2 == 1) {
                nodes.stores.get(1).flush();
            }
        }
        int batches = nodes.stores.get(0).batches().size();
        for (int node : new int[] {1, 2, 1}) { // node 1 has flushed in the middle of the term, node 2 never
            nodes.restart(node);
            assertThat(nodes.stores.get(node).batches()).hasSize(batches);
            assertThat(nodes.stores.get(node).position())
                    .isEqualTo(nodes.stores.get(0).position());
            assertThat(nodes.value(node, "n")).isEqualTo("5");
        }
    }

    @Test
    @DisplayName("refuses everything for good after a commit with an unknown outcome (CL-2, CL-11)")
    void endsWithItsTerm() throws StoreException {
        TestNodes.Leader leader = nodes.new Leader(1);
        ReplicatedStore store = leader.store();
        leader.logTerm = 0;
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.commit(TestNodes.row("a", "1")))
                .withMessageContaining("is unknown");
        leader.logTerm = 1;
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.commit(TestNodes.row("a", "2")));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.get(Table.META, new byte[] {1}));
        assertThatExceptionOfType(StoreException.class).isThrownBy(store::check);
        assertThatExceptionOfType(StoreException.class).isThrownBy(store::reopen);
        assertThat(store.acceptsGrowth()).isFalse();
        assertThat(nodes.log).isEmpty();
    }

    @Test
    @DisplayName("works again after an administrator has stopped and started it, until its term ends (CL-34)")
    void stopsAndStarts() throws StoreException {
        ReplicatedStore store = nodes.new Leader(1).store();
        store.commit(TestNodes.row("a", "1"));
        store.suspend();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.commit(TestNodes.row("a", "2")))
                .withMessageContaining("stopped by an administrator");
        assertThatExceptionOfType(StoreException.class).isThrownBy(store::confirm);
        assertThat(store.acceptsGrowth()).isFalse();
        store.reopen();
        store.commit(TestNodes.row("a", "3"));
        assertThat(nodes.value(2, "a")).isEqualTo("3");
        assertThat(nodes.stores.get(2).position().number()).isEqualTo(2);
        store.suspend();
        store.endTerm("Another node leads.");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(store::reopen)
                .withMessageContaining("Another node leads");
    }

    @Test
    @DisplayName("never lets the time of its position decrease, whatever a leader's clock says (CL-13)")
    void timeRises() throws StoreException {
        nodes.new Leader(5).store().commit(TestNodes.row("a", "1"));
        new ReplicatedStore(0, nodes.stores.get(0), nodes.new Leader(6), () -> 10).commit(TestNodes.row("a", "2"));
        assertThat(nodes.stores.get(1).position()).isEqualTo(new ReplicaPosition(6, 2, 1, 5_000));
    }

    @Test
    @DisplayName("confirms that outputs may leave while its node holds the lease, and ends when it does not (CL-9)")
    void confirmsTheLease() throws StoreException {
        TestNodes.Leader leader = nodes.new Leader(1);
        ReplicatedStore store = leader.store();
        store.confirm();
        leader.logTerm = 2;
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(store::confirm)
                .withMessageContaining("Another node leads");
        leader.logTerm = 1;
        assertThatExceptionOfType(StoreException.class).isThrownBy(store::check);
    }

    @Test
    @DisplayName("fails a commit in progress when its term ends, although no answer ever comes (CL-2, CL-12)")
    void endsDuringACommit() throws Exception {
        CompletableFuture<StoreReplica.Result> never = new CompletableFuture<>();
        CountDownLatch waits = new CountDownLatch(1);
        TestNodes.Leader silent = nodes.new Leader(1) {
            @Override
            public CompletionStage<StoreReplica.Result> append(List<byte[]> entries) {
                waits.countDown();
                return never;
            }
        };
        ReplicatedStore store = silent.store();
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> {
            try {
                store.commit(TestNodes.row("a", "1"));
            } catch (StoreException e) {
                throw new CompletionException(e);
            }
        });
        waits.await();
        store.endTerm("The node has lost its majority.");
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> commit.get(60, TimeUnit.SECONDS))
                .withMessageContaining("is unknown")
                .withMessageContaining("lost its majority");
    }
}
