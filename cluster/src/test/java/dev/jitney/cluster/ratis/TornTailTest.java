package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    @DisplayName("loses the torn entry and nothing else")
    void removed() throws IOException {
        byte[] file = file();
        Arrays.fill(file, (lastEntry / 512 + 3) * 512, file.length, (byte) 0);
        Path closed = Files.write(directory.resolve("log_0-4"), file);
        Path open = Files.write(directory.resolve("log_inprogress_5"), file);
        new LogFiles(directory).removeTornTail();
        assertThat(Files.readAllBytes(open)).isEqualTo(Arrays.copyOf(file, lastEntry));
        assertThat(Files.readAllBytes(closed)).isEqualTo(file);
    }
}
