package dev.jitney.cluster.checkpoint;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Deletes directories of files. */
final class Directories {
    private Directories() {}

    /** Deletes a directory and the files in it, if it is there. It has no directories inside. */
    static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // Nothing is in it.
        }
        Files.deleteIfExists(directory);
    }
}
