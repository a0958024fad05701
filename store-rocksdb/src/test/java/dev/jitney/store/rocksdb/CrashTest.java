package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** kill -9 at any moment loses no batch whose number was printed, and leaves no incomplete batch. */
@Timeout(180)
class CrashTest {
    private static final Logger LOG = LoggerFactory.getLogger(CrashTest.class);
    private static final RocksDbOptions SMALL =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final int KILLS = 10;
    private static final int ROWS_PER_BATCH = 7;
    /** Each batch deletes an earlier one at this distance, so that flushes and compactions have deletes to process. */
    private static final int KEPT_BATCHES = 400;

    @TempDir
    Path temporary;

    @Test
    void whatWasAcknowledgedSurvivesKill() throws Exception {
        long seed = System.nanoTime();
        LOG.info("Seed {}", seed);
        Random random = new Random(seed);
        Path directory = temporary.resolve("store");
        long last = -1;
        for (int kill = 0; kill < KILLS; kill++) {
            int acknowledgements = 1 + random.nextInt(1500);
            long acknowledged = last;
            Process process = ChildJvm.start(CommittingProcess.class, directory.toString(), Long.toString(last + 1));
            try (BufferedReader output = process.inputReader()) {
                String line = output.readLine();
                for (int i = 0; i < acknowledgements && line != null; i++, line = output.readLine()) {
                    acknowledged = Long.parseLong(line);
                }
                // Not through Process, which would close the stream before the last numbers are read.
                process.toHandle().destroyForcibly();
                // Numbers printed before the kill count as acknowledged, too; the last line may be incomplete.
                while (line != null) {
                    if (line.length() == 12) {
                        acknowledged = Long.parseLong(line);
                    }
                    line = output.readLine();
                }
                process.waitFor();
            }
            last = check(directory, acknowledged, "seed " + seed + ", kill " + kill);
        }
    }

    /** Returns the number of the last stored batch. */
    private static long check(Path directory, long acknowledged, String when) throws StoreException {
        try (RocksDbMessagingStore store = RocksDbMessagingStore.open(directory, SMALL)) {
            byte[] counter = store.get(Table.FRAGMENTS, key(0, 0));
            long last = counter == null ? -1 : ByteBuffer.wrap(counter).getLong();
            assertThat(last).as(when).isGreaterThanOrEqualTo(acknowledged);
            long batch = Math.max(0, last - KEPT_BATCHES + 1);
            int row = 0;
            try (StoreCursor rows = store.scan(Table.MESSAGES, key(0, 0), key(Long.MAX_VALUE, 0))) {
                while (rows.next()) {
                    assertThat(rows.key()).as(when).isEqualTo(key(batch, row));
                    assertThat(rows.value()).as(when).isEqualTo(value(batch, row));
                    row++;
                    if (row == ROWS_PER_BATCH) {
                        row = 0;
                        batch++;
                    }
                }
            }
            assertThat(row).as(when).isZero();
            assertThat(batch).as(when).isEqualTo(last + 1);
            return last;
        }
    }

    private static byte[] key(long batch, int row) {
        return ByteBuffer.allocate(12).putLong(batch).putInt(row).array();
    }

    private static byte[] value(long batch, int row) {
        byte[] value = new byte[200 + row];
        new Random(batch * 31 + row).nextBytes(value);
        return value;
    }

    /** Commits numbered batches in an endless loop and prints the number of each after its commit. */
    static final class CommittingProcess {
        public static void main(String[] args) throws Exception {
            RocksDbMessagingStore store = RocksDbMessagingStore.open(Path.of(args[0]), SMALL);
            try (RowBatch batch = new RowBatch()) {
                for (long number = Long.parseLong(args[1]); ; number++) {
                    for (int row = 0; row < ROWS_PER_BATCH; row++) {
                        batch.put(Table.MESSAGES, key(number, row), value(number, row));
                        if (number >= KEPT_BATCHES) {
                            batch.delete(Table.MESSAGES, key(number - KEPT_BATCHES, row));
                        }
                    }
                    batch.put(
                            Table.FRAGMENTS,
                            key(0, 0),
                            ByteBuffer.allocate(8).putLong(number).array());
                    store.commit(batch);
                    batch.clear();
                    System.out.println(String.format("%012d", number));
                    System.out.flush();
                }
            }
        }
    }
}
