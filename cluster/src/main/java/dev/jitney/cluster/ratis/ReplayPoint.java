package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The place where a restart begins to apply the log: everything up to there is in table files of all stores. It is a file beside the
 * log, written before entries are removed. A store that has less than the file says has lost data, and the node refuses to
 * take part (CL-50).
 *
 * @param point   the last entry that no store needs any more
 * @param flushed by store, the index up to which it had everything in table files
 */
public record ReplayPoint(LogPoint point, long[] flushed) {
    private static final String FILE = "replay";
    private static final String VERSION = "1";
    private static final int BYTES_MAX = 1 << 20;

    /** Returns the point of a directory, or null if there is none yet. */
    static @Nullable ReplayPoint read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        if (Files.size(file) > BYTES_MAX) {
            throw damaged(file);
        }
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        String[] words = text.trim().split(" ", -1);
        int numbers = words.length - 2;
        if (numbers < 2 || !words[0].equals(VERSION)) {
            throw damaged(file);
        }
        String content = text.substring(0, text.lastIndexOf(' '));
        try {
            if (Long.parseLong(words[words.length - 1], 16) != crc(content)) {
                throw damaged(file);
            }
            long[] values = Arrays.stream(words, 1, words.length - 1)
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new ReplayPoint(new LogPoint(values[0], values[1]), Arrays.copyOfRange(values, 2, values.length));
        } catch (NumberFormatException e) {
            throw damaged(file);
        }
    }

    private static IOException damaged(Path file) {
        return new IOException("Expected " + file + " to be a replay point of version " + VERSION
                + ", but it is damaged. Empty the data directory, and the node joins the cluster as a new member.");
    }

    /** Writes the point; it is on disk when this method returns. */
    void write(Path directory) throws IOException {
        StringJoiner words =
                new StringJoiner(" ").add(VERSION).add("" + point.term()).add("" + point.index());
        for (long index : flushed) {
            words.add("" + index);
        }
        String content = words.toString();
        DurableFiles.replace(directory.resolve(FILE), content + " " + Long.toHexString(crc(content)) + "\n");
    }

    private static long crc(String content) {
        CRC32C crc = new CRC32C();
        crc.update(content.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }
}
