package dev.jitney.store.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    @TempDir
    Path dir;

    @Test
    @DisplayName("New files are accessible to their owner only; existing ones keep their modes until they are"
            + " tightened")
    void modes() throws Exception {
        Path there = Files.createDirectory(dir.resolve("there"));
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxr-xr-x"));
        OwnerOnly.createDirectories(there.resolve("a/b"));
        Path file = OwnerOnly.createFile(there.resolve("a/file"));
        try (FileChannel ignored =
                OwnerOnly.open(there.resolve("a/opened"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(mode(there)).isEqualTo("rwxr-xr-x");
            assertThat(OwnerOnly.isOpenToOthers(there)).isTrue();
            assertThat(mode(there.resolve("a"))).isEqualTo("rwx------");
            assertThat(mode(there.resolve("a/b"))).isEqualTo("rwx------");
            assertThat(mode(file)).isEqualTo("rw-------");
            assertThat(mode(there.resolve("a/opened"))).isEqualTo("rw-------");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Path elsewhere = Files.createFile(dir.resolve("elsewhere"));
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rw-r--r--"));
        Files.createSymbolicLink(there.resolve("link"), elsewhere);
        assertThat(OwnerOnly.tighten(there)).isTrue();
        assertThat(mode(there)).isEqualTo("rwx------");
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(mode(elsewhere)).as("behind a link").isEqualTo("rw-r--r--");
    }

    @Test
    @DisplayName("On a file system without owners, files are created as usual")
    void withoutOwners() throws Exception {
        try (FileSystem zip = FileSystems.newFileSystem(dir.resolve("a.zip"), Map.of("create", "true"))) {
            Path inside = zip.getPath("/x/y");
            OwnerOnly.createDirectories(inside);
            Path file = OwnerOnly.createFile(inside.resolve("file"));
            assertThat(file).exists();
            assertThat(OwnerOnly.isOpenToOthers(file)).isFalse();
            assertThat(OwnerOnly.tighten(inside)).isTrue();
        }
    }

    @Test
    @DisplayName("Every file of a store is accessible to its owner only, in a new store and in one that was"
            + " open to others")
    void store() throws Exception {
        Path home = dir.resolve("store");
        for (int life = 0; life < 3; life++) {
            try (RocksDbMessagingStore store = RocksDbMessagingStore.open(home, RocksDbOptions.DEFAULTS)) {
                RowBatch batch = new RowBatch();
                batch.put(Table.MESSAGES, new byte[] {1, (byte) life}, new byte[1_000]);
                store.commit(batch);
                assertThat(open(home)).as("open, life " + life).isEmpty();
            }
            assertThat(open(home)).as("closed, life " + life).isEmpty();
            for (Path path : all(home)) {
                Files.setPosixFilePermissions(
                        path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }

    private static List<Path> open(Path home) throws Exception {
        return all(home).stream().filter(OwnerOnly::isOpenToOthers).toList();
    }

    private static List<Path> all(Path home) throws Exception {
        try (Stream<Path> all = Files.walk(home)) {
            return all.toList();
        }
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
