package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Local repositories of Maven for tests, so that the one of this machine never has Jitney. */
final class LocalRepository {
    private LocalRepository() {}

    /** Runs Maven in a folder with a local repository, and fails if Maven does. */
    static void maven(Path folder, Path local, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dmaven.repo.local=" + local));
        command.addAll(List.of(arguments));
        Result result = Artifacts.run(folder, System.getenv(), command.toArray(String[]::new));
        assertThat(result.status()).as("%s%n%s", command, result).isZero();
    }

    /** Makes a local repository with the contents of this machine's, but without Jitney. */
    static Path withoutJitney(Path copy) throws Exception {
        Path own = Path.of(System.getProperty("maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));
        try (Stream<Path> files = Files.walk(own)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path relative = own.relativize(file);
                Path target = copy.resolve(relative.toString());
                if (relative.startsWith("dev/jitney")) {
                    continue;
                }
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!file.toString().endsWith(".jar") || !linked(target, file)) {
                    Files.copy(file, target);
                }
            }
        }
        return copy;
    }

    /** Links jars instead of copying them if both folders are on one disk. Maven replaces jars and never changes them. */
    private static boolean linked(Path link, Path file) {
        try {
            Files.createLink(link, file);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
