package dev.jitney.server.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jitney.server.archive.Timeline;
import dev.jitney.server.backup.BackupArchive;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.Manifest;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney backup list}: lists the backups of a directory, or of a running server. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Lists the complete backups of a directory, the oldest first. Without a directory, a running server lists those in its"
                    + " --backup-dir.",
            "",
            "With --archive-dir, the last column shows the time up to which a backup can be restored with 'jitney backup restore"
                    + " --to-time'.",
            "",
            "The size is that of all files of a backup; NEW are those that no older backup had."
        })
final class ListCommand implements Callable<Integer> {
    private static final Object[] HEADER = {"BACKUP", "MOMENT", "STORES", "SIZE", "NEW", ""};

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "The directory of the backups.")
    private @Nullable Path directory;

    @Option(
            names = "--archive-dir",
            paramLabel = "DIR",
            description = "Show also the times that backups can be restored to with this archive, and its gaps.")
    private @Nullable Path archiveDir;

    @Mixin
    private ServerChoice server = new ServerChoice();

    ListCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try {
            if (directory == null && archiveDir != null) {
                throw new CommandException("--archive-dir: Expected DIR, the directory of the backups, but got none.");
            } else if (directory == null) {
                ofServer(server.open());
            } else {
                ofDirectory(BackupDirectory.existing(directory));
            }
            out.flush();
            return 0;
        } catch (CommandException | BackupException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private void ofServer(OperatorClient client) throws CommandException {
        out.println(Words.line(HEADER));
        for (JsonNode backup : client.send("GET", "/backups", null).path("backups")) {
            out.println(Words.line(
                    backup.path("id").asText(),
                    backup.path("moment").asText("-"),
                    backup.path("stores").asText("-"),
                    Words.size(backup.path("bytes").asLong()),
                    Words.size(backup.path("newBytes").asLong()),
                    backup.path("reason").asText("")));
        }
    }

    private void ofDirectory(BackupDirectory backups) throws BackupException {
        Timeline timeline = archiveDir == null ? null : BackupArchive.timeline(archiveDir);
        out.println(Words.line(HEADER));
        for (BackupDirectory.Entry entry : backups.list()) {
            Manifest manifest = entry.manifest();
            out.println(
                    manifest == null
                            ? Words.line(entry.id(), "-", "-", "-", "-", entry.trouble())
                            : Words.line(
                                    entry.id(),
                                    Words.time(manifest.momentMs()),
                                    manifest.stores().size(),
                                    Words.size(manifest.bytes()),
                                    Words.size(manifest.newBytes()),
                                    reach(manifest, timeline)));
        }
        if (timeline != null) {
            print(timeline);
        }
    }

    private static String reach(Manifest manifest, @Nullable Timeline timeline) {
        long reach = timeline == null ? 0 : timeline.reach(BackupArchive.origin(manifest));
        return reach > 0 ? "to " + Words.time(reach) : timeline == null ? "" : "to its moment only";
    }

    private void print(Timeline timeline) {
        for (Timeline.Range range : timeline.ranges()) {
            out.println("Archive: "
                    + (range.lastMs() > 0
                            ? Words.time(range.firstMs()) + " to " + Words.time(range.lastMs())
                            : "no moment yet")
                    + ", " + range.files() + (range.files() == 1 ? " file, " : " files, ") + Words.size(range.bytes())
                    + ". " + range.reason());
        }
        if (timeline.ranges().size() > 1) {
            out.println("The archive has gaps. No backup can be restored across a gap.");
        }
    }
}
