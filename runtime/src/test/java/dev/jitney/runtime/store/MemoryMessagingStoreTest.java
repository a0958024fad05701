package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryMessagingStoreTest extends MessagingStoreContract {
    private static final long LIMIT = 1 << 20;
    private static final byte[] BODY = new byte[1_000];

    @Override
    protected MessagingStore openEmpty() {
        return new MemoryMessagingStore(LIMIT);
    }

    /** The rows last as long as the object, so the next process is the same object after a stop. */
    @Override
    protected MessagingStore closeAndOpen(MessagingStore store) throws Exception {
        store.suspend();
        store.reopen();
        return store;
    }

    @Test
    @DisplayName("A store at its limit refuses growth, and accepts it after deletions")
    void growthIsRefusedAtTheLimit() throws Exception {
        int rows = 0;
        while (store().acceptsGrowth()) {
            put(rows++);
        }
        assertThat(figures().tableBytes()).isBetween(LIMIT, LIMIT + 2_000);
        assertThat(figures().untilRefusedBytes()).isZero();
        assertThat(rows).isBetween(900, 1_048); // overhead of about 90 bytes a row is counted

        int left = rows;
        while (!store().acceptsGrowth()) {
            int row = --left;
            commit(batch -> batch.delete(Table.MESSAGES, key(row)));
        }
        assertThat(figures().tableBytes()).isBetween(LIMIT / 16 * 15 - 2_000, LIMIT / 16 * 15);
        assertThat(figures().untilRefusedBytes()).isEqualTo(LIMIT - figures().tableBytes());
    }

    @Test
    @DisplayName("A commit beyond the reserve fails as on a full disk and stores nothing, and deletions still work")
    void commitsBeyondTheReserveFail() throws Exception {
        long most = LIMIT + MemoryMessagingStore.reserveBytes(LIMIT);
        int rows = 0;
        while (figures().freeBytes() >= 2_000) {
            put(rows++);
        }
        long used = figures().tableBytes();
        assertThatThrownBy(() -> commit(batch -> {
                    batch.put(Table.FRAGMENTS, key(1), new byte[0]);
                    batch.put(Table.MESSAGES, key(-1), new byte[3_000]);
                }))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DISK_FULL));
        assertThatThrownBy(() -> commit(batch -> batch.delete(Table.MESSAGES, key(0))))
                .as("a commit before reopen()")
                .isInstanceOf(StoreException.class);

        store().reopen();
        assertThat(store().get(Table.FRAGMENTS, key(1))).isNull();
        assertThat(figures().tableBytes()).isEqualTo(used).isLessThanOrEqualTo(most);
        commit(batch -> {
            batch.delete(Table.MESSAGES, key(0));
            batch.put(Table.FRAGMENTS, key(1), new byte[0]);
        });
        int all = rows;
        commit(batch -> {
            batch.deleteRange(Table.MESSAGES, key(0), key(all));
            batch.put(Table.REMAINS, key(1), new byte[500]);
        });
        assertThat(store().acceptsGrowth()).isTrue();
    }

    @Test
    @DisplayName("The counted bytes are zero again after random changes and the deletion of everything")
    void bytesAreCountedExactly() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            commit(batch -> {
                for (int i = random.nextInt(20); i > 0; i--) {
                    byte[] key = key(random.nextInt(200));
                    switch (random.nextInt(4)) {
                        case 0 -> batch.delete(Table.FRAGMENTS, key);
                        case 1 -> batch.deleteRange(Table.FRAGMENTS, key, key(random.nextInt(200) + 200));
                        default -> batch.put(Table.FRAGMENTS, key, new byte[random.nextInt(300)]);
                    }
                }
            });
        }
        commit(batch -> batch.put(Table.FRAGMENTS, key(7), BODY));
        assertThat(figures().tableBytes()).as("seed %d", seed).isPositive();
        commit(batch -> batch.deleteRange(Table.FRAGMENTS, key(0), key(1_000)));
        assertThat(figures().tableBytes()).as("seed %d", seed).isZero();
    }

    @Test
    @DisplayName("The counted bytes are about those of the heap")
    void bytesAreThoseOfTheHeap() throws Exception {
        try (MemoryMessagingStore large = new MemoryMessagingStore(1L << 30)) {
            long before = heap();
            for (int turn = 0; turn < 200; turn++) {
                try (RowBatch batch = new RowBatch()) {
                    for (int i = 0; i < 500; i++) {
                        batch.put(Table.MESSAGES, key(turn * 500 + i), new byte[i % 400]);
                    }
                    large.commit(batch);
                }
            }
            long taken = heap() - before;
            long counted = Objects.requireNonNull(large.disk()).tableBytes();
            assertThat((double) taken / counted)
                    .as("%d bytes taken, %d counted", taken, counted)
                    .isBetween(0.7, 1.3);
        }
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private void put(int row) throws StoreException {
        commit(batch -> batch.put(Table.MESSAGES, key(row), BODY));
    }

    private DiskFigures figures() {
        return Objects.requireNonNull(store().disk());
    }

    private static byte[] key(int row) {
        return new byte[] {(byte) (row >> 24), (byte) (row >> 16), (byte) (row >> 8), (byte) row};
    }
}
