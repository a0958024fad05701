package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The projects {@code samples/testkit-*} of Maven, as a user builds them: a copy of each folder, with the libraries from a
 * repository. To add one, add a folder with a POM that works by itself.
 */
@Tag("release")
@Timeout(900)
class TestKitSamplesTest {
    private static final Set<String> LEFT_OUT = Set.of("target", "node_modules", ".git");
    /** The comment of a POM may name another version of JUnit, with which the sample must work as well. */
    private static final Pattern OTHER_JUNIT = Pattern.compile("-Djunit\\.version=[0-9.]+");

    @TempDir
    Path dir;

    @Test
    @DisplayName("mvn install writes the test kit with sources and Javadoc, and the tests of all sample projects pass")
    void samples() throws Exception {
        Path root = Artifacts.root();
        Path local = LocalRepository.withoutJitney(dir.resolve("repository"));
        Path tree = copy(root, dir.resolve("tree"));
        String kits = folders(root.resolve("testkit"), "").stream()
                .map(module -> "testkit/" + module.getFileName())
                .collect(Collectors.joining(","));
        LocalRepository.maven(
                tree, local, "install", "-DskipTests", "-Dspotless.check.skip=true", "-pl", ".,bom," + kits, "-am");
        for (String library : List.of("jitney-testkit", "jitney-testkit-junit")) {
            Path folder = local.resolve("dev/jitney").resolve(library).resolve(Artifacts.version());
            for (String kind : List.of("", "-sources", "-javadoc")) {
                assertThat(folder.resolve(library + "-" + Artifacts.version() + kind + ".jar"))
                        .exists();
            }
        }

        List<Path> samples = folders(root.resolve("samples"), "testkit-");
        assertThat(samples).isNotEmpty();
        for (Path sample : samples) {
            Path project = copy(sample, dir.resolve(sample.getFileName().toString()));
            LocalRepository.maven(project, local, "test");
            assertThat(project.resolve("target/surefire-reports")).isNotEmptyDirectory();
            Matcher other = OTHER_JUNIT.matcher(Files.readString(project.resolve("pom.xml")));
            if (other.find()) {
                LocalRepository.maven(project, local, "test", other.group());
            }
        }
    }

    /** Returns the folders with a POM whose names begin with a text. */
    private static List<Path> folders(Path parent, String start) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith(start))
                    .filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (LEFT_OUT.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                // A worktree has a file in place of the folder.
                if (!file.getFileName().toString().equals(".git")) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return to;
    }
}
