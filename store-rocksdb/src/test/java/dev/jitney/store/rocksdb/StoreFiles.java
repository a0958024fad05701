package dev.jitney.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Copies of the files of an open store: the state that a kill of the process leaves. */
final class StoreFiles {
    private static final int ATTEMPTS_MAX = 1_000;

    private StoreFiles() {}

    /** Copies the directory of an open store, at a moment without background work in RocksDB. */
    static void copy(Path from, Path to) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Map<Path, Long> before = sizes(from);
            try {
                for (Path path : before.keySet()) {
                    Path target = to.resolve(from.relativize(path).toString());
                    if (Files.isDirectory(path)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(path, target, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            } catch (NoSuchFileException e) {
                // A file that is not needed any more was deleted meanwhile.
            }
            if (!before.isEmpty() && sizes(from).equals(before)) {
                return;
            }
            if (Files.exists(to)) {
                delete(to);
            }
        }
        throw new IOException("Expected the files in " + from + " to stay unchanged for a moment");
    }

    private static Map<Path, Long> sizes(Path directory) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        List<Path> all;
        try (Stream<Path> walk = Files.walk(directory)) {
            all = walk.toList();
        } catch (UncheckedIOException e) {
            return Map.of(); // a file was deleted meanwhile
        }
        for (Path path : all) {
            try {
                if (Files.isRegularFile(path)) {
                    sizes.put(path, Files.size(path));
                } else {
                    sizes.put(path, -1L);
                }
            } catch (NoSuchFileException e) {
                return Map.of();
            }
        }
        return sizes;
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
