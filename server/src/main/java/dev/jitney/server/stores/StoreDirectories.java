package dev.jitney.server.stores;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The directories of all messaging stores, compared with the records in the data directory.
 *
 * <p>Entities are placed by the number of stores and their order. An existing store therefore has to be in its place: a
 * swapped or foreign directory and a different number of stores are refused. A store that is missing in its old place
 * counts as unavailable, as long as other stores prove that these are the right directories. Only a set that was never
 * complete is completed. Stores from versions without sets are taken over in place.
 */
public final class StoreDirectories {
    private final Path dataDir;
    private final StorePlaces asked;
    private final List<Path> paths;
    private final boolean fresh;

    /** The reasons why stores are unavailable, by index. */
    private final Map<Integer, StoresException> away = new TreeMap<>();

    private StoreSet set;

    private StoreDirectories(Path dataDir, StorePlaces asked, StoreSet set) {
        this.dataDir = dataDir;
        this.asked = asked;
        this.paths = places(dataDir, asked);
        this.set = set;
        this.fresh = !set.made();
    }

    /**
     * Compares the directories with the records, and creates new ones.
     *
     * @param dataDir held by this process
     */
    public static StoreDirectories prepare(Path dataDir, StorePlaces asked) throws StoresException {
        try {
            StoreSet known = StoreSet.read(dataDir);
            boolean begun = known != null && (known.made() || !abandoned(known, dataDir, asked));
            StoreSet set = known != null && begun ? known : begin(dataDir, asked);
            if (set.places().size() != asked.stores()) {
                throw otherCount(dataDir, asked, set.places().size());
            }
            StoreDirectories directories = new StoreDirectories(dataDir, asked, set);
            for (int i = 0; i < directories.paths.size(); i++) {
                directories.check(i);
            }
            // If all are unavailable, nothing proves that these are the right directories.
            if (directories.away.size() == directories.paths.size()) {
                throw directories.away.values().iterator().next();
            }
            return directories;
        } catch (IOException e) {
            throw StoresException.fault(
                    asked.words(dataDir) + ": Cannot read or create the messaging stores (" + e
                            + "). Use directories that this user can read and write, on working disks.",
                    e);
        }
    }

    /** Returns the directories of the stores, in their order. */
    public List<Path> paths() {
        return paths;
    }

    /** Returns the reason why a store is not in its place, with the fix; null if it is there. */
    public @Nullable StoresException away(int index) {
        return away.get(index);
    }

    /** Checks again for an unavailable store. */
    public synchronized void lookFor(int index) throws StoresException {
        try {
            away.remove(index);
            check(index);
        } catch (IOException e) {
            throw unreadable(index, e);
        }
        StoresException still = away.get(index);
        if (still != null) {
            throw still;
        }
    }

    /** Returns whether stores may have to be created; if not, a store without data is corrupt. */
    public boolean isNew() {
        return fresh;
    }

    /** Records that all stores are open: from now on, none is created again. */
    public void opened() throws StoresException {
        List<Path> places = new ArrayList<>(paths);
        away.keySet().forEach(index -> places.set(index, set.places().get(index)));
        StoreSet now = new StoreSet(set.id(), true, places);
        if (!now.equals(set)) {
            try {
                now.write(dataDir);
            } catch (IOException e) {
                throw StoresException.fault(
                        "--data-dir " + dataDir + ": " + "Cannot write " + StoreSet.FILE_NAME + " (" + e + ").", e);
            }
            set = now;
        }
    }

    private static List<Path> places(Path dataDir, StorePlaces asked) {
        return IntStream.range(0, asked.stores())
                .mapToObj(i -> asked.place(i, dataDir))
                .toList();
    }

    // --- a data directory without a set ---

    private static StoreSet begin(Path dataDir, StorePlaces asked) throws IOException, StoresException {
        int older = olderStores(dataDir);
        if (older > 0 && older != asked.stores()) {
            throw otherCount(dataDir, asked, older);
        }
        List<Path> places = places(dataDir, asked);
        for (int i = 0; i < places.size(); i++) {
            Path place = places.get(i);
            Path olderPlace = new StorePlaces(older, List.of()).place(i, dataDir);
            if (StoreIdentity.read(place) != null) {
                throw StoresException.fault(place
                        + ": Expected an unused directory, but it has a messaging store of another data directory."
                        + " Set that one as --data-dir, or use other --store-dirs.");
            }
            if (older > 0 && !place.equals(olderPlace)) {
                throw StoresException.option(asked.words(dataDir) + ": Expected messaging store " + i + " in " + place
                        + ", but it is in " + olderPlace
                        + ". Start once without --store-dirs, stop, move the store, then set the option.");
            }
            if (older == 0 && !isEmpty(place)) {
                throw StoresException.fault(place + ": Expected an empty directory for a new messaging store, but it"
                        + " contains files. Empty it, or use other --store-dirs.");
            }
        }
        StoreSet set = new StoreSet(UUID.randomUUID(), false, places);
        set.write(dataDir);
        return set;
    }

    /** Returns whether a set that was never complete can be discarded, because other directories are configured now. */
    private static boolean abandoned(StoreSet unfinished, Path dataDir, StorePlaces asked)
            throws IOException, StoresException {
        if (unfinished.places().equals(places(dataDir, asked))) {
            return false;
        }
        for (Path place : unfinished.places()) {
            if (StoreIdentity.read(place) != null) {
                throw StoresException.option(asked.words(dataDir) + ": An earlier start began to create "
                        + unfinished.places().size() + " stores, one of them in " + place
                        + ". Use the same directories again, or delete the stores and "
                        + dataDir.resolve(StoreSet.FILE_NAME) + " to start over.");
            }
        }
        return true;
    }

    private static int olderStores(Path dataDir) throws IOException {
        int found = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(dataDir, "store-*")) {
            for (Path folder : folders) {
                found += Files.isDirectory(folder) ? 1 : 0;
            }
        }
        return found;
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return true;
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(directory)) {
            return !content.iterator().hasNext();
        }
    }

    // --- one store ---

    private void check(int index) throws IOException, StoresException {
        Path place = paths.get(index);
        StoreIdentity found;
        try {
            found = StoreIdentity.read(place);
        } catch (IOException e) {
            if (!set.made()) {
                throw e;
            }
            isAway(index, unreadable(index, e));
            return;
        }
        if (found == null) {
            if (set.made()) {
                isAway(index, missing(index));
                return;
            }
            OwnerOnly.createDirectories(place);
            new StoreIdentity(set.id(), index).write(place);
            PropertyFile.sync(place.getParent());
        } else if (!found.set().equals(set.id())) {
            throw StoresException.fault(
                    place + ": Expected messaging store " + index + " of the data directory " + dataDir
                            + ", but it is store " + found.index()
                            + " of another data directory. Correct --store-dirs, or use the --data-dir of this store.");
        } else if (found.index() != index) {
            throw StoresException.fault(place + ": Expected messaging store " + index + ", but it is store "
                    + found.index() + ". The directory was renamed or swapped; rename it to "
                    + StorePlaces.folder(found.index())
                    + ".");
        }
    }

    /** Notes a missing store as unavailable if it was in this place before, and otherwise throws. */
    private void isAway(int index, StoresException why) throws StoresException {
        if (why.isOption() || !set.places().get(index).equals(paths.get(index))) {
            throw why;
        }
        away.put(index, why);
    }

    private StoresException unreadable(int index, IOException e) {
        return StoresException.fault(
                asked.words(dataDir) + ": Cannot read messaging store " + index + " in " + paths.get(index) + " (" + e
                        + "). Give this user read and write access, and check the disk. If the store is lost, restore a"
                        + " backup.",
                e);
    }

    /**
     * Returns the reason for a store that is not in its place: it is in another of the configured directories, or in
     * none.
     */
    private StoresException missing(int index) throws IOException, StoresException {
        Path place = paths.get(index);
        Path actual = find(index);
        if (actual == null) {
            return StoresException.fault(
                    asked.words(dataDir) + ": Messaging store " + index + " is missing. Expected it in " + place
                            + "; it was last in " + set.places().get(index)
                            + ". Mount its disk, or correct --store-dirs. If the store is lost, restore a backup.");
        }
        List<Path> order = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            Path there = find(i);
            if (there == null) {
                order.clear();
                break;
            }
            order.add(there.getParent());
        }
        return StoresException.option(asked.words(dataDir) + ": Expected messaging store " + index + " in " + place
                + ", but it is in " + actual + ". The order of the directories matters."
                + (order.isEmpty() ? "" : " Use --store-dirs " + StorePlaces.joined(order) + "."));
    }

    /** Returns the configured directory that contains a store of this set, or null. */
    private @Nullable Path find(int index) throws IOException, StoresException {
        List<Path> homes = new ArrayList<>(asked.directories());
        homes.add(dataDir);
        for (Path home : homes) {
            Path place = home.toAbsolutePath().normalize().resolve(StorePlaces.folder(index));
            if (new StoreIdentity(set.id(), index).equals(readable(place))) {
                return place;
            }
        }
        return null;
    }

    private static @Nullable StoreIdentity readable(Path place) throws StoresException {
        try {
            return StoreIdentity.read(place);
        } catch (IOException e) {
            return null;
        }
    }

    private static StoresException otherCount(Path dataDir, StorePlaces asked, int made) {
        String fix = asked.directories().size() > made
                ? "Use at most " + made + " directories, and --stores " + made
                : "Use --stores " + made;
        String option = asked.count() == null ? asked.words(dataDir) : "--stores " + asked.count();
        return StoresException.option(option + ": This data directory was created with " + made
                + (made == 1 ? " store" : " stores") + ", and its entities stay in their stores. " + fix
                + ", or use another --data-dir.");
    }
}
