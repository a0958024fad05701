package dev.jitney.server.archive;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of an archive.
 *
 * @param directory the directory of its files
 * @param interval  the time between two moments to which a backup can be restored
 * @param holdBytes the maximum bytes that the logs of all stores keep for the archive alone, while it cannot be written
 * @param keep      the age at which files are deleted, or zero to keep all
 * @param fileBytes the size at which a file is closed
 * @param fileTime  the age at which a file with commits is closed
 */
public record ArchiveOptions(
        Path directory, Duration interval, long holdBytes, Duration keep, long fileBytes, Duration fileTime) {
    /** The shortest interval. */
    public static final Duration INTERVAL_MIN = Duration.ofMillis(100);

    /** The longest interval. */
    public static final Duration INTERVAL_MAX = Duration.ofHours(1);

    /** The smallest limit of held bytes. */
    public static final long HOLD_BYTES_MIN = 64L << 20;

    /** The default limit of held bytes. */
    public static final long HOLD_BYTES = 1L << 30;

    private static final long FILE_BYTES = 64L << 20;
    private static final Duration FILE_TIME = Duration.ofSeconds(60);

    /** Returns the default settings for a directory. */
    public static ArchiveOptions in(Path directory) {
        return new ArchiveOptions(directory, Duration.ofSeconds(1), HOLD_BYTES, Duration.ZERO, FILE_BYTES, FILE_TIME);
    }

    /** Returns these settings with another interval. */
    public ArchiveOptions every(Duration other) {
        return new ArchiveOptions(directory, other, holdBytes, keep, fileBytes, fileTime);
    }

    /** Returns these settings with another limit of held bytes. */
    public ArchiveOptions holding(long bytes) {
        return new ArchiveOptions(directory, interval, bytes, keep, fileBytes, fileTime);
    }

    /** Returns these settings with another age of files. */
    public ArchiveOptions keeping(Duration age) {
        return new ArchiveOptions(directory, interval, holdBytes, age, fileBytes, fileTime);
    }

    /** Returns these settings with smaller or larger files. */
    ArchiveOptions files(long bytes, Duration age) {
        return new ArchiveOptions(directory, interval, holdBytes, keep, bytes, age);
    }
}
