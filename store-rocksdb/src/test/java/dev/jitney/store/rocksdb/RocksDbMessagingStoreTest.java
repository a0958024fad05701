package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.MessagingStoreContract;
import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

class RocksDbMessagingStoreTest extends MessagingStoreContract {
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3, 1).withBlockCacheBytes(8 << 20);

    /** Of RocksDB's logs. */
    private static final int BLOCK = 32 << 10;

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
        // The refusals must not have released the lock that keeps other processes out.
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

    /** Opens a store, tells how that went, and closes it. */
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
                .hasMessageContaining("version 2")
                .hasMessageContaining("newer version");
        // Refused means closed: nothing is left open or locked.
        assertThatThrownBy(this::openHere).hasMessageContaining("version 2");
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
    void aTornTailOfTheLogIsForgottenAndWhatWasAcknowledgedIsThere() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), new byte[1000]));
        store().close();
        // A third commit of the same form, of which a part has reached the disk.
        byte[] log = Files.readAllBytes(newestLog());
        Files.write(
                newestLog(), Arrays.copyOfRange(log, log.length - 1030, log.length - 300), StandardOpenOption.APPEND);
        try (RocksDbMessagingStore again = openHere()) {
            assertThat(again.get(Table.MESSAGES, hex("01"))).hasSize(1000);
            assertThat(again.get(Table.MESSAGES, hex("02"))).hasSize(1000);
        }
    }

    @Test
    void aLogThatIsCutShortIsReportedUntilTheLossIsAccepted() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), new byte[1000]));
        store().close();
        Path log = newestLog();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 300);
        }
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(this::openHere)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                    .hasMessageContaining("acknowledged")
                    .hasMessageContaining(SyncedMark.FILE_NAME);
            assertThat(log).as("left as it is").exists();
        }
        Files.delete(directory().resolve(SyncedMark.FILE_NAME));
        try (RocksDbMessagingStore again = openHere()) {
            assertThat(again.get(Table.MESSAGES, hex("01"))).hasSize(1000);
            assertThat(again.get(Table.MESSAGES, hex("02"))).isNull();
        }
    }

    @Test
    void aBlockOfTheLogThatComesBackEmptyIsReported() throws Exception {
        long before = Files.size(newestLog());
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        long after = Files.size(newestLog());
        // A larger length takes one octet more.
        int overhead = (int) (after - before) - 1000 + 1;
        // Up to the end of the block, so that a batch has the next one to itself.
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), new byte[BLOCK - (int) after - overhead]));
        assertThat(Files.size(newestLog()) % BLOCK).isZero();
        commit(batch -> batch.put(Table.MESSAGES, hex("03"), new byte[BLOCK - overhead]));
        commit(batch -> batch.put(Table.MESSAGES, hex("04"), new byte[1000]));
        store().close();
        Path log = newestLog();
        long size = Files.size(log);
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BLOCK), size - size % BLOCK - BLOCK);
        }
        assertThatThrownBy(this::openHere)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT))
                .hasMessageContaining(log.toString());
    }

    @Test
    void aStoreWithEmptyLogsOpensAgainAndAgain() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        store().close();
        for (int i = 0; i < 3; i++) {
            try (RocksDbMessagingStore again = openHere()) {
                assertThat(again.get(Table.MESSAGES, hex("01"))).hasSize(1000);
            }
        }
    }

    @Test
    void damageInsideTheLogIsReportedAndNotServed() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), new byte[1000]));
        commit(batch -> batch.put(Table.MESSAGES, hex("02"), new byte[1000]));
        store().close();
        Path log = newestLog();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(hex("deadbeef")), channel.size() - 1500);
        }
        assertThatThrownBy(this::openHere)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CORRUPT));
    }

    @Test
    void largeBatchesAndRowsAreStoredWhole() throws Exception {
        byte[] large = new byte[5 << 20];
        large[large.length - 1] = 42;
        try (StoreBatch batch = store().newBatch()) {
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

    /** Loads the native code from a directory, and tells whether it was mapped from there. */
    static final class LibraryProcess {
        public static void main(String[] args) throws Exception {
            RocksDbLibrary.load(Path.of(args[0]));
            RocksDbLibrary.load(Path.of(args[0]));
            Path maps = Path.of("/proc/self/maps");
            boolean kept = !Files.exists(maps) || Files.readString(maps).contains(args[0]);
            System.out.println(kept ? "kept" : "elsewhere");
        }
    }

    private Path newestLog() throws Exception {
        try (Stream<Path> files = Files.list(directory().resolve("db"))) {
            List<Path> logs = files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
            return logs.get(logs.size() - 1);
        }
    }
}
