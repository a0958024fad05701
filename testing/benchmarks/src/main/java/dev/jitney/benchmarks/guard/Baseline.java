package dev.jitney.benchmarks.guard;

import dev.jitney.benchmarks.bench.Directories;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An archive of a release, unpacked for one comparison, or a directory that has been unpacked already. */
final class Baseline implements AutoCloseable {
    private static final long UNPACK_MINUTES = 5;

    private final Path home;
    private final boolean temporary;
    private final Path directory;

    private Baseline(Path home, boolean temporary, Path directory) {
        this.home = home;
        this.temporary = temporary;
        this.directory = directory;
    }

    /**
     * Opens an archive ({@code .tar.gz} or {@code .zip}) with the {@code tar} of this machine, or a directory.
     *
     * @throws IOException if it is no archive of Jitney; the message names the fix
     */
    static Baseline open(Path archive) throws IOException, InterruptedException {
        if (Files.isDirectory(archive)) {
            return new Baseline(home(archive), false, archive);
        }
        if (!Files.isRegularFile(archive)) {
            throw new IOException(
                    "--baseline " + archive + ": Expected the archive of a release, but there is no such file.");
        }
        Path directory = Files.createTempDirectory("jitney-baseline-");
        Directories.deleteAtTheEnd(directory);
        try {
            Process tar = new ProcessBuilder(
                            "tar", "-xf", archive.toAbsolutePath().toString(), "-C", directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!tar.waitFor(UNPACK_MINUTES, TimeUnit.MINUTES) || tar.exitValue() != 0) {
                tar.destroyForcibly();
                throw new IOException("--baseline " + archive
                        + ": It cannot be unpacked with tar. Unpack it yourself, and name the directory.");
            }
            return new Baseline(home(directory), true, directory);
        } catch (IOException | InterruptedException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    private static Path home(Path directory) throws IOException {
        try (Stream<Path> inside = Files.list(directory)) {
            List<Path> homes = Stream.concat(Stream.of(directory), inside)
                    .filter(each -> Files.isDirectory(each.resolve("lib")))
                    .toList();
            if (homes.size() != 1) {
                throw new IOException("--baseline: Expected a directory 'lib' of a release in " + directory
                        + ", but found " + homes.size() + ".");
            }
            return homes.get(0);
        }
    }

    /** Returns the class path of its server. */
    String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            return jars.map(Path::toString)
                    .filter(jar -> jar.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Returns its name: that of the directory of the release. */
    String name() {
        return String.valueOf(home.getFileName());
    }

    @Override
    public void close() throws IOException {
        if (temporary && Files.exists(directory)) {
            Directories.delete(directory);
        }
    }
}
