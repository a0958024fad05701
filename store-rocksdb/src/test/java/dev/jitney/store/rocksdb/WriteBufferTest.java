package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteBufferTest {
    private static final int[] FAMILIES = new int[Table.values().length];
    private static final byte[] PLACE = {1};

    static {
        for (int i = 0; i < FAMILIES.length; i++) {
            FAMILIES[i] = 100 + 10 * i; // some take one byte, others two
        }
    }

    private final WriteBuffer rows = new WriteBuffer();
    private long number;

    @Test
    void aMessageThatCameAndWentLeavesNothing() {
        add(batch -> batch.put(Table.MESSAGES, key(1), key(10)));
        add(batch -> batch.put(Table.MESSAGES, key(2), key(20)));
        add(batch -> batch.delete(Table.MESSAGES, key(1)));
        assertThat(find(Table.MESSAGES, 1).known()).isFalse();
        assertThat(find(Table.MESSAGES, 2).value()).isEqualTo(key(20));
        RocksDbRows out = new RocksDbRows(FAMILIES);
        assertThat(rows.take(0, out, Integer.MAX_VALUE)).isEqualTo(3);
        assertThat(records(out)).containsExactly("put 2");
        assertThat(rows.bytes()).isZero();
        assertThat(find(Table.MESSAGES, 2).known()).isFalse();
    }

    @Test
    void deletionsOfWhatIsInTheStoreStay() {
        add(batch -> {
            batch.delete(Table.MESSAGES, key(1));
            batch.put(Table.META, key(2), key(0));
        });
        add(batch -> batch.delete(Table.META, key(2)));
        assertThat(find(Table.MESSAGES, 1)).isEqualTo(WriteBuffer.Found.DELETED);
        assertThat(find(Table.META, 2)).isEqualTo(WriteBuffer.Found.DELETED);
        assertThat(find(Table.META, 1)).isEqualTo(WriteBuffer.Found.UNKNOWN);
        RocksDbRows out = new RocksDbRows(FAMILIES);
        rows.take(0, out, Integer.MAX_VALUE);
        assertThat(records(out)).containsExactly("single delete 1", "delete 2");
    }

    @Test
    void theOlderHalfLeavesAndRowsKeepTheirOrder() {
        for (int i = 0; i < 100; i++) {
            int next = i;
            add(batch -> batch.put(Table.MESSAGES, key(next), new byte[1000]));
            if (i % 2 == 0) {
                add(batch -> batch.delete(Table.MESSAGES, key(next)));
            }
        }
        RocksDbRows out = new RocksDbRows(FAMILIES);
        long taken = rows.take(rows.bytes() / 2, out, Integer.MAX_VALUE);
        assertThat(taken).isBetween(70L, 80L);
        List<String> expected = new ArrayList<>();
        for (int i = 1; i < 50; i += 2) {
            expected.add("put " + i);
        }
        assertThat(records(out)).containsExactlyElementsOf(expected);
        assertThat(find(Table.MESSAGES, 49).known()).isFalse();
        assertThat(find(Table.MESSAGES, 51).value()).hasSize(1000);
    }

    @Test
    void aBatchIsTheLastOneTakenWhenThereAreBytesEnough() {
        for (int i = 0; i < 10; i++) {
            int next = i;
            add(batch -> batch.put(Table.MESSAGES, key(next), new byte[1000]));
        }
        RocksDbRows out = new RocksDbRows(FAMILIES);
        assertThat(rows.take(0, out, 2_500)).isEqualTo(3);
        assertThat(records(out)).containsExactly("put 0", "put 1", "put 2");
        assertThat(find(Table.MESSAGES, 2).known()).isFalse();
        assertThat(find(Table.MESSAGES, 3).value()).hasSize(1000);
        assertThat(rows.take(0, new RocksDbRows(FAMILIES), Integer.MAX_VALUE)).isEqualTo(10);
        assertThat(rows.take(0, out, Integer.MAX_VALUE)).isZero();
    }

    /** With a random hash, 88 of 100 keys have a slot that no earlier key has. */
    @ParameterizedTest
    @ValueSource(ints = {8, 12, 16, 17, 18, 24, 31, 40})
    void numbersThatCountUpAreSpreadWhereverTheyAreInAKey(int length) {
        int slots = 1 << 16;
        int keys = slots / 4;
        for (int at = 0; at <= length - Long.BYTES; at++) {
            for (long seed : new long[] {0, 1, new Random(length).nextLong()}) {
                BitSet taken = new BitSet();
                for (long next = 1; next <= keys; next++) {
                    byte[] key = ByteBuffer.allocate(length).putLong(at, next).array();
                    taken.set(WriteBuffer.hash(seed, key, 0, length) & slots - 1);
                }
                assertThat(taken.cardinality()).as("at %d, seed %d", at, seed).isGreaterThan(keys * 8 / 10);
            }
        }
    }

    @RepeatedTest(50)
    void agreesWithAMap(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        int keys = 1 + random.nextInt(3000);
        TreeMap<Integer, byte[]> model = new TreeMap<>();
        TreeMap<Integer, byte[]> store = new TreeMap<>();
        for (int step = 0; step < 1500; step++) {
            add(batch -> {
                for (int i = random.nextInt(6); i >= 0; i--) {
                    int key = random.nextInt(keys);
                    if (random.nextBoolean()) {
                        byte[] value = new byte[random.nextInt(200)];
                        random.nextBytes(value);
                        batch.put(Table.META, key(key), value);
                        model.put(key, value);
                    } else {
                        batch.delete(Table.META, key(key));
                        model.remove(key);
                    }
                }
            });
            int key = random.nextInt(keys);
            WriteBuffer.Found found = find(Table.META, key);
            assertThat(found.known() ? found.value() : store.get(key)).isEqualTo(model.get(key));
            if (random.nextInt(60) == 0) {
                RocksDbRows out = new RocksDbRows(FAMILIES);
                long keep = random.nextInt(3) == 0 ? 0 : rows.bytes() * random.nextInt(100) / 100;
                rows.take(keep, out, random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(10_000));
                play(out, store);
            }
        }
        RocksDbRows out = new RocksDbRows(FAMILIES);
        rows.take(0, out, Integer.MAX_VALUE);
        play(out, store);
        assertThat(store.keySet()).isEqualTo(model.keySet());
        for (Map.Entry<Integer, byte[]> entry : model.entrySet()) {
            assertThat(store.get(entry.getKey())).isEqualTo(entry.getValue());
        }
    }

    private void add(Consumer<RowBatch> filling) {
        RowBatch batch = new RowBatch();
        filling.accept(batch);
        byte[] encoded = batch.encoded();
        rows.add(encoded, encoded.length, ++number);
    }

    private WriteBuffer.Found find(Table table, int key) {
        return rows.find(table, key(key));
    }

    private static void play(RocksDbRows out, TreeMap<Integer, byte[]> store) {
        for (RocksDbRecord record : RocksDbRecord.allOf(out.encodedWith(PLACE, PLACE))) {
            int key = ByteBuffer.wrap(record.key()).getInt();
            if (record.kind().equals("put")) {
                store.put(key, record.value());
            } else {
                store.remove(key);
            }
        }
    }

    private static List<String> records(RocksDbRows out) {
        List<String> records = new ArrayList<>();
        for (RocksDbRecord record : RocksDbRecord.allOf(out.encodedWith(PLACE, PLACE))) {
            records.add(record.kind() + " " + ByteBuffer.wrap(record.key()).getInt());
        }
        return records;
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }
}
