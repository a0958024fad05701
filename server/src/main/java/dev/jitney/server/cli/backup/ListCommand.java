package dev.jitney.server.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.Manifest;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "The size is that of all files of a backup; NEW are those that no older backup had."
        })
final class ListCommand implements Callable<Integer> {
    private static final Object[] HEADER = {"BACKUP", "MOMENT", "STORES", "SIZE", "NEW", ""};

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "The directory of the backups.")
    private @Nullable Path directory;

    @Mixin
    private ServerChoice server = new ServerChoice();

    ListCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try {
            if (directory == null) {
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
                                    ""));
        }
    }
}
