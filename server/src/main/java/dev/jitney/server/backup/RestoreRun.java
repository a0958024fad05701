package dev.jitney.server.backup;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.archive.ArchiveException;
import dev.jitney.server.archive.ArchiveTarget;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.StoreRestore;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a data directory of a backup, and of the commits of an archive behind it. All checksums are compared. Until the last step, the directory has a list of stores that are
 * missing in their places, so a server refuses to start on it. For one thread.
 */
public final class RestoreRun {
    private static final String STAGING = "restoring";

    private final BackupDirectory directory;
    private final Manifest manifest;
    private final Path into;
    private final Selection selection;
    private final Pace pace;
    private final Progress progress = new Progress();
    private @Nullable ArchiveTarget target;

    /**
     * @param into a directory that does not exist or is empty
     */
    public RestoreRun(BackupDirectory directory, Manifest manifest, Path into, Selection selection, Pace pace) {
        this.directory = directory;
        this.manifest = manifest;
        this.into = into.toAbsolutePath().normalize();
        this.selection = selection;
        this.pace = pace;
        progress.total(manifest.bytes());
    }

    /**
     * Adds the commits of an archive up to a later moment.
     *
     * @param moment a moment that was found for this backup, or null for that of the backup
     */
    public RestoreRun to(@Nullable ArchiveTarget moment) {
        target = moment;
        progress.total(manifest.bytes() + (moment == null ? 0 : moment.bytes()));
        return this;
    }

    /** Returns the bytes so far and in total. */
    public Progress progress() {
        return progress;
    }

    /**
     * Restores the backup.
     *
     * @throws BackupException if the target is not empty, a file is missing or damaged, or a selected name does not exist; after
     *     the first refusal the target is unchanged, otherwise it has to be emptied
     */
    public void run() throws BackupException {
        try {
            requireEmpty();
            OwnerOnly.createDirectories(into);
            StoresOnDisk.New stores =
                    new StoresOnDisk.New(into, manifest.stores().size());
            RocksDbLibrary.load(into.resolve("native"));
            Path staging = into.resolve(STAGING);
            List<Path> made = new ArrayList<>();
            for (int i = 0; i < manifest.stores().size(); i++) {
                made.add(staging.resolve("store-" + i));
                copy(manifest.stores().get(i), made.get(i));
            }
            complete(made);
            select(made);
            for (int i = 0; i < made.size(); i++) {
                stores.move(made.get(i), i);
            }
            StoresOnDisk.deleteTree(staging);
        } catch (IOException e) {
            throw new BackupException("The restore has failed: " + e + unusable(), e);
        } catch (StoreException | ArchiveException e) {
            throw new BackupException("The restore has failed: " + e.getMessage() + unusable(), e);
        }
    }

    private String unusable() {
        return ". The directory " + into + " cannot be used; delete it, and try again.";
    }

    private void requireEmpty() throws IOException, BackupException {
        if (!Files.exists(into)) {
            return;
        }
        if (!Files.isDirectory(into)) {
            throw new BackupException("--into " + into + ": Expected a directory, but it is a file.");
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(into)) {
            if (content.iterator().hasNext()) {
                throw new BackupException("--into " + into
                        + ": Expected a missing or an empty directory, but it has files. A backup never replaces data, and the"
                        + " data directory of a node of a cluster is never restored. Choose another directory.");
            }
        }
    }

    private void copy(Manifest.Store store, Path target) throws IOException, BackupException {
        OwnerOnly.createDirectories(target.resolve("db"));
        ContentFiles contents = directory.files();
        for (Manifest.File file : store.files()) {
            contents.copyTo(file, target.resolve(file.name()), pace, progress::done);
        }
        FileCommitLog.sync(target.resolve("db"));
        FileCommitLog.sync(target);
    }

    /** Adds the commits to the tables of all stores. */
    private void complete(List<Path> made) throws StoreException, ArchiveException {
        List<StoreRestore> restores = new ArrayList<>();
        try {
            for (int i = 0; i < made.size(); i++) {
                Manifest.Store store = manifest.stores().get(i);
                restores.add(StoreRestore.begin(made.get(i), RocksDbOptions.DEFAULTS, store.log(), store.lastCommit()));
            }
            ArchiveTarget moment = target;
            if (moment != null) {
                moment.<StoreException>read((store, number, content) -> {
                    pace.take(content.length);
                    restores.get(store).add(number, content);
                    progress.done(content.length);
                });
            }
            for (StoreRestore restore : restores) {
                restore.finish();
            }
        } finally {
            restores.forEach(StoreRestore::close);
        }
    }

    private void select(List<Path> made) throws StoreException, BackupException {
        if (selection.isAll()) {
            return;
        }
        List<RocksDbMessagingStore> stores = new ArrayList<>();
        try {
            for (Path path : made) {
                stores.add(RocksDbMessagingStore.openExisting(path, RocksDbOptions.DEFAULTS));
            }
            selection.apply(stores);
        } finally {
            stores.forEach(RocksDbMessagingStore::close);
        }
    }
}
