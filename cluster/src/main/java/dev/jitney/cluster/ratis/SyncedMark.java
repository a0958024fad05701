package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An entry of the log up to which everything was synced, in a file beside the log. It is written once a second, so the log may be synced
 * further.
 *
 * <p>When the power fails, any part of what was not synced may be missing, also in front of parts that are there. A wrong checksum in
 * it is no damage: nothing from there on was synced, so this node has not acknowledged it. Up to the mark, every wrong checksum is
 * damage (CL-42, CL-46).
 *
 * <p>A mark decides only if the machine has started again since, because nothing else loses what is not synced. It must not be much
 * older than the log either: a release without marks may have written the log, or no mark could be written.
 *
 * <p>The content is one line of {@value #BYTES} bytes: version, index, id of the start of the machine, CRC-32C. It is overwritten in place,
 * which needs no space. Thread-safe.
 */
final class SyncedMark {
    /** The index of a log in which no wrong checksum is expected. */
    static final long ALL = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(SyncedMark.class);
    private static final String FILE = "synced";
    private static final String VERSION = "1";

    /** Less than a sector, so that a write is complete or has no effect. */
    private static final int BYTES = 128;

    private static final long OLDER_MS_MAX = TimeUnit.MINUTES.toMillis(1);

    /** The age after which an unchanged mark is written again. */
    private static final long REFRESHED_NANOS = TimeUnit.MILLISECONDS.toNanos(OLDER_MS_MAX / 4);

    /** On Linux, a number that changes with each start of the machine. */
    private static final Path START_OF_MACHINE = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path file;
    private final String machine;
    private final LongSupplier nanos;
    private long noted = -1;
    private long notedNanos;

    /** @param directory the directory of all logs */
    SyncedMark(Path directory) {
        this(directory, startOfMachine());
    }

    /** @param machine an id of the start of the machine, without spaces; empty if it is unknown */
    SyncedMark(Path directory, String machine) {
        this(directory, machine, System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    SyncedMark(Path directory, String machine, LongSupplier nanos) {
        file = directory.resolve(FILE);
        this.machine = machine;
        this.nanos = nanos;
    }

    private static String startOfMachine() {
        try {
            return Files.readString(START_OF_MACHINE).trim();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Writes the mark, also an unchanged one from time to time: otherwise it would be much older than the log at the next
     * write of a client, and would not count. If that fails, the one before stays, which is true as well.
     */
    synchronized void note(long index) {
        if (index < 0 || index == noted && nanos.getAsLong() - notedNanos < REFRESHED_NANOS || machine.isEmpty()) {
            return;
        }
        String content = VERSION + " " + index + " " + machine;
        byte[] line = Arrays.copyOf(
                (content + " " + Long.toHexString(crc(content)) + " ").getBytes(StandardCharsets.US_ASCII), BYTES);
        try {
            if (Files.exists(file) && Files.size(file) == BYTES) {
                overwrite(line);
            } else {
                DurableFiles.replace(file, line);
            }
            noted = index;
            notedNanos = nanos.getAsLong();
        } catch (IOException e) {
            LOG.debug("Could not write {}.", file, e);
        }
    }

    private void overwrite(byte[] line) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(line);
            while (bytes.hasRemaining()) {
                channel.write(bytes, bytes.position());
            }
            channel.force(true); // with its time
        }
    }

    /**
     * Returns the index up to which a file of the log must be intact.
     *
     * @param log a file of the log
     * @return {@link #ALL} if all of it must be
     */
    long requiredUpTo(Path log) throws IOException {
        Mark mark = read();
        if (mark == null || machine.isEmpty() || machine.equals(mark.machine())) {
            return ALL;
        }
        long older = Files.getLastModifiedTime(log).toMillis()
                - Files.getLastModifiedTime(file).toMillis();
        return older > OLDER_MS_MAX ? ALL : mark.index();
    }

    private record Mark(long index, String machine) {}

    /** Returns the mark; null if there is none, or it is damaged. */
    private @Nullable Mark read() throws IOException {
        if (!Files.exists(file) || Files.size(file) != BYTES) {
            return null;
        }
        String[] words = Files.readString(file, StandardCharsets.ISO_8859_1).split(" ", -1);
        if (words.length != 5 || !words[0].equals(VERSION)) {
            return null;
        }
        try {
            long index = Long.parseLong(words[1]);
            boolean intact = Long.parseLong(words[3], 16) == crc(String.join(" ", words[0], words[1], words[2]));
            return intact ? new Mark(index, words[2]) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static long crc(String content) {
        CRC32C crc = new CRC32C();
        crc.update(content.getBytes(StandardCharsets.ISO_8859_1));
        return crc.getValue();
    }
}
