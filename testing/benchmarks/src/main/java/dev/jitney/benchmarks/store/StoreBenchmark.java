package dev.jitney.benchmarks.store;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The cost of a put and a delete of a row: puts and deletes rows as one busy queue does, with every commit synced.
 *
 * <p>Each batch puts new messages, deletes as many messages of earlier batches, and rewrites the row of the fragment.
 * CPU time is that of the whole process, so flushes and compactions count. Compare only runs that alternated on the
 * same machine.
 */
@Command(name = "store-benchmark", mixinStandardHelpOptions = true, sortOptions = false)
public final class StoreBenchmark implements Callable<Integer> {
    private static final int BODIES = 512;

    @Option(
            names = "--directory",
            required = true,
            description = "Directory of the stores; each run creates a new one.")
    private Path directory = Path.of("");

    @Option(
            names = "--batch",
            split = ",",
            defaultValue = "1,16,128",
            description = "Batch sizes to measure, in messages per commit (default: ${DEFAULT-VALUE}).")
    private List<Integer> batchSizes = new ArrayList<>();

    @Option(
            names = "--unsettled",
            defaultValue = "0",
            description = "Number of messages between a put and its delete (default: ${DEFAULT-VALUE}).")
    private int unsettled;

    @Option(
            names = "--bytes",
            defaultValue = "1024",
            description = "Size of a message in bytes (default: ${DEFAULT-VALUE}).")
    private int messageBytes;

    @Option(
            names = "--seconds",
            defaultValue = "5",
            description = "Seconds to measure each batch size (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warm-up",
            defaultValue = "2",
            description = "Seconds to run before measuring (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(names = "--memtable-mib", defaultValue = "64")
    private int memtableMib;

    @Option(names = "--memtables", defaultValue = "4")
    private int memtables;

    public static void main(String[] args) {
        System.exit(new CommandLine(new StoreBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        System.out.printf("%6s %10s %12s %14s %12s%n", "batch", "unsettled", "pairs/s", "CPU us/pair", "us/commit");
        for (int batchSize : batchSizes) {
            Files.createDirectories(directory);
            Path home = Files.createTempDirectory(directory, "store-benchmark");
            RocksDbOptions options = RocksDbOptions.DEFAULTS.withMemtables((long) memtableMib << 20, memtables);
            try (MessagingStore store = RocksDbMessagingStore.open(home, options)) {
                new Run(store, batchSize).measure();
            } finally {
                delete(home);
            }
        }
        return 0;
    }

    static void delete(Path home) throws Exception {
        try (var files = Files.walk(home)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A store under load with one batch size. */
    private final class Run {
        private final MessagingStore store;
        private final int batchSize;
        private final byte[][] bodies = new byte[BODIES][messageBytes];
        private long nextPut;
        private long nextDelete;

        Run(MessagingStore store, int batchSize) {
            this.store = store;
            this.batchSize = batchSize;
            Random random = new Random(1);
            for (byte[] body : bodies) {
                random.nextBytes(body);
            }
        }

        void measure() throws StoreException {
            try (RowBatch batch = new RowBatch()) {
                while (nextPut < unsettled) {
                    commit(batch, 128);
                }
                runFor(batch, warmUpSeconds);
                long cpu = processCpuNs();
                long began = System.nanoTime();
                long pairs = runFor(batch, seconds);
                double elapsed = System.nanoTime() - began;
                double cpuPerPair = (processCpuNs() - cpu) / 1e3 / pairs;
                System.out.printf(
                        "%6d %10d %12.0f %14.2f %12.1f%n",
                        batchSize, unsettled, pairs * 1e9 / elapsed, cpuPerPair, elapsed / 1e3 / pairs * batchSize);
            }
        }

        private long runFor(RowBatch batch, int howLongSeconds) throws StoreException {
            long first = nextPut;
            long end = System.nanoTime() + howLongSeconds * 1_000_000_000L;
            while (System.nanoTime() < end) {
                commit(batch, batchSize);
            }
            return nextPut - first;
        }

        private void commit(RowBatch batch, int rows) throws StoreException {
            for (int i = 0; i < rows; i++) {
                batch.put(Table.MESSAGES, key(nextPut), bodies[(int) (nextPut % BODIES)]);
                nextPut++;
            }
            while (nextDelete + unsettled < nextPut - rows) {
                batch.delete(Table.MESSAGES, key(nextDelete++));
            }
            batch.put(Table.FRAGMENTS, key(0), new byte[64]);
            store.commit(batch);
            batch.clear();
        }

        private byte[] key(long sequenceNumber) {
            return ByteBuffer.allocate(14)
                    .putInt(1)
                    .putShort((short) 0)
                    .putLong(sequenceNumber)
                    .array();
        }

        private long processCpuNs() {
            return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }
    }
}
