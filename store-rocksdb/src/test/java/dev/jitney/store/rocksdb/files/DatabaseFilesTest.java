package dev.jitney.store.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseFilesTest {
    @TempDir
    Path dir;

    @Test
    @DisplayName(
            "New files become owner-only. Table files are read once, others each time, because RocksDB uses their names again")
    void readsTableFilesOnce() throws Exception {
        DatabaseFiles files = new DatabaseFiles(dir);
        Path table = open(Files.createFile(dir.resolve("000007.sst")));
        Path log = open(Files.createFile(dir.resolve("LOG")));
        files.tighten();
        assertThat(OwnerOnly.isOpenToOthers(table)).isFalse();
        assertThat(OwnerOnly.isOpenToOthers(log)).isFalse();

        open(table);
        open(log);
        Path other = open(Files.createFile(dir.resolve("000009.sst")));
        files.tighten();
        assertThat(OwnerOnly.isOpenToOthers(other)).isFalse();
        assertThat(OwnerOnly.isOpenToOthers(log)).isFalse();
        assertThat(OwnerOnly.isOpenToOthers(table)).as("a known table file").isTrue();

        open(dir);
        files.tightenAll();
        assertThat(OwnerOnly.isOpenToOthers(table)).isFalse();
        assertThat(OwnerOnly.isOpenToOthers(dir)).isFalse();
    }

    @Test
    @DisplayName("A table file that is deleted and created again is read again, and a missing directory does no harm")
    void forgetsDeletedFiles() throws Exception {
        DatabaseFiles files = new DatabaseFiles(dir.resolve("db"));
        files.tighten();
        Files.createDirectory(dir.resolve("db"));
        Path table = open(Files.createFile(dir.resolve("db/000007.sst")));
        files.tighten();
        Files.delete(table);
        files.tighten();
        open(Files.createFile(table));
        files.tighten();
        assertThat(OwnerOnly.isOpenToOthers(table)).isFalse();
    }

    private static Path open(Path path) throws Exception {
        return Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
