package dev.jitney.server.backup;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.stores.StoresOnDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One backup of all stores of a server as of one moment.
 *
 * <ol>
 * <li>A checkpoint of each store is linked, one after the other, while the stores are in use. From then on, the store keeps the
 * commits that follow in its log.
 * <li>At one moment, no store has a commit in progress, and the number of the last commit of each store is taken.
 * <li>The commits between the checkpoint and that number are copied beside the checkpoint, and the logs are free again.
 * <li>All files are copied into the directory of the backup, except those whose content is there. Then the manifest is written.
 * </ol>
 *
 * <p>On the leader of a cluster, the checkpoints are linked at the moment itself, see {@link ReplicaCopy}.
 *
 * <p>One use, for one thread.
 */
public final class BackupRun {
    private static final DateTimeFormatter ID =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final BackupSource source;
    private final BackupDirectory directory;
    private final String program;
    private final Pace pace;
    private final int keep;
    private final LongSupplier clockMs;
    private final Progress progress = new Progress();
    private @Nullable Path archive;

    /**
     * @param program the version of the program
     * @param keep    the number of backups that stay after this one, or 0 for all
     * @param clockMs the clock, in milliseconds since the epoch
     */
    public BackupRun(
            BackupSource source, BackupDirectory directory, String program, Pace pace, int keep, LongSupplier clockMs) {
        this.source = source;
        this.directory = directory;
        this.program = program;
        this.pace = pace;
        this.keep = keep;
        this.clockMs = clockMs;
    }

    /**
     * Deletes the files of an archive that no backup needs, after old backups were deleted.
     *
     * @param directory the directory of the archive, or null for none
     */
    BackupRun withArchive(@Nullable Path directory) {
        archive = directory;
        return this;
    }

    /** Returns the progress, which changes while the backup runs. */
    public Progress progress() {
        return progress;
    }

    /**
     * Makes the backup.
     *
     * @throws BackupException if it fails; then the directory has the same backups as before
     */
    public Manifest run() throws BackupException {
        try (BackupDirectory.Hold hold = directory.hold()) {
            cleanUp(hold);
            Manifest manifest = make(hold);
            progress.complete(manifest);
            return manifest;
        } catch (IOException | StoreException e) {
            throw failed(new BackupException("The backup has failed: " + words(e), e));
        } catch (BackupException e) {
            throw failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(new BackupException("The backup was interrupted.", e));
        } catch (CancellationException e) {
            throw failed(new BackupException("The backup was canceled, because the server stops.", e));
        } catch (RuntimeException | Error e) {
            failed(new BackupException("The backup has failed: " + e, e));
            throw e;
        }
    }

    private BackupException failed(BackupException why) {
        progress.fail(String.valueOf(why.getMessage()));
        return why;
    }

    private static String words(Exception e) {
        return e instanceof StoreException ? String.valueOf(e.getMessage()) : String.valueOf(e);
    }

    private void cleanUp(BackupDirectory.Hold hold) throws IOException {
        try {
            directory.deleteUnused(hold);
        } catch (BackupException e) {
            progress.warn(String.valueOf(e.getMessage()));
        }
    }

    private Manifest make(BackupDirectory.Hold hold)
            throws BackupException, StoreException, IOException, InterruptedException {
        List<BackupSource.Copied> stores = source.stores();
        List<Path> work = new ArrayList<>();
        for (BackupSource.Copied store : stores) {
            work.add(store.work());
            StoresOnDisk.deleteTree(store.work());
        }
        List<StoreCopy> begun = new ArrayList<>();
        try {
            for (BackupSource.Copied store : stores) {
                begun.add(store.begin());
            }
            long[] atMs = {0};
            StoreException[] refused = new StoreException[1];
            long paused = source.atOneMoment(() -> {
                try {
                    for (StoreCopy store : begun) {
                        store.cut();
                    }
                } catch (StoreException e) {
                    refused[0] = e;
                }
                atMs[0] = clockMs.getAsLong();
            });
            if (refused[0] != null) {
                throw refused[0];
            }
            progress.reached(atMs[0], paused);
            for (StoreCopy store : begun) {
                store.finish();
            }
            Manifest manifest = copy(begun, work, atMs[0]);
            prune(hold);
            return manifest;
        } finally {
            begun.forEach(StoreCopy::close);
            for (Path path : work) {
                StoresOnDisk.deleteTree(path);
            }
        }
    }

    private Manifest copy(List<StoreCopy> begun, List<Path> work, long atMs) throws IOException, BackupException {
        List<List<Path>> files = new ArrayList<>();
        long total = 0;
        for (Path path : work) {
            List<Path> own = filesIn(path);
            for (Path file : own) {
                total += Files.size(file);
            }
            files.add(own);
        }
        progress.total(total);
        Map<String, String> known = newest();
        ContentFiles contents = directory.files();
        List<Manifest.Store> stores = new ArrayList<>();
        long newBytes = 0;
        for (int i = 0; i < work.size(); i++) {
            List<Manifest.File> own = new ArrayList<>();
            for (Path file : files.get(i)) {
                String name = work.get(i).relativize(file).toString().replace('\\', '/');
                ContentFiles.Added added = contents.add(file, known.get(i + "/" + name), pace, progress::done);
                newBytes += added.isNew() ? added.bytes() : 0;
                own.add(new Manifest.File(name, added.bytes(), added.sha256()));
            }
            stores.add(new Manifest.Store(begun.get(i).log(), begun.get(i).lastCommit(), own));
        }
        contents.sync();
        Manifest manifest = new Manifest(id(atMs), atMs, program, newBytes, stores);
        directory.write(manifest);
        return manifest;
    }

    private void prune(BackupDirectory.Hold hold) throws IOException {
        if (keep > 0) {
            try {
                directory.prune(hold, keep);
                if (archive != null) {
                    BackupArchive.prune(directory, archive);
                }
            } catch (BackupException e) {
                progress.warn(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Returns an id that is newer than all others, so that the order of ids is that of the backups. */
    private String id(long atMs) throws BackupException {
        List<BackupDirectory.Entry> entries = directory.list();
        String last = entries.isEmpty() ? "" : entries.get(entries.size() - 1).id();
        long ms = atMs;
        String id = ID.format(Instant.ofEpochMilli(ms));
        if (id.compareTo(last) <= 0) {
            ms = Instant.from(ID.parse(last)).toEpochMilli() + 1; // the clock was set back
            id = ID.format(Instant.ofEpochMilli(ms));
        }
        return id;
    }

    /** Returns the checksums of the files of the newest backup, which the stores probably still have. */
    private Map<String, String> newest() throws BackupException {
        Map<String, String> known = new HashMap<>();
        List<BackupDirectory.Entry> entries = directory.list();
        for (int i = entries.size() - 1; i >= 0 && known.isEmpty(); i--) {
            Manifest manifest = entries.get(i).manifest();
            for (int s = 0; manifest != null && s < manifest.stores().size(); s++) {
                for (Manifest.File file : manifest.stores().get(s).files()) {
                    known.put(s + "/" + file.name(), file.sha256());
                }
            }
        }
        return known;
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
