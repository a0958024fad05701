package dev.jitney.server.cli.backup;

import dev.jitney.server.archive.ArchiveDirectory;
import dev.jitney.server.archive.ArchiveException;
import dev.jitney.server.backup.BackupCheck;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.Pace;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney backup verify}: compares all files of backups with their checksums. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Reads all files of backups, and compares them with their checksums. Names every file that is damaged or missing, with"
                    + " the backups that need it, and every file that belongs to no backup.",
            "",
            "Exit status: 0 = all backups are complete, 1 = a file is damaged, missing or foreign, 2 = invalid options."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final long MEGABYTE = 1_000_000;

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(paramLabel = "DIR", description = "The directory of the backups.")
    private Path directory = Path.of("");

    @Option(names = "--backup", paramLabel = "ID", description = "Only this backup (default: all).")
    private @Nullable String id;

    @Option(
            names = "--rate",
            paramLabel = "MB/S",
            defaultValue = "0",
            description = "Limit of the megabytes that are read in a second; 0 for none (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--archive-dir", paramLabel = "DIR", description = "Verify also the files of this archive.")
    private @Nullable Path archiveDir;

    VerifyCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    private boolean verify(Path archive) throws ArchiveException {
        ArchiveDirectory.Checked checked = ArchiveDirectory.existing(archive).check();
        checked.findings().forEach(out::println);
        out.println("Verified the archive with " + Words.count(checked.files(), "file") + ", "
                + Words.size(checked.bytes()) + ": "
                + (checked.findings().isEmpty()
                        ? "no file is damaged."
                        : Words.count(checked.findings().size(), "problem") + "."));
        return checked.findings().isEmpty();
    }

    @Override
    public Integer call() {
        try {
            BackupCheck.Result result = BackupCheck.check(
                    BackupDirectory.existing(directory),
                    id,
                    new Pace(Math.max(0, rate) * MEGABYTE, () -> false),
                    Words.progress(err, "Read", 0));
            result.findings().forEach(out::println);
            result.foreign().forEach(name -> out.println("Foreign: " + name + " belongs to no backup."));
            out.println("Verified " + Words.count(result.backups(), "backup") + " with "
                    + Words.count(result.files(), "different file") + ", " + Words.size(result.bytes()) + ": "
                    + (result.findings().isEmpty()
                            ? "complete."
                            : Words.count(result.findings().size(), "problem")
                                    + ". Do not rely on the backups that are named."));
            boolean archived = archiveDir == null || verify(archiveDir);
            out.flush();
            return archived && result.findings().isEmpty() && result.foreign().isEmpty() ? 0 : 1;
        } catch (BackupException | ArchiveException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }
}
