package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The kind of a store")
class StoreKindTest {
    private static final RocksDbOptions OPTIONS = RocksDbReplicaTest.SMALL;
    private static final long TIME_MS = 1_234_567;

    @TempDir
    Path temporary;

    @Test
    @DisplayName(
            "changes from a single node's to a member's with all rows, at the position before the first entry (CL-54)")
    void becomesAReplica() throws Exception {
        Path directory = single("one", "two");

        StoreKind.toReplica(directory, OPTIONS, TIME_MS);

        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, OPTIONS)) {
            assertThat(replica.position()).isEqualTo(new ReplicaPosition(0, 0, 0, TIME_MS));
            assertThat(value(replica.get(Table.META, key("one")))).isEqualTo("one");
            assertThat(value(replica.get(Table.META, key("two")))).isEqualTo("two");
            assertThat(replica.flushedIndex()).isZero();
        }
    }

    @Test
    @DisplayName("changes with the rows that are only in the log of a node that was killed (CL-54)")
    void takesTheLogOver() throws Exception {
        Path killed = temporary.resolve("killed");
        try (RocksDbMessagingStore store = RocksDbMessagingStore.open(temporary.resolve("store"), OPTIONS)) {
            store.commit(row("acknowledged"));
            StoreFiles.copy(store.directory(), killed);
        }

        StoreKind.toReplica(killed, OPTIONS, TIME_MS);

        try (RocksDbReplica replica = RocksDbReplica.openExisting(killed, OPTIONS)) {
            assertThat(value(replica.get(Table.META, key("acknowledged")))).isEqualTo("acknowledged");
        }
    }

    @Test
    @DisplayName("changes once: a repeated change keeps the position of a member (CL-54)")
    void changesOnce() throws Exception {
        Path directory = single("one");
        StoreKind.toReplica(directory, OPTIONS, TIME_MS);
        apply(directory, "agreed", new ReplicaPosition(1, 7, 1, TIME_MS + 5));

        StoreKind.toReplica(directory, OPTIONS, TIME_MS + 100);

        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, OPTIONS)) {
            assertThat(replica.position()).isEqualTo(new ReplicaPosition(1, 7, 1, TIME_MS + 5));
        }
    }

    @Test
    @DisplayName("changes back to a single node's with the rows of both times, and again is no change (CL-54)")
    void becomesASingleNodesAgain() throws Exception {
        Path directory = single("before");
        StoreKind.toReplica(directory, OPTIONS, TIME_MS);
        apply(directory, "agreed", new ReplicaPosition(1, 7, 1, TIME_MS));

        StoreKind.toSingleNode(directory, OPTIONS);
        StoreKind.toSingleNode(directory, OPTIONS);

        try (RocksDbMessagingStore store = RocksDbMessagingStore.openExisting(directory, OPTIONS)) {
            assertThat(value(store.get(Table.META, key("before")))).isEqualTo("before");
            assertThat(value(store.get(Table.META, key("agreed")))).isEqualTo("agreed");
            store.commit(row("after"));
        }
        try (RocksDbMessagingStore store = RocksDbMessagingStore.openExisting(directory, OPTIONS)) {
            assertThat(value(store.get(Table.META, key("after")))).isEqualTo("after");
        }
    }

    @Test
    @DisplayName("begins again before the first entry of another cluster, and time does not run back (CL-56, CL-13)")
    void beginsAgain() throws Exception {
        Path directory = single("before");
        StoreKind.toReplica(directory, OPTIONS, TIME_MS);
        apply(directory, "agreed", new ReplicaPosition(4, 90, 3, TIME_MS + 50));

        StoreKind.restart(directory, OPTIONS, TIME_MS + 10);

        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, OPTIONS)) {
            assertThat(replica.position()).isEqualTo(new ReplicaPosition(0, 0, 0, TIME_MS + 50));
            assertThat(value(replica.get(Table.META, key("agreed")))).isEqualTo("agreed");
        }
    }

    @Test
    @DisplayName("of a single node is not taken for a member's that begins again (CL-56)")
    void refusesAnotherKind() throws Exception {
        Path directory = single("before");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> StoreKind.restart(directory, OPTIONS, TIME_MS))
                .withMessageContaining("it is the messaging store of a single node");

        RocksDbMessagingStore.openExisting(directory, OPTIONS).close();
    }

    private Path single(String... keys) throws StoreException {
        try (RocksDbMessagingStore store = RocksDbMessagingStore.open(temporary.resolve("store"), OPTIONS)) {
            for (String key : keys) {
                store.commit(row(key));
            }
            return store.directory();
        }
    }

    private static void apply(Path directory, String key, ReplicaPosition position) throws StoreException {
        byte[] batch = row(key).encoded();
        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, OPTIONS)) {
            replica.apply(batch, batch.length, position);
        }
    }

    private static RowBatch row(String key) {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, key(key), key(key));
        return batch;
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String value(byte @Nullable [] row) {
        return row == null ? null : new String(row, StandardCharsets.UTF_8);
    }
}
