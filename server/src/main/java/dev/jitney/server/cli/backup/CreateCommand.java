package dev.jitney.server.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.BuildInfo;
import dev.jitney.server.DataDirectory;
import dev.jitney.server.StartException;
import dev.jitney.server.backup.BackupDirectory;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.BackupRun;
import dev.jitney.server.backup.BackupSource;
import dev.jitney.server.backup.Manifest;
import dev.jitney.server.backup.Pace;
import dev.jitney.server.backup.Progress;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.stores.StoresException;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney backup create}: makes a backup of a running server, or of the data directory of a stopped one. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Makes a backup of a running server, or with --from of a stopped one.",
            "",
            "A backup has all namespaces with their entities and messages, as of one moment: everything that was"
                    + " acknowledged before the command is in it, and nothing that was sent after its end. A running server"
                    + " makes it in its own --backup-dir, and clients are served meanwhile. Files that an older backup in"
                    + " the directory has are not copied again.",
            "",
            "A backup has secrets: the messages, and the keys of access rules. It has no files of --config and --tls."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney backup create --rate 50 --keep 7",
            "  jitney backup create /backups/jitney --from ./jitney-data"
        })
final class CreateCommand implements Callable<Integer> {
    private static final long POLL_MS = 200;
    private static final int PROGRESS_POLLS = 10;
    private static final long MEGABYTE = 1_000_000;
    private static final String MEMBERSHIP = "cluster.properties";

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description =
                    "The directory of the backups; created if missing. For a running server it may be left out, and"
                            + " has to be the --backup-dir of the server.")
    private @Nullable Path directory;

    @Option(
            names = "--from",
            paramLabel = "DATA-DIR",
            description = "The data directory of a server that is stopped (default: the backup is that of a running"
                    + " server).")
    private @Nullable Path from;

    @Option(
            names = "--store-dirs",
            paramLabel = "DIR,DIR,...",
            split = ",",
            description =
                    "With --from: the directories of the messaging stores, as for jitney server (default: those that"
                            + " the data directory names).")
    private List<Path> storeDirs = new ArrayList<>();

    @Option(
            names = "--rate",
            paramLabel = "MB/S",
            defaultValue = "0",
            description = "Limit of the megabytes that are copied in a second; 0 for none (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--keep",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Number of backups that stay after this one, the newest; 0 for all (default: ${DEFAULT-VALUE}).")
    private int keep;

    @Option(names = "--json", description = "Print the result as one line of JSON, and no progress.")
    private boolean json;

    @Mixin
    private ServerChoice server = new ServerChoice();

    CreateCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            require("--rate", rate, 1_000_000);
            require("--keep", keep, 10_000);
            if (from == null) {
                online(server.open());
            } else {
                offline(from);
            }
            return 0;
        } catch (CommandException | BackupException | StartException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private static void require(String option, int value, int max) throws CommandException {
        if (value < 0 || value > max) {
            throw new CommandException(option + ": Expected 0 to " + max + ", but got " + value + ".");
        }
    }

    // --- a running server ---

    private void online(OperatorClient client) throws CommandException, InterruptedException {
        if (directory != null) {
            String there =
                    client.send("GET", "/backups", null).path("directory").asText();
            if (!directory.toAbsolutePath().normalize().equals(Path.of(there))) {
                throw new CommandException(directory + ": Expected the --backup-dir of the server, which is " + there
                        + ", because a server writes backups there only. Leave DIR out.");
            }
        }
        JsonNode state = client.send("POST", "/backups", "{\"megabytesPerSecond\":" + rate + ",\"keep\":" + keep + "}");
        String run = "/backups/" + state.path("run").asLong();
        if (!json) {
            err.println("The backup has the data of " + state.path("moment").asText() + ". Copying its files.");
        }
        for (int polls = 1; !isOver(state); polls++) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            state = client.send("GET", run, null);
            if (!json && polls % PROGRESS_POLLS == 0 && !isOver(state)) {
                err.println("Copied " + Words.size(state.path("bytesDone").asLong()) + " of "
                        + Words.size(state.path("bytes").asLong()));
            }
        }
        if (!state.path("state").asText().equals("done")) {
            throw new CommandException(state.path("reason").asText());
        }
        report(
                state.toString(),
                state.path("id").asText(),
                state.path("moment").asText(),
                state.path("bytes").asLong(),
                state.path("newBytes").asLong(),
                state.path("stoppedMicroseconds").asLong(),
                state.path("warning").asText());
    }

    private static boolean isOver(JsonNode state) {
        String word = state.path("state").asText();
        return word.equals("done") || word.equals("failed");
    }

    // --- a stopped server ---

    private void offline(Path dataDir) throws CommandException, BackupException, StartException {
        Path target = directory;
        if (target == null) {
            throw new CommandException("DIR: Expected the directory of the backups, because --from is given.");
        }
        Path data = dataDir.toAbsolutePath().normalize();
        if (Files.exists(data.resolve(MEMBERSHIP))) {
            throw new CommandException("--from " + dataDir
                    + ": Expected the data directory of a single node, but it belongs to a node of a cluster. A node is never"
                    + " restored from a backup: after a loss, start it with an empty directory. To save entities and"
                    + " messages of a cluster elsewhere, use jitney export.");
        }
        if (target.toAbsolutePath().normalize().startsWith(data)) {
            throw new CommandException(target + ": Expected a directory outside the data directory " + data + ".");
        }
        try {
            int count = Files.isDirectory(data) ? StoresOnDisk.count(data) : 0;
            if (count == 0) {
                throw new CommandException("--from " + dataDir
                        + ": Expected the data directory of a server, but it has no messaging stores.");
            }
            BackupDirectory backups = BackupDirectory.of(target);
            try (DataDirectory held = DataDirectory.hold(data)) {
                List<RocksDbMessagingStore> stores = StoresOnDisk.openAll(data, places(data, count));
                try {
                    make(backups, stores);
                } finally {
                    stores.forEach(RocksDbMessagingStore::close);
                }
            }
        } catch (StoresException | StoreException e) {
            throw new CommandException("--from " + dataDir + ": " + e.getMessage());
        }
    }

    private StorePlaces places(Path data, int count) throws StoresException {
        return storeDirs.isEmpty() ? StoresOnDisk.lastPlaces(data) : new StorePlaces(count, storeDirs);
    }

    private void make(BackupDirectory backups, List<RocksDbMessagingStore> stores) throws BackupException {
        BackupRun run = new BackupRun(
                BackupSource.of(stores),
                backups,
                BuildInfo.version(),
                new Pace(rate * MEGABYTE, () -> false),
                keep,
                Clock.system()::nowMs);
        Progress progress = run.progress();
        Manifest made = run.run();
        report(
                "{\"state\":\"done\",\"id\":\"" + made.id() + "\",\"moment\":\"" + Words.time(made.momentMs())
                        + "\",\"bytes\":" + made.bytes() + ",\"newBytes\":" + made.newBytes() + "}",
                made.id(),
                Words.time(made.momentMs()),
                made.bytes(),
                made.newBytes(),
                0,
                progress.warning());
    }

    private void report(
            String document, String id, String moment, long bytes, long newBytes, long stoppedMicros, String warning) {
        if (json) {
            out.println(document);
        } else {
            out.println(
                    "Backup " + id + " of " + moment + ": " + Words.size(bytes) + ", of which " + Words.size(newBytes)
                            + " are new."
                            + (stoppedMicros > 0 ? " Commits waited for " + stoppedMicros / 1_000.0 + " ms." : ""));
            if (!warning.isEmpty()) {
                err.println("jitney: " + warning);
            }
        }
        out.flush();
    }
}
