package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.log.CommitFeed;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The commits of a store for an archive")
class CommitFeedTest {
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final int ROW = 16 << 10;
    private static final long PLENTY = 1L << 30;

    @TempDir
    Path temporary;

    private RocksDbMessagingStore store;
    private final List<byte[]> committed = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        store = RocksDbMessagingStore.open(temporary.resolve("store"), SMALL);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void reopen() throws Exception {
        store.close();
        store = RocksDbMessagingStore.openExisting(temporary.resolve("store"), SMALL);
    }

    private void put(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            RowBatch batch = new RowBatch();
            batch.put(
                    Table.MESSAGES,
                    ByteBuffer.allocate(15).putLong(4, committed.size()).array(),
                    new byte[ROW]);
            committed.add(batch.encoded());
            store.commit(batch);
            store.afterCommit();
        }
    }

    /** Compares all commits after the first, which is that of the format. */
    private void requireAll(CommitFeed feed, int from) throws Exception {
        assertThat(feed.lastNumber()).isEqualTo(committed.size() + 1);
        for (int i = from; i < committed.size(); i++) {
            assertThat(feed.read(i + 2)).as("commit %d", i + 2).isEqualTo(committed.get(i));
        }
    }

    private long files() throws Exception {
        try (Stream<Path> files = Files.list(temporary.resolve("store/log"))) {
            return files.count();
        }
    }

    @Test
    @DisplayName("A reader gets all commits from memory and from the files, however far it is behind")
    void fromMemoryAndFiles() throws Exception {
        CommitFeed feed = store.feed();
        feed.hold(0, PLENTY);
        put(10);
        requireAll(feed, 0);
        feed.pass(null, 20 * ROW);
        put(1_000);
        requireAll(feed, 10);
        put(15);
        requireAll(feed, 1_010);
        feed.close();
        put(5);
        requireAll(feed, 1_025);
    }

    @Test
    @DisplayName("The log keeps commits that are not archived, up to its limit, and gives up then")
    void limit() throws Exception {
        CommitFeed feed = store.feed();
        feed.hold(1, 12 << 20);
        put(600); // about 12 MiB
        assertThat(feed.isGivenUp()).isFalse();
        assertThat(feed.read(2)).isNotNull();
        put(1_200);
        assertThat(feed.isGivenUp()).isTrue();
        assertThat(feed.read(2)).isNull();
        long before = files();
        put(1_500);
        assertThat(files()).isLessThanOrEqualTo(Math.max(before, 10));
        feed.hold(feed.lastNumber(), 12 << 20);
        assertThat(feed.isGivenUp()).isFalse();
    }

    @Test
    @DisplayName("After a long hold, the surplus files of the log are deleted")
    void surplus() throws Exception {
        CommitFeed feed = store.feed();
        feed.hold(1, PLENTY);
        put(2_000);
        long held = files();
        assertThat(held).isGreaterThan(12);
        feed.hold(feed.lastNumber(), PLENTY);
        put(200);
        assertThat(files()).isLessThan(held);
    }

    @Test
    @DisplayName("A closed store keeps its log and the numbers of commits, if an archive reads them")
    void keptLog() throws Exception {
        store.feed().hold(1, PLENTY);
        put(600);
        LogPosition last = Objects.requireNonNull(store.feed().last());
        reopen();
        assertThat(store.feed().last()).isEqualTo(last);
        store.feed().hold(last.number(), PLENTY);
        requireAll(store.feed(), 0);
        reopen();
        assertThat(files()).isEqualTo(1); // the others were not needed
        assertThat(store.feed().last()).isEqualTo(last);
        put(1);
        assertThat(store.feed().last()).isEqualTo(new LogPosition(last.log(), last.number() + 1));
        reopen();
        put(1);
        assertThat(Objects.requireNonNull(store.feed().last()).log()).isNotEqualTo(last.log());
    }

    @Test
    @DisplayName("A reopened store continues with the same feed and the same hold")
    void reopened() throws Exception {
        CommitFeed feed = store.feed();
        feed.hold(1, PLENTY);
        feed.pass(null, 4 * ROW);
        put(300);
        store.suspend();
        store.reopen();
        put(300);
        requireAll(feed, 0);
    }

    @Test
    @DisplayName("A restored store has the commits of the backup and later ones, and refuses others")
    void laterCommits() throws Exception {
        CommitFeed feed = store.feed();
        feed.hold(0, PLENTY);
        put(10);
        Path copy = temporary.resolve("copy");
        StoreBackup backup = store.beginBackup(copy);
        put(10);
        backup.cut();
        backup.finish();
        put(100);
        try (StoreRestore restore = StoreRestore.begin(copy, SMALL, backup.log(), backup.lastCommit())) {
            for (long number = backup.lastCommit() + 1; number <= 100; number++) {
                restore.add(number, Objects.requireNonNull(feed.read(number)));
            }
            byte[] later = Objects.requireNonNull(feed.read(102));
            assertThatThrownBy(() -> restore.add(102, later)).hasMessageContaining("Expected commit 101");
            restore.finish();
        }
        try (RocksDbMessagingStore restored = RocksDbMessagingStore.openExisting(copy, SMALL)) {
            assertThat(restored.get(
                            Table.MESSAGES,
                            ByteBuffer.allocate(15).putLong(4, 98).array()))
                    .hasSize(ROW);
            assertThat(restored.get(
                            Table.MESSAGES,
                            ByteBuffer.allocate(15).putLong(4, 99).array()))
                    .isNull();
        }
    }
}
