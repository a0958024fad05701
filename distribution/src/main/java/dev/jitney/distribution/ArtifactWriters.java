package dev.jitney.distribution;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writes files in parallel, one for each processor at a time, because most of the work is compression. It reports them in
 * the order in which they were added. Used by one thread.
 */
final class ArtifactWriters implements AutoCloseable {
    private static final long MEGABYTE = 1_000_000;

    private final Path folder;
    private final PrintStream out;
    private final ExecutorService pool =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    private final List<Future<Path>> writing = new ArrayList<>();
    private final List<Path> written = new ArrayList<>();

    /** A writer of one file. */
    @FunctionalInterface
    interface Writer {
        void write(Path file) throws Exception;
    }

    ArtifactWriters(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** Adds a file, which is written as soon as a processor is free. */
    void add(String name, Writer writer) {
        Path file = folder.resolve(name);
        writing.add(pool.submit(() -> {
            writer.write(file);
            return file;
        }));
    }

    /**
     * Waits until all added files are written, and returns them in the order in which they were added.
     *
     * @throws Exception the failure of the first of them that failed
     */
    List<Path> await() throws Exception {
        for (Future<Path> each : writing) {
            Path file;
            try {
                file = each.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception failure ? failure : e;
            }
            written.add(file);
            out.println(String.format(
                    "  %2d  %-40s %6.1f MB", written.size(), file.getFileName(), (double) Files.size(file) / MEGABYTE));
            out.flush();
        }
        writing.clear();
        return List.copyOf(written);
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
