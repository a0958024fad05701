package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.Quiet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The latency of the disk without a broker: one block after the other at a rate, each synced, written over an existing
 * file, as a log does at best. A broker that syncs before the answer cannot have shorter latencies.
 */
final class DiskAlone {
    private static final int BLOCK_BYTES = 4096;
    private static final int FILE_BYTES = 16 << 20;
    private static final int DIGITS = 3;

    private DiskAlone() {}

    /**
     * Returns the nanoseconds from the planned write time of a block until it is on disk.
     *
     * @param directory directory on the disk to measure
     */
    static Histogram measure(Path directory, double perSecond, double seconds) throws IOException {
        Path file = Files.createTempFile(directory, "disk-", ".tmp");
        try {
            fill(file);
            return write(file, perSecond, (int) (perSecond * seconds));
        } finally {
            Files.delete(file);
        }
    }

    private static void fill(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(FILE_BYTES));
            channel.force(true);
        }
    }

    private static Histogram write(Path file, double perSecond, int blocks) throws IOException {
        Histogram nanos = new Histogram(DIGITS);
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        double nanosPerBlock = TimeUnit.SECONDS.toNanos(1) / perSecond;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            long start = System.nanoTime();
            for (int i = 0; i < blocks; i++) {
                long meant = start + (long) (i * nanosPerBlock);
                Quiet.park(meant - System.nanoTime());
                channel.write(block.clear(), (long) i * BLOCK_BYTES % FILE_BYTES);
                nanos.recordValue(System.nanoTime() - meant);
            }
        }
        return nanos;
    }
}
