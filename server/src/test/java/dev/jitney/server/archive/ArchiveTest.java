package dev.jitney.server.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.server.backup.BackupArchive;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.BackupRun;
import dev.jitney.server.backup.BackupSource;
import dev.jitney.server.backup.Manifest;
import dev.jitney.server.backup.Pace;
import dev.jitney.server.backup.RestoreRun;
import dev.jitney.server.backup.Selection;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The archive of commits")
class ArchiveTest {
    private static final long START_MS = 1_795_891_500_000L;
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final int STORES = 2;

    @TempDir
    Path temporary;

    private final UUID set = UUID.randomUUID();
    private final AtomicLong clock = new AtomicLong(START_MS);
    private final Object commits = new Object();
    private final List<RocksDbMessagingStore> stores = new ArrayList<>();
    private @Nullable Archiver archiver;
    private int rows;
    private int restores;
    private boolean moments = true;

    @BeforeEach
    void open() throws Exception {
        RocksDbLibrary.load(temporary.resolve("native"));
        openStores();
    }

    private void openStores() throws Exception {
        for (int i = 0; i < STORES; i++) {
            stores.add(RocksDbMessagingStore.open(temporary.resolve("data/store-" + i), SMALL));
        }
    }

    @AfterEach
    void close() {
        if (archiver != null) {
            archiver.close();
        }
        closeStores();
    }

    private void closeStores() {
        stores.forEach(RocksDbMessagingStore::close);
        stores.clear();
    }

    private ArchiveOptions options() {
        return ArchiveOptions.in(archive()).every(Duration.ofMillis(100)).holding(24 << 20);
    }

    private Path archive() {
        return temporary.resolve("archive");
    }

    private Archiver begin(ArchiveOptions options) throws Exception {
        Archiver begun = Archiver.begin(options, set, stores, clock::get);
        archiver = begun;
        begun.start((waitNanos, action) -> {
            synchronized (commits) {
                if (!moments) {
                    return -1;
                }
                action.run();
                return 0;
            }
        });
        return begun;
    }

    private void end() {
        if (archiver != null) {
            archiver.close();
            archiver = null;
        }
    }

    /** Writes rows to both stores, one after the other. */
    private void put(int count, int bytes) throws Exception {
        clock.addAndGet(1); // moments of the time before have none of these rows
        for (int i = 0; i < count; i++) {
            synchronized (commits) {
                for (RocksDbMessagingStore store : stores) {
                    RowBatch batch = new RowBatch();
                    batch.put(Table.MESSAGES, key(rows), new byte[bytes]);
                    store.commit(batch);
                    store.afterCommit();
                }
                rows++;
            }
        }
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(15).putLong(4, number).array();
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Moves the time, and returns the new time when a moment of it is archived. */
    private long tick() {
        long now = clock.addAndGet(1_000);
        Archiver running = archiver;
        assertThat(running).isNotNull();
        await("a moment", () -> running.figures().lastMomentMs() >= now);
        return now;
    }

    private BackupDirectory backups() throws BackupException {
        return BackupDirectory.of(temporary.resolve("backups"));
    }

    private Manifest backUp() throws BackupException {
        synchronized (commits) {
            return new BackupRun(BackupSource.of(stores), backups(), "1.2.3", Pace.unlimited(), 0, clock::get).run();
        }
    }

    /** Restores the newest backup before a time, and returns the number of rows of each store. */
    private List<Integer> restore(long toMs) throws Exception {
        return restore(BackupArchive.choose(backups(), null, archive(), toMs));
    }

    private List<Integer> restore(BackupArchive.Choice choice) throws Exception {
        Path into = temporary.resolve("restored-" + restores++);
        new RestoreRun(backups(), choice.manifest(), into, Selection.ALL, Pace.unlimited())
                .to(choice.target())
                .run();
        List<RocksDbMessagingStore> opened = StoresOnDisk.openAll(into, new StorePlaces(STORES, List.of()));
        try {
            List<Integer> counts = new ArrayList<>();
            for (RocksDbMessagingStore store : opened) {
                int count = 0;
                while (store.get(Table.MESSAGES, key(count)) != null) {
                    count++;
                }
                counts.add(count);
            }
            return counts;
        } finally {
            opened.forEach(RocksDbMessagingStore::close);
        }
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> all = Files.list(archive())) {
            return all.filter(file -> !file.endsWith("archive.lock")).sorted().toList();
        }
    }

    @Test
    @DisplayName("A backup is restored to each moment behind it, consistently over all stores")
    void everyMoment() throws Exception {
        begin(options());
        put(10, 100);
        clock.addAndGet(500);
        Manifest backup = backUp();
        List<Long> times = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clock.addAndGet(5_000);
            put(20, 1_000);
            times.add(tick());
            counts.add(rows);
        }
        clock.addAndGet(5_000);
        put(7, 100);
        for (int i = 0; i < 4; i++) {
            assertThat(restore(times.get(i))).containsExactly(counts.get(i), counts.get(i));
            assertThat(restore(times.get(i) + 999)).containsExactly(counts.get(i), counts.get(i));
        }
        assertThat(restore(backup.momentMs())).containsExactly(10, 10);
        assertThat(restore(backup.momentMs() + 1)).containsExactly(10, 10);
    }

    @Test
    @DisplayName("A time before the backup or behind the archive is refused with the reachable times")
    void refusedTimes() throws Exception {
        begin(options());
        tick();
        Manifest backup = backUp();
        put(1, 10);
        long last = tick();
        assertThatThrownBy(() -> restore(backup.momentMs() - 1))
                .hasMessageContaining("--to-time")
                .hasMessageContaining("moment of the backup");
        assertThatThrownBy(() -> restore(last + 60_000))
                .hasMessageContaining("Expected a time from 2026-")
                .hasMessageContaining(Instant.ofEpochMilli(last).toString());
        assertThat(BackupArchive.timeline(archive()).reach(BackupArchive.origin(backup)))
                .isEqualTo(last);
    }

    @Test
    @DisplayName("Files are closed at their size, and a restart continues without a gap")
    void restarts() throws Exception {
        ArchiveOptions small = options().files(1 << 20, Duration.ofHours(1));
        begin(small);
        backUp();
        for (int i = 0; i < 3; i++) {
            put(50, 16 << 10);
            tick();
        }
        end();
        closeStores();
        openStores();
        begin(small);
        put(50, 16 << 10);
        long last = tick();
        assertThat(files()).hasSizeGreaterThan(3);
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(1);
        assertThat(ArchiveDirectory.existing(archive()).check().findings()).isEmpty();
        assertThat(restore(last)).containsExactly(200, 200);
    }

    @Test
    @DisplayName("Commits made while the archive was not running are archived from the log")
    void fromTheLog() throws Exception {
        begin(options());
        backUp();
        put(5, 100);
        tick();
        end();
        put(300, 100); // the logs keep them
        begin(options());
        assertThat(restore(tick())).containsExactly(305, 305);
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(1);
    }

    @Test
    @DisplayName("An interrupted file is cut off behind its last complete record, and continued")
    void interrupted() throws Exception {
        begin(options());
        backUp();
        put(20, 100);
        long before = tick();
        Path copy = temporary.resolve("copy");
        Files.createDirectories(copy);
        end();
        // As after a crash: the file has no end, and its last record is incomplete.
        Path file = files().get(0);
        ArchiveFile found = ArchiveDirectory.scan(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(found.validBytes() - 3);
        }
        Files.move(file, file.resolveSibling(ArchiveDirectory.partName(1)));
        closeStores();
        openStores();
        begin(options());
        put(1, 100);
        assertThat(restore(tick())).containsExactly(21, 21);
        assertThat(restore(before)).containsExactly(20, 20);
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(1);
        assertThat(ArchiveDirectory.existing(archive()).check().findings()).isEmpty();
    }

    /** Archives some commits, and makes the only file what it is while its server writes it. Returns the last moment. */
    private long interrupt() throws Exception {
        begin(options());
        backUp();
        put(20, 100);
        long last = tick();
        end();
        Files.move(files().get(0), part());
        return last;
    }

    private Path part() {
        return archive().resolve(ArchiveDirectory.partName(1));
    }

    @Test
    @DisplayName("An interrupted file that cannot be read for a while stays, and is continued afterwards")
    void unreadable() throws Exception {
        interrupt();
        Path away = temporary.resolve("away");
        Files.move(part(), away);
        Files.createDirectory(part()); // every read of it fails
        Archiver running = begin(options());
        assertThat(running.figures().failing()).isTrue();
        assertThat(running.troubles()).singleElement().asString().contains("cannot be read");
        put(1, 100);
        assertThat(part()).isDirectory();
        Files.delete(part());
        Files.move(away, part());
        await("recovery", () -> !running.figures().failing());
        assertThat(restore(tick())).containsExactly(21, 21);
        assertThat(running.figures().gaps()).isZero();
    }

    @Test
    @DisplayName("An interrupted file of a newer version stays, and the server does not write behind it")
    void newerVersion() throws Exception {
        interrupt();
        write(part(), 11, 2);
        byte[] content = Files.readAllBytes(part());
        assertThatThrownBy(() -> Archiver.begin(options(), set, stores, clock::get))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("A newer version of the program wrote it");
        assertThat(files()).containsExactly(part());
        assertThat(part()).hasBinaryContent(content);
    }

    @Test
    @DisplayName("If the only file is damaged, it stays, and a new run begins behind it with a gap")
    void damagedHeader() throws Exception {
        interrupt();
        write(part(), 33, 1);
        byte[] content = Files.readAllBytes(part());
        Archiver running = begin(options());
        put(1, 100);
        long last = tick();
        assertThat(part()).hasBinaryContent(content);
        assertThat(files()).hasSize(2);
        assertThat(running.figures().gaps()).isEqualTo(1);
        assertThatThrownBy(() -> restore(last)).hasMessageContaining("000000000001.part", "damaged");
        assertThat(ArchiveDirectory.existing(archive()).check().findings())
                .singleElement()
                .asString()
                .contains("000000000001.part", "damaged");
    }

    /** Archives commits in two files, and damages the header of the second one as a crash may do. Returns the last moment. */
    private long damageTheSecondFile(Path second) throws Exception {
        begin(options());
        clock.addAndGet(10);
        backUp();
        put(20, 100);
        tick();
        end();
        begin(options());
        put(5, 100);
        long last = tick();
        end();
        Files.move(archive().resolve(ArchiveDirectory.name(2)), second);
        Files.copy(second, temporary.resolve("intact"));
        write(second, 33, 1);
        return last;
    }

    @Test
    @DisplayName("Behind a damaged file, the archive continues the file before it if the logs have its commits")
    void continuesBeforeADamagedFile() throws Exception {
        Path second = archive().resolve(ArchiveDirectory.partName(2));
        damageTheSecondFile(second);
        Archiver running = begin(options());
        put(3, 100);
        long last = tick();
        assertThat(running.figures().gaps()).isZero();
        assertThat(second).exists();
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(1);
        assertThat(restore(last)).containsExactly(28, 28);
        // The file is restored from a copy: its commits occur twice, and are restored once.
        Files.move(temporary.resolve("intact"), second, StandardCopyOption.REPLACE_EXISTING);
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(1);
        assertThat(restore(last)).containsExactly(28, 28);
        end();
        begin(options());
        put(1, 100);
        assertThat(restore(tick())).containsExactly(29, 29);
    }

    @Test
    @DisplayName("Behind a damaged file, the archive has a gap if the logs do not have its commits")
    void gapBehindADamagedFile() throws Exception {
        damageTheSecondFile(archive().resolve(ArchiveDirectory.partName(2)));
        closeStores();
        openStores();
        put(1, 100);
        closeStores(); // removes the log, because no archive reads it
        openStores();
        Archiver running = begin(options());
        put(3, 100);
        long last = tick();
        assertThat(running.figures().gaps()).isEqualTo(1);
        assertThatThrownBy(() -> restore(last))
                .hasMessageContaining("000000000002.part")
                .hasMessageContaining("take a new one");
        clock.addAndGet(10);
        backUp();
        put(2, 100);
        assertThat(restore(tick())).containsExactly(31, 31);
    }

    @Test
    @DisplayName("A damaged file is deleted together with unneeded files behind it, and stays before a needed one")
    void pruneBehindADamagedFile() throws Exception {
        begin(options().files(256 << 10, Duration.ofHours(1)));
        for (int i = 0; i < 3; i++) {
            put(20, 16 << 10);
            tick();
        }
        end();
        write(files().get(0), 33, 1);
        begin(options().files(256 << 10, Duration.ofHours(1)));
        clock.addAndGet(10);
        backUp();
        put(60, 16 << 10);
        long last = tick();
        end();
        assertThat(BackupArchive.prune(backups(), archive())).isGreaterThan(2);
        assertThat(files().toString()).doesNotContain(ArchiveDirectory.name(1), ArchiveDirectory.name(2));
        assertThat(restore(last)).containsExactly(120, 120);
        List<Path> needed = files();
        write(needed.get(0), 33, 1);
        assertThat(BackupArchive.prune(backups(), archive())).isZero();
        assertThat(files()).isEqualTo(needed);
    }

    @Test
    @DisplayName("A file that was interrupted before its first record is deleted")
    void interruptedBeforeItsFirstRecord() throws Exception {
        long last = interrupt();
        int header = ArchiveHeader.bytes(STORES);
        Path second = archive().resolve(ArchiveDirectory.partName(2));
        for (int bytes : new int[] {0, 13, header - 1, header, header + 5}) {
            byte[] start = new ArchiveHeader(
                            set,
                            2,
                            last,
                            ArchiveHeader.Start.CONTINUES,
                            0,
                            ArchiveDirectory.scan(files().get(0)).after())
                    .encoded();
            Files.write(second, Arrays.copyOf(start, bytes));
            assertThat(ArchiveDirectory.existing(archive()).repaired().last()).isNotNull();
            assertThat(files()).as("%d bytes", bytes).containsExactly(archive().resolve(ArchiveDirectory.name(1)));
        }
        for (int bytes : new int[] {header, header + 200, 100_000}) { // as after a failure of power
            Files.write(second, new byte[bytes]);
            assertThat(ArchiveDirectory.existing(archive()).repaired().last()).isNotNull();
            assertThat(files()).as("%d zeros", bytes).containsExactly(archive().resolve(ArchiveDirectory.name(1)));
        }
        begin(options());
        put(1, 100);
        assertThat(restore(tick())).containsExactly(21, 21);
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(1);
    }

    private static void write(Path file, long at, int value) throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) value}), at);
        }
    }

    @Test
    @DisplayName("If the archive cannot be written for a short time, nothing is missing afterwards")
    void shortFailure() throws Exception {
        begin(options());
        backUp();
        put(10, 100);
        tick();
        Archiver running = breakArchive();
        put(100, 1_000);
        await("failure", () -> running.figures().failing());
        assertThat(running.troubles()).singleElement().asString().contains("cannot be written");
        repairArchive();
        await("recovery", () -> !running.figures().failing());
        assertThat(restore(tick())).containsExactly(110, 110);
        assertThat(running.figures().gaps()).isZero();
        assertThat(running.troubles()).isEmpty();
    }

    @Test
    @DisplayName(
            "If the archive cannot be written for long, the log stays bounded, and no backup is restored across the gap")
    void longFailure() throws Exception {
        begin(options());
        backUp();
        put(10, 100);
        long reachable = tick();
        Archiver running = breakArchive();
        put(2_500, 16 << 10); // 40 MiB in each store, of which 12 MiB are held
        assertThat(logBytes()).isLessThan(40 << 20);
        await("failure", () -> running.troubles().toString().contains("gap"));
        repairArchive();
        // Commits in memory may be archived before the missing ones are noticed.
        await(
                "recovery",
                () -> running.figures().gaps() == 1 && !running.figures().failing());
        long behind = tick();
        assertThatThrownBy(() -> restore(behind))
                .hasMessageContaining("--archive-hold")
                .hasMessageContaining("take a new one");
        assertThat(restore(reachable)).containsExactly(10, 10);
        clock.addAndGet(1_000);
        backUp();
        put(3, 10);
        assertThat(restore(tick())).containsExactly(2_513, 2_513);
        assertThat(BackupArchive.timeline(archive()).ranges()).hasSize(2);
    }

    private Archiver breakArchive() throws Exception {
        end();
        Files.move(archive(), temporary.resolve("away"));
        Files.writeString(archive(), "not a directory");
        return begin(options());
    }

    private void repairArchive() throws Exception {
        Files.delete(archive());
        Files.move(temporary.resolve("away"), archive());
    }

    private long logBytes() throws Exception {
        long bytes = 0;
        try (Stream<Path> all = Files.list(temporary.resolve("data/store-0/log"))) {
            for (Path file : all.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Test
    @DisplayName("A start without the archive makes a gap, and older backups are restored only to times before it")
    void withoutArchive() throws Exception {
        begin(options());
        clock.addAndGet(10);
        Manifest old = backUp();
        put(5, 100);
        long before = tick();
        end();
        closeStores();
        openStores();
        put(5, 100);
        closeStores(); // removes the log, because no archive reads it
        openStores();
        begin(options());
        long behind = tick();
        assertThatThrownBy(() -> restore(behind))
                .hasMessageContaining("without --archive-dir")
                .hasMessageContaining("take a new one");
        assertThat(restore(before)).containsExactly(5, 5);
        assertThat(BackupArchive.timeline(archive()).reach(BackupArchive.origin(old)))
                .isGreaterThanOrEqualTo(before);
        clock.addAndGet(10);
        backUp();
        put(2, 100);
        assertThat(restore(tick())).containsExactly(12, 12);
    }

    @Test
    @DisplayName("A damaged or missing file is named, and times before it can be reached")
    void damagedFiles() throws Exception {
        begin(options().files(256 << 10, Duration.ofHours(1)));
        clock.addAndGet(10);
        backUp();
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            put(20, 16 << 10);
            times.add(tick());
        }
        end();
        Path third = files().get(2);
        try (FileChannel channel = FileChannel.open(third, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100_000);
        }
        assertThat(ArchiveDirectory.existing(archive()).check().findings())
                .singleElement()
                .asString()
                .contains("000000000003.archive", "damaged");
        assertThatThrownBy(() -> restore(times.get(4))).hasMessageContaining("000000000003.archive");
        assertThat(restore(times.get(0))).containsExactly(20, 20);
        Files.delete(third);
        assertThatThrownBy(() -> restore(times.get(4)))
                .hasMessageContaining("000000000003.archive is missing")
                .hasMessageContaining("take a new one");
        assertThat(restore(times.get(0))).containsExactly(20, 20);
    }

    @Test
    @DisplayName("Files that no backup needs are deleted, and the others can still be used")
    void prune() throws Exception {
        begin(options().files(256 << 10, Duration.ofHours(1)));
        backUp();
        for (int i = 0; i < 3; i++) {
            put(20, 16 << 10);
            tick();
        }
        assertThat(BackupArchive.prune(backups(), archive())).isZero();
        clock.addAndGet(10);
        Manifest second = backUp();
        put(20, 16 << 10);
        long last = tick();
        int before = files().size();
        backups().prune(1);
        assertThat(BackupArchive.prune(backups(), archive())).isGreaterThan(1);
        assertThat(files()).hasSizeLessThan(before);
        assertThat(backups().list()).hasSize(1);
        assertThat(restore(last)).containsExactly(80, 80);
        assertThat(BackupArchive.timeline(archive()).reach(BackupArchive.origin(second)))
                .isEqualTo(last);
    }

    @Test
    @DisplayName("Files older than --archive-keep are deleted by the server")
    void keep() throws Exception {
        begin(options().files(256 << 10, Duration.ofHours(1)));
        for (int i = 0; i < 3; i++) {
            put(20, 16 << 10);
            tick();
        }
        end();
        int before = files().size();
        clock.addAndGet(Duration.ofDays(8).toMillis());
        begin(options().keeping(Duration.ofDays(7)));
        await("old files are deleted", () -> {
            try {
                return files().size() <= 2;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(before).isGreaterThan(3);
    }

    @Test
    @DisplayName("Without moments, commits are archived, the state says so, and the next moment has all of them")
    void coarseMoments() throws Exception {
        Archiver running = begin(options());
        tick();
        backUp();
        synchronized (commits) {
            moments = false;
        }
        put(50, 100);
        clock.addAndGet(20_000);
        await("a missed moment", () -> !running.troubles().isEmpty());
        assertThat(running.troubles()).singleElement().asString().contains("no moment after");
        assertThat(running.figures().missedMoments()).isPositive();
        synchronized (commits) {
            moments = true;
        }
        assertThat(restore(tick())).containsExactly(50, 50);
        assertThat(running.troubles()).isEmpty();
    }

    @Test
    @DisplayName("A directory of another data directory, of another server or with other files is refused")
    void foreign() throws Exception {
        begin(options());
        tick();
        assertThatThrownBy(() -> Archiver.begin(options(), set, stores, clock::get))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("only server");
        end();
        assertThatThrownBy(() -> Archiver.begin(options(), UUID.randomUUID(), stores, clock::get))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("another one");
        Files.writeString(archive().resolve("letter.txt"), "");
        assertThatThrownBy(() -> Archiver.begin(options(), set, stores, clock::get))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("letter.txt");
    }

    @Test
    @DisplayName("A server that was set back to an older copy of its data does not mix two histories")
    void setBack() throws Exception {
        begin(options());
        put(5, 100);
        tick();
        end();
        closeStores();
        copy(temporary.resolve("data"), temporary.resolve("older"));
        openStores();
        begin(options());
        put(5, 100);
        tick();
        clock.addAndGet(10);
        Manifest lost = backUp();
        end();
        closeStores();
        StoresOnDisk.deleteTree(temporary.resolve("data"));
        Files.move(temporary.resolve("older"), temporary.resolve("data"));
        rows = 5;
        clock.addAndGet(10);
        openStores();
        begin(options());
        put(50, 100);
        long now = tick();
        assertThat(BackupArchive.timeline(archive()).reach(BackupArchive.origin(lost)))
                .isZero();
        assertThatThrownBy(() -> restore(now)).hasMessageContaining("older copy");
    }

    private static void copy(Path from, Path to) throws Exception {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }
}
