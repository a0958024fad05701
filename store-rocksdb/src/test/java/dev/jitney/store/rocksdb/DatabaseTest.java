package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class DatabaseTest {
    private static final RocksDbOptions TWO_MEMTABLES = RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 2);

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "A flush is not begun while RocksDB writes all of its memtables, as with a slow disk, and no error is thrown")
    void refusesToBeginTooManyFlushes() throws Exception {
        try (Database database =
                new Database(directory, TWO_MEMTABLES, Sizing.of(TWO_MEMTABLES, Long.MAX_VALUE), true)) {
            int refused = 0;
            int number = 0;
            for (int round = 0; round < 20; round++) {
                for (int flush = 0; flush < 2; flush++) {
                    write(database, ++number);
                    refused += database.beginFlush() ? 0 : 1;
                }
                refused += database.beginFlush() ? 0 : 1;
            }
            assertThat(refused).isPositive();
            database.flush();
            assertThat(database.beginFlush()).isTrue();
            for (int i = 1; i <= number; i++) {
                assertThat(database.get(Table.MESSAGES, key(i))).hasSize(100_000);
            }
        }
    }

    @RepeatedTest(5)
    @DisplayName(
            "A write that waits for memtables fails when they cannot be flushed to a full disk, and does not wait for space")
    void failsOnAFullDisk() throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.mount(64);
                Database database = new Database(
                        disk.path().resolve("db"), TWO_MEMTABLES, Sizing.of(TWO_MEMTABLES, Long.MAX_VALUE), true)) {
            disk.fill(20 << 20);
            byte[] content = new byte[100_000];
            new Random(1).nextBytes(content);
            int number = 0;
            RocksDBException failure = null;
            while (failure == null) {
                assertThat(number).isLessThan(1_000);
                try {
                    // Faster than the flushes, so that RocksDB has stopped writes when a flush fails.
                    write(database, ++number, content);
                } catch (RocksDBException e) {
                    failure = e;
                }
            }
            assertThat(Faults.of("to write", failure).reason()).isEqualTo(StoreException.Reason.DISK_FULL);
        }
    }

    private static void write(Database database, int number) throws Exception {
        write(database, number, new byte[100_000]);
    }

    private static void write(Database database, int number, byte[] content) throws Exception {
        RocksDbRows rows = new RocksDbRows(database.familyIds());
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, key(number), content);
            rows.addAll(batch.encoded(), (int) batch.end());
        }
        database.write(rows.encodedWith(new byte[] {1}, new byte[] {1}));
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }
}
