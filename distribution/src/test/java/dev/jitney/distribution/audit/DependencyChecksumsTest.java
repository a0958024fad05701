package dev.jitney.distribution.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars that the build uses and that users get have the checksums that were checked in. */
class DependencyChecksumsTest {
    private static final Path LIST = Path.of("..", Libraries.CHECKSUMS);
    private static final String HEADER = """
        # SHA-256 of the libraries on the class path of the distribution: those in the archives, and those of its tools and tests.
        # DependencyChecksumsTest compares the jars of each build with them. Renew this file after a change of a dependency, from a
        # trusted repository, and look at its diff:
        # mvn -pl distribution -am test -Dtest=DependencyChecksumsTest -Dsurefire.failIfNoSpecifiedTests=false -Djitney.dependencies.renew=true
        """;

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .toList();
    }

    @Test
    @DisplayName("Each library has its checked-in checksum, and each checksum has its library")
    void checksums() throws Exception {
        Map<String, String> actual = Libraries.actual(classPath());
        assertThat(actual).hasSizeGreaterThan(50);
        if (Boolean.getBoolean("jitney.dependencies.renew")) {
            StringBuilder text = new StringBuilder(HEADER);
            new TreeMap<>(actual)
                    .forEach((artifact, sum) ->
                            text.append(sum).append("  ").append(artifact).append('\n'));
            Files.writeString(LIST, text);
        }
        assertThat(actual)
                .as("renew %s as its head says, if a dependency was changed on purpose", Libraries.CHECKSUMS)
                .containsExactlyInAnyOrderEntriesOf(Libraries.checksums(LIST));
    }

    @Test
    @DisplayName("Another content of a jar has another checksum, and jars of the build itself are left out")
    void differences(@TempDir Path dir) throws Exception {
        Path jar = Files.createDirectories(dir.resolve("repository/org/example/lib/1.0"))
                .resolve("lib-1.0.jar");
        Files.writeString(jar, "one");
        Map<String, String> before = Libraries.actual(List.of(jar));
        Files.writeString(jar, "two");
        assertThat(before).containsOnlyKeys("org.example:lib:1.0");
        assertThat(Libraries.actual(List.of(jar))).isNotEqualTo(before);
        Path own = Files.createDirectories(dir.resolve("target")).resolve("jitney-server-1.0.jar");
        Files.writeString(own, "jar");
        assertThat(Libraries.actual(List.of(own))).isEmpty();
        assertThat(Libraries.artifact(jar.resolveSibling("lib-1.0-linux.jar"))).isEqualTo("org.example:lib:1.0:linux");
    }

    @Test
    @DisplayName(
            "A local repository may have any name: then the group is the longest one that the pom of the jar names")
    void otherRepository(@TempDir Path dir) throws Exception {
        Path jar = Files.createDirectories(dir.resolve("m2/org/example/more/lib/1.0"))
                .resolve("lib-1.0.jar");
        Files.writeString(jar, "one");
        assertThat(Libraries.actual(List.of(jar))).as("without a pom").isEmpty();
        Files.writeString(
                jar.resolveSibling("lib-1.0.pom"),
                "<project><parent><groupId>example.more</groupId></parent><groupId>org.example.more</groupId></project>");
        assertThat(Libraries.actual(List.of(jar))).containsOnlyKeys("org.example.more:lib:1.0");
    }
}
