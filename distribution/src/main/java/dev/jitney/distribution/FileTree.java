package dev.jitney.distribution;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of an archive, sorted by path, so that an archive does not depend on the order of files on disk. Paths have slashes
 * and are relative. Not thread-safe.
 */
final class FileTree {
    private final SortedMap<String, Item> files = new TreeMap<>();
    private final SortedSet<String> emptyFolders = new TreeSet<>();

    /**
     * A file: its content, or its path on disk.
     *
     * @param bytes the content, or null if it is that of {@code file}
     * @param file a file on disk, or null if there are bytes
     * @param executable whether it is a program
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Item(byte @Nullable [] bytes, @Nullable Path file, boolean executable) {

        long size() throws IOException {
            return bytes != null ? bytes.length : file == null ? 0 : Files.size(file);
        }

        InputStream open() throws IOException {
            return bytes != null
                    ? new ByteArrayInputStream(bytes)
                    : file == null ? InputStream.nullInputStream() : Files.newInputStream(file);
        }
    }

    void text(String path, String text) {
        put(path, new Item(text.getBytes(StandardCharsets.UTF_8), null, false));
    }

    void program(String path, String text) {
        put(path, new Item(text.getBytes(StandardCharsets.UTF_8), null, true));
    }

    void program(String path, byte[] content) {
        put(path, new Item(content, null, true));
    }

    void item(String path, Item item) {
        put(path, item);
    }

    void file(String path, Path file) {
        put(path, new Item(null, file, false));
    }

    void bytes(String path, byte[] content) {
        put(path, new Item(content, null, false));
    }

    /** Adds an empty folder. */
    void folder(String path) {
        emptyFolders.add(path);
    }

    /** Adds all files below a folder on disk. Programs stay executable, and links are replaced by their targets. */
    void folder(String path, Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder, java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : (Iterable<Path>) found.filter(Files::isRegularFile)::iterator) {
                String below = folder.relativize(file).toString().replace('\\', '/');
                put(path + "/" + below, new Item(null, file, Files.isExecutable(file)));
            }
        }
    }

    /** Adds all files of another tree under other paths. A null path omits the file. */
    void all(FileTree tree, Function<String, @Nullable String> rename) {
        tree.files.forEach((path, item) -> {
            String renamed = rename.apply(path);
            if (renamed != null) {
                put(renamed, item);
            }
        });
    }

    private void put(String path, Item item) {
        if (path.startsWith("/") || List.of(path.split("/")).contains("..")) {
            throw new IllegalArgumentException("Expected a path below the top, but got '" + path + "'.");
        }
        if (files.put(path, item) != null) {
            throw new IllegalArgumentException("Expected each file once, but got '" + path + "' twice.");
        }
    }

    SortedMap<String, Item> files() {
        return files;
    }

    boolean has(String path) {
        return files.containsKey(path);
    }

    /** Returns all folders, each before its subfolders. */
    SortedSet<String> folders() {
        SortedSet<String> folders = new TreeSet<>();
        Stream.concat(files.keySet().stream(), emptyFolders.stream().map(folder -> folder + "/"))
                .forEach(path -> {
                    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                        folders.add(path.substring(0, slash));
                    }
                });
        return folders;
    }

    /** Returns the sum of all sizes, in bytes. */
    long size() throws IOException {
        long sum = 0;
        for (Item item : files.values()) {
            sum += item.size();
        }
        return sum;
    }
}
