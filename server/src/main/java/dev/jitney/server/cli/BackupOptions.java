package dev.jitney.server.cli;

import dev.jitney.server.archive.ArchiveOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code jitney server} for backups and for the archive of commits. */
final class BackupOptions {
    @Option(
            names = "--backup-dir",
            paramLabel = "DIR",
            description =
                    "Directory for the backups that clients with the right to Manage the first namespace order with"
                            + " 'jitney backup create'. Clients cannot choose another one. Use a disk of its own (default: none,"
                            + " and orders are refused).")
    private @Nullable Path backupDir;

    @Option(
            names = "--archive-dir",
            paramLabel = "DIR",
            description =
                    "Directory for an archive of all commits, with which 'jitney backup restore --to-time' restores a backup to"
                            + " any later moment. Use a disk of its own (default: none).")
    private @Nullable Path archiveDir;

    @Option(
            names = "--archive-interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = Converters.Interval.class,
            description = "Time between two moments that a backup can be restored to, 100ms to 1h (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--archive-hold",
            paramLabel = "SIZE",
            defaultValue = "1g",
            converter = Converters.Size.class,
            description =
                    "Disk space of commits that the logs of all stores keep while the archive cannot be written, at least"
                            + " 64m. Beyond it, the archive has a gap, and clients are served (default: ${DEFAULT-VALUE}).")
    private long hold = ArchiveOptions.HOLD_BYTES;

    @Option(
            names = "--archive-keep",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = Converters.Interval.class,
            description =
                    "Age at which files of the archive are deleted, such as 7d; 0 to keep all. Backups that are older can be"
                            + " restored to their own moment only (default: ${DEFAULT-VALUE}).")
    private Duration keep = Duration.ZERO;

    /** Returns the directory of backups, or null. */
    @Nullable
    Path directory() {
        return backupDir;
    }

    /**
     * Returns the settings of the archive, or null for none.
     *
     * @param given returns whether an option was given
     * @param bad   makes the exception of invalid options
     */
    @Nullable
    ArchiveOptions archive(Predicate<String> given, Function<String, ParameterException> bad) {
        Path directory = archiveDir;
        if (directory != null) {
            return ArchiveOptions.in(directory).every(interval).holding(hold).keeping(keep);
        }
        for (String option : List.of("--archive-interval", "--archive-hold", "--archive-keep")) {
            if (given.test(option)) {
                throw bad.apply(option + ": Expected the directory of an archive, but got none. Add --archive-dir.");
            }
        }
        return null;
    }
}
