package dev.jitney.server.stores;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configured number of messaging stores and their directories.
 *
 * @param count configured number of stores, or null for one per directory
 * @param directories directories of the stores, used in turn from the first store on; empty for the data directory
 *     itself
 */
public record StorePlaces(@Nullable Integer count, List<Path> directories) {

    public StorePlaces {
        directories = List.copyOf(directories);
    }

    /** Returns the number of stores. */
    public int stores() {
        return count != null ? count : Math.max(1, directories.size());
    }

    /** Returns the absolute directory of one store. */
    Path place(int index, Path dataDir) {
        Path home = directories.isEmpty() ? dataDir : directories.get(index % directories.size());
        return home.toAbsolutePath().normalize().resolve(folder(index));
    }

    /** Returns the name of a store's directory. */
    static String folder(int index) {
        return "store-" + index;
    }

    /** Returns the option that places the stores. */
    String words(Path dataDir) {
        return directories.isEmpty() ? "--data-dir " + dataDir : "--store-dirs " + joined(directories);
    }

    static String joined(List<Path> directories) {
        return directories.stream().map(Path::toString).collect(Collectors.joining(","));
    }
}
