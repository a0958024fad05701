package dev.jitney.server.cli.backup;

import dev.jitney.server.archive.ArchiveTarget;
import dev.jitney.server.backup.BackupArchive;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.Manifest;
import dev.jitney.server.backup.Pace;
import dev.jitney.server.backup.RestoreRun;
import dev.jitney.server.backup.Selection;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney backup restore}: makes a data directory of a backup. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Makes a data directory of a backup, and checks all its files. Start a server on it with 'jitney server --data-dir D', and"
                    + " with the same --config and --stores as before.",
            "",
            "Messages have the same sequence numbers as before, and no message is locked. The data directory of a node of a cluster"
                    + " is never restored: restore one directory, and found a new cluster with it, with --cluster-found."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney backup restore /backups/jitney --into ./restored",
            "  jitney backup restore /backups/jitney --into ./restored --archive-dir /archive/jitney --to-time"
                    + " 2026-11-28T10:15:30Z",
            "  jitney backup restore /backups/jitney --into ./restored --namespace sales --entity orders"
        })
final class RestoreCommand implements Callable<Integer> {
    private static final long MEGABYTE = 1_000_000;

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(paramLabel = "DIR", description = "The directory of the backups.")
    private Path directory = Path.of("");

    @Option(
            names = "--into",
            paramLabel = "D",
            required = true,
            description = "The new data directory, which is missing or empty.")
    private Path into = Path.of("");

    @Option(names = "--backup", paramLabel = "ID", description = "The backup (default: the newest).")
    private @Nullable String id;

    @Option(names = "--archive-dir", paramLabel = "DIR", description = "The archive of the server, for --to-time.")
    private @Nullable Path archiveDir;

    @Option(
            names = "--to-time",
            paramLabel = "TIME",
            description =
                    "Restore all commits up to the last moment of the archive at or before this time, such as"
                            + " 2026-11-28T10:15:30Z (default: the moment of the backup). Then the backup is the newest one before it.")
    private @Nullable String toTime;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            split = ",",
            description = "Restore only the entities of these namespaces (default: all).")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = "--entity",
            paramLabel = "PATH",
            split = ",",
            description = "Restore only these queues and topics, topics with their subscriptions (default: all).")
    private List<String> entities = new ArrayList<>();

    @Option(
            names = "--rate",
            paramLabel = "MB/S",
            defaultValue = "0",
            description = "Limit of the megabytes that are copied in a second; 0 for none (default: ${DEFAULT-VALUE}).")
    private int rate;

    RestoreCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try {
            BackupDirectory backups = BackupDirectory.existing(directory);
            BackupArchive.Choice choice = choose(backups);
            Manifest manifest = choice.manifest();
            ArchiveTarget target = choice.target();
            new RestoreRun(
                            backups,
                            manifest,
                            into,
                            new Selection(namespaces, entities),
                            new Pace(Math.max(0, rate) * MEGABYTE, () -> false))
                    .to(target)
                    .run();
            int stores = manifest.stores().size();
            out.println("Restored backup " + manifest.id() + " of " + Words.time(manifest.momentMs())
                    + (target == null ? "" : ", with all commits up to " + Words.time(target.momentMs()) + ",")
                    + " into "
                    + into
                    + ". Start it: jitney server --data-dir " + into + (stores == 1 ? "" : " --stores " + stores));
            out.flush();
            return 0;
        } catch (BackupException | CommandException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private BackupArchive.Choice choose(BackupDirectory backups) throws BackupException, CommandException {
        Path archive = archiveDir;
        if (toTime == null) {
            if (archive != null) {
                throw new CommandException("--archive-dir: Expected the time to restore, but got none. Add --to-time.");
            }
            return new BackupArchive.Choice(backups.read(id == null ? newest(backups) : id), null);
        }
        if (archive == null) {
            throw new CommandException(
                    "--to-time: Expected the archive of the server, but got none. Add --archive-dir.");
        }
        return BackupArchive.choose(backups, id, archive, time(toTime));
    }

    private static long time(String text) throws CommandException {
        try {
            return OffsetDateTime.parse(text.strip()).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new CommandException(
                    "--to-time: Expected a time with its zone, such as 2026-11-28T10:15:30Z, but got '" + text + "'.");
        }
    }

    private static String newest(BackupDirectory backups) throws BackupException {
        List<BackupDirectory.Entry> all = backups.list();
        return all.isEmpty() ? "" : all.get(all.size() - 1).id();
    }
}
