package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A log after a power failure")
@Timeout(120)
class PowerFailureTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final int BATCHES = 20;

    @TempDir
    Path directory;

    private InMemoryReplicaStore store = new InMemoryReplicaStore();
    private final AtomicLong ready = new AtomicLong();

    @Test
    @DisplayName("ends before the first incomplete entry that was not synced, and its node starts by itself (CL-46)")
    void startsWithAHole() throws Exception {
        long last = run();
        tear(4);
        new SyncedMark(directory, "an-earlier-start").note(last - 10);
        assertThat(run()).isEqualTo(last - 4 + 1 + BATCHES); // and the first entry of the new term
    }

    @Test
    @DisplayName(
            "is damaged by an incomplete entry that was synced, or while the machine was not started again (CL-42)")
    void refusesDamage() throws Exception {
        long last = run();
        tear(4);
        new SyncedMark(directory, "an-earlier-start").note(last);
        assertThatExceptionOfType(IOException.class).isThrownBy(this::run).withMessageContaining("Repair it");
        new SyncedMark(directory).note(last - 10);
        assertThatExceptionOfType(IOException.class).isThrownBy(this::run).withMessageContaining("Repair it");
    }

    @Test
    @DisplayName(
            "has a mark, which counts only after another start of the machine and while it is not old (CL-42, CL-46)")
    void marks() throws Exception {
        Path log = Files.write(directory.resolve("log_inprogress_0"), new byte[100]);
        long[] nanos = {0};
        SyncedMark mark = new SyncedMark(directory, "first", () -> nanos[0]);
        SyncedMark later = new SyncedMark(directory, "second");
        assertThat(later.requiredUpTo(log)).isEqualTo(SyncedMark.ALL);
        mark.note(-1);
        assertThat(later.requiredUpTo(log)).isEqualTo(SyncedMark.ALL);
        mark.note(7);
        assertThat(later.requiredUpTo(log)).isEqualTo(7);
        mark.note(123_456);
        mark.note(9);
        assertThat(later.requiredUpTo(log)).isEqualTo(9);
        assertThat(mark.requiredUpTo(log)).isEqualTo(SyncedMark.ALL);
        assertThat(new SyncedMark(directory, "").requiredUpTo(log)).isEqualTo(SyncedMark.ALL);
        Path file = directory.resolve("synced");
        long writtenMs = Files.getLastModifiedTime(file).toMillis();
        Files.setLastModifiedTime(log, FileTime.fromMillis(writtenMs + 60_000));
        assertThat(later.requiredUpTo(log)).isEqualTo(9);
        Files.setLastModifiedTime(log, FileTime.fromMillis(writtenMs + 61_000));
        assertThat(later.requiredUpTo(log)).isEqualTo(SyncedMark.ALL);
        // a mark that does not change gets a new time, so that it is not old at the next write of the log
        Files.setLastModifiedTime(file, FileTime.fromMillis(writtenMs - 100_000));
        nanos[0] += TimeUnit.SECONDS.toNanos(14);
        mark.note(9);
        assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(writtenMs - 100_000);
        nanos[0] += TimeUnit.SECONDS.toNanos(1);
        mark.note(9);
        assertThat(Files.getLastModifiedTime(file).toMillis()).isGreaterThanOrEqualTo(writtenMs);
        Files.setLastModifiedTime(log, FileTime.fromMillis(writtenMs + 60_000));
        assertThat(later.requiredUpTo(log)).isEqualTo(9);
        Files.setLastModifiedTime(log, FileTime.fromMillis(writtenMs));
        byte[] content = Files.readAllBytes(file);
        int end = new String(content, StandardCharsets.US_ASCII).lastIndexOf(' ');
        for (int i = 0; i < end; i++) {
            byte[] damaged = content.clone();
            damaged[i] ^= 1;
            Files.write(file, damaged);
            assertThat(later.requiredUpTo(log)).as("byte %d", i).isEqualTo(SyncedMark.ALL);
        }
        Files.write(file, new byte[0]);
        assertThat(later.requiredUpTo(log)).isEqualTo(SyncedMark.ALL);
        mark.note(10);
        assertThat(later.requiredUpTo(log)).isEqualTo(10);
    }

    /** Runs a node that is the only member, commits some batches, and returns the last entry of the log. */
    private long run() throws Exception {
        ready.set(0);
        store = store.restarted();
        try (RatisServer server = new RatisServer(
                new RatisSettings(directory, "127.0.0.1", 0, 200, 1L << 30),
                CLUSTER,
                "a.01",
                List.of(new RaftMember("a.01", "127.0.0.1:1")),
                List.of(new StoreReplica(store)),
                new NoEvents() {
                    @Override
                    public void leaderReady(long term) {
                        ready.set(term);
                    }
                })) {
            server.start();
            while (ready.get() == 0) {
                new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
            }
            for (int i = 1; i <= BATCHES; i++) {
                RowBatch batch = new RowBatch();
                byte[] value = new byte[3_000];
                Arrays.fill(value, (byte) i);
                batch.put(Table.META, new byte[] {1}, value);
                byte[] entry = Entry.encode(batch, 0, ready.get(), i, 1).get(0);
                assertThat(server.append(entry).get()).isEqualTo(StoreReplica.Result.APPLIED);
            }
            server.tidy(-1);
            return server.lastEntry().index();
        }
    }

    /** Loses a part of an entry, and nothing behind it. */
    private void tear(int fromTheEnd) throws IOException {
        Path log = directory.resolve(CLUSTER.toString()).resolve("current").resolve("log_inprogress_0");
        byte[] bytes = Files.readAllBytes(log);
        List<Integer> entries = new ArrayList<>();
        int at = 8;
        while (at < bytes.length && bytes[at] != 0) {
            entries.add(at);
            int size = 0;
            int shift = 0;
            int next;
            do {
                next = bytes[at++];
                size |= (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0);
            at += size + Integer.BYTES;
        }
        int torn = entries.get(entries.size() - fromTheEnd);
        for (int i = 0; i < 1_000; i++) {
            bytes[torn + 1_000 + i] = 0;
        }
        Files.write(log, bytes);
    }
}
