package dev.jitney.server.cli.backup;

import dev.jitney.server.backup.BackupArchive;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney backup prune}: deletes old backups. */
@Command(
        name = "prune",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Deletes all but the newest backups of a directory, and the files that no other backup has.")
final class PruneCommand implements Callable<Integer> {
    private final PrintStream out;
    private final PrintStream err;

    @Parameters(paramLabel = "DIR", description = "The directory of the backups.")
    private Path directory = Path.of("");

    @Option(
            names = "--keep",
            paramLabel = "N",
            required = true,
            description = "Number of backups that stay, the newest; at least 1.")
    private int keep;

    @Option(
            names = "--archive-dir",
            paramLabel = "DIR",
            description = "Delete also the oldest files of this archive that no backup in the directory needs.")
    private @Nullable Path archiveDir;

    PruneCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try {
            if (keep < 1) {
                throw new CommandException("--keep: Expected 1 or more backups, but got " + keep + ".");
            }
            List<String> deleted = BackupDirectory.existing(directory).prune(keep);
            int archived =
                    archiveDir == null ? 0 : BackupArchive.prune(BackupDirectory.existing(directory), archiveDir);
            deleted.forEach(id -> out.println("Deleted backup " + id + "."));
            if (deleted.isEmpty()) {
                out.println("No backup is older than the newest " + keep + ".");
            }
            if (archiveDir != null) {
                out.println("Deleted " + archived + " files of the archive that no backup needs.");
            }
            out.flush();
            return 0;
        } catch (CommandException | BackupException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }
}
