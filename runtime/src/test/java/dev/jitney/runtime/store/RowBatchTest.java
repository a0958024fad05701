package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The permanent encoding of batches on disk: bytes written once stay readable forever. */
class RowBatchTest {
    /** A batch of version 1 with each operation, a length of two bytes, an empty key and an empty value. */
    private static final String GOLDEN = "01" // version
            + "0103" + "03010203" + "02aabb" // put 010203 in MESSAGES
            + "0100" + "00" + "00" // put nothing under nothing in META
            + "0202" + "0107" // delete 07 from FRAGMENTS
            + "0303" + "03010203" // delete 010203 from MESSAGES, where a key is written once
            + "0407" + "0101" + "0102" // delete from 01 to 02 from RULES
            + "0108" + "0105" + "8001" + "00".repeat(128); // put 128 bytes under 05 in BODIES

    private static RowBatch golden() {
        RowBatch batch = new RowBatch();
        batch.put(Table.MESSAGES, hex("010203"), hex("aabb"));
        batch.put(Table.META, new byte[0], new byte[0]);
        batch.delete(Table.FRAGMENTS, hex("07"));
        batch.delete(Table.MESSAGES, hex("010203"));
        batch.deleteRange(Table.RULES, hex("01"), hex("02"));
        batch.deleteRange(Table.RULES, hex("05"), hex("05"));
        batch.put(Table.BODIES, hex("05"), new byte[128]);
        return batch;
    }

    @Test
    void itIsWrittenAsInThisGoldenFile() {
        assertThat(HexFormat.of().formatHex(golden().encoded())).isEqualTo(GOLDEN);
        assertThat(golden().sizeBytes()).isEqualTo(GOLDEN.length() / 2 - 1);
    }

    @Test
    void theGoldenFileIsReadAsItWasWritten() throws Exception {
        assertThat(records(hex(GOLDEN)))
                .containsExactly(
                        "PUT MESSAGES 010203 aabb",
                        "PUT META  ",
                        "DELETE FRAGMENTS 07 ",
                        "DELETE MESSAGES 010203 ",
                        "DELETE_RANGE RULES 01 02",
                        "PUT BODIES 05 " + "00".repeat(128));
        assertThat(RowBatchReader.check(hex(GOLDEN))).isEqualTo(6);
    }

    @Test
    void aValueInTwoPartsIsWrittenLikeOneInOnePart() {
        byte[] key = {1, 2, 3};
        RowBatch whole = new RowBatch();
        RowBatch parts = new RowBatch();
        whole.put(Table.MESSAGES, key, hex("aabbcc" + "dd".repeat(10_000)));
        parts.put(Table.MESSAGES, key, hex("aabbcc"), hex("dd".repeat(10_000)));
        whole.put(Table.META, key, hex("01"));
        parts.put(Table.META, key, hex(""), hex("01"));
        assertThat(parts.encoded()).isEqualTo(whole.encoded());
    }

    @Test
    void itKnowsWhatItTouchesAndForgetsItWhenItIsCleared() throws Exception {
        RowBatch batch = golden();
        assertThat(batch.touches(Table.BODIES)).isTrue();
        assertThat(batch.touches(Table.RULES)).isTrue();
        assertThat(batch.touches(Table.SESSIONS)).isFalse();
        assertThat(batch.deletesRange()).isTrue();
        assertThat(batch.deleted().count()).isEqualTo(3);
        batch.clear();
        for (Table table : Table.values()) {
            assertThat(batch.touches(table)).isFalse();
        }
        assertThat(batch.deletesRange()).isFalse();
        assertThat(batch.deleted().count()).isZero();
        assertThat(batch.encoded()).containsExactly(RowBatchFormat.VERSION);
        assertThat(batch.reader().next()).isFalse();
    }

    @Test
    void idsOfTablesFitTheFormatAndNameOneTableEach() {
        for (Table table : Table.values()) {
            assertThat(table.id()).isBetween(0, 63);
            assertThat(Table.of(table.id())).isEqualTo(table);
        }
        for (int id : new int[] {-1, 12, 63, 64, 255}) {
            assertThat(Table.of(id)).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                   | Expected a batch of rows, but got no bytes",
                "00                   | version 0",
                "02                   | of version 1, but got version 2",
                "0101                 | 1 bytes are left",
                "010103               | 2 bytes are left",
                "010003010100         | expected an operation, but found 0",
                "0105030101           | expected an operation, but found 5",
                "01ff030101           | expected an operation, but found 255",
                "01010c0101           | id of a table, but found 12",
                "0101ff0101           | id of a table, but found 255",
                "0103020101           | operation 3 is not allowed for table FRAGMENTS",
                "0102030101           | operation 2 is not allowed for table MESSAGES",
                "0101030501           | expected a key of 5 bytes, but 1 are left",
                "010103ffffffff7f     | expected a key of 34359738367 bytes, but 0 are left",
                "010103ffffffff07     | expected a key of 2147483647 bytes, but 0 are left",
                "010103ffffffffff01   | takes more than five bytes",
                "01010380             | the batch ends inside the length of a key",
                "0101038000           | takes more bytes than it needs",
                "0101038100           | takes more bytes than it needs",
                "0101030105           | the batch ends inside the length of a value",
                "010103010502aa       | expected a value of 2 bytes, but 1 are left",
                "0104070102           | the batch ends inside the length of the end of a range",
                "01040701020102       | range that ends after its start",
                "01040701020101       | range that ends after its start"
            })
    void otherBytesAreRefusedWithWhatIsWrong(String bytes, String why) {
        assertThatThrownBy(() -> RowBatchReader.check(hex(bytes)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                .hasMessageContaining(why);
    }

    @Test
    void aRefusalNamesThePlace() {
        assertThatThrownBy(() -> RowBatchReader.check(hex("01" + "0202" + "0107" + "0909")))
                .hasMessageContaining("record at byte 5");
    }

    @Test
    void noPartOfABatchButAtTheEndOfARecordIsABatch() throws Exception {
        byte[] whole = hex(GOLDEN);
        List<Integer> ends = new ArrayList<>();
        for (int at = RowBatchFormat.HEADER_BYTES; at < whole.length; at = RowBatchFormat.end(whole, at)) {
            ends.add(at);
        }
        ends.add(whole.length);
        for (int length = 0; length <= whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            if (ends.contains(length)) {
                assertThat(RowBatchReader.check(part)).isEqualTo(ends.indexOf(length));
            } else {
                assertThatThrownBy(() -> RowBatchReader.check(part)).isInstanceOf(StoreException.class);
            }
        }
    }

    /** Accepted bytes are exactly the bytes that would be written: every batch has only one encoding. */
    @RepeatedTest(20)
    void damagedBytesAreRefusedOrMeanThemselves(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        byte[] whole = random.nextBoolean() ? hex(GOLDEN) : random(random).encoded();
        for (int i = 0; i < 5_000; i++) {
            byte[] damaged = whole.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                damaged[random.nextInt(Math.min(40, damaged.length))] = (byte) random.nextInt(256);
            }
            try {
                assertThat(writtenAgain(damaged)).isEqualTo(damaged);
            } catch (StoreException e) {
                assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT);
            }
        }
    }

    @RepeatedTest(20)
    void whatIsWrittenIsReadAndTheTwoWaysToReadAgree(RepetitionInfo info) throws Exception {
        RowBatch batch = random(new Random(info.getCurrentRepetition()));
        byte[] encoded = batch.encoded();
        assertThat(writtenAgain(encoded)).isEqualTo(encoded);
        RowBatchReader rows = batch.reader();
        for (int at = RowBatchFormat.HEADER_BYTES; at < encoded.length; at = RowBatchFormat.end(encoded, at)) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.start()).isEqualTo(at);
            byte[] key = rows.key();
            int keyEnd = RowBatchFormat.keyEnd(encoded, at);
            assertThat(Arrays.copyOfRange(encoded, keyEnd - key.length, keyEnd)).isEqualTo(key);
            byte[] deletion = RowBatchFormat.deletion(rows.table(), key);
            assertThat(Arrays.equals(deletion, 1, deletion.length, encoded, at + 1, keyEnd))
                    .isTrue();
            if (rows.operation() == RowBatchReader.Operation.PUT) {
                assertThat(RowBatchFormat.value(encoded, at)).isEqualTo(rows.argument());
            }
        }
        assertThat(rows.next()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152})
    void lengthsTakeAsManyBytesAsTheyNeed(int length) throws Exception {
        RowBatch batch = new RowBatch();
        batch.put(Table.SESSION_STATES, new byte[length], new byte[length]);
        assertThat(writtenAgain(batch.encoded())).isEqualTo(batch.encoded());
    }

    private static RowBatch random(Random random) {
        RowBatch batch = new RowBatch();
        for (int i = 1 + random.nextInt(50); i > 0; i--) {
            Table table = Table.values()[random.nextInt(Table.values().length)];
            byte[] key = new byte[random.nextInt(200)];
            random.nextBytes(key);
            switch (random.nextInt(3)) {
                case 0 -> batch.put(table, key, new byte[random.nextInt(20) == 0 ? 20_000 : random.nextInt(300)]);
                case 1 -> batch.delete(table, key);
                default -> batch.deleteRange(table, key, Arrays.copyOf(key, key.length + random.nextInt(3)));
            }
        }
        return batch;
    }

    private static byte[] writtenAgain(byte[] encoded) throws StoreException {
        RowBatch batch = new RowBatch();
        RowBatchReader rows = RowBatchReader.of(encoded);
        while (rows.next()) {
            switch (rows.operation()) {
                case PUT -> batch.put(rows.table(), rows.key(), rows.argument());
                case DELETE -> batch.delete(rows.table(), rows.key());
                case DELETE_RANGE -> batch.deleteRange(rows.table(), rows.key(), rows.argument());
            }
        }
        return batch.encoded();
    }

    private static List<String> records(byte[] encoded) throws StoreException {
        List<String> records = new ArrayList<>();
        RowBatchReader rows = RowBatchReader.of(encoded);
        while (rows.next()) {
            records.add(
                    rows.operation() + " " + rows.table() + " " + HexFormat.of().formatHex(rows.key()) + " "
                            + HexFormat.of().formatHex(rows.argument()));
        }
        return records;
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes.strip());
    }
}
