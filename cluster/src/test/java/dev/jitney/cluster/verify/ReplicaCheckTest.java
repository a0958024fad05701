package dev.jitney.cluster.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.ReplicaBatches;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Checksums of a replica on RocksDB")
class ReplicaCheckTest {
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final long FOREVER = Long.MAX_VALUE;

    @TempDir
    Path temporary;

    private final long seed = System.nanoTime();
    private final ReplicaBatches log = new ReplicaBatches(seed, 2_000);
    private final AtomicLong nanos = new AtomicLong();

    @Test
    @DisplayName("are equal on nodes that flushed and restarted at other times, while more entries are applied (CL-85)")
    void equalAtOnePosition() throws Exception {
        Random random = new Random(seed);
        try (RocksDbReplica one = RocksDbReplica.open(temporary.resolve("one"), SMALL);
                RocksDbReplica other = RocksDbReplica.open(temporary.resolve("other"), SMALL)) {
            for (int round = 0; round < 5; round++) {
                add(2_000);
                for (int i = 0; i <= log.size(); i += 100) {
                    log.applyTo(one, i);
                    if (random.nextInt(3) == 0) {
                        one.flush();
                    }
                }
                log.applyTo(other, log.size());
                if (round % 2 == 0) {
                    other.reopen();
                    log.applyTo(other, log.size());
                }
                UUID id = UUID.randomUUID();
                long mark = one.position().index() + 1;
                try (ReplicaCheck left = check(one);
                        ReplicaCheck right = check(other)) {
                    left.begin(id);
                    right.begin(id);
                    left.mark(id, mark);
                    // Behind the mark, one node is far ahead.
                    add(500);
                    log.applyTo(one, log.size() - 250);
                    right.mark(id, mark);
                    log.applyTo(one, log.size());
                    CheckReport first = await(left, id);
                    assertThat(first.tables())
                            .as("seed %d, round %d", seed, round)
                            .hasSize(Table.values().length)
                            .isEqualTo(await(right, id).tables());
                    assertThat(first.rows()).isPositive();
                    assertThat(first.index()).isEqualTo(mark);
                    assertThat(CheckReport.parse(first.encoded())).isEqualTo(first);
                }
            }
        }
    }

    @Test
    @DisplayName("change with any row, and name the table (CL-85)")
    void findsOneRow() throws Exception {
        add(200);
        try (RocksDbReplica one = RocksDbReplica.open(temporary.resolve("one"), SMALL);
                RocksDbReplica other = RocksDbReplica.open(temporary.resolve("other"), SMALL)) {
            log.applyTo(one, log.size());
            log.applyTo(other, log.size());
            List<TableChecksum> before = checksums(one);
            assertThat(checksums(other)).isEqualTo(before);
            try (RowBatch batch = new RowBatch()) {
                batch.put(Table.SESSIONS, new byte[] {1}, new byte[] {2});
                add(1);
                other.apply(batch.encoded(), log.position(log.size() - 1));
            }
            List<TableChecksum> after = checksums(other);
            for (int i = 0; i < before.size(); i++) {
                boolean changed = before.get(i).table() == Table.SESSIONS.id();
                assertThat(after.get(i).equals(before.get(i))).isEqualTo(!changed);
            }
        }
    }

    @Test
    @DisplayName(
            "are refused while others are computed, and end when their state is not requested for a minute (CL-85)")
    void oneAtATime() throws Exception {
        add(50);
        try (RocksDbReplica replica = RocksDbReplica.open(temporary.resolve("one"), SMALL);
                ReplicaCheck check = check(replica)) {
            log.applyTo(replica, log.size());
            UUID first = UUID.randomUUID();
            UUID second = UUID.randomUUID();
            check.begin(first);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> check.begin(second));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> check.report(second, 0, () -> 0));
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
            check.mark(first, FOREVER);
            assertThat(check.report(first, 0, () -> 0).state()).isEqualTo(CheckReport.State.WAITING);
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
            assertThat(check.begin(second).state()).isEqualTo(CheckReport.State.WAITING);
        }
    }

    @Test
    @DisplayName("fail with a reason when the node did not apply the mark, or its tables end (CL-85)")
    void failsWithAReason() throws Exception {
        add(5_000);
        try (RocksDbReplica replica = RocksDbReplica.open(temporary.resolve("one"), SMALL);
                ReplicaCheck check = check(replica)) {
            log.applyTo(replica, log.size());
            UUID id = UUID.randomUUID();
            check.begin(id);
            assertThat(check.report(id, 7, () -> 6).state()).isEqualTo(CheckReport.State.WAITING);
            CheckReport passed = check.report(id, 7, () -> 7);
            assertThat(passed.state()).isEqualTo(CheckReport.State.FAILED);
            assertThat(passed.reason()).contains("checkpoint");

            UUID late = UUID.randomUUID();
            check.begin(late);
            check.mark(late, replica.position().index());
            assertThat(check.report(late, 0, () -> 0).reason()).contains("store 0 has later entries already");

            UUID ended = UUID.randomUUID();
            check.begin(ended);
            check.mark(ended, FOREVER);
            replica.reopen();
            CheckReport report = await(check, ended);
            // A fast machine may have read everything before.
            if (report.state() == CheckReport.State.FAILED) {
                assertThat(report.reason()).startsWith("Its tables cannot be read");
            }
        }
    }

    private void add(int batches) {
        for (int i = 0; i < batches; i++) {
            log.add();
        }
    }

    private ReplicaCheck check(RocksDbReplica replica) {
        return new ReplicaCheck("a", List.of(replica), nanos::get);
    }

    private List<TableChecksum> checksums(RocksDbReplica replica) throws Exception {
        UUID id = UUID.randomUUID();
        try (ReplicaCheck check = check(replica)) {
            check.begin(id);
            check.mark(id, FOREVER);
            return await(check, id).tables();
        }
    }

    private static CheckReport await(ReplicaCheck check, UUID id) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - end < 0) {
            CheckReport report = check.report(id, 0, () -> 0);
            if (report.state().isFinal()) {
                return report;
            }
            new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("Expected checksums within 60 s.");
    }
}
