package dev.jitney.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    private static final long MOMENT_MS = 1_795_891_500_123L;

    @TempDir
    Path temporary;

    private final List<RocksDbMessagingStore> stores = new ArrayList<>();
    private long number;

    @BeforeEach
    void open() throws Exception {
        RocksDbLibrary.load(temporary.resolve("native"));
        openStore();
        put(50);
    }

    private void openStore() throws Exception {
        Path path = temporary.resolve("data/store-" + stores.size());
        stores.add(RocksDbMessagingStore.open(path, RocksDbOptions.DEFAULTS));
    }

    @AfterEach
    void close() {
        stores.forEach(RocksDbMessagingStore::close);
    }

    private Path directory() {
        return temporary.resolve("backups");
    }

    private Path restored() {
        return temporary.resolve("restored");
    }

    private BackupDirectory backups() throws BackupException {
        return BackupDirectory.of(directory());
    }

    private Manifest backUp() throws BackupException {
        return backUp(0);
    }

    private Manifest backUp(int keep) throws BackupException {
        return new BackupRun(BackupSource.of(stores), backups(), "1.2.3", Pace.unlimited(), keep, () -> MOMENT_MS)
                .run();
    }

    private void restore(Manifest manifest) throws BackupException {
        new RestoreRun(backups(), manifest, restored(), Selection.ALL, Pace.unlimited()).run();
    }

    private BackupCheck.Result check() throws BackupException {
        return BackupCheck.check(backups(), null, Pace.unlimited(), bytes -> {});
    }

    @Test
    void aBackupOfSeveralStoresIsRestoredAsADataDirectory() throws Exception {
        openStore();
        put(25);
        Manifest manifest = backUp();
        put(10);
        restore(manifest);
        assertThat(restored()).isDirectoryNotContaining("glob:**restoring");
        List<RocksDbMessagingStore> opened = StoresOnDisk.openAll(restored(), new StorePlaces(2, List.of()));
        try {
            assertThat(rows(opened.get(0))).isEqualTo(75);
            assertThat(rows(opened.get(1))).isEqualTo(25);
        } finally {
            opened.forEach(RocksDbMessagingStore::close);
        }
    }

    @Test
    void aSecondBackupCopiesOnlyNewFiles() throws Exception {
        put(20_000);
        stores.remove(0).close(); // the latest commits are in table files then, and not in the log
        openStore();
        Manifest first = backUp();
        put(10);
        Manifest second = backUp();
        assertThat(first.newBytes()).isBetween(first.bytes() / 2, first.bytes());
        assertThat(second.bytes()).isGreaterThan(first.bytes());
        assertThat(second.newBytes()).isLessThan(first.bytes() / 2);
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(backups().list()).extracting(BackupDirectory.Entry::id).containsExactly(first.id(), second.id());
        assertThat(check().findings()).isEmpty();
        assertThat(check().foreign()).isEmpty();
    }

    @Test
    void pruningKeepsTheNewestBackupsWithTheirFiles() throws Exception {
        for (int i = 0; i < 3; i++) {
            backUp();
            put(10);
        }
        List<String> ids =
                backups().list().stream().map(BackupDirectory.Entry::id).toList();
        assertThat(backups().prune(2)).containsExactly(ids.get(0));
        Manifest fourth = backUp(1);
        assertThat(backups().list()).extracting(BackupDirectory.Entry::id).containsExactly(fourth.id());
        try (Stream<Path> files = Files.list(directory().resolve("files"))) {
            assertThat(files.count())
                    .isEqualTo(fourth.stores().stream()
                            .flatMap(store -> store.files().stream())
                            .map(Manifest.File::sha256)
                            .distinct()
                            .count());
        }
        restore(fourth);
    }

    @Test
    void damagedMissingAndForeignFilesAreNamed() throws Exception {
        Manifest manifest = backUp();
        List<Manifest.File> files = manifest.stores().get(0).files();
        Path damaged = directory().resolve("files").resolve(files.get(0).sha256());
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[0] ^= 1;
        Files.write(damaged, bytes);
        Path missing =
                directory().resolve("files").resolve(files.get(files.size() - 1).sha256());
        Files.delete(missing);
        Files.writeString(directory().resolve("files/notes.txt"), "notes");
        Files.writeString(directory().resolve("manifests/other.json"), "{}");

        BackupCheck.Result result = check();
        assertThat(result.findings()).hasSize(2);
        assertThat(result.findings())
                .anySatisfy(finding ->
                        assertThat(finding).startsWith("Damaged: " + damaged).contains(manifest.id()));
        assertThat(result.findings()).anySatisfy(finding -> assertThat(finding).startsWith("Missing: " + missing));
        assertThat(result.foreign()).containsExactlyInAnyOrder("files/notes.txt", "manifests/other.json");
        assertThatThrownBy(() -> restore(manifest)).isInstanceOf(BackupException.class);
    }

    @Test
    void aSymbolicLinkIsNoFileOfABackup() throws Exception {
        Manifest manifest = backUp();
        Path file = directory()
                .resolve("files")
                .resolve(manifest.stores().get(0).files().get(0).sha256());
        Path elsewhere = temporary.resolve("elsewhere");
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, elsewhere);
        assertThat(check().findings()).singleElement().asString().startsWith("Missing: " + file);
        assertThatThrownBy(() -> restore(manifest)).hasMessageStartingWith("Missing: " + file);
    }

    @Test
    void aTargetWithFilesIsRefused() throws Exception {
        Manifest manifest = backUp();
        Files.createDirectories(restored());
        Files.writeString(restored().resolve("something"), "");
        assertThatThrownBy(() -> restore(manifest))
                .hasMessageContaining("--into")
                .hasMessageContaining("an empty directory");
        assertThat(restored().resolve("something")).exists();
        assertThat(restored().resolve("stores.properties")).doesNotExist();
    }

    @Test
    void aServerRefusesAnInterruptedRestore() throws Exception {
        Manifest manifest = backUp();
        RestoreRun run = new RestoreRun(backups(), manifest, restored(), Selection.ALL, new Pace(0, () -> true));
        assertThatThrownBy(run::run).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> StoresOnDisk.openAll(restored(), new StorePlaces(1, List.of())))
                .hasMessageContaining("missing");
    }

    @Test
    void anInterruptedBackupIsNotListedAndItsFilesAreDeletedByTheNext() throws Exception {
        Manifest first = backUp();
        put(10);
        BackupRun canceled =
                new BackupRun(BackupSource.of(stores), backups(), "1.2.3", new Pace(0, () -> true), 0, () -> MOMENT_MS);
        assertThatThrownBy(canceled::run).hasMessageContaining("canceled");
        Files.writeString(directory().resolve("files/copying.part"), "half");
        Files.writeString(directory().resolve("files/" + "0".repeat(64)), "whole");
        assertThat(backups().list()).extracting(BackupDirectory.Entry::id).containsExactly(first.id());
        assertThat(temporary.resolve("data/checkpoints-0/backup")).doesNotExist();

        backUp();
        assertThat(directory().resolve("files/copying.part")).doesNotExist();
        assertThat(directory().resolve("files/" + "0".repeat(64))).doesNotExist();
        assertThat(check().findings()).isEmpty();
    }

    @Test
    void oneProcessChangesADirectoryAtATime() throws Exception {
        try (BackupDirectory.Hold held = backups().hold()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(this::backUp).hasMessageContaining("only user");
            assertThatThrownBy(() -> backups().prune(1)).hasMessageContaining("only user");
        }
        backUp();
    }

    @Test
    void aDirectoryWithOtherFilesIsRefused() throws Exception {
        Files.createDirectories(directory());
        Files.writeString(directory().resolve("photo.jpg"), "");
        assertThatThrownBy(this::backUp).hasMessageContaining("photo.jpg");
    }

    @Test
    void pruneDeletesNoBackupIfANewerManifestIsDamaged() throws Exception {
        Manifest first = backUp();
        put(10);
        Manifest second = backUp();
        put(10);
        Manifest third = backUp();
        Path damaged = directory().resolve("manifests/" + third.id() + ".json");
        Files.writeString(damaged, "{}\n");
        assertThatThrownBy(() -> backups().prune(1))
                .hasMessageContaining(third.id())
                .hasMessageContaining("deletes no backups");
        assertThat(backups().list())
                .extracting(BackupDirectory.Entry::id)
                .containsExactly(first.id(), second.id(), third.id());
        Files.delete(damaged);
        assertThat(backups().prune(1)).containsExactly(first.id());
        restore(second);
    }

    @Test
    void aDamagedManifestIsNamedAndLosesNoFiles() throws Exception {
        Manifest first = backUp();
        put(10);
        Manifest second = backUp();
        Files.writeString(directory().resolve("manifests/" + first.id() + ".json"), "{}\n");
        assertThat(backups().list().get(0).trouble()).contains("damaged");
        assertThat(check().findings()).singleElement().asString().contains(first.id());
        BackupRun third =
                new BackupRun(BackupSource.of(stores), backups(), "1.2.3", Pace.unlimited(), 0, () -> MOMENT_MS);
        third.run();
        assertThat(third.progress().warning()).contains("deletes no files");
        restore(second);
    }

    @Test
    void thePaceLimitsTheBytesInASecond() throws Exception {
        put(15_000);
        long begin = System.nanoTime();
        Manifest manifest = new BackupRun(
                        BackupSource.of(stores),
                        backups(),
                        "1.2.3",
                        new Pace(8_000_000, () -> false),
                        0,
                        () -> MOMENT_MS)
                .run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        // The last chunk passes without a pause, and a tenth of a second is saved up.
        assertThat(seconds).isGreaterThan((manifest.bytes() - (2 << 20)) / 8e6 - 0.2);
    }

    private void put(int rows) throws Exception {
        for (RocksDbMessagingStore store : stores) {
            RowBatch batch = new RowBatch();
            for (int i = 0; i < rows; i++) {
                byte[] key =
                        ByteBuffer.allocate(15).putInt(1).putLong(7, ++number).array();
                byte[] value = new byte[200];
                ByteBuffer.wrap(value).putLong(number * 0x9E3779B97F4A7C15L);
                batch.put(Table.MESSAGES, key, value);
                if (batch.sizeBytes() > 1 << 20) {
                    store.commit(batch);
                    store.afterCommit();
                    batch.clear();
                }
            }
            batch.put(Table.UPTIME, "x".getBytes(StandardCharsets.US_ASCII), new byte[] {1});
            store.commit(batch);
            store.afterCommit();
        }
    }

    private static int rows(RocksDbMessagingStore store) throws Exception {
        int rows = 0;
        try (var cursor = store.scan(Table.MESSAGES, new byte[0], new byte[] {-1, -1, -1, -1, -1})) {
            while (cursor.next()) {
                rows++;
            }
        }
        return rows;
    }
}
