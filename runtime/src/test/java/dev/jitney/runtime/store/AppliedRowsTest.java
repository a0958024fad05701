package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The writes of a batch can be read before the commit, and reading commits nothing. */
class AppliedRowsTest {
    private final InMemoryMessagingStore store = new InMemoryMessagingStore();
    private final RowBatch batch = new RowBatch();
    private final AppliedRows rows = new AppliedRows(store, batch);

    @Test
    void rowsOfTheBatchLieOverThoseOfTheStore() throws Exception {
        store("01=aa", "02=bb", "03=cc");
        batch.put(Table.META, hex("02"), hex("b0"));
        batch.delete(Table.META, hex("03"));
        batch.put(Table.META, hex("04"), hex("dd"));
        assertThat(rows.get(Table.META, hex("01"))).isEqualTo(hex("aa"));
        assertThat(rows.get(Table.META, hex("02"))).isEqualTo(hex("b0"));
        assertThat(rows.get(Table.META, hex("03"))).isNull();
        assertThat(rows.get(Table.META, hex("04"))).isEqualTo(hex("dd"));
        assertThat(scan("00", "ff")).containsExactly("01=aa", "02=b0", "04=dd");
        assertThat(scan("02", "04")).containsExactly("02=b0");
        assertThat(scan("04", "02")).isEmpty();
        assertThat(store.commits()).isEqualTo(1);
    }

    @Test
    void whatComesLaterCounts() throws Exception {
        batch.put(Table.META, hex("01"), hex("aa"));
        assertThat(scan("00", "ff")).containsExactly("01=aa");
        batch.delete(Table.META, hex("01"));
        assertThat(rows.get(Table.META, hex("01"))).isNull();
        batch.put(Table.META, hex("01"), hex("bb"));
        assertThat(rows.get(Table.META, hex("01"))).isEqualTo(hex("bb"));
        batch.deleteRange(Table.META, hex("00"), hex("02"));
        assertThat(rows.get(Table.META, hex("01"))).isNull();
        assertThat(scan("00", "ff")).isEmpty();
    }

    @Test
    void tablesAreApart() throws Exception {
        batch.put(Table.META, hex("01"), hex("aa"));
        batch.put(Table.RULES, hex("01"), hex("bb"));
        assertThat(rows.get(Table.META, hex("01"))).isEqualTo(hex("aa"));
        assertThat(rows.get(Table.RULES, hex("01"))).isEqualTo(hex("bb"));
        assertThat(rows.get(Table.MESSAGES, hex("01"))).isNull();
    }

    @Test
    void deletedRangesHideTheStoreAndEndWhereTheyEnd() throws Exception {
        store("01=01", "02=02", "03=03", "04=04", "05=05", "06=06");
        batch.deleteRange(Table.META, hex("02"), hex("03"));
        batch.deleteRange(Table.META, hex("04"), hex("06"));
        assertThat(scan("00", "ff")).containsExactly("01=01", "03=03", "06=06");
        batch.deleteRange(Table.META, hex("03"), hex("04")); // now both ranges are one
        assertThat(scan("00", "ff")).containsExactly("01=01", "06=06");
        assertThat(scan("02", "05")).isEmpty();
        assertThat(rows.get(Table.META, hex("05"))).isNull();
        assertThat(rows.get(Table.META, hex("06"))).isEqualTo(hex("06"));
    }

    @Test
    void aClearedBatchIsForgotten() throws Exception {
        store("01=aa");
        batch.put(Table.META, hex("01"), hex("bb"));
        batch.put(Table.META, hex("02"), hex("cc"));
        assertThat(scan("00", "ff")).containsExactly("01=bb", "02=cc");
        batch.clear();
        assertThat(scan("00", "ff")).containsExactly("01=aa");
        batch.put(Table.META, hex("03"), hex("dd"));
        assertThat(scan("00", "ff")).containsExactly("01=aa", "03=dd");
        assertThat(rows.get(Table.META, hex("02"))).isNull();
    }

    @Test
    void aWalkMayBeWrittenToWhileItIsUnderWay() throws Exception {
        store("01=01", "03=03", "05=05", "07=07");
        batch.put(Table.META, hex("02"), hex("02"));
        List<String> seen = new ArrayList<>();
        try (StoreCursor cursor = rows.scan(Table.META, hex("00"), hex("ff"))) {
            while (cursor.next()) {
                seen.add(row(cursor));
                batch.delete(Table.META, cursor.key());
                rows.get(Table.META, cursor.key()); // updates the index
                if (seen.size() == 2) {
                    batch.deleteRange(Table.META, hex("04"), hex("06"));
                    batch.put(Table.META, hex("08"), hex("08"));
                    rows.get(Table.META, hex("00"));
                }
            }
            assertThat(cursor.next()).isFalse();
        }
        assertThat(seen).containsExactly("01=01", "02=02", "03=03", "07=07", "08=08");
        assertThat(scan("00", "ff")).isEmpty();
    }

    @Test
    void aCommitEndsAWalkThatIsUnderWay() throws Exception {
        batch.put(Table.META, hex("02"), hex("02"));
        try (StoreCursor cursor = rows.scan(Table.META, hex("00"), hex("ff"))) {
            store.commit(batch);
            batch.clear();
            assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
        }
        assertThat(store.openCursors()).isZero();
    }

    @Test
    void aCursorAnswersCopiesAndHasNoRowBeforeTheFirstAndBehindTheLast() throws Exception {
        batch.put(Table.META, hex("01"), hex("aa"));
        try (StoreCursor cursor = rows.scan(Table.META, hex("00"), hex("ff"))) {
            assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
            assertThat(cursor.next()).isTrue();
            Arrays.fill(cursor.key(), (byte) 9);
            Arrays.fill(cursor.value(), (byte) 9);
            assertThat(row(cursor)).isEqualTo("01=aa");
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.next()).isFalse();
            assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
        }
        assertThat(scan("00", "ff")).containsExactly("01=aa");
        assertThat(store.openCursors()).isZero();
    }

    @Test
    void aFaultOfTheStoreIsToldAndMendsItself() throws Exception {
        store("01=aa");
        batch.put(Table.META, hex("02"), hex("bb"));
        store.failNextRead();
        assertThatThrownBy(() -> rows.get(Table.META, hex("01"))).isInstanceOf(StoreException.class);
        store.failNextRead();
        assertThatThrownBy(() -> scan("00", "ff")).isInstanceOf(StoreException.class);
        assertThat(scan("00", "ff")).containsExactly("01=aa", "02=bb");
        assertThat(store.openCursors()).isZero();
    }

    /**
     * Keys are put in ascending order, and ranges are deleted from the oldest keys on, so that no key is put into a
     * deleted range.
     */
    @RepeatedTest(60)
    void whatIsReadBeforeACommitIsWhatTheStoreHasAfterIt(RepetitionInfo info) throws Exception {
        Random random = new Random(info.getCurrentRepetition());
        NavigableMap<Integer, byte[]> model = new TreeMap<>();
        int oldest = 0;
        int next = 1;
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> next = put(random, model, next);
                case 3 -> {
                    if (!model.isEmpty()) {
                        int again = oldest + random.nextInt(next - oldest);
                        model.put(again, value(random));
                        batch.put(Table.META, key(again), model.get(again));
                    }
                }
                case 4 -> {
                    int gone = random.nextInt(next);
                    model.remove(gone);
                    batch.delete(Table.META, key(gone));
                }
                case 5 -> {
                    if (random.nextInt(4) == 0) {
                        int from = random.nextInt(oldest + 1);
                        oldest = oldest + random.nextInt(next - oldest);
                        model.subMap(from, Math.max(from, oldest)).clear();
                        batch.deleteRange(Table.META, key(from), key(Math.max(from, oldest)));
                        model.headMap(oldest).clear();
                        batch.deleteRange(Table.META, key(0), key(oldest));
                    }
                }
                case 6 -> check(random, model, next);
                default -> {
                    if (random.nextInt(6) == 0) {
                        List<String> before = scan("00", "ff");
                        store.commit(batch);
                        batch.clear();
                        assertThat(scan("00", "ff")).isEqualTo(before);
                    }
                }
            }
        }
        check(random, model, next);
    }

    private int put(Random random, NavigableMap<Integer, byte[]> model, int next) {
        int key = next;
        for (int i = random.nextInt(4); i >= 0; i--) {
            model.put(key, value(random));
            batch.put(Table.META, key(key), model.get(key));
            key++;
        }
        return key;
    }

    private void check(Random random, NavigableMap<Integer, byte[]> model, int next) throws Exception {
        int asked = random.nextInt(next + 2);
        assertThat(rows.get(Table.META, key(asked))).isEqualTo(model.get(asked));
        int from = random.nextInt(next + 2);
        int to = from + random.nextInt(next + 2);
        List<String> expected = new ArrayList<>();
        model.subMap(from, to)
                .forEach((key, value) -> expected.add(HexFormat.of().formatHex(key(key)) + "="
                        + HexFormat.of().formatHex(value)));
        assertThat(scan(HexFormat.of().formatHex(key(from)), HexFormat.of().formatHex(key(to))))
                .isEqualTo(expected);
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[random.nextInt(6)];
        random.nextBytes(value);
        return value;
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private void store(String... written) throws StoreException {
        try (RowBatch committed = new RowBatch()) {
            for (String row : written) {
                String[] parts = row.split("=");
                committed.put(Table.META, hex(parts[0]), hex(parts[1]));
            }
            store.commit(committed);
        }
    }

    private List<String> scan(String from, String to) throws StoreException {
        List<String> found = new ArrayList<>();
        try (StoreCursor cursor = rows.scan(Table.META, hex(from), hex(to))) {
            while (cursor.next()) {
                found.add(row(cursor));
            }
        }
        return found;
    }

    private static String row(StoreCursor cursor) {
        return HexFormat.of().formatHex(cursor.key()) + "=" + HexFormat.of().formatHex(cursor.value());
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes);
    }
}
