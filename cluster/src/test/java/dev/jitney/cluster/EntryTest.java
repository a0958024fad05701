package dev.jitney.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entry of the replicated log")
class EntryTest {
    private static final int TRAILER = Entry.TRAILER_BYTES;

    @Test
    @DisplayName("has a fixed format (golden bytes)")
    void golden() throws EntryException {
        byte[] entry = Entry.encode(TestNodes.row("k", "v"), 2, 3, 4, 5).get(0);
        assertThat(HexFormat.of().formatHex(entry)).isEqualTo(GOLDEN);
        Entry decoded = Entry.decode(entry);
        assertThat(decoded.store()).isEqualTo(2);
        assertThat(decoded.term()).isEqualTo(3);
        assertThat(decoded.number()).isEqualTo(4);
        assertThat(decoded.timeMs()).isEqualTo(5);
        assertThat(decoded.deletesRange()).isFalse();
    }

    @Test
    @DisplayName("names tables by their numbers in formats.md, never by those of a database (CL-8)")
    void tables() throws Exception {
        Map<Integer, String> specified = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/formats.md"))) {
            Matcher row = TABLE_ROW.matcher(line);
            if (row.find()) {
                specified.put(Integer.parseInt(row.group(1)), row.group(2));
            }
        }
        for (Table table : Table.values()) {
            assertThat(specified.get(table.id())).isEqualTo(table.name());
            try (RowBatch batch = new RowBatch()) {
                batch.put(table, new byte[] {1}, new byte[] {2});
                byte[] entry = Entry.encode(batch, 0, 1, 1, 1).get(0);
                // A version, an operation, and then the number of its table.
                assertThat(entry[2]).as(table.name()).isEqualTo((byte) table.id());
            }
        }
    }

    private static final Pattern TABLE_ROW = Pattern.compile("^\\| (\\d+) \\| ([A-Z_]+) \\|");

    private static final String GOLDEN =
            "010100016b0176000000070000000101000002000000000000000300000000000000040000000000000005d46ef9b701";

    @Test
    @DisplayName("that is a mark has a fixed format (golden bytes), and is refused with other content (CL-85)")
    void mark() throws EntryException {
        byte[] mark = Entry.mark(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L), 3, 5);
        assertThat(HexFormat.of().formatHex(mark)).isEqualTo(GOLDEN_MARK);
        Entry decoded = Entry.decode(mark);
        assertThat(decoded.kind()).isEqualTo(Entry.Kind.MARK);
        assertThat(decoded.markId()).isEqualTo(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L));
        assertThat(decoded.term()).isEqualTo(3);
        byte[] shorter = new Entry(Entry.Kind.MARK, new byte[15], 15, 15, 0, 1, false, 0, 3, 1, 5).encoded();
        assertThatExceptionOfType(EntryException.class)
                .isThrownBy(() -> Entry.decode(shorter))
                .withMessageStartingWith("Expected a mark of 16 bytes");
        byte[] flagged = new Entry(Entry.Kind.MARK, new byte[16], 16, 16, 0, 1, true, 0, 3, 1, 5).encoded();
        assertThatExceptionOfType(EntryException.class).isThrownBy(() -> Entry.decode(flagged));
    }

    private static final String GOLDEN_MARK =
            "0102030405060708090a0b0c0d0e0f10000000100000000102000000000000000000000300000000000000010000000000000005391a96f501";

    @Test
    @DisplayName("is divided if the batch is larger than 2 MiB, and its parts give the batch again (CL-7)")
    void divided() throws EntryException, StoreException {
        RowBatch batch = large(5 << 20);
        List<byte[]> entries = Entry.encode(batch, 0, 1, 1, 1);
        assertThat(entries)
                .hasSize(3)
                .allSatisfy(entry -> assertThat(entry.length).isLessThanOrEqualTo(2 << 20));
        EntryParts parts = new EntryParts();
        assertThat(parts.add(Entry.decode(entries.get(0)))).isNull();
        assertThat(parts.add(Entry.decode(entries.get(1)))).isNull();
        EntryParts.Batch whole = Objects.requireNonNull(parts.add(Entry.decode(entries.get(2))));
        byte[] bytes = Arrays.copyOf(whole.bytes(), whole.length());
        assertThat(bytes).isEqualTo(batch.encoded());
        assertThat(RowBatchReader.check(bytes)).isEqualTo(1);
    }

    @Test
    @DisplayName("drops parts when one is missing or of another batch (CL-7)")
    void dropsParts() throws EntryException {
        List<byte[]> entries = Entry.encode(large(5 << 20), 0, 1, 1, 1);
        List<byte[]> others = Entry.encode(large(5 << 20), 0, 1, 2, 1);
        EntryParts parts = new EntryParts();
        parts.add(Entry.decode(entries.get(0)));
        assertThat(parts.add(Entry.decode(entries.get(2)))).isNull();
        assertThat(parts.isOpen()).isFalse();
        parts.add(Entry.decode(entries.get(0)));
        assertThat(parts.add(Entry.decode(others.get(1)))).isNull();
        assertThat(parts.isOpen()).isFalse();
        assertThat(parts.add(Entry.decode(entries.get(1)))).isNull();
        assertThat(parts.isOpen()).isFalse();
    }

    private static RowBatch large(int bytes) {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, new byte[] {1}, new byte[bytes]);
        return batch;
    }

    @Test
    @DisplayName("with any changed bit is refused, with a message (CL-6)")
    void damaged() {
        byte[] entry = Entry.encode(TestNodes.row("key", "value"), 0, 1, 1, 1).get(0);
        for (int bit = 0; bit < 8 * entry.length; bit++) {
            byte[] damaged = entry.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatExceptionOfType(EntryException.class)
                    .as("bit " + bit)
                    .isThrownBy(() -> Entry.decode(damaged))
                    .withMessageStartingWith("Expected an entry");
        }
        for (int length = 0; length < entry.length; length++) {
            byte[] cut = Arrays.copyOf(entry, length);
            assertThatExceptionOfType(EntryException.class).isThrownBy(() -> Entry.decode(cut));
        }
    }

    @Test
    @DisplayName("of random bytes is refused, whatever its checksum says")
    void random() {
        Random random = new Random(20_261_123);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > TRAILER) {
                bytes[bytes.length - 1] = 1;
                CRC32C crc = new CRC32C();
                crc.update(bytes, 0, bytes.length - 5);
                ByteBuffer.wrap(bytes).putInt(bytes.length - 5, (int) crc.getValue());
            }
            assertThatExceptionOfType(EntryException.class).isThrownBy(() -> Entry.decode(bytes));
        }
    }

    @Test
    @DisplayName("without rows is not made")
    void empty() {
        assertThatThrownBy(() -> Entry.encode(new RowBatch(), 0, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
