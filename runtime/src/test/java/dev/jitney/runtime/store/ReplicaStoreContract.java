package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The contract of {@link ReplicaStore} as tests; every implementation runs them. */
public abstract class ReplicaStoreContract {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStoreContract.class);
    private static final byte[] KEY = {1};
    private static final byte[] BEHIND_ALL = {(byte) 0xFF, (byte) 0xFF};
    private static final int VALUE_BYTES_MAX = 200;
    private static final int CHECKPOINTS = 4;
    /** More than are applied while the checkpoints are made, except on a very slow disk. */
    private static final int BATCHES_MAX = 30_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final ReplicaBatches log = new ReplicaBatches(seed, VALUE_BYTES_MAX);

    @TempDir
    protected Path temporary;

    private @Nullable ReplicaStore opened;

    /** Returns a new, empty store in a directory that does not exist. */
    protected abstract ReplicaStore openEmpty(Path directory) throws Exception;

    /** Closes a store and opens it again, like the next process. */
    protected abstract ReplicaStore closeAndOpen(ReplicaStore store) throws Exception;

    /** Ends a store like a kill of the process, and opens it again. */
    protected abstract ReplicaStore killAndOpen(ReplicaStore store) throws Exception;

    /** Damages a checkpoint, so that no store accepts it. */
    protected abstract void damage(Path checkpoint) throws Exception;

    @BeforeEach
    void open() throws Exception {
        LOG.info("Seed {}", seed);
        opened = openEmpty(temporary.resolve("replica"));
    }

    @AfterEach
    void close() {
        store().close();
    }

    /** Returns the store under test. */
    protected final ReplicaStore store() {
        ReplicaStore open = opened;
        if (open == null) {
            throw new IllegalStateException("Expected an open store");
        }
        return open;
    }

    private void append(int batches) throws StoreException {
        for (int i = 0; i < batches; i++) {
            log.add();
        }
        log.applyTo(store(), log.size());
    }

    private ReplicaPosition end() {
        return log.position(log.size() - 1);
    }

    private void assertRowsAt(ReplicaStore store, ReplicaPosition position) throws StoreException {
        assertThat(store.position()).isEqualTo(position);
        Map<String, String> rows = ReplicaBatches.rowsOf(store);
        assertThat(rows).as("seed %d", seed).isEqualTo(log.rowsAt(position));
    }

    @Test
    @DisplayName("A new replica is at the start, has no rows, and needs all entries (CL-4)")
    void isEmptyAtFirst() throws Exception {
        assertRowsAt(store(), ReplicaPosition.START);
        assertThat(store().flushedIndex()).isZero();
        assertThat(store().acceptsGrowth()).isTrue();
        store().check();
        opened = killAndOpen(store());
        assertRowsAt(store(), ReplicaPosition.START);
    }

    @Test
    @DisplayName("Rows and position of a batch are readable when apply returns")
    void rowsAreReadableAtOnce() throws Exception {
        for (int i = 0; i < 50; i++) {
            append(1);
            assertRowsAt(store(), end());
        }
    }

    @Test
    @DisplayName("Bytes behind a batch are not part of it, with a batch that deletes a range too (CL-7)")
    void ignoresBytesBehindABatch() throws Exception {
        try (RowBatch rows = new RowBatch()) {
            rows.put(Table.META, KEY, KEY);
            store().apply(Arrays.copyOf(rows.encoded(), rows.end() + 41), rows.end(), new ReplicaPosition(1, 1, 1, 0));
            assertThat(store().get(Table.META, KEY)).isEqualTo(KEY);
            rows.clear();
            rows.deleteRange(Table.META, new byte[] {5}, new byte[] {6});
            rows.put(Table.META, KEY, new byte[] {7});
            store().apply(Arrays.copyOf(rows.encoded(), rows.end() + 41), rows.end(), new ReplicaPosition(1, 2, 2, 0));
        }
        assertThat(store().get(Table.META, KEY)).isEqualTo(new byte[] {7});
        store().flush();
        assertThat(store().get(Table.META, KEY)).isEqualTo(new byte[] {7});
    }

    @Test
    @DisplayName("A position that does not grow is refused and changes nothing (CL-4)")
    void refusesOlderPositions() throws Exception {
        append(5);
        byte[] batch = TestRow.batch(KEY, KEY);
        ReplicaPosition last = end();
        for (long index : new long[] {0, last.index() - 1, last.index()}) {
            ReplicaPosition older = new ReplicaPosition(last.term(), index, last.number() + 1, last.timeMs());
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> store().apply(batch, older));
        }
        assertRowsAt(store(), last);
        append(1);
        assertRowsAt(store(), end());
    }

    @Test
    @DisplayName("A clean close keeps everything, so that the next start needs no entries")
    void closeKeepsEverything() throws Exception {
        for (int i = 0; i < 5; i++) {
            append(random.nextInt(30));
            opened = closeAndOpen(store());
            assertRowsAt(store(), log.size() == 0 ? ReplicaPosition.START : end());
            assertThat(store().flushedIndex()).isEqualTo(store().position().index());
        }
    }

    @Test
    @DisplayName("After a flush, a kill loses nothing (CL-4)")
    void flushKeepsEverything() throws Exception {
        for (int i = 0; i < 5; i++) {
            append(1 + random.nextInt(30));
            store().flush();
            assertThat(store().flushedIndex()).isEqualTo(end().index());
            opened = killAndOpen(store());
            assertRowsAt(store(), end());
        }
    }

    @Test
    @DisplayName(
            "After a kill at any point, the same batches give the same rows, and none is behind the flushed index (CL-4, CL-5)")
    void appliesAgainAfterKills() throws Exception {
        for (int round = 0; round < 12; round++) {
            append(1 + random.nextInt(40));
            if (random.nextInt(2) == 0) {
                store().flush();
                append(random.nextInt(20));
            }
            if (random.nextInt(3) == 0) {
                ReplicaBatches.rowsOf(store()); // a scan moves rows to the tables, which a kill loses too
            }
            ReplicaPosition before = store().position();
            long flushed = store().flushedIndex();
            assertThat(flushed).isLessThanOrEqualTo(before.index());
            opened = killAndOpen(store());
            assertThat(store().position().index()).isBetween(flushed, before.index());
            assertThat(store().flushedIndex()).isEqualTo(store().position().index());
            log.applyTo(store(), log.size());
            assertRowsAt(store(), end());
        }
    }

    @Test
    @DisplayName("Reopening goes back to the table files, and the same batches give the same rows (CL-42)")
    void appliesAgainAfterReopen() throws Exception {
        append(30);
        store().flush();
        ReplicaPosition flushed = end();
        append(30);
        StoreCursor cursor = store().scan(Table.MESSAGES, new byte[0], BEHIND_ALL);
        store().reopen();
        assertThatExceptionOfType(StoreException.class).isThrownBy(cursor::next);
        cursor.close();
        assertThat(store().position().index()).isBetween(flushed.index(), end().index());
        log.applyTo(store(), log.size());
        assertRowsAt(store(), end());
    }

    @Test
    @DisplayName("An invalid batch is a fault: the store refuses everything until it is opened again (CL-42)")
    void refusesEverythingAfterAFault() throws Exception {
        append(10);
        store().flush();
        ReplicaPosition last = end();
        ReplicaPosition next = new ReplicaPosition(last.term(), last.index() + 1, last.number() + 1, last.timeMs());
        byte[] valid = TestRow.batch(KEY, KEY);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().apply(new byte[] {99}, next));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().apply(valid, next));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().get(Table.FRAGMENTS, KEY));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store().scan(Table.FRAGMENTS, KEY, BEHIND_ALL));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().flush());
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().flushedIndex());
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().check());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store().checkpoint(temporary.resolve("refused")));
        assertThat(store().acceptsGrowth()).isFalse();
        store().reopen();
        store().check();
        assertThat(store().acceptsGrowth()).isTrue();
        assertRowsAt(store(), last);
        append(5);
        assertRowsAt(store(), end());
    }

    @Test
    @DisplayName("A deleted range is gone at once, before and after a kill")
    void deletesRanges() throws Exception {
        store().apply(TestRow.messages(0, 10), new ReplicaPosition(1, 1, 1, 0));
        try (RowBatch batch = new RowBatch()) {
            batch.deleteRange(Table.MESSAGES, TestRow.key(3), TestRow.key(7));
            store().apply(batch.encoded(), new ReplicaPosition(1, 2, 2, 0));
        }
        assertMessagesAround(3, 7);
        store().flush();
        opened = killAndOpen(store());
        assertMessagesAround(3, 7);
    }

    private void assertMessagesAround(int from, int to) throws StoreException {
        for (int i = 0; i < 10; i++) {
            byte[] key = TestRow.key(i);
            assertThat(store().get(Table.MESSAGES, key)).isEqualTo(i >= from && i < to ? null : key);
        }
    }

    @Test
    @DisplayName("A checkpoint has exactly the rows of its position, whatever is applied meanwhile (CL-5)")
    void checkpointsAreExact() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService applier = Executors.newSingleThreadExecutor();
        try {
            Future<?> applied = applier.submit(() -> applyUntil(enough));
            for (int i = 0; i < CHECKPOINTS; i++) {
                awaitPosition(applied, store().position().index() + 500);
                Path checkpoint = temporary.resolve("checkpoint-" + i);
                ReplicaPosition position = store().checkpoint(checkpoint);
                try (ReplicaStore other = openEmpty(temporary.resolve("other-" + i))) {
                    other.replaceBy(checkpoint);
                    synchronized (log) {
                        assertRowsAt(other, position);
                    }
                }
            }
            enough.set(true);
            applied.get(60, TimeUnit.SECONDS);
        } finally {
            enough.set(true);
            applier.shutdown();
            assertThat(applier.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
        assertRowsAt(store(), end());
    }

    private boolean applyUntil(AtomicBoolean enough) throws StoreException {
        while (!enough.get() && log.size() < BATCHES_MAX) {
            synchronized (log) {
                append(1);
            }
        }
        return true;
    }

    private void awaitPosition(Future<?> applied, long index) throws InterruptedException, ExecutionException {
        while (store().position().index() < index && log.size() < BATCHES_MAX) {
            if (applied.isDone()) {
                applied.get();
            }
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    @DisplayName("A snapshot has exactly the rows of the last batch, whatever is applied and flushed later (CL-85)")
    void snapshotsStandStill() throws Exception {
        for (int round = 0; round < 10; round++) {
            append(30);
            ReplicaPosition position = store().position();
            Map<Table, StoreCursor> cursors = new EnumMap<>(Table.class);
            for (Table table : Table.values()) {
                cursors.put(table, store().snapshot(table));
            }
            append(30);
            if (round % 2 == 0) {
                store().flush();
            }
            assertThat(ReplicaBatches.rowsOf(cursors::remove))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(log.rowsAt(position));
            cursors.remove(Table.META).close();
        }
        StoreCursor open = store().snapshot(Table.MESSAGES);
        opened = killAndOpen(store());
        open.close();
        assertRowsAt(store(), store().position());
    }

    @Test
    @DisplayName("A checkpoint does not change with the store, and the store does not change with a checkpoint")
    void checkpointsAreIndependent() throws Exception {
        append(40);
        Path checkpoint = temporary.resolve("deep/checkpoint");
        ReplicaPosition position = store().checkpoint(checkpoint);
        assertThat(position).isEqualTo(end());
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().checkpoint(checkpoint));
        append(40);
        assertRowsAt(store(), end());
        try (ReplicaStore other = openEmpty(temporary.resolve("other"))) {
            other.replaceBy(checkpoint);
            assertRowsAt(other, position);
            log.applyTo(other, log.size());
            assertRowsAt(other, end());
        }
        opened = killAndOpen(store());
        log.applyTo(store(), log.size());
        assertRowsAt(store(), end());
    }

    @Test
    @DisplayName("A checkpoint takes the place of older tables, for good, and its directory is gone (CL-45)")
    void replacesOlderTables() throws Exception {
        append(20);
        ReplicaStore behind = openEmpty(temporary.resolve("behind"));
        try {
            log.applyTo(behind, log.size());
            append(60);
            Path checkpoint = temporary.resolve("checkpoint");
            ReplicaPosition position = store().checkpoint(checkpoint);
            StoreCursor cursor = behind.scan(Table.MESSAGES, new byte[0], BEHIND_ALL);
            assertThat(behind.replaceBy(checkpoint)).isTrue();
            assertThat(checkpoint).doesNotExist();
            assertThatExceptionOfType(StoreException.class).isThrownBy(cursor::next);
            cursor.close();
            assertRowsAt(behind, position);
            assertThat(behind.flushedIndex()).isEqualTo(position.index());
            behind = killAndOpen(behind);
            assertRowsAt(behind, position);
            append(20);
            log.applyTo(behind, log.size());
            behind = closeAndOpen(behind);
            assertRowsAt(behind, end());
        } finally {
            behind.close();
        }
    }

    @Test
    @DisplayName("A checkpoint that is missing, damaged or older is not taken, and nothing has changed (CL-45)")
    void refusesUnusableCheckpoints() throws Exception {
        append(20);
        Path older = temporary.resolve("older");
        store().checkpoint(older);
        append(1);
        Path damaged = temporary.resolve("damaged");
        store().checkpoint(damaged);
        damage(damaged);
        for (Path refused : new Path[] {temporary.resolve("missing"), damaged}) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().replaceBy(refused));
            store().check();
            assertRowsAt(store(), end());
        }
        assertThat(store().replaceBy(older)).isFalse();
        store().check();
        assertRowsAt(store(), end());
        assertThat(Files.exists(older)).isTrue();
        append(20);
        assertRowsAt(store(), end());
    }

    @Test
    @DisplayName("Readers see whole batches while another thread applies and flushes")
    void readersSeeWholeBatches() throws Exception {
        store().apply(TestRow.pair(0), new ReplicaPosition(1, 1, 1, 0));
        ExecutorService applier = Executors.newSingleThreadExecutor();
        try {
            Future<?> applied = applier.submit(() -> {
                for (int i = 1; i <= 2_000; i++) {
                    store().apply(TestRow.pair(i), new ReplicaPosition(1, 1 + i, 1 + i, 0));
                    if (i % 500 == 0) {
                        store().flush();
                    }
                }
                return true;
            });
            while (!applied.isDone()) {
                byte[] last = store().get(Table.FRAGMENTS, TestRow.LAST);
                assertThat(store().get(Table.MESSAGES, last)).isEqualTo(last);
                assertThat(store().flushedIndex())
                        .isLessThanOrEqualTo(store().position().index());
            }
            applied.get(60, TimeUnit.SECONDS);
        } finally {
            applier.shutdownNow();
            assertThat(applier.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @DisplayName("A closed replica refuses everything and closes twice")
    void refusesEverythingWhenClosed() throws Exception {
        append(3);
        ReplicaPosition next = new ReplicaPosition(99, 999, 1, 0);
        StoreCursor cursor = store().scan(Table.MESSAGES, new byte[0], BEHIND_ALL);
        store().close();
        store().close();
        byte[] batch = TestRow.batch(KEY, KEY);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().apply(batch, next));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().get(Table.FRAGMENTS, KEY));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().flush());
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().reopen());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store().replaceBy(temporary.resolve("checkpoint")));
        assertThatExceptionOfType(StoreException.class).isThrownBy(cursor::next);
        assertThatCode(cursor::close).doesNotThrowAnyException();
        assertThat(store().acceptsGrowth()).isFalse();
    }

    /** Batches with few rows. */
    private static final class TestRow {
        static final byte[] LAST = {7};

        static byte[] batch(byte[] key, byte[] value) {
            try (RowBatch batch = new RowBatch()) {
                batch.put(Table.FRAGMENTS, key, value);
                return batch.encoded();
            }
        }

        static byte[] key(int number) {
            return new byte[] {(byte) (number >> 8), (byte) number};
        }

        static byte[] messages(int from, int to) {
            try (RowBatch batch = new RowBatch()) {
                for (int i = from; i < to; i++) {
                    batch.put(Table.MESSAGES, key(i), key(i));
                }
                return batch.encoded();
            }
        }

        /** Returns a batch with a message and the key of that message. */
        static byte[] pair(int number) {
            byte[] key = key(number);
            try (RowBatch batch = new RowBatch()) {
                batch.put(Table.MESSAGES, key, key);
                batch.put(Table.FRAGMENTS, LAST, key);
                return batch.encoded();
            }
        }
    }
}
