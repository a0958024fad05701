package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreBackupTest {
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final byte[] ALL_FROM = {};
    private static final byte[] ALL_TO = {-1};

    @TempDir
    Path temporary;

    private RocksDbMessagingStore store;
    private long number;

    @BeforeEach
    void open() throws Exception {
        store = RocksDbMessagingStore.open(temporary.resolve("store"), SMALL);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Path copy() {
        return temporary.resolve("copy");
    }

    @Test
    void aCopyHasExactlyTheCommitsBeforeTheCut() throws Exception {
        put(1_000, 100);
        deleteFirst(300);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(500, 100); // behind the checkpoint
            deleteFirst(200);
            TreeMap<ByteBuffer, ByteBuffer> atTheCut = rows(store);
            backup.cut();
            put(50, 100);
            deleteFirst(700);
            backup.finish();
            put(50, 100);

            StoreRestore.restore(copy(), SMALL, backup.log(), backup.lastCommit());
            try (RocksDbMessagingStore restored = RocksDbMessagingStore.openExisting(copy(), SMALL)) {
                assertThat(rows(restored)).hasSize(1_000).isEqualTo(atTheCut);
            }
        }
    }

    @Test
    void aCopyOfAnIdleStoreNeedsNoCommits() throws Exception {
        put(10, 100);
        TreeMap<ByteBuffer, ByteBuffer> rows = rows(store);
        try (StoreBackup backup = store.beginBackup(copy())) {
            backup.cut();
            backup.finish();
            StoreRestore.restore(copy(), SMALL, backup.log(), backup.lastCommit());
        }
        try (RocksDbMessagingStore restored = RocksDbMessagingStore.openExisting(copy(), SMALL)) {
            assertThat(rows(restored)).isEqualTo(rows);
        }
    }

    @Test
    void theLogKeepsTheCommitsOfACopyHoweverManyFollow() throws Exception {
        put(100, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(400, 16 << 10); // several files of the log
            TreeMap<ByteBuffer, ByteBuffer> atTheCut = rows(store);
            backup.cut();
            put(1_000, 16 << 10);
            backup.finish();
            StoreRestore.restore(copy(), SMALL, backup.log(), backup.lastCommit());
            try (RocksDbMessagingStore restored = RocksDbMessagingStore.openExisting(copy(), SMALL)) {
                assertThat(rows(restored)).isEqualTo(atTheCut);
            }
        }
    }

    @Test
    void aRestoredStoreIsWrittenLikeAnyOther() throws Exception {
        put(10, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(5, 100);
            backup.cut();
            backup.finish();
            StoreRestore.restore(copy(), SMALL, backup.log(), backup.lastCommit());
        }
        store.close();
        store = RocksDbMessagingStore.openExisting(copy(), SMALL);
        put(20, 100);
        store.close();
        store = RocksDbMessagingStore.openExisting(copy(), SMALL);
        assertThat(rows(store)).hasSize(35);
    }

    @Test
    void aStoreThatWasOpenedAgainHasNoCommitsForTheCopy() throws Exception {
        put(10, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(1_000, 100);
            backup.cut();
            store.close();
            assertThatThrownBy(backup::finish)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("opened again");
        }
    }

    @Test
    void aStoreThatWasOpenedAgainBeforeTheCutIsNotTakenAsItWasBefore() throws Exception {
        put(10, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(5, 100);
            store.suspend();
            store.reopen();
            put(5, 100); // the path that the backup began with does not know them
            assertThatThrownBy(backup::cut).isInstanceOf(StoreException.class).hasMessageContaining("opened again");
        }
    }

    @Test
    void aStoreThatWasOpenedAgainAfterTheCutFailsTheCopy() throws Exception {
        put(10, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(5, 100);
            backup.cut();
            store.suspend();
            store.reopen();
            assertThatThrownBy(backup::finish)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("opened again");
        }
    }

    @Test
    void aDamagedByteInTheCommitsIsFound() throws Exception {
        put(10, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(5, 100);
            backup.cut();
            backup.finish();
            Path commits = copy().resolve(StoreBackup.COMMITS);
            byte[] bytes = Files.readAllBytes(commits);
            bytes[40] ^= 1;
            Files.write(commits, bytes, StandardOpenOption.TRUNCATE_EXISTING);
            assertThatThrownBy(() -> StoreRestore.restore(copy(), SMALL, backup.log(), backup.lastCommit()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void missingCommitsAreFound() throws Exception {
        put(10, 100);
        try (StoreBackup backup = store.beginBackup(copy())) {
            put(5, 100);
            backup.cut();
            backup.finish();
            assertThatThrownBy(() -> StoreRestore.restore(copy(), SMALL, backup.log(), backup.lastCommit() + 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("they end at");
        }
    }

    private void put(int rows, int bytes) throws StoreException {
        for (int i = 0; i < rows; i++) {
            RowBatch batch = new RowBatch();
            batch.put(Table.MESSAGES, key(++number), new byte[bytes]);
            batch.put(Table.META, key(0), key(number));
            commit(batch);
        }
    }

    private void deleteFirst(int rows) throws StoreException {
        int deleted = 0;
        for (ByteBuffer key : rows(store).keySet()) {
            if (deleted++ < rows) {
                RowBatch batch = new RowBatch();
                batch.delete(Table.MESSAGES, key.array());
                commit(batch);
            }
        }
    }

    private void commit(RowBatch batch) throws StoreException {
        store.commit(batch);
        store.afterCommit();
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private static TreeMap<ByteBuffer, ByteBuffer> rows(RocksDbMessagingStore of) throws StoreException {
        TreeMap<ByteBuffer, ByteBuffer> rows = new TreeMap<>();
        try (StoreCursor cursor = of.scan(Table.MESSAGES, ALL_FROM, ALL_TO)) {
            while (cursor.next()) {
                rows.put(ByteBuffer.wrap(cursor.key()), ByteBuffer.wrap(cursor.value()));
            }
        }
        return rows;
    }
}
