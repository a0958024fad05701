package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link MessagingStore} as tests; every implementation runs them. */
public abstract class MessagingStoreContract {
    private @Nullable MessagingStore opened;

    /** Returns a new, empty store; called once per test. */
    protected abstract MessagingStore openEmpty() throws Exception;

    /** Closes the store and opens it again, like the next process. */
    protected abstract MessagingStore closeAndOpen(MessagingStore store) throws Exception;

    @BeforeEach
    void open() throws Exception {
        opened = openEmpty();
    }

    @AfterEach
    void close() {
        store().close();
    }

    /** The store under test. */
    protected final MessagingStore store() {
        return Objects.requireNonNull(opened);
    }

    @Test
    void anEmptyStoreHasNoRowsAndAcceptsGrowth() throws Exception {
        for (Table table : Table.values()) {
            if (table != Table.META) {
                assertThat(keys(table, hex(""), hex("ffffffff"))).isEmpty();
            }
        }
        assertThat(store().get(Table.MESSAGES, hex("00"))).isNull();
        assertThat(store().acceptsGrowth()).isTrue();
    }

    @Test
    void rowsAreThereAfterTheCommitAndNotBefore() throws Exception {
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, hex("01"), text("body"));
            batch.put(Table.FRAGMENTS, hex("02"), text("counters"));
            assertThat(store().get(Table.MESSAGES, hex("01"))).isNull();
            assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).isEmpty();

            store().commit(batch);
            assertThat(store().get(Table.MESSAGES, hex("01"))).isEqualTo(text("body"));
            assertThat(store().get(Table.FRAGMENTS, hex("02"))).isEqualTo(text("counters"));
        }
    }

    @Test
    void tablesAreApart() throws Exception {
        commit(batch -> {
            for (Table table : Table.values()) {
                batch.put(table, text("same key"), text(table.name()));
            }
        });
        for (Table table : Table.values()) {
            assertThat(store().get(table, text("same key"))).isEqualTo(text(table.name()));
        }
    }

    @Test
    void anEmptyBatchCommitsAndAnEmptyValueIsAValue() throws Exception {
        commit(batch -> assertThat(batch.isEmpty()).isTrue());
        commit(batch -> batch.put(Table.TIMERS, hex("01"), new byte[0]));
        assertThat(store().get(Table.TIMERS, hex("01"))).isEmpty();
    }

    @Test
    void aClearedBatchWritesNothingOfWhatItHeld() throws Exception {
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, hex("01"), text("given up"));
            assertThat(batch.isEmpty()).isFalse();
            assertThat(batch.sizeBytes()).isGreaterThanOrEqualTo(9);
            batch.clear();
            assertThat(batch.isEmpty()).isTrue();
            assertThat(batch.sizeBytes()).isLessThan(20);

            batch.put(Table.MESSAGES, hex("02"), text("kept"));
            store().commit(batch);
        }
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("02");
    }

    @Test
    void oneBatchIsFilledAndCommittedManyTimes() throws Exception {
        try (RowBatch batch = new RowBatch()) {
            for (int i = 0; i < 50; i++) {
                batch.put(Table.MESSAGES, new byte[] {(byte) i}, text("row " + i));
                if (i > 0) {
                    batch.delete(Table.MESSAGES, new byte[] {(byte) (i - 1)});
                }
                store().commit(batch);
                batch.clear();
            }
        }
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("31");
    }

    @Test
    void aClosedBatchIsRefused() throws Exception {
        RowBatch batch = new RowBatch();
        batch.close();
        batch.close();
        assertThatThrownBy(() -> batch.put(Table.META, hex("01"), hex("01"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store().commit(batch)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void scansRunInUnsignedByteOrderAndShorterKeysComeFirst() throws Exception {
        commit(batch -> {
            for (String key : List.of("80", "7f", "ff", "00", "0000", "8000", "7fff", "0100000001")) {
                batch.put(Table.MESSAGES, hex(key), hex(key));
            }
        });
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ffff")))
                .containsExactly("00", "0000", "0100000001", "7f", "7fff", "80", "8000", "ff");
    }

    @Test
    void aScanStartsAtFromAndEndsBeforeTo() throws Exception {
        commit(batch -> {
            for (int i = 0; i < 10; i++) {
                batch.put(Table.TIMERS, new byte[] {(byte) i}, new byte[] {(byte) i});
            }
        });
        assertThat(keys(Table.TIMERS, hex("03"), hex("06"))).containsExactly("03", "04", "05");
        assertThat(keys(Table.TIMERS, hex("0201"), hex("0400"))).containsExactly("03", "04");
        assertThat(keys(Table.TIMERS, hex("05"), hex("05"))).isEmpty();
        assertThat(keys(Table.TIMERS, hex("06"), hex("03"))).isEmpty();
        assertThat(keys(Table.TIMERS, hex("0a"), hex("ff"))).isEmpty();
    }

    @Test
    void aCursorAnswersArraysThatLaterStepsDoNotChangeAndStaysAtTheEnd() throws Exception {
        commit(batch -> {
            batch.put(Table.MESSAGES, hex("01"), text("first"));
            batch.put(Table.MESSAGES, hex("02"), text("other"));
        });
        byte[] key;
        byte[] value;
        try (StoreCursor rows = store().scan(Table.MESSAGES, hex("00"), hex("ff"))) {
            assertThatThrownBy(rows::key).isInstanceOf(IllegalStateException.class);
            assertThat(rows.next()).isTrue();
            key = rows.key();
            value = rows.value();
            assertThat(rows.key()).isEqualTo(hex("01"));
            assertThat(rows.value()).isEqualTo(text("first"));
            assertThat(rows.next()).isTrue();
            assertThat(rows.key()).isEqualTo(hex("02"));
            assertThat(rows.value()).isEqualTo(text("other"));
            assertThat(rows.next()).isFalse();
            assertThat(rows.next()).isFalse();
            assertThatThrownBy(rows::value).isInstanceOf(IllegalStateException.class);
        }
        commit(batch -> batch.delete(Table.MESSAGES, hex("01")));
        assertThat(key).isEqualTo(hex("01"));
        assertThat(value).isEqualTo(text("first"));
        Arrays.fill(store().get(Table.MESSAGES, hex("02")), (byte) 9);
        assertThat(store().get(Table.MESSAGES, hex("02"))).isEqualTo(text("other"));
    }

    @Test
    void aCursorThatWasClosedIsRefused() throws Exception {
        StoreCursor rows = store().scan(Table.MESSAGES, hex("00"), hex("ff"));
        rows.close();
        rows.close();
        assertThatThrownBy(rows::next).isInstanceOf(StoreException.class);
    }

    @Test
    void aScanSeesWhatWasThereWhenItBeganWhateverIsCommittedMeanwhile() throws Exception {
        commit(batch -> {
            batch.put(Table.MESSAGES, hex("01"), text("1"));
            batch.put(Table.MESSAGES, hex("05"), text("5"));
        });
        try (StoreCursor rows = store().scan(Table.MESSAGES, hex("00"), hex("ff"))) {
            assertThat(rows.next()).isTrue();
            commit(batch -> batch.put(Table.MESSAGES, hex("07"), text("7")));
            assertThat(rows.key()).isEqualTo(hex("01"));
            assertThat(rows.next()).isTrue();
            assertThat(rows.key()).isEqualTo(hex("05"));
        }
    }

    @Test
    void rewritableRowsShowTheLastValueAndMayComeBack() throws Exception {
        for (int i = 0; i < 5; i++) {
            byte[] value = text("version " + i);
            commit(batch -> batch.put(Table.FRAGMENTS, hex("01"), value));
            assertThat(store().get(Table.FRAGMENTS, hex("01"))).isEqualTo(value);
        }
        commit(batch -> batch.delete(Table.FRAGMENTS, hex("01")));
        assertThat(store().get(Table.FRAGMENTS, hex("01"))).isNull();
        commit(batch -> batch.delete(Table.FRAGMENTS, hex("01")));
        commit(batch -> batch.put(Table.FRAGMENTS, hex("01"), text("back")));
        assertThat(keys(Table.FRAGMENTS, hex("00"), hex("ff"))).containsExactly("01");
    }

    @Test
    void aBatchIsAppliedInItsOrder() throws Exception {
        commit(batch -> {
            batch.put(Table.FRAGMENTS, hex("01"), text("first"));
            batch.put(Table.FRAGMENTS, hex("01"), text("second"));
            batch.put(Table.FRAGMENTS, hex("02"), text("gone"));
            batch.delete(Table.FRAGMENTS, hex("02"));
            batch.put(Table.MESSAGES, hex("03"), text("sent and completed in one batch"));
            batch.delete(Table.MESSAGES, hex("03"));
        });
        assertThat(store().get(Table.FRAGMENTS, hex("01"))).isEqualTo(text("second"));
        assertThat(store().get(Table.FRAGMENTS, hex("02"))).isNull();
        assertThat(store().get(Table.MESSAGES, hex("03"))).isNull();
    }

    @Test
    void deleteRangeRemovesFromInclusiveToExclusiveAndNothingElse() throws Exception {
        commit(batch -> {
            for (Table table : List.of(Table.MESSAGES, Table.MESSAGE_STATES)) {
                for (int i = 0; i < 10; i++) {
                    batch.put(table, new byte[] {(byte) i}, text("row"));
                }
            }
        });
        commit(batch -> batch.delete(Table.MESSAGES, hex("04")));
        commit(batch -> {
            batch.deleteRange(Table.MESSAGES, hex("03"), hex("07"));
            batch.deleteRange(Table.MESSAGES, hex("09"), hex("09"));
        });
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("00", "01", "02", "07", "08", "09");
        assertThat(keys(Table.MESSAGE_STATES, hex("00"), hex("ff"))).hasSize(10);
        assertThat(store().get(Table.MESSAGES, hex("05"))).isNull();
        try (RowBatch batch = new RowBatch()) {
            assertThatThrownBy(() -> batch.deleteRange(Table.MESSAGES, hex("07"), hex("03")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatWasCommittedIsThereAfterCloseAndOpen() throws Exception {
        commit(batch -> {
            batch.put(Table.ENTITIES, hex("01"), text("queue"));
            batch.put(Table.MESSAGES, hex("01"), text("one"));
            batch.put(Table.MESSAGES, hex("02"), text("two"));
        });
        commit(batch -> batch.delete(Table.MESSAGES, hex("01")));
        RowBatch neverCommitted = new RowBatch();
        neverCommitted.put(Table.MESSAGES, hex("03"), text("three"));
        opened = closeAndOpen(store());
        neverCommitted.close();
        assertThat(store().get(Table.ENTITIES, hex("01"))).isEqualTo(text("queue"));
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("02");
        commit(batch -> batch.delete(Table.MESSAGES, hex("02")));
        opened = closeAndOpen(store());
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).isEmpty();
    }

    @Test
    void reopenKeepsWhatWasCommittedAndMayBeCalledAtAnyTime() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), text("one")));
        StoreCursor before = store().scan(Table.MESSAGES, hex("00"), hex("ff"));
        store().reopen();
        store().reopen();
        assertThatThrownBy(before::next).isInstanceOf(StoreException.class);
        before.close();
        assertThat(store().get(Table.MESSAGES, hex("01"))).isEqualTo(text("one"));
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), text("two")));
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("01", "02");
    }

    @Test
    void aSuspendedStoreRefusesEverythingUntilReopenAndHasWhatItHad() throws Exception {
        commit(batch -> batch.put(Table.FRAGMENTS, hex("01"), hex("aa")));
        try (RowBatch batch = new RowBatch()) {
            store().check();
            store().suspend();
            store().suspend();
            batch.put(Table.FRAGMENTS, hex("01"), hex("bb"));
            assertThatThrownBy(() -> store().commit(batch)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store().get(Table.FRAGMENTS, hex("01"))).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store().check()).isInstanceOf(StoreException.class);
            store().reopen();
            store().check();
            assertThat(store().get(Table.FRAGMENTS, hex("01"))).isEqualTo(hex("aa"));
            store().commit(batch);
        }
        assertThat(store().get(Table.FRAGMENTS, hex("01"))).isEqualTo(hex("bb"));
        store().suspend();
        opened = closeAndOpen(store());
        assertThat(store().get(Table.FRAGMENTS, hex("01"))).isEqualTo(hex("bb"));
    }

    @Test
    void aBatchOutlivesReopen() throws Exception {
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, hex("01"), text("one"));
            store().reopen();
            store().commit(batch);
        }
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("01");
    }

    @Test
    void aClosedStoreRefusesEverythingAndClosesTwice() throws Exception {
        RowBatch batch = new RowBatch();
        batch.put(Table.MESSAGES, hex("01"), text("late"));
        StoreCursor rows = store().scan(Table.MESSAGES, hex("00"), hex("ff"));
        store().close();
        store().close();
        assertThatThrownBy(() -> store().commit(batch)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store().get(Table.MESSAGES, hex("01"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store().scan(Table.MESSAGES, hex("00"), hex("01")))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store().reopen()).isInstanceOf(StoreException.class);
        assertThatThrownBy(rows::next).isInstanceOf(StoreException.class);
        assertThat(store().acceptsGrowth()).isFalse();
        assertThatCode(rows::close).doesNotThrowAnyException();
        assertThatCode(batch::close).doesNotThrowAnyException();
    }

    @Test
    void closingWhileOthersReadEndsTheirReadsWithAnExceptionOnly() throws Exception {
        commit(batch -> {
            for (int i = 0; i < 1000; i++) {
                batch.put(Table.MESSAGES, new byte[] {(byte) (i >> 8), (byte) i}, new byte[100]);
            }
        });
        AtomicReference<Throwable> ended = new AtomicReference<>();
        AtomicBoolean reading = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            try {
                while (true) {
                    try (StoreCursor rows = store().scan(Table.MESSAGES, hex("00"), hex("ff"))) {
                        while (rows.next()) {
                            store().get(Table.MESSAGES, rows.key());
                            reading.set(true);
                        }
                    }
                }
            } catch (Throwable e) {
                ended.set(e);
            }
        });
        reader.start();
        while (!reading.get()) {
            Thread.onSpinWait();
        }
        store().reopen();
        store().close();
        reader.join(120_000);
        assertThat(ended.get()).isInstanceOf(StoreException.class);
    }

    @Test
    void readersSeeWholeBatchesWhileAnotherThreadCommits() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        commit(batch -> batch.put(Table.FRAGMENTS, hex("01"), new byte[] {0, 0}));
        Thread committer = new Thread(() -> {
            try {
                for (int i = 1; i <= 500; i++) {
                    byte[] key = {(byte) (i >> 8), (byte) i};
                    commit(batch -> {
                        batch.put(Table.MESSAGES, key, key);
                        batch.put(Table.FRAGMENTS, hex("01"), key);
                    });
                }
            } catch (Throwable e) {
                failure.set(e);
            } finally {
                done.set(true);
            }
        });
        committer.start();
        while (!done.get()) {
            byte[] last = store().get(Table.FRAGMENTS, hex("01"));
            if (last[0] != 0 || last[1] != 0) {
                assertThat(store().get(Table.MESSAGES, last)).isEqualTo(last);
            }
        }
        committer.join();
        assertThat(failure.get()).isNull();
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).hasSize(500);
    }

    @Test
    void aRandomWalkGivesTheSameRowsAsATreeMap() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
        int sequence = 0;
        for (int round = 0; round < 60; round++) {
            try (RowBatch batch = new RowBatch()) {
                for (int i = 0; i < random.nextInt(40); i++) {
                    byte[] key = {(byte) random.nextInt(4), (byte) (sequence >> 8), (byte) sequence++};
                    byte[] value = new byte[random.nextInt(200)];
                    random.nextBytes(value);
                    batch.put(Table.MESSAGES, key, value);
                    expected.put(key, value);
                }
                for (int i = 0; i < random.nextInt(40) && !expected.isEmpty(); i++) {
                    byte[] probe = {(byte) random.nextInt(4), (byte) random.nextInt(16), (byte) random.nextInt()};
                    byte[] key = expected.ceilingKey(probe);
                    if (key != null) {
                        batch.delete(Table.MESSAGES, key);
                        expected.remove(key);
                    }
                }
                store().commit(batch);
            }
            if (random.nextInt(10) == 0) {
                store().reopen();
            }
            if (random.nextInt(15) == 0) {
                opened = closeAndOpen(store());
            }
            List<String> wanted = new ArrayList<>();
            expected.keySet().forEach(key -> wanted.add(HexFormat.of().formatHex(key)));
            assertThat(keys(Table.MESSAGES, hex("00"), hex("ff")))
                    .as("seed %d", seed)
                    .isEqualTo(wanted);
        }
        for (byte[] key : expected.keySet()) {
            assertThat(store().get(Table.MESSAGES, key)).as("seed %d", seed).isEqualTo(expected.get(key));
        }
    }

    /** Fills one batch and commits it. */
    protected final void commit(Filling filling) throws StoreException {
        try (RowBatch batch = new RowBatch()) {
            filling.fill(batch);
            store().commit(batch);
        }
    }

    /** Returns the keys of a range in hexadecimal digits. */
    protected final List<String> keys(Table table, byte[] from, byte[] to) throws StoreException {
        List<String> keys = new ArrayList<>();
        try (StoreCursor rows = store().scan(table, from, to)) {
            while (rows.next()) {
                keys.add(HexFormat.of().formatHex(rows.key()));
            }
        }
        return keys;
    }

    protected static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    protected static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Puts writes into a batch. */
    @FunctionalInterface
    protected interface Filling {
        void fill(RowBatch batch);
    }
}
