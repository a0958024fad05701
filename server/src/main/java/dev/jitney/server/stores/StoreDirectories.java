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
 * The directories of all messaging stores, compared with what the data directory knows of them.
 *
 * <p>Entities are placed by the number of stores and their order. So what was made once has to be there again, each store
 * in its place: a swapped or foreign directory and another number of stores are refused. One that is missing where it was
 * before is away, as long as others show that these are the right directories. Only a set that was never complete is completed, and stores made before
 * there were sets are taken over where they are.
 */
public final class StoreDirectories {
    private final Path dataDir;
    private final StorePlaces asked;
    private final List<Path> paths;
    private final boolean fresh;

    /** Why the stores are away that are. */
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
     * Compares, and makes what is new.
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
            if (directories.away.size() == directories.paths.size()) { // nothing says that these are the right ones
                throw directories.away.values().iterator().next();
            }
            return directories;
        } catch (IOException e) {
            throw StoresException.fault(
                    asked.words(dataDir) + ": The messaging stores cannot be read or made (" + e
                            + "); give directories that this user may read and write, on disks that work.",
                    e);
        }
    }

    /** Where the stores are, in their order. */
    public List<Path> paths() {
        return paths;
    }

    /** Why a store is not where it should be, in words that tell what to do; null if it is. */
    public @Nullable StoresException away(int index) {
        return away.get(index);
    }

    /** Looks again for a store that was away. */
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

    /** Whether stores may have to be made; if not, one without data is damaged. */
    public boolean isNew() {
        return fresh;
    }

    /** All of them are open: from now on none will be made again. */
    public void opened() throws StoresException {
        List<Path> places = new ArrayList<>(paths);
        away.keySet().forEach(index -> places.set(index, set.places().get(index)));
        StoreSet now = new StoreSet(set.id(), true, places);
        if (!now.equals(set)) {
            try {
                now.write(dataDir);
            } catch (IOException e) {
                throw StoresException.fault(
                        "--data-dir " + dataDir + ": " + StoreSet.FILE_NAME + " cannot be written (" + e + ").", e);
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
                throw StoresException.fault(
                        place + ": This is a messaging store of another data directory; give that one"
                                + " with --data-dir, or another directory with --store-dirs.");
            }
            if (older > 0 && !place.equals(olderPlace)) {
                throw StoresException.option(asked.words(dataDir) + ": Messaging store " + i + " is in " + olderPlace
                        + ", but was asked for in " + place
                        + "; start once without --store-dirs, stop, move the store, then give the option.");
            }
            if (older == 0 && !isEmpty(place)) {
                throw StoresException.fault(place + ": Expected an empty directory for a new messaging store, but"
                        + " something is in it; empty it, or give another directory with --store-dirs.");
            }
        }
        StoreSet set = new StoreSet(UUID.randomUUID(), false, places);
        set.write(dataDir);
        return set;
    }

    /** Whether a set that was never complete can be forgotten, because other directories are asked for now. */
    private static boolean abandoned(StoreSet unfinished, Path dataDir, StorePlaces asked)
            throws IOException, StoresException {
        if (unfinished.places().equals(places(dataDir, asked))) {
            return false;
        }
        for (Path place : unfinished.places()) {
            if (StoreIdentity.read(place) != null) {
                throw StoresException.option(asked.words(dataDir) + ": An earlier start has begun to make "
                        + unfinished.places().size() + " stores, one in " + place
                        + ". Give the same directories as then, or remove the stores and "
                        + dataDir.resolve(StoreSet.FILE_NAME) + " to begin anew.");
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
                            + ", but this is store " + found.index()
                            + " of another one. Give the directory of the right one with --store-dirs, or the --data-dir that"
                            + " this one belongs to.");
        } else if (found.index() != index) {
            throw StoresException.fault(place + ": Expected messaging store " + index + ", but this is store "
                    + found.index() + "; a directory was renamed or swapped. Name it "
                    + StorePlaces.folder(found.index())
                    + " again.");
        }
    }

    /** A store where it always was may come back; in a place where it never was it is not to be expected. */
    private void isAway(int index, StoresException why) throws StoresException {
        if (why.isOption() || !set.places().get(index).equals(paths.get(index))) {
            throw why;
        }
        away.put(index, why);
    }

    private StoresException unreadable(int index, IOException e) {
        return StoresException.fault(
                asked.words(dataDir) + ": Messaging store " + index + " cannot be read in " + paths.get(index) + " ("
                        + e
                        + "). Let this user read and write it, on a disk that works; if it is lost, restore a backup.",
                e);
    }

    /** A store is not where it should be: elsewhere, if it can be found in the directories given, or nowhere. */
    private StoresException missing(int index) throws IOException, StoresException {
        Path place = paths.get(index);
        Path actual = find(index);
        if (actual == null) {
            return StoresException.fault(
                    asked.words(dataDir) + ": Messaging store " + index + " is missing: there is none in "
                            + place + ". It was last in " + set.places().get(index)
                            + ". Mount its disk, or give the directory that it is in with --store-dirs; if it is lost, restore a"
                            + " backup.");
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
                + ", but it is in " + actual + "; the order of the directories matters."
                + (order.isEmpty() ? "" : " Give --store-dirs " + StorePlaces.joined(order) + "."));
    }

    /** Where among the directories given a store of this set is, or null. */
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
                ? "give " + made + " directories at most, and --stores " + made
                : "give --stores " + made;
        String option = asked.count() == null ? asked.words(dataDir) : "--stores " + asked.count();
        return StoresException.option(option + ": This data directory was made with " + made
                + (made == 1 ? " store" : " stores") + ", and its entities stay where they were placed; " + fix
                + ", or another --data-dir.");
    }
}
