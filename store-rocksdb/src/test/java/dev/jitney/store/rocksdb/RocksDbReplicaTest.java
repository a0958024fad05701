package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.ReplicaBatches;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.ReplicaStoreContract;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

@DisplayName("A replica on RocksDB")
class RocksDbReplicaTest extends ReplicaStoreContract {
    static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);

    /** Looks at the disk and the directory for every batch. */
    private static final RocksDbOptions CHECKING_ALWAYS = new RocksDbOptions(1 << 20, 3, 8 << 20, 2, 0, 0);

    private int kills;

    @Override
    protected ReplicaStore openEmpty(Path directory) throws StoreException {
        return RocksDbReplica.open(directory, SMALL);
    }

    @Override
    protected ReplicaStore closeAndOpen(ReplicaStore store) throws StoreException {
        store.close();
        return RocksDbReplica.openExisting(((RocksDbReplica) store).directory(), SMALL);
    }

    @Override
    protected ReplicaStore killAndOpen(ReplicaStore store) throws Exception {
        Path killed = temporary.resolve("killed-" + kills++);
        StoreFiles.copy(((RocksDbReplica) store).directory(), killed);
        store.close();
        return RocksDbReplica.openExisting(killed, SMALL);
    }

    @Override
    protected void damage(Path checkpoint) throws IOException {
        try (Stream<Path> files = Files.list(checkpoint)) {
            Files.delete(files.filter(file -> file.toString().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    @DisplayName("flushes by itself, before more batches are behind the table files than the limit (ADR 18)")
    void boundsBatchesBehindTheTableFiles() throws Exception {
        ReplicaBatches log = new ReplicaBatches(1, 8_000);
        long bytesMax = Sizing.of(SMALL, Long.MAX_VALUE).logTotalBytes();
        for (int i = 0; i < 2_000; i++) {
            log.add();
            log.applyTo(store(), log.size());
            assertThat(log.bytesAfter(store().flushedIndex())).isLessThan(bytesMax + bytesMax / 16);
        }
        assertThat(log.bytesAfter(0)).isGreaterThan(2 * bytesMax);
        assertThat(ReplicaBatches.rowsOf(store())).isEqualTo(log.rowsAt(store().position()));
    }

    @Test
    @DisplayName("refuses the store of a single node, open, killed or closed cleanly, and leaves it as it was")
    void refusesSingleNodes() throws Exception {
        Path single = temporary.resolve("single");
        Path killed = temporary.resolve("single-killed");
        try (RocksDbMessagingStore store = RocksDbMessagingStore.open(single, SMALL);
                RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, new byte[] {1}, new byte[] {2});
            store.commit(batch);
            StoreFiles.copy(single, killed);
        }
        for (Path refused : List.of(single, killed)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> RocksDbReplica.open(refused, SMALL))
                    .withMessageContaining(refused.toString())
                    .withMessageContaining("single node")
                    .withMessageContaining("empty data directory")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT));
            try (RocksDbMessagingStore store = RocksDbMessagingStore.openExisting(refused, SMALL)) {
                assertThat(store.get(Table.MESSAGES, new byte[] {1})).containsExactly(2);
            }
        }
    }

    @Test
    @DisplayName("is refused by a single node, which leaves it as it was")
    void isRefusedBySingleNodes() throws Exception {
        ReplicaBatches log = new ReplicaBatches(2, 100);
        log.add();
        log.applyTo(store(), 1);
        store().close();
        Path directory = ((RocksDbReplica) store()).directory();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> RocksDbMessagingStore.open(directory, SMALL))
                .withMessageContaining("single node in " + directory)
                .withMessageContaining("member of its cluster");
        assertThat(directory.resolve("log")).doesNotExist();
        try (ReplicaStore store = RocksDbReplica.openExisting(directory, SMALL)) {
            assertThat(store.position()).isEqualTo(log.position(0));
            assertThat(ReplicaBatches.rowsOf(store)).isEqualTo(log.rowsAt(log.position(0)));
        }
    }

    @Test
    @DisplayName(
            "has the rows of a batch in the same tables as other nodes, if its database has other numbers for them (CL-8)")
    void otherNumbersOfColumnFamilies() throws Exception {
        Path directory = temporary.resolve("renumbered");
        RocksDbReplica.open(directory, SMALL).close();
        renumber(directory.resolve("db"));
        ReplicaBatches log = new ReplicaBatches(4, 100);
        for (int i = 0; i < 200; i++) {
            log.add();
        }
        ReplicaPosition end = log.position(log.size() - 1);
        try (ReplicaStore renumbered = RocksDbReplica.openExisting(directory, SMALL)) {
            log.applyTo(renumbered, log.size());
            log.applyTo(store(), log.size());
            renumbered.flush();
            assertThat(ReplicaBatches.rowsOf(renumbered)).isEqualTo(log.rowsAt(end));
        }
        try (ReplicaStore renumbered = RocksDbReplica.openExisting(directory, SMALL)) {
            assertThat(ReplicaBatches.rowsOf(renumbered)).isEqualTo(ReplicaBatches.rowsOf(store()));
        }
    }

    /** Creates the tables of an empty database again, in the reverse order, so that the database gives them other numbers. */
    private static void renumber(Path database) throws Exception {
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try (Options listing = new Options();
                DBOptions options = new DBOptions();
                RocksDB db = RocksDB.open(
                        options,
                        database.toString(),
                        RocksDB.listColumnFamilies(listing, database.toString()).stream()
                                .map(ColumnFamilyDescriptor::new)
                                .toList(),
                        families)) {
            for (int i = families.size() - 1; i > 0; i--) {
                ColumnFamilyHandle family = families.get(i);
                byte[] name = family.getName();
                db.dropColumnFamily(family);
                try (ColumnFamilyHandle created = db.createColumnFamily(new ColumnFamilyDescriptor(name))) {
                    assertThat(created.getID()).isNotEqualTo(family.getID());
                }
            }
            families.forEach(ColumnFamilyHandle::close);
        }
    }

    @Test
    @DisplayName("is not created where one must exist")
    void isNotCreated() {
        Path missing = temporary.resolve("missing");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> RocksDbReplica.openExisting(missing, SMALL))
                .withMessageContaining("there is none");
        assertThat(missing).doesNotExist();
    }

    @Test
    @DisplayName("has one owner at a time")
    void hasOneOwner() {
        Path directory = ((RocksDbReplica) store()).directory();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> RocksDbReplica.open(directory, SMALL))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.IN_USE));
    }

    @Test
    @DisplayName("refuses everything once its directory is gone, until it is back (CL-42)")
    void noticesAMissingDirectory() throws Exception {
        ReplicaBatches log = new ReplicaBatches(3, 100);
        for (int i = 0; i < 10; i++) {
            log.add();
        }
        Path directory = temporary.resolve("moving");
        Path away = temporary.resolve("away");
        try (ReplicaStore store = RocksDbReplica.open(directory, CHECKING_ALWAYS)) {
            log.applyTo(store, 5);
            store.flush();
            Files.move(directory, away);
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> log.applyTo(store, 10));
            assertThatExceptionOfType(StoreException.class).isThrownBy(store::check);
            assertThatExceptionOfType(StoreException.class).isThrownBy(store::reopen);
            assertThat(directory).doesNotExist();
            Files.move(away, directory);
            store.reopen();
            assertThat(store.position()).isEqualTo(log.position(4));
            log.applyTo(store, 10);
            assertThat(ReplicaBatches.rowsOf(store)).isEqualTo(log.rowsAt(log.position(9)));
        }
    }

    @Test
    @DisplayName("keeps its checkpoints from other users")
    void checkpointsAreForTheOwner() throws Exception {
        ReplicaPosition next = new ReplicaPosition(1, 1, 1, 0);
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, new byte[] {1}, new byte[1000]);
            store().apply(batch.encoded(), next);
        }
        Path checkpoint = temporary.resolve("checkpoint");
        store().checkpoint(checkpoint);
        try (Stream<Path> files = Files.walk(checkpoint)) {
            assertThat(files).noneMatch(OwnerOnly::isOpenToOthers);
        }
    }
}
