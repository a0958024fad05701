package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.ReplicaBatches;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** kill -9 of a process that applies batches from a log, which outlives it. */
@Timeout(300)
@DisplayName("A killed replica on RocksDB")
class ReplicaCrashTest {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaCrashTest.class);
    private static final RocksDbOptions SMALL = RocksDbReplicaTest.SMALL;
    private static final int KILLS = 10;
    private static final int BATCHES = 6_000;
    private static final int VALUE_BYTES_MAX = 3_000;
    private static final int PRINT_EVERY = 50;

    @TempDir
    Path temporary;

    @Test
    @DisplayName(
            "has everything that it reported as flushed, and all rows after the batches were applied again (CL-4, CL-5)")
    void appliesAgain() throws Exception {
        long seed = System.nanoTime();
        LOG.info("Seed {}", seed);
        Random random = new Random(seed);
        ReplicaBatches log = new ReplicaBatches(seed, VALUE_BYTES_MAX);
        for (int i = 0; i < BATCHES; i++) {
            log.add();
        }
        Path directory = temporary.resolve("replica");
        long flushed = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            String when = "seed " + seed + ", kill " + kill;
            int reports = 1 + random.nextInt(20);
            Process process = ChildJvm.start(ApplyingProcess.class, directory.toString(), Long.toString(seed));
            int applied = 0;
            try (BufferedReader output = process.inputReader()) {
                String line = output.readLine();
                for (int i = 0; i < reports && line != null; i++, line = output.readLine()) {
                    applied = Integer.parseInt(line.substring(0, 12));
                    flushed = Long.parseLong(line.substring(13));
                }
                process.toHandle().destroyForcibly();
                process.waitFor();
            }
            try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, SMALL)) {
                assertThat(replica.position().index()).as(when).isGreaterThanOrEqualTo(flushed);
                assertThat(replica.flushedIndex())
                        .as(when)
                        .isEqualTo(replica.position().index());
                // Up to any point that the process had reached, the rows are the same again.
                int end = Math.max(applied, 1);
                while (end < BATCHES
                        && log.position(end - 1).index() < replica.position().index() + 1_000) {
                    end++;
                }
                log.applyTo(replica, end);
                assertThat(ReplicaBatches.rowsOf(replica)).as(when).isEqualTo(log.rowsAt(replica.position()));
                if (random.nextBoolean()) {
                    replica.flush();
                }
                // A clean close would keep everything; the next process starts from a kill instead.
                StoreFiles.copy(directory, temporary.resolve("killed-" + kill));
            }
            directory = temporary.resolve("killed-" + kill);
        }
        assertThat(flushed).isPositive();
    }

    /** Applies all batches, and prints from time to time how many it has applied and the flushed index. */
    static final class ApplyingProcess {
        public static void main(String[] args) throws Exception {
            ReplicaBatches log = new ReplicaBatches(Long.parseLong(args[1]), VALUE_BYTES_MAX);
            try (RocksDbReplica replica = RocksDbReplica.open(Path.of(args[0]), SMALL)) {
                for (int i = 1; i <= BATCHES; i++) {
                    log.add();
                    log.applyTo(replica, i);
                    if (i % PRINT_EVERY == 0) {
                        System.out.println(String.format("%012d %d", i, replica.flushedIndex()));
                        System.out.flush();
                    }
                }
                System.in.read(); // until it is killed
            }
        }
    }
}
