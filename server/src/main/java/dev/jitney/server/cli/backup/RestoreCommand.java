package dev.jitney.server.cli.backup;

import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.Manifest;
import dev.jitney.server.backup.Pace;
import dev.jitney.server.backup.RestoreRun;
import dev.jitney.server.backup.Selection;
import java.io.PrintStream;
import java.nio.file.Path;
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
            Manifest manifest = backups.read(id == null ? newest(backups) : id);
            new RestoreRun(
                            backups,
                            manifest,
                            into,
                            new Selection(namespaces, entities),
                            new Pace(Math.max(0, rate) * MEGABYTE, () -> false))
                    .run();
            int stores = manifest.stores().size();
            out.println("Restored backup " + manifest.id() + " of " + Words.time(manifest.momentMs()) + " into " + into
                    + ". Start it: jitney server --data-dir " + into + (stores == 1 ? "" : " --stores " + stores));
            out.flush();
            return 0;
        } catch (BackupException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private static String newest(BackupDirectory backups) throws BackupException {
        List<BackupDirectory.Entry> all = backups.list();
        return all.isEmpty() ? "" : all.get(all.size() - 1).id();
    }
}
