package dev.jitney.server.stores;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many messaging stores are asked for, and where.
 *
 * @param count number of stores as asked for, null to have one per directory
 * @param directories where they go in turn, the first store into the first one; none for the data directory itself
 */
public record StorePlaces(@Nullable Integer count, List<Path> directories) {

    public StorePlaces {
        directories = List.copyOf(directories);
    }

    /** How many stores there are. */
    public int stores() {
        return count != null ? count : Math.max(1, directories.size());
    }

    /** The directory of one store, absolute. */
    Path place(int index, Path dataDir) {
        Path home = directories.isEmpty() ? dataDir : directories.get(index % directories.size());
        return home.toAbsolutePath().normalize().resolve(folder(index));
    }

    /** What the directory of a store is called within the one it is in. */
    static String folder(int index) {
        return "store-" + index;
    }

    /** The option that places stores, as far as it is given. */
    String words(Path dataDir) {
        return directories.isEmpty() ? "--data-dir " + dataDir : "--store-dirs " + joined(directories);
    }

    static String joined(List<Path> directories) {
        return directories.stream().map(Path::toString).collect(Collectors.joining(","));
    }
}
