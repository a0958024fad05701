package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store whose directory is missing, is back, or was replaced")
class StoreHomeTest {
    private static final byte[] KEY = {1};

    /** Checks the directory every time. */
    private static final RocksDbOptions WATCHFUL = new RocksDbOptions(1 << 20, 3, 8 << 20, 2, 0, 0);

    @TempDir
    Path temporary;

    private Path here;
    private Path away;
    private RocksDbMessagingStore store;

    @BeforeEach
    void open() throws Exception {
        here = temporary.resolve("store");
        away = temporary.resolve("away");
        Files.createDirectories(here);
        Files.writeString(here.resolve(StoreHome.IDENTITY), "first");
        store = RocksDbMessagingStore.open(here, WATCHFUL);
        put(store, 1);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void put(MessagingStore store, int value) throws StoreException {
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.FRAGMENTS, KEY, new byte[] {(byte) value});
            store.commit(batch);
        }
    }

    private static void assertFails(ThrowingCall call, String words) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IO))
                .hasMessageContaining(words);
    }

    @FunctionalInterface
    private interface ThrowingCall {
        void run() throws Exception;
    }

    @Test
    @DisplayName("the store notices a moved directory, refuses commits, and works again when the directory is back")
    void movedAway() throws Exception {
        store.check();
        Files.move(here, away);
        assertFails(store::check, here.toString());
        assertFails(() -> put(store, 2), "reopen()");
        for (int i = 0; i < 3; i++) {
            assertFails(store::reopen, "Mount its disk");
        }
        assertThat(here).doesNotExist();
        Files.move(away, here);
        store.reopen();
        store.check();
        assertThat(store.get(Table.FRAGMENTS, KEY)).containsExactly(1);
        put(store, 3);
    }

    @Test
    @DisplayName("an empty directory in its place, as under an unmounted disk, does not become a new store")
    void emptyInItsPlace() throws Exception {
        Files.move(here, away);
        Files.createDirectories(here.resolve("db"));
        assertFails(store::check, "there is none");
        for (int i = 0; i < 3; i++) {
            assertFails(store::reopen, "there is none");
        }
        store.suspend();
        assertFails(store::reopen, "there is none");
        store.close();
        assertThat(here.resolve("db")).isEmptyDirectory();
        Files.delete(here.resolve("db"));
        Files.delete(here);
        Files.move(away, here);
        assertThat(here.resolve("db/CURRENT")).exists();
    }

    @Test
    @DisplayName("another store in its place is not used, and stays unchanged")
    void anotherInItsPlace() throws Exception {
        Path other = temporary.resolve("other");
        Files.createDirectories(other);
        Files.writeString(other.resolve(StoreHome.IDENTITY), "second");
        try (RocksDbMessagingStore second = RocksDbMessagingStore.open(other, WATCHFUL)) {
            put(second, 99);
        }
        Files.move(here, away);
        Files.move(other, here);
        assertFails(store::check, "was replaced by another one");
        for (int i = 0; i < 3; i++) {
            assertFails(store::reopen, "was replaced by another one or a copy");
        }
        Files.move(here, other);
        try (RocksDbMessagingStore second = RocksDbMessagingStore.openExisting(other, WATCHFUL)) {
            assertThat(second.get(Table.FRAGMENTS, KEY)).containsExactly(99);
        }
        Files.move(away, here);
        store.reopen();
        assertThat(store.get(Table.FRAGMENTS, KEY)).containsExactly(1);
    }

    @Test
    @DisplayName("a file in place of the directory is reported as a normal fault")
    void fileInItsPlace() throws Exception {
        Files.move(here, away);
        Files.writeString(here, "");
        assertFails(store::check, here.toString());
        assertFails(store::reopen, here.toString());
        Files.delete(here);
        Files.move(away, here);
        store.reopen();
        put(store, 2);
    }

    @Test
    @DisplayName("a suspended store releases its directory, and refuses to reopen while another one uses it")
    void suspended() throws Exception {
        store.suspend();
        assertFails(store::check, "suspended");
        try (RocksDbMessagingStore other = RocksDbMessagingStore.openExisting(here, WATCHFUL)) {
            assertThat(other.get(Table.FRAGMENTS, KEY)).containsExactly(1);
            assertThatThrownBy(store::reopen)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
            put(other, 2);
        }
        store.reopen();
        assertThat(store.get(Table.FRAGMENTS, KEY)).containsExactly(2);
        assertThatThrownBy(() -> RocksDbMessagingStore.openExisting(here, WATCHFUL))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
    }

    @Test
    @DisplayName("a suspended store may be moved to another disk's mount point and back")
    void movedWhileSuspended() throws Exception {
        store.suspend();
        Files.move(here, away);
        assertFails(store::reopen, "Mount its disk");
        Files.move(away, here);
        store.reopen();
        assertThat(store.get(Table.FRAGMENTS, KEY)).containsExactly(1);
    }

    @Test
    @DisplayName("a copy in its place, such as a backup, stays unchanged; a suspended store opens it")
    void copyInItsPlace() throws Exception {
        Files.move(here, away);
        copy(away, here);
        String current = Files.readString(here.resolve("db/CURRENT"));
        assertFails(store::check, "was replaced by another one");
        for (int i = 0; i < 3; i++) {
            assertFails(store::reopen, "restart the server");
        }
        assertThat(here.resolve("db/CURRENT")).hasContent(current);
        Path copy = Files.move(here, temporary.resolve("copy"));
        Files.move(away, here);
        store.reopen();
        put(store, 2);

        store.suspend();
        Files.move(here, away);
        Files.move(copy, here);
        store.reopen();
        assertThat(store.get(Table.FRAGMENTS, KEY)).containsExactly(1);
    }

    @Test
    @DisplayName("a suspended store does not open another store")
    void anotherWhileSuspended() throws Exception {
        store.suspend();
        Files.writeString(here.resolve(StoreHome.IDENTITY), "second");
        assertFails(store::reopen, "Restore the right directory");
        Files.writeString(here.resolve(StoreHome.IDENTITY), "first");
        store.reopen();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    @DisplayName("closing a store whose directory was replaced does not damage the new one")
    void closedWhileAnotherIsThere() throws Exception {
        Path other = temporary.resolve("other");
        RocksDbMessagingStore.open(other, WATCHFUL).close();
        Files.move(here, away);
        Files.move(other, here);
        store.close();
        Files.move(here, other);
        try (RocksDbMessagingStore second = RocksDbMessagingStore.openExisting(other, WATCHFUL)) {
            assertThat(second.get(Table.FRAGMENTS, KEY)).isNull();
            put(second, 99);
        }
    }

    @Test
    @DisplayName("a store that must exist is not created")
    void openExisting() {
        Path nowhere = temporary.resolve("nowhere");
        assertThatThrownBy(() -> RocksDbMessagingStore.openExisting(nowhere, WATCHFUL))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT))
                .hasMessageContaining(nowhere.toString());
        assertThat(nowhere).doesNotExist();
    }
}
