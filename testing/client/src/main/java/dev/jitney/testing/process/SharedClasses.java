package dev.jitney.testing.process;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of this Java machine for many short processes. Folders become jars, and an archive of the loaded classes,
 * which one process writes when it ends, halves the processor time of each later start. The Java machine only uses
 * archives of class paths that consist of jars. Used by one thread.
 */
final class SharedClasses {
    private static final int WRITE_SECONDS = 60;

    private final String java;
    private final Path archive;
    private final String classPath;

    /** @param directory a new directory for jars and the archive */
    SharedClasses(String java, Path directory) throws IOException {
        this.java = java;
        Files.createDirectories(directory);
        archive = directory.resolve("classes.jsa");
        List<String> parts = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(part);
            if (Files.isDirectory(path)) {
                Path jar = directory.resolve("classes-" + parts.size() + ".jar");
                pack(path, jar);
                parts.add(jar.toString());
            } else if (Files.exists(path)) {
                parts.add(part);
            }
        }
        classPath = String.join(File.pathSeparator, parts);
    }

    private static void pack(Path folder, Path jar) throws IOException {
        try (Stream<Path> files = Files.walk(folder);
                OutputStream bytes = new BufferedOutputStream(Files.newOutputStream(jar));
                ZipOutputStream to = new ZipOutputStream(bytes)) {
            to.setLevel(0);
            for (Iterator<Path> each = files.filter(Files::isRegularFile).iterator(); each.hasNext(); ) {
                Path file = each.next();
                to.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, to);
                to.closeEntry();
            }
        }
    }

    /** Returns the options of the Java machine: the class path and, if there is one, the archive. */
    List<String> options() {
        List<String> options = new ArrayList<>();
        if (Files.exists(archive)) {
            options.add("-XX:SharedArchiveFile=" + archive);
        }
        options.addAll(List.of("-cp", classPath));
        return options;
    }

    /**
     * Runs a program until a condition holds, ends it with SIGTERM, and lets it write the archive. Without an archive
     * everything works, only slower.
     *
     * @param javaOptions options of the Java machine, those that later processes have
     * @param program     the main class and its arguments
     * @param used        returns whether the program has loaded the classes that matter
     */
    void train(List<String> javaOptions, List<String> program, Condition used)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(javaOptions);
        command.add("-XX:ArchiveClassesAtExit=" + archive);
        command.addAll(options());
        command.addAll(program);
        try (WatchedProcess process = WatchedProcess.start(new ProcessBuilder(command), line -> {}, () -> {})) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WRITE_SECONDS);
            while (process.isAlive() && !used.holds() && System.nanoTime() < deadline) {
                process.awaitExit(50);
            }
            process.terminate();
        }
    }

    /** A condition. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }
}
