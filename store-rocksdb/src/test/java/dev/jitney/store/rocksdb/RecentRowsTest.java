package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Rows that are in the log but not in RocksDB")
class RecentRowsTest {
    private static final int KIB = 1 << 10;
    private static final int LARGE_ROW = 16 * KIB;
    private static final RocksDbOptions OPTIONS = RocksDbOptions.DEFAULTS.withMemtables(4 << 20, 3);

    @TempDir
    Path directory;

    @Test
    void largeMessagesThatWaitForAMomentAreWrittenToTheLogOnly() throws Exception {
        int all = 6_000;
        int waiting = 250; // 4 MiB, four times the usual size of the buffer
        Path data = directory.resolve("data");
        RocksDbMessagingStore store = RocksDbMessagingStore.open(data, OPTIONS);
        Map<String, Long> tableFiles = new HashMap<>();
        long tablesBefore = bytesSeen(data, tableFiles);
        for (int i = 0; i < all; i++) {
            try (RowBatch batch = new RowBatch()) {
                batch.put(Table.MESSAGES, key(i), new byte[LARGE_ROW]);
                if (i >= waiting) {
                    batch.delete(Table.MESSAGES, key(i - waiting));
                }
                store.commit(batch);
                store.afterCommit();
            }
            if (i % 20 == 0) {
                assertThat(bytesSeen(data, tableFiles) - tablesBefore)
                        .as("bytes of table files after message %d", i)
                        .isLessThan(256 * KIB);
            }
        }
        store.suspend(); // which leaves the files as a kill would
        try (RocksDbMessagingStore opened = RocksDbMessagingStore.openExisting(data, OPTIONS)) {
            store.close();
            assertThat(opened.get(Table.MESSAGES, key(all - waiting - 1))).isNull();
            for (int i = all - waiting; i < all; i++) {
                assertThat(opened.get(Table.MESSAGES, key(i)))
                        .as("message %d", i)
                        .hasSize(LARGE_ROW);
            }
        }
    }

    /**
     * Adds the table files of a store to those that were seen before, and returns the bytes of all of them. RocksDB removes files at any
     * moment.
     */
    private static long bytesSeen(Path data, Map<String, Long> seen) {
        File[] files = data.resolve("db").toFile().listFiles((directory, name) -> name.endsWith(".sst"));
        for (File file : Objects.requireNonNull(files)) {
            seen.merge(file.getName(), file.length(), Math::max); // the length of a removed file is 0
        }
        return seen.values().stream().mapToLong(Long::longValue).sum();
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(12).putLong(7).putInt(number).array();
    }

    @Nested
    class TheBuffer {
        private static final long USUAL = 64 * KIB;
        private static final long LARGE = 512 * KIB;
        private static final long SHARED = 256 * KIB;

        private final BufferExtension extension = new BufferExtension(SHARED);
        private Database first;
        private Database second;
        private long number;

        @BeforeEach
        void open() throws Exception {
            first = database("first");
            second = database("second");
        }

        @AfterEach
        void close() {
            first.close();
            second.close();
        }

        private Database database(String name) throws Exception {
            Path path = Files.createDirectories(directory.resolve(name));
            return new Database(path, OPTIONS, Sizing.of(OPTIONS, Long.MAX_VALUE), true);
        }

        private Tables tables(Database database) {
            return new Tables(
                    database, PositionRow.LOG, at -> new LogPosition(1, at).encoded(), USUAL, LARGE, extension);
        }

        private void add(Tables tables, int rows, int bytes) throws Exception {
            for (int i = 0; i < rows; i++) {
                try (RowBatch batch = new RowBatch()) {
                    number++;
                    batch.put(Table.MESSAGES, key((int) number), new byte[bytes]);
                    byte[] encoded = batch.encoded();
                    tables.add(number, encoded, encoded.length, false);
                    tables.index();
                }
            }
        }

        @Test
        void hasItsUsualSizeWithSmallRows() throws Exception {
            Tables tables = tables(first);
            add(tables, 4_000, 100);
            assertThat(tables.bufferedBytes()).isBetween(USUAL / 2, USUAL);
            assertThat(extension.freeBytes()).isEqualTo(SHARED);
        }

        @Test
        void isLargerWithLargeRowsAndKeepsThemReadable() throws Exception {
            Tables tables = tables(first);
            add(tables, 100, LARGE_ROW);
            assertThat(tables.bufferedBytes()).isBetween(USUAL + SHARED / 2, USUAL + SHARED + LARGE_ROW + KIB);
            for (int i = 1; i <= number; i++) {
                assertThat(tables.get(Table.MESSAGES, key(i))).as("row %d", i).hasSize(LARGE_ROW);
            }
        }

        @Test
        void leavesRoomToNobodyWhenAnotherStoreUsesIt() throws Exception {
            Tables tables = tables(first);
            Tables others = tables(second);
            add(tables, 100, LARGE_ROW);
            add(others, 100, LARGE_ROW);
            assertThat(tables.bufferedBytes() + others.bufferedBytes()).isLessThan(2 * USUAL + SHARED + 4 * LARGE_ROW);
            assertThat(others.bufferedBytes()).isLessThan(2 * USUAL);
            tables.close();
            add(others, 100, LARGE_ROW);
            assertThat(others.bufferedBytes()).isGreaterThan(USUAL + SHARED / 2);
            others.close();
            assertThat(extension.freeBytes()).isEqualTo(SHARED);
        }

        @Test
        void shrinksStepByStepWhenRowsAreSmallAgain() throws Exception {
            Tables tables = tables(first);
            add(tables, 100, LARGE_ROW);
            for (int i = 0; i < 200; i++) {
                long before = tables.bufferedBytes();
                add(tables, 1, 10);
                assertThat(tables.bufferedBytes()).as("after %d small rows", i).isGreaterThan(before - USUAL);
            }
            assertThat(tables.bufferedBytes()).isLessThanOrEqualTo(USUAL);
            assertThat(extension.freeBytes()).isEqualTo(SHARED);
        }

        @Test
        void isEmptyAfterASpill() throws Exception {
            Tables tables = tables(first);
            add(tables, 20, LARGE_ROW);
            tables.spill();
            assertThat(tables.bufferedBytes()).isZero();
            assertThat(extension.freeBytes()).isEqualTo(SHARED);
            assertThat(tables.get(Table.MESSAGES, key(1))).hasSize(LARGE_ROW);
        }
    }
}
