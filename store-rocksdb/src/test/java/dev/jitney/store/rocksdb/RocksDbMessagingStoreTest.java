package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.MessagingStoreContract;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

class RocksDbMessagingStoreTest extends MessagingStoreContract {
    /** Commits in the log begin at multiples of this size. */
    private static final int BLOCK = 4096;

    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);

    @TempDir
    Path temporary;

    @Override
    protected MessagingStore openEmpty() throws StoreException {
        return openHere();
    }

    @Override
    protected MessagingStore closeAndOpen(MessagingStore store) throws StoreException {
        store.close();
        return openHere();
    }

    private RocksDbMessagingStore openHere() throws StoreException {
        return RocksDbMessagingStore.open(directory(), SMALL);
    }

    private Path directory() {
        return temporary.resolve("deep/down/store");
    }

    @Test
    void aSecondOpeningInTheProcessIsRefusedAndChangesNothing() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(this::openHere)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.IN_USE))
                    .hasMessageContaining(directory().toString())
                    .hasMessageContaining("another data directory");
        }
        // The refusals must not have released the lock that excludes other processes.
        assertThat(openInAnotherProcess()).startsWith("IN_USE");
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("01")));
    }

    @Test
    void anotherProcessIsRefusedByNameUntilThisOneCloses() throws Exception {
        assertThat(openInAnotherProcess())
                .startsWith("IN_USE")
                .contains(directory().toString())
                .contains("process " + ProcessHandle.current().pid());
        store().close();
        assertThat(openInAnotherProcess()).isEqualTo("OPENED");
    }

    private String openInAnotherProcess() throws Exception {
        Process process = ChildJvm.start(OpeningProcess.class, directory().toString());
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            process.waitFor();
            return String.valueOf(line);
        }
    }

    /** Opens a store, prints the result, and closes it. */
    static final class OpeningProcess {
        public static void main(String[] args) {
            try (RocksDbMessagingStore store = RocksDbMessagingStore.open(Path.of(args[0]), SMALL)) {
                System.out.println(store.acceptsGrowth() ? "OPENED" : "FULL");
            } catch (StoreException e) {
                System.out.println(e.reason() + " " + e.getMessage());
            }
        }
    }

    @Test
    void aNewerFormatIsRefused() throws Exception {
        commit(batch -> batch.put(
                Table.META,
                StoreFormat.KEY,
                ByteBuffer.allocate(4).putInt(StoreFormat.VERSION + 1).array()));
        store().close();
        assertThatThrownBy(this::openHere)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                .hasMessageContaining("version 4")
                .hasMessageContaining("newer version");
        // A refused store is closed: no file is open or locked.
        assertThatThrownBy(this::openHere).hasMessageContaining("version 4");
    }

    @Test
    void aTableOfANewerVersionIsRefused() throws Exception {
        Path other = temporary.resolve("elsewhere");
        Files.createDirectories(other);
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, other.resolve("db").toString())) {
            db.createColumnFamily(new ColumnFamilyDescriptor(text("table-99"))).close();
        }
        assertThatThrownBy(() -> RocksDbMessagingStore.open(other, SMALL))
                .hasMessageContaining("table-99")
                .hasMessageContaining("newer version");
    }

    @Test
    void aCommitCutShortIsForgottenAndWhatWasAcknowledgedIsThere() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), new byte[1000]));
        Path killed = killed();
        damage(killed, 2 * BLOCK + 700);
        try (RocksDbMessagingStore again = RocksDbMessagingStore.openExisting(killed, SMALL)) {
            assertThat(again.get(Table.MESSAGES, hex("01"))).hasSize(1000);
            assertThat(again.get(Table.MESSAGES, hex("02"))).isNull();
        }
    }

    @Test
    void damageInsideTheLogIsReportedAndNotServed() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), new byte[1000]));
        Path killed = killed();
        damage(killed, BLOCK + 700);
        assertThatThrownBy(() -> RocksDbMessagingStore.openExisting(killed, SMALL))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                .hasMessageContaining("000001.log");
    }

    @Test
    void aLogThatHasGoneIsReported() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        Path killed = killed();
        Files.delete(killed.resolve("log/000001.log"));
        assertThatThrownBy(() -> RocksDbMessagingStore.openExisting(killed, SMALL))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                .hasMessageContaining("restore the whole store");
    }

    @Test
    void theLogOfAnotherStoreIsReported() throws Exception {
        Path other = temporary.resolve("other");
        RocksDbMessagingStore.open(other, SMALL).close();
        try (RocksDbMessagingStore opened = RocksDbMessagingStore.open(other, SMALL)) {
            Path killed = killed();
            Files.copy(
                    other.resolve("log/000001.log"),
                    killed.resolve("log/000001.log"),
                    StandardCopyOption.REPLACE_EXISTING);
            assertThat(opened.acceptsGrowth()).isTrue();
            assertThatThrownBy(() -> RocksDbMessagingStore.openExisting(killed, SMALL))
                    .hasMessageContaining("another store");
        }
    }

    @Test
    void aStoreThatWasClosedNeedsNoLog() throws Exception {
        Path other = temporary.resolve("other");
        for (int i = 1; i < 4; i++) {
            byte[] key = {(byte) i};
            try (RocksDbMessagingStore opened = RocksDbMessagingStore.open(other, SMALL);
                    RowBatch batch = new RowBatch()) {
                batch.put(Table.MESSAGES, key, new byte[1000]);
                opened.commit(batch);
            }
            assertThat(other.resolve("log")).isEmptyDirectory();
            try (RocksDbMessagingStore opened = RocksDbMessagingStore.open(other, SMALL)) {
                assertThat(opened.get(Table.MESSAGES, key)).hasSize(1000);
            }
        }
    }

    @Test
    void tablesFollowTheLogThroughManyFilesAndManyKills() throws Exception {
        Random random = new Random(7);
        Path current = temporary.resolve("many");
        RocksDbMessagingStore store = RocksDbMessagingStore.open(current, SMALL);
        TreeMap<Integer, Integer> expected = new TreeMap<>();
        for (int round = 1; round < 6; round++) {
            for (int i = 0; i < 120; i++) {
                try (RowBatch batch = new RowBatch()) {
                    int put = round * 1000 + i;
                    int size = random.nextInt(100_000);
                    batch.put(Table.MESSAGES, ByteBuffer.allocate(4).putInt(put).array(), new byte[size]);
                    expected.put(put, size);
                    if (random.nextInt(3) > 0) {
                        int delete = List.copyOf(expected.keySet()).get(random.nextInt(expected.size()));
                        if (delete != put) {
                            batch.delete(
                                    Table.MESSAGES,
                                    ByteBuffer.allocate(4).putInt(delete).array());
                            expected.remove(delete);
                        }
                    }
                    store.commit(batch);
                }
            }
            store.suspend(); // which leaves the files as a kill would
            RocksDbMessagingStore suspended = store;
            store = RocksDbMessagingStore.openExisting(current, SMALL);
            suspended.close();
            TreeMap<Integer, Integer> found = new TreeMap<>();
            try (StoreCursor cursor = store.scan(Table.MESSAGES, hex("00"), hex("ff"))) {
                while (cursor.next()) {
                    found.put(ByteBuffer.wrap(cursor.key()).getInt(), cursor.value().length);
                }
            }
            assertThat(found).isEqualTo(expected);
        }
        store.close();
    }

    @Test
    void aStoreOfTheFirstVersionIsTakenOver() throws Exception {
        commit(batch -> {
            batch.put(Table.MESSAGES, hex("01"), new byte[1000]);
            batch.put(
                    Table.META,
                    StoreFormat.KEY,
                    ByteBuffer.allocate(4)
                            .putInt(StoreFormat.VERSION_WITHOUT_LOG)
                            .array());
        });
        // The closed store is identical to one that version has closed with all rows in its tables.
        store().close();
        try (RocksDbMessagingStore again = openHere()) {
            assertThat(again.get(Table.MESSAGES, hex("01"))).hasSize(1000);
            assertThat(again.get(Table.META, StoreFormat.KEY))
                    .isEqualTo(
                            ByteBuffer.allocate(4).putInt(StoreFormat.VERSION).array());
        }
    }

    @Test
    void largeBatchesAndRowsAreStoredWhole() throws Exception {
        byte[] large = new byte[5 << 20];
        large[large.length - 1] = 42;
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, hex("01"), large);
            batch.put(Table.MESSAGES, new byte[300], hex("01"));
            store().commit(batch);
            batch.clear();
            batch.put(Table.MESSAGES, hex("02"), hex("02"));
            store().commit(batch);
        }
        assertThat(store().get(Table.MESSAGES, hex("01"))).isEqualTo(large);
        assertThat(store().get(Table.MESSAGES, new byte[300])).isEqualTo(hex("01"));
        assertThat(store().get(Table.MESSAGES, hex("02"))).isEqualTo(hex("02"));
    }

    @Test
    void theNativeCodeIsUnpackedOnce() throws Exception {
        Path home = temporary.resolve("native");
        for (int i = 0; i < 2; i++) {
            Process process = ChildJvm.start(LibraryProcess.class, home.toString());
            try (BufferedReader output = process.inputReader()) {
                assertThat(output.readLine()).isEqualTo("kept");
            }
            process.waitFor();
            try (Stream<Path> files = Files.walk(home)) {
                assertThat(files.filter(Files::isRegularFile)).hasSize(1);
            }
        }
    }

    /** Loads the native code from a directory, and prints whether it was mapped from there. */
    static final class LibraryProcess {
        public static void main(String[] args) throws Exception {
            RocksDbLibrary.load(Path.of(args[0]));
            RocksDbLibrary.load(Path.of(args[0]));
            Path maps = Path.of("/proc/self/maps");
            boolean kept = !Files.exists(maps) || Files.readString(maps).contains(args[0]);
            System.out.println(kept ? "kept" : "elsewhere");
        }
    }

    /** Returns a copy of the store's directory as it would be after a kill now. */
    private Path killed() throws IOException {
        Path to = temporary.resolve("killed");
        copy(directory(), to);
        return to;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    private static void damage(Path store, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(store.resolve("log/000001.log"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(hex("deadbeef")), at);
        }
    }
}
