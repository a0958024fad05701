package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Quiet;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The temporary directories of servers that run for a benchmark. */
public final class Directories {
    private static final int TRIES = 100;

    private Directories() {}

    /**
     * Deletes a directory when this process is interrupted. The servers that write into the directory end at the same
     * time; the deletion waits for them.
     */
    public static void deleteAtTheEnd(Path directory) {
        Thread hook = new Thread(() -> deletePatiently(directory), "delete-" + directory.getFileName());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void deletePatiently(Path directory) {
        for (int i = 0; i < TRIES && Files.exists(directory); i++) {
            try {
                delete(directory);
            } catch (IOException e) {
                Quiet.park(TimeUnit.MILLISECONDS.toNanos(100)); // a server still writes there
            }
        }
    }

    /** Deletes a directory with all its contents. */
    public static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
