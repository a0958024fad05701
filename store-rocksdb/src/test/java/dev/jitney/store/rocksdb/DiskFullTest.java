package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store on a real file system that is full. */
@Timeout(300)
class DiskFullTest {
    private static final int ROWS_PER_BATCH = 64;

    /** A quarter of the reserve, 51 MiB on the file system of these tests, must remain free during compactions. */
    private static final long LEFT_OF_THE_RESERVE = 51 / 4 << 20;

    private final Random random = new Random(7);

    /**
     * Fills the store up to acceptsGrowth and drains it, repeatedly: deleted messages make room every time, down to
     * an empty store.
     */
    @Test
    void growthStopsBeforeTheDiskIsFullAndResumesWhenReceiversDrain() throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.mount(256);
                MessagingStore store =
                        RocksDbMessagingStore.open(disk.path().resolve("store"), RocksDbOptions.DEFAULTS)) {
            long first = 0;
            long next = 0;
            for (int round = 0; round < 3; round++) {
                while (store.acceptsGrowth()) {
                    next = putBatch(store, next);
                }
                assertThat(next - first)
                        .as("messages stored in round %d", round)
                        .isGreaterThan(50_000);

                // Half of the backlog is enough to continue. A receiver that settles its messages has this pace.
                long half = first + (next - first) / 2;
                while (first < half) {
                    first = deleteBatch(store, first, half);
                    assertThat(disk.usableBytes()).isGreaterThan(LEFT_OF_THE_RESERVE);
                }
                awaitGrowth(store, disk);
                assertThat(countRows(store)).isEqualTo(next - first);
            }
            while (first < next) {
                first = deleteBatch(store, first, next);
            }
            awaitGrowth(store, disk);
            assertThat(countRows(store)).isZero();
        }
    }

    /** Settlements out of order leave gaps everywhere, so reclaiming must rewrite the rows between them. */
    @Test
    void growthResumesWhenMessagesAreSettledInRandomOrder() throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.mount(256);
                MessagingStore store =
                        RocksDbMessagingStore.open(disk.path().resolve("store"), RocksDbOptions.DEFAULTS)) {
            List<Long> waiting = new ArrayList<>();
            long next = 0;
            for (int round = 0; round < 3; round++) {
                while (store.acceptsGrowth()) {
                    for (long i = next; i < next + ROWS_PER_BATCH; i++) {
                        waiting.add(i);
                    }
                    next = putBatch(store, next);
                }
                Collections.shuffle(waiting, random);
                int kept = waiting.size() / 2;
                while (waiting.size() > kept) {
                    try (RowBatch batch = new RowBatch()) {
                        for (int i = 0; i < ROWS_PER_BATCH && waiting.size() > kept; i++) {
                            batch.delete(Table.MESSAGES, key(waiting.remove(waiting.size() - 1)));
                        }
                        store.commit(batch);
                        store.acceptsGrowth();
                    }
                    assertThat(disk.usableBytes()).isGreaterThan(LEFT_OF_THE_RESERVE);
                }
                awaitGrowth(store, disk);
                assertThat(countRows(store)).isEqualTo(waiting.size());
            }
        }
    }

    @Test
    void whatWasDeletedBeforeARestartMakesRoomAfterIt() throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.mount(256)) {
            Path directory = disk.path().resolve("store");
            long next = 0;
            try (MessagingStore store = RocksDbMessagingStore.open(directory, RocksDbOptions.DEFAULTS)) {
                while (store.acceptsGrowth()) {
                    next = putBatch(store, next);
                }
                long half = next / 2;
                try (RowBatch batch = new RowBatch()) {
                    for (long i = 0; i < half; i++) {
                        batch.delete(Table.MESSAGES, key(i));
                    }
                    store.commit(batch);
                }
            }
            try (MessagingStore store = RocksDbMessagingStore.open(directory, RocksDbOptions.DEFAULTS)) {
                awaitGrowth(store, disk);
                assertThat(countRows(store)).isEqualTo(next - next / 2);
            }
        }
    }

    @Test
    void aFullDiskFailsTheCommitAndTheStoreGoesOnWhenThereIsRoomAgain() throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.mount(256);
                MessagingStore store =
                        RocksDbMessagingStore.open(disk.path().resolve("store"), RocksDbOptions.DEFAULTS)) {
            long next = 0;
            while (next < 20_000) {
                next = putBatch(store, next);
            }
            for (int round = 0; round < 3; round++) {
                Path ballast = disk.fill(3 << 20);
                long committed = next;
                StoreException failure = null;
                while (failure == null) {
                    try {
                        next = putBatch(store, next);
                        committed = next;
                    } catch (StoreException e) {
                        failure = e;
                    }
                }
                assertThat(failure.reason()).isEqualTo(StoreException.Reason.DISK_FULL);
                assertThat(store.acceptsGrowth()).isFalse();
                long refused = next;
                assertThatThrownBy(() -> putBatch(store, refused))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DISK_FULL));
                assertThatThrownBy(store::reopen)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DISK_FULL));
                Files.delete(ballast);

                store.reopen();
                assertThat(store.acceptsGrowth()).isTrue();
                long found = countRows(store);
                // The failed batch is stored completely or not at all.
                assertThat(found).isIn(committed, committed + ROWS_PER_BATCH);
                next = found;
                next = putBatch(store, next);
            }
            long last = next;
            try (StoreCursor rows = store.scan(Table.MESSAGES, key(0), key(Long.MAX_VALUE))) {
                for (long i = 0; i < last; i++) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.key()).isEqualTo(key(i));
                }
            }
        }
    }

    private long putBatch(MessagingStore store, long next) throws StoreException {
        try (RowBatch batch = new RowBatch()) {
            for (int i = 0; i < ROWS_PER_BATCH; i++) {
                byte[] body = new byte[1024];
                random.nextBytes(body);
                batch.put(Table.MESSAGES, key(next + i), body);
            }
            batch.put(Table.FRAGMENTS, key(0), key(next));
            store.commit(batch);
        }
        return next + ROWS_PER_BATCH;
    }

    private long deleteBatch(MessagingStore store, long first, long end) throws StoreException {
        long to = Math.min(end, first + ROWS_PER_BATCH);
        try (RowBatch batch = new RowBatch()) {
            for (long i = first; i < to; i++) {
                batch.delete(Table.MESSAGES, key(i));
            }
            batch.put(Table.FRAGMENTS, key(0), key(first));
            store.commit(batch);
        }
        store.acceptsGrowth();
        return to;
    }

    private static void awaitGrowth(MessagingStore store, SmallFileSystem disk) throws Exception {
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (!store.acceptsGrowth()) {
            assertThat(disk.usableBytes()).isGreaterThan(LEFT_OF_THE_RESERVE);
            assertThat(System.nanoTime()).as("no room after two minutes").isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static long countRows(MessagingStore store) throws StoreException {
        long count = 0;
        try (StoreCursor rows = store.scan(Table.MESSAGES, key(0), key(Long.MAX_VALUE))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    private static byte[] key(long sequenceNumber) {
        return ByteBuffer.allocate(16).putLong(1).putLong(sequenceNumber).array();
    }
}
