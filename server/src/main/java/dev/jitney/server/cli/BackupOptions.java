package dev.jitney.server.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of {@code jitney server} for backups. */
final class BackupOptions {
    @Option(
            names = "--backup-dir",
            paramLabel = "DIR",
            description =
                    "Directory for the backups that clients with the right to Manage the first namespace order with"
                            + " 'jitney backup create'. Clients cannot choose another one. Use a disk of its own (default: none,"
                            + " and orders are refused).")
    private @Nullable Path backupDir;

    /** Returns the directory, or null. */
    @Nullable
    Path directory() {
        return backupDir;
    }
}
