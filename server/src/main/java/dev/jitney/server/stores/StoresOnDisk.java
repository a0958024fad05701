package dev.jitney.server.stores;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of stores, for backups: where they are, and how a data directory is made of a backup. */
public final class StoresOnDisk {
    /** The directory, within that of the checkpoints of a store, with the files that a backup copies. */
    private static final String BACKUP = "backup";

    private static final Logger LOG = LoggerFactory.getLogger(StoresOnDisk.class);

    private StoresOnDisk() {}

    /** Returns the store on disk behind an open store, or null if it is unavailable or not on disk. */
    public static @Nullable RocksDbMessagingStore onDisk(MessagingStore store) {
        MessagingStore opened = store instanceof CopiedStore copied ? copied.opened() : store;
        return opened instanceof RocksDbMessagingStore onDisk ? onDisk : null;
    }

    /** Returns the directory for the files of a backup of a store, on the same disk. It may be deleted when none is made. */
    public static Path workDirectory(Path store, int index) {
        return RocksDbStores.workDirectory(store, index).resolve(BACKUP);
    }

    /** Deletes a directory with everything in it, if it exists. */
    public static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Deletes the files of a backup of a store that was interrupted, which would use space until the next one. */
    static void deleteLeftovers(Path store, int index) {
        try {
            deleteTree(RocksDbStores.workDirectory(store, index).resolve(BACKUP));
        } catch (IOException e) {
            LOG.warn(
                    "Cannot delete the files of an interrupted backup of messaging store {} ({}).",
                    index,
                    e.toString());
        }
    }

    /**
     * Opens the stores of a data directory that this process holds, without a broker.
     *
     * @return the stores, which the caller closes
     * @throws StoresException if the directory has no stores, or not all of them
     * @throws StoreException  if a store cannot be opened
     */
    public static List<RocksDbMessagingStore> openAll(Path dataDir, StorePlaces places)
            throws StoresException, StoreException {
        StoreDirectories directories = StoreDirectories.prepare(dataDir, places);
        for (int i = 0; i < directories.paths().size(); i++) {
            StoresException away = directories.away(i);
            if (away != null) {
                throw away;
            }
        }
        RocksDbLibrary.load(dataDir.resolve("native"));
        List<RocksDbMessagingStore> opened = new ArrayList<>();
        boolean complete = false;
        try {
            for (Path path : directories.paths()) {
                RocksDbMessagingStore store = RocksDbMessagingStore.openExisting(path, RocksDbOptions.DEFAULTS);
                store.feed().keepLog(); // an archive may continue it
                opened.add(store);
            }
            complete = true;
            return opened;
        } finally {
            if (!complete) {
                opened.forEach(RocksDbMessagingStore::close);
            }
        }
    }

    /**
     * Returns the identity of the stores of a data directory, which are open.
     *
     * @throws StoresException if the directory has no list of stores, or it cannot be read
     */
    public static UUID identity(Path dataDir) throws StoresException {
        try {
            StoreSet set = StoreSet.read(dataDir);
            if (set != null) {
                return set.id();
            }
            throw StoresException.fault(
                    "--data-dir " + dataDir + ": Expected " + StoreSet.FILE_NAME + ", but it is missing.");
        } catch (IOException e) {
            throw StoresException.fault(
                    "--data-dir " + dataDir + ": Cannot read " + StoreSet.FILE_NAME + " (" + e + ").", e);
        }
    }

    /**
     * Returns the number of stores of a data directory.
     *
     * @return 0 if it has none
     */
    public static int count(Path dataDir) throws StoresException {
        try {
            StoreSet set = StoreSet.read(dataDir);
            return set == null ? 0 : set.places().size();
        } catch (IOException e) {
            throw StoresException.fault(
                    "--data-dir " + dataDir + ": Cannot read " + StoreSet.FILE_NAME + " (" + e + ").", e);
        }
    }

    /**
     * Returns the stores of a data directory in their last directories.
     *
     * @throws StoresException if the data directory cannot be read
     */
    public static StorePlaces lastPlaces(Path dataDir) throws StoresException {
        try {
            StoreSet set = StoreSet.read(dataDir);
            List<Path> homes = new ArrayList<>();
            for (Path place : set == null ? List.<Path>of() : set.places()) {
                homes.add(place.getParent());
            }
            boolean inside = homes.stream()
                    .allMatch(home -> dataDir.toAbsolutePath().normalize().equals(home));
            return new StorePlaces(homes.size(), inside ? List.of() : homes);
        } catch (IOException e) {
            throw StoresException.fault(
                    "--data-dir " + dataDir + ": Cannot read " + StoreSet.FILE_NAME + " (" + e + ").", e);
        }
    }

    /** The stores of a new data directory, which are made elsewhere first. */
    public static final class New {
        private final Path dataDir;
        private final UUID set = UUID.randomUUID();
        private final StorePlaces places;

        /**
         * Records stores that do not exist yet. Until all of them are in their places, a server refuses to start.
         *
         * @param dataDir an existing directory
         */
        public New(Path dataDir, int stores) throws IOException {
            this.dataDir = dataDir;
            places = new StorePlaces(stores, List.of());
            List<Path> all = new ArrayList<>();
            for (int i = 0; i < stores; i++) {
                all.add(places.place(i, dataDir));
            }
            new StoreSet(set, true, all).write(dataDir);
        }

        /** Moves a complete store to its place, in one step. */
        public void move(Path store, int index) throws IOException {
            new StoreIdentity(set, index).write(store);
            Files.move(store, places.place(index, dataDir));
            PropertyFile.sync(dataDir);
        }
    }
}
