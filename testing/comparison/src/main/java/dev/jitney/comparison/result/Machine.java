package dev.jitney.comparison.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The description of the machine for a report. */
public final class Machine {
    private static final int SYNCS = 200;
    private static final int BLOCK_BYTES = 4096;
    private static final long KIB_PER_GIB = 1 << 20;

    private Machine() {}

    /**
     * @param disk directory on the disk that the brokers write to
     */
    public static List<String> describe(Path disk) throws IOException {
        List<String> lines = new ArrayList<>();
        int cores = Runtime.getRuntime().availableProcessors();
        lines.add(String.format(
                Locale.ROOT,
                "%d cores (%s), %s of memory",
                cores,
                line("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
                memory()));
        lines.add(System.getProperty("os.name") + " " + System.getProperty("os.version") + ", file system "
                + Files.getFileStore(disk).type()
                + String.format(Locale.ROOT, ", a synced write of 4 KiB takes %.2f ms (median)", syncMs(disk)));
        lines.add(System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        return lines;
    }

    private static String memory() {
        String kib = line("/proc/meminfo", "MemTotal", "").replaceAll("\\D", "");
        return kib.isEmpty()
                ? "an unknown amount"
                : String.format(Locale.ROOT, "%.0f GiB", (double) Long.parseLong(kib) / KIB_PER_GIB);
    }

    private static String line(String file, String key, String otherwise) {
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                if (line.startsWith(key)) {
                    return line.substring(line.indexOf(':') + 1).trim();
                }
            }
        } catch (IOException notLinux) {
            return otherwise;
        }
        return otherwise;
    }

    /** Returns the time of a write at the end of a file and its sync, in milliseconds. */
    private static double syncMs(Path directory) throws IOException {
        Path file = Files.createTempFile(directory, "sync-", ".tmp");
        double[] millis = new double[SYNCS];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
            for (int i = 0; i < SYNCS; i++) {
                block.clear();
                long start = System.nanoTime();
                channel.write(block);
                channel.force(false);
                millis[i] = (System.nanoTime() - start) / 1e6;
            }
        } finally {
            Files.delete(file);
        }
        Arrays.sort(millis);
        return millis[SYNCS / 2];
    }
}
