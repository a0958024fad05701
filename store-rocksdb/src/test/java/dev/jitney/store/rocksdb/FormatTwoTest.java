package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The upgrade of a store that version 0.2.0 left after a kill to the current format; see README.md beside
 * format-2.zip.
 */
class FormatTwoTest {
    private static final byte[] BEHIND_ALL = new byte[64];
    private static final String FORMAT_KEY = "0 " + HexFormat.of().formatHex(StoreFormat.KEY) + " ";
    private static final byte[] NEW_KEY = {9, 9, 9};

    static {
        Arrays.fill(BEHIND_ALL, (byte) 0xFF);
    }

    @TempDir
    Path temporary;

    @BeforeEach
    void unpack() throws IOException {
        try (InputStream resource = Objects.requireNonNull(getClass().getResourceAsStream("format-2.zip"));
                ZipInputStream zip = new ZipInputStream(resource)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = temporary.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void everyRowIsThereAndTheFormatIsTodays(int index) throws Exception {
        Path store = temporary.resolve("store-" + index);
        assertThat(read(index)).anyMatch(row -> row.equals(FORMAT_KEY + "00000002"));
        for (int i = 0; i < 3; i++) {
            try (RocksDbMessagingStore opened = RocksDbMessagingStore.openExisting(store, RocksDbOptions.DEFAULTS)) {
                assertThat(rows(opened)).isEqualTo(expected(index));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aStoreOfTheOldFormatThatWasClosedInGoodOrderIsTakenOver(int index) throws Exception {
        Path store = temporary.resolve("store-" + index);
        Map<OpeningStep, Path> states = open(store, temporary.resolve("states"));
        // Before the import creates a new log, the store looks as if the old version had closed it.
        Path closed = Objects.requireNonNull(states.get(OpeningStep.OLD_LOG_REMOVED));
        assertThat(closed.resolve("log")).isEmptyDirectory();
        List<OpeningStep> steps = new ArrayList<>();
        try (RocksDbMessagingStore opened =
                RocksDbMessagingStore.open(closed, RocksDbOptions.DEFAULTS, false, steps::add)) {
            assertThat(rows(opened)).isEqualTo(expected(index));
        }
        assertThat(steps)
                .containsExactly(OpeningStep.LOG_OPENED, OpeningStep.FORMAT_APPENDED, OpeningStep.FORMAT_FLUSHED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aKillAfterAnyStepIsFollowedByTheSameRows(int index) throws Exception {
        Map<OpeningStep, Path> states = open(temporary.resolve("store-" + index), temporary.resolve("states"));
        assertThat(states.keySet()).containsExactly(OpeningStep.values());
        for (Map.Entry<OpeningStep, Path> state : states.entrySet()) {
            // The same again, after any step of the second attempt.
            Map<OpeningStep, Path> again = open(state.getValue(), temporary.resolve("again-" + state.getKey()));
            for (Path twiceKilled : again.values()) {
                checkAndGoOn(index, twiceKilled, state.getKey() + " " + twiceKilled);
            }
            checkAndGoOn(index, state.getValue(), state.getKey().toString());
        }
    }

    private void checkAndGoOn(int index, Path store, String when) throws Exception {
        TreeSet<String> expected = expected(index);
        Path killed = store.resolveSibling(store.getFileName() + "-killed");
        try (RocksDbMessagingStore opened = RocksDbMessagingStore.openExisting(store, RocksDbOptions.DEFAULTS)) {
            assertThat(rows(opened)).as(when).isEqualTo(expected);
            try (RowBatch batch = new RowBatch()) {
                batch.put(Table.MESSAGES, NEW_KEY, new byte[] {1});
                opened.commit(batch);
            }
            StoreFiles.copy(store, killed);
        }
        expected.add("3 090909 01");
        try (RocksDbMessagingStore opened = RocksDbMessagingStore.openExisting(killed, RocksDbOptions.DEFAULTS)) {
            assertThat(rows(opened)).as(when).isEqualTo(expected);
        }
    }

    @Test
    void damageInsideTheOldLogIsReportedAndNothingIsChanged() throws Exception {
        Path store = temporary.resolve("store-0");
        try (FileChannel log = FileChannel.open(store.resolve("log/000001.log"), StandardOpenOption.WRITE)) {
            log.write(ByteBuffer.wrap(new byte[] {7, 7, 7}), 4096 + 100);
        }
        List<OpeningStep> steps = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> RocksDbMessagingStore.open(store, RocksDbOptions.DEFAULTS, false, steps::add))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                    .hasMessageContaining("000001.log");
        }
        assertThat(steps).isEmpty();
    }

    /** Opens and closes a store; returns copies of its state after each step. */
    private static Map<OpeningStep, Path> open(Path store, Path copies) throws Exception {
        Map<OpeningStep, Path> states = new EnumMap<>(OpeningStep.class);
        Consumer<OpeningStep> kill = step -> {
            Path state = copies.resolve(step.name());
            states.put(step, state);
            try {
                StoreFiles.copy(store, state);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
        RocksDbMessagingStore.open(store, RocksDbOptions.DEFAULTS, false, kill).close();
        return states;
    }

    private TreeSet<String> expected(int index) throws IOException {
        TreeSet<String> rows = new TreeSet<>(read(index));
        rows.removeIf(row -> row.startsWith(FORMAT_KEY));
        rows.add(FORMAT_KEY + "00000003");
        return rows;
    }

    private List<String> read(int index) throws IOException {
        return Files.readAllLines(temporary.resolve("rows-" + index + ".txt"));
    }

    private static TreeSet<String> rows(RocksDbMessagingStore store) throws StoreException {
        TreeSet<String> rows = new TreeSet<>();
        for (Table table : Table.values()) {
            try (StoreCursor cursor = store.scan(table, new byte[0], BEHIND_ALL)) {
                while (cursor.next()) {
                    rows.add(table.id() + " " + HexFormat.of().formatHex(cursor.key()) + " "
                            + HexFormat.of().formatHex(cursor.value()));
                }
            }
        }
        return rows;
    }
}
