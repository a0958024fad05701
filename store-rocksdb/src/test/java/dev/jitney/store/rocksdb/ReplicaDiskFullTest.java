package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
@DisplayName("A replica on a full disk")
class ReplicaDiskFullTest {
    private static final int ROWS_PER_BATCH = 64;
    private static final int BATCHES_MAX = 10_000;

    @Test
    @DisplayName(
            "refuses growth while entries are still applied, fails when nothing is left, and continues when there is room (CL-42, CL-43)")
    void continuesWhenThereIsRoom() throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.mount(256);
                RocksDbReplica replica = RocksDbReplica.open(disk.path().resolve("store"), RocksDbOptions.DEFAULTS)) {
            long next = 1;
            while (replica.acceptsGrowth()) {
                apply(replica, next++);
                assertThat(next).isLessThan(BATCHES_MAX);
            }
            // An agreed entry is applied although this node accepts no growth.
            apply(replica, next++);
            replica.flush();
            long flushed = replica.flushedIndex();
            assertThat(flushed).isEqualTo(next - 1);

            Path ballast = disk.fill(3 << 20);
            StoreException failure = null;
            while (failure == null) {
                try {
                    apply(replica, next);
                    next++;
                    assertThat(next).isLessThan(BATCHES_MAX);
                } catch (StoreException e) {
                    failure = e;
                }
            }
            assertThat(failure.reason()).isEqualTo(StoreException.Reason.DISK_FULL);
            assertThat(replica.acceptsGrowth()).isFalse();
            long refused = next;
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> apply(replica, refused));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(replica::reopen)
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DISK_FULL));

            Files.delete(ballast);
            replica.reopen();
            assertThat(replica.position().index()).isBetween(flushed, refused);
            for (long number = replica.position().index() + 1; number < flushed + 20; number++) {
                apply(replica, number);
            }
            checkRows(replica);
        }
    }

    private static void apply(RocksDbReplica replica, long number) throws StoreException {
        Random random = new Random(number);
        try (RowBatch batch = new RowBatch()) {
            for (int row = 0; row < ROWS_PER_BATCH; row++) {
                byte[] body = new byte[1024];
                random.nextBytes(body);
                batch.put(Table.MESSAGES, key(number, row), body);
            }
            replica.apply(batch.encoded(), new ReplicaPosition(1, number, number, 0));
        }
    }

    private static void checkRows(RocksDbReplica replica) throws StoreException {
        try (StoreCursor rows = replica.scan(Table.MESSAGES, key(0, 0), key(Long.MAX_VALUE, 0))) {
            for (long number = 1; number <= replica.position().index(); number++) {
                for (int row = 0; row < ROWS_PER_BATCH; row++) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.key()).isEqualTo(key(number, row));
                }
            }
            assertThat(rows.next()).isFalse();
        }
    }

    private static byte[] key(long number, int row) {
        return ByteBuffer.allocate(12).putLong(number).putInt(row).array();
    }
}
