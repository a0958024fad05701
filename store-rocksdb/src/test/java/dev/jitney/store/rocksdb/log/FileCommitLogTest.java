package dev.jitney.store.rocksdb.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCommitLogTest {
    private static final int BLOCK = LogRecord.BLOCK;

    @TempDir
    Path temporary;

    private Path directory;
    private FileCommitLog log;
    private long id;
    private final List<byte[]> written = new ArrayList<>();

    @BeforeEach
    void make() throws IOException {
        directory = temporary.resolve("log");
        log = FileCommitLog.make(directory, 8 * BLOCK);
        id = log.next().log();
    }

    @AfterEach
    void close() throws IOException {
        log.close();
    }

    @Test
    void givesBackWhatIsNotFlushed() throws Exception {
        append(1, 100, 5_000, 3 << 20, 40_000, 1);
        assertThat(log.next()).isEqualTo(new LogPosition(id, 7));
        for (int flushed = 1; flushed <= 6; flushed++) {
            assertThat(read(flushed)).containsExactlyElementsOf(written.subList(flushed, 6));
        }
    }

    @Test
    void goesOnWhereItEnded() throws Exception {
        append(10, 20, 30);
        for (int i = 0; i < 50; i++) {
            log.close();
            long flushed = Math.max(1, written.size() - 3);
            log = FileCommitLog.open(directory, new LogPosition(id, flushed), 8 * BLOCK, (number, content) -> {});
            append(100 * i + 1);
        }
        assertThat(read(50)).containsExactlyElementsOf(written.subList(50, 53));
    }

    @Test
    void theLastCommitIsWrittenAgainWhenTheLogOpensBecauseItMayNeverHaveBeenSynced() throws Exception {
        append(100, 20_000, 5_000);
        Path file = files().get(0);
        byte[] before = Files.readAllBytes(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        log.close();
        log = FileCommitLog.open(directory, new LogPosition(id, 1), 8 * BLOCK, (number, content) -> {});
        assertThat(Files.getLastModifiedTime(file)).isGreaterThan(FileTime.fromMillis(0));
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void filesThatAreFlushedAreWrittenOver() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            append(1 + random.nextInt(10_000));
            log.retire(Math.max(0, written.size() - 10));
            if (i % 20 == 19) {
                assertThat(read(written.size() - 10)).containsExactlyElementsOf(last(10));
            }
        }
        assertThat(files()).hasSizeBetween(2, 8).allMatch(file -> file.toFile().length() <= 8 * BLOCK);
        assertThat(log.unretiredBytes()).isBetween(10L * BLOCK, 5L * 8 * BLOCK);
    }

    @Test
    void aFileThatALongCommitMadeLongBecomesShortAgain() throws Exception {
        append(1 << 20);
        log.retire(1);
        append(1, 7 * BLOCK, 7 * BLOCK);
        log.retire(4);
        append(7 * BLOCK, 7 * BLOCK);
        assertThat(files()).allMatch(file -> file.toFile().length() <= 8 * BLOCK);
    }

    @Test
    void everyDamagedOctetIsReportedOrTheLastCommitIsTakenForOneThatWasCutShort() throws Exception {
        append(300, 5_000, 700);
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at += at % BLOCK < 1_000 ? 1 : 31) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(file, damaged);
            int inRecord = at < BLOCK ? at : at < 3 * BLOCK ? at - BLOCK : at - 3 * BLOCK;
            int length = at < BLOCK ? 300 : at < 3 * BLOCK ? 5_000 : 700;
            if (inRecord >= LogRecord.HEADER + length) {
                assertThat(read(1)).as("at %d", at).containsExactlyElementsOf(written.subList(1, 3));
            } else if (at >= 3 * BLOCK) {
                assertThat(read(1)).as("at %d", at).containsExactly(written.get(1));
            } else {
                int where = at;
                assertThatThrownBy(() -> read(1)).as("at %d", where).isInstanceOf(LogDamageException.class);
            }
        }
    }

    @Test
    void aLogCutAnywhereInItsLastCommitLosesNothingElse() throws Exception {
        append(300, 5_000, 9_000);
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int length = 3 * BLOCK; length < 3 * BLOCK + LogRecord.HEADER + 9_000; length += 97) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(read(1)).containsExactly(written.get(1));
        }
    }

    @Test
    void anySubsetOfTheBlocksOfTheLastCommitLeavesItOut() throws Exception {
        for (int i = 0; i < 30; i++) {
            append(BLOCK); // two blocks each, so that old data remains behind the end
            log.retire(written.size());
        }
        Path[] all = files().toArray(Path[]::new);
        byte[][] before = new byte[all.length][];
        for (int i = 0; i < all.length; i++) {
            before[i] = Files.readAllBytes(all[i]);
        }
        append(2 * BLOCK);
        long flushed = written.size() - 1L;
        for (int i = 0; i < all.length; i++) {
            byte[] after = Files.readAllBytes(all[i]);
            int start = 0;
            while (start < before[i].length
                    && Arrays.equals(before[i], start, start + BLOCK, after, start, start + BLOCK)) {
                start += BLOCK;
            }
            for (int subset = 0; subset < 7 && start < before[i].length; subset++) {
                byte[] torn = before[i].clone();
                for (int block = 0; block < 3; block++) {
                    if ((subset >> block & 1) == 1) {
                        System.arraycopy(after, start + block * BLOCK, torn, start + block * BLOCK, BLOCK);
                    }
                }
                Files.write(all[i], torn);
                assertThat(read(flushed)).as("blocks %s", subset).isEmpty();
            }
            Files.write(all[i], after);
        }
        assertThat(read(flushed)).containsExactly(written.get(written.size() - 1));
    }

    @Test
    void aMissingFileIsReported() throws Exception {
        for (int i = 0; i < 30; i++) {
            append(BLOCK);
        }
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(3);
        for (Path file : files) {
            byte[] content = Files.readAllBytes(file);
            Files.delete(file);
            if (file == files.get(files.size() - 1)) {
                // As if the power had failed when the file was created; no commit in it is missing.
                assertThat(read(1)).hasSizeLessThan(29);
            } else {
                assertThatThrownBy(() -> read(1)).isInstanceOf(LogDamageException.class);
            }
            Files.write(file, content);
        }
        assertThat(read(1)).hasSize(29);
    }

    @Test
    void anEmptyOrForeignLogIsReported() throws Exception {
        append(1, 2, 3);
        assertThatThrownBy(() -> read(4)).hasMessageContaining("Expected commit 4");
        assertThatThrownBy(() ->
                        FileCommitLog.open(directory, new LogPosition(id + 1, 2), 8 * BLOCK, (number, content) -> {}))
                .isInstanceOf(LogDamageException.class)
                .hasMessageContaining("another store");
        Files.delete(files().get(0));
        assertThatThrownBy(() -> read(3)).isInstanceOf(LogDamageException.class);
    }

    @Test
    void contentThatLooksLikeARecordIsContent() throws Exception {
        append(100);
        byte[] record = Arrays.copyOf(Files.readAllBytes(files().get(0)), BLOCK);
        byte[] content = new byte[3 * BLOCK - LogRecord.HEADER];
        System.arraycopy(record, 0, content, BLOCK - LogRecord.HEADER, BLOCK);
        System.arraycopy(record, 0, content, 2 * BLOCK - LogRecord.HEADER, BLOCK);
        log.append(content);
        written.add(content);
        append(100);
        assertThat(read(1)).containsExactlyElementsOf(written.subList(1, 3));
    }

    @Test
    void afterAFailedWriteItHasToBeOpenedAgain() throws Exception {
        append(100);
        log.close();
        assertThatThrownBy(() -> log.append(new byte[10])).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> log.append(new byte[10])).hasMessageContaining("opened again");
        assertThat(read(1)).isEmpty();
    }

    private void append(int... lengths) throws IOException {
        for (int length : lengths) {
            byte[] content = new byte[length];
            new Random(written.size()).nextBytes(content);
            log.append(content);
            written.add(content);
        }
    }

    private List<byte[]> read(long flushed) throws Exception {
        List<byte[]> found = new ArrayList<>();
        FileCommitLog.open(directory, new LogPosition(id, flushed), 8 * BLOCK, (number, content) -> found.add(content))
                .close();
        return found;
    }

    private List<byte[]> last(int count) {
        return written.subList(written.size() - count, written.size());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.sorted().toList();
        }
    }
}
