package dev.jitney.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupKillTest {
    private static final long MOMENT_MS = 1_795_891_500_123L;

    @TempDir
    Path directory;

    /** Makes a backup, and then a slow one until it is killed. */
    static final class Victim {
        public static void main(String[] args) throws Exception {
            Path root = Path.of(args[0]);
            RocksDbLibrary.load(root.resolve("native"));
            RocksDbMessagingStore store =
                    RocksDbMessagingStore.open(root.resolve("data/store-0"), RocksDbOptions.DEFAULTS);
            put(store, 1);
            run(root, store, 0).run();
            put(store, 2);
            BackupRun slow = run(root, store, 2_000_000);
            Thread thread = new Thread(() -> {
                try {
                    slow.run();
                } catch (BackupException e) {
                    System.out.println("FAILED " + e.getMessage());
                }
            });
            thread.start();
            slow.progress().moment().join();
            System.out.println("COPYING");
            thread.join();
        }

        private static BackupRun run(Path root, RocksDbMessagingStore store, long rate) throws BackupException {
            return new BackupRun(
                    BackupSource.of(List.of(store)),
                    BackupDirectory.of(root.resolve("backups")),
                    "1.2.3",
                    new Pace(rate, () -> false),
                    0,
                    () -> MOMENT_MS);
        }

        private static void put(RocksDbMessagingStore store, int seed) throws Exception {
            Random random = new Random(seed);
            byte[] value = new byte[1 << 20];
            for (int i = 0; i < 20; i++) {
                random.nextBytes(value);
                RowBatch batch = new RowBatch();
                batch.put(
                        Table.MESSAGES,
                        ByteBuffer.allocate(15).putInt(seed).putLong(7, i).array(),
                        value.clone());
                store.commit(batch);
                store.afterCommit();
            }
        }
    }

    @Test
    void aKillInTheMiddleOfABackupLeavesTheOlderOneAndTheNextOneWorks() throws Exception {
        Process victim = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = victim.inputReader()) {
            assertThat(output.readLine()).isEqualTo("COPYING");
        } finally {
            victim.destroyForcibly().waitFor();
        }
        BackupDirectory backups = BackupDirectory.of(directory.resolve("backups"));
        assertThat(backups.list()).hasSize(1);
        assertThat(BackupCheck.check(backups, null, Pace.unlimited(), bytes -> {})
                        .findings())
                .isEmpty();
        RocksDbLibrary.load(directory.resolve("native"));
        try (RocksDbMessagingStore store =
                RocksDbMessagingStore.openExisting(directory.resolve("data/store-0"), RocksDbOptions.DEFAULTS)) {
            Victim.run(directory, store, 0).run();
        }
        BackupCheck.Result result = BackupCheck.check(backups, null, Pace.unlimited(), bytes -> {});
        assertThat(result.findings()).isEmpty();
        assertThat(result.foreign()).isEmpty();
        Path restored = directory.resolve("restored");
        List<BackupDirectory.Entry> entries = backups.list();
        new RestoreRun(backups, backups.read(entries.get(1).id()), restored, Selection.ALL, Pace.unlimited()).run();
        List<RocksDbMessagingStore> opened = StoresOnDisk.openAll(restored, new StorePlaces(1, List.of()));
        try {
            assertThat(opened.get(0).get(Table.MESSAGES, key(2, 19))).hasSize(1 << 20);
        } finally {
            opened.forEach(RocksDbMessagingStore::close);
        }
    }

    private static byte[] key(int seed, long number) {
        return ByteBuffer.allocate(15).putInt(seed).putLong(7, number).array();
    }
}
