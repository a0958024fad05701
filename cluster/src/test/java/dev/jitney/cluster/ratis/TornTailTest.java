package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The end of a log file after a kill (CL-42, CL-46)")
class TornTailTest {
    private static final int SIZE = 1 << 16;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Random random = new Random(1);
    private final List<Integer> entries = new ArrayList<>();
    private int lastEntry;

    @TempDir
    Path directory;

    @BeforeEach
    void write() {
        written.writeBytes("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        for (int size : new int[] {40, 300, 6_000, 1, 9_000}) {
            entry(size);
        }
    }

    private void entry(int size) {
        lastEntry = written.size();
        entries.add(lastEntry);
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        int rest = size;
        while (rest > 0x7f) {
            entry.write(rest & 0x7f | 0x80);
            rest >>= 7;
        }
        entry.write(rest);
        byte[] content = new byte[size];
        random.nextBytes(content);
        content[0] = 8; // the tag of the term
        entry.writeBytes(content);
        CRC32C crc = new CRC32C();
        crc.update(entry.toByteArray());
        entry.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
        written.writeBytes(entry.toByteArray());
    }

    private byte[] file() {
        return Arrays.copyOf(written.toByteArray(), SIZE);
    }

    @Test
    @DisplayName("is left as it is when all entries are complete")
    void complete() {
        assertThat(new TornTail(file()).offset()).isEqualTo(-1);
        assertThat(new TornTail(written.toByteArray()).offset()).isEqualTo(-1);
        assertThat(new TornTail(new byte[SIZE]).offset()).isEqualTo(-1);
        assertThat(new TornTail(new byte[0]).offset()).isEqualTo(-1);
    }

    @Test
    @DisplayName("is found wherever a write was cut between two sectors")
    void cut() {
        for (int at = (lastEntry / 512 + 1) * 512; at < written.size(); at += 512) {
            byte[] file = file();
            Arrays.fill(file, at, file.length, (byte) 0);
            assertThat(new TornTail(file).offset()).as("cut at %d", at).isEqualTo(lastEntry);
        }
    }

    @Test
    @DisplayName("is left to Ratis when the file ends within the entry")
    void endOfFile() {
        byte[] file = Arrays.copyOf(written.toByteArray(), written.size() - 700);
        assertThat(new TornTail(file).offset()).isEqualTo(-1);
    }

    @Test
    @DisplayName("is never taken for torn because of changed bytes, in the last entry or before")
    void damaged() {
        for (int i = 0; i < 2_000; i++) {
            byte[] file = file();
            file[8 + random.nextInt(written.size() - 8)] ^= (byte) (1 + random.nextInt(255));
            assertThat(new TornTail(file).offset()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("is not torn when a changed size covers intact entries")
    void changedSize() {
        int at = 8 + 1 + 40 + 4; // the second entry
        byte[] file = file();
        file[at] |= (byte) 0x80;
        file[at + 1] = 0x7f;
        file[at + 2] = 1;
        assertThat(new TornTail(file).offset()).isEqualTo(-1);
        for (int size = 1; size < 1 << 14; size += 13) {
            file[at] = (byte) (size & 0x7f | 0x80);
            file[at + 1] = (byte) (size >> 7);
            assertThat(new TornTail(file).offset()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("is not torn when something follows the zeros")
    void hole() {
        byte[] file = file();
        Arrays.fill(file, lastEntry + 1_000, lastEntry + 3_000, (byte) 0);
        assertThat(new TornTail(file).offset()).isEqualTo(-1);
    }

    @Test
    @DisplayName("is found at a hole behind the synced entries, whatever follows, and is damage among them (CL-46)")
    void holeAfterAPowerFailure() {
        byte[] file = file();
        int torn = entries.get(2);
        Arrays.fill(file, torn + 1_000, torn + 3_000, (byte) 0);
        assertThat(new TornTail(file).offset(2)).isEqualTo(torn);
        assertThat(new TornTail(file).offset(0)).isEqualTo(torn);
        assertThat(new TornTail(file).offset(3)).isEqualTo(-1);
        assertThat(new TornTail(file).offset()).isEqualTo(-1);
    }

    @Test
    @DisplayName(
            "leaves exactly the intact entries when the power fails, whichever sectors behind the synced ones are lost (CL-46)")
    void lostSectors() {
        for (int i = 0; i < 5_000; i++) {
            int synced = random.nextInt(entries.size() + 1);
            int from = synced == entries.size() ? written.size() : entries.get(synced);
            byte[] file = file();
            for (int sector = 0; sector < SIZE; sector += 512) {
                if (random.nextInt(8) == 0) {
                    Arrays.fill(file, Math.max(from, sector), Math.max(from, sector + 512), (byte) 0);
                }
            }
            int intact = 0;
            while (intact < entries.size() && isSame(file, entries.get(intact), endOf(intact))) {
                intact++;
            }
            int at = new TornTail(file).offset(synced);
            boolean more = intact < entries.size() && !isZero(file, entries.get(intact));
            assertThat(at)
                    .as("%d synced, %d intact, run %d", synced, intact, i)
                    .isEqualTo(more ? entries.get(intact) : -1);
        }
    }

    private int endOf(int entry) {
        return entry + 1 < entries.size() ? entries.get(entry + 1) : written.size();
    }

    private boolean isSame(byte[] file, int from, int to) {
        return Arrays.equals(file, from, to, written.toByteArray(), from, to);
    }

    private static boolean isZero(byte[] file, int from) {
        return Arrays.equals(file, from, file.length, new byte[file.length], from, file.length);
    }

    @Test
    @DisplayName("loses the torn entry and nothing else")
    void removed() throws IOException {
        byte[] file = file();
        Arrays.fill(file, (lastEntry / 512 + 3) * 512, file.length, (byte) 0);
        Path closed = Files.write(directory.resolve("log_0-4"), file);
        Path open = Files.write(directory.resolve("log_inprogress_5"), file);
        new LogFiles(directory).removeTornTail(new SyncedMark(directory));
        assertThat(Files.readAllBytes(open)).isEqualTo(Arrays.copyOf(file, lastEntry));
        assertThat(Files.readAllBytes(closed)).isEqualTo(file);
    }
}
