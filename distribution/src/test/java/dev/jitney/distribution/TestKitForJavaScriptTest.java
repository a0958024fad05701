package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The test kit for JavaScript, as a user installs it: from its file, with the server of the archive. */
@Tag("release")
@Timeout(300)
class TestKitForJavaScriptTest {
    @TempDir
    Path dir;

    @Test
    @DisplayName("The tests of the kit pass with the server of the archive")
    void kit() throws Exception {
        needsPackages();
        Path kit = Artifacts.root().resolve("testkit/js");
        String out = run(kit, "node", "--test", "test/formats.test.js", "test/broker.test.js");
        assertThat(out).contains("# fail 0", "# skipped 0");
    }

    @Test
    @DisplayName("The file for npm has the files that npm would pack")
    void likeNpm() throws Exception {
        String npm = run(Artifacts.root().resolve("testkit/js"), "npm", "pack", "--dry-run", "--json");
        Path packed = Artifacts.folder().resolve("jitney-js-testkit-" + Artifacts.version() + ".tgz");
        List<String> files = Pattern.compile("\"path\": \"([^\"]+)\"")
                .matcher(npm)
                .results()
                .map(found -> "package/" + found.group(1))
                .toList();
        assertThat(run(dir, "tar", "-tzf", packed.toString()).lines().filter(line -> !line.endsWith("/")))
                .containsExactlyInAnyOrderElementsOf(files)
                .hasSizeGreaterThan(5);
    }

    @Test
    @DisplayName("A project for Vitest with the packed kit and the Azure SDK passes its tests")
    void vitest() throws Exception {
        needsPackages();
        Path sample = Artifacts.root().resolve("samples/testkit-vitest");
        Path packed = Artifacts.folder().resolve("jitney-js-testkit-" + Artifacts.version() + ".tgz");
        Path project = Files.createDirectory(dir.resolve("project"));
        run(dir, "cp", "-R", sample + "/.", project.toString());
        // The folder of the source tree is replaced by the content of the file.
        Path installed = project.resolve("node_modules/jitney-js-testkit");
        run(dir, "rm", "-f", installed.toString());
        Files.createDirectory(installed);
        run(dir, "tar", "-xzf", packed.toString(), "--strip-components=1", "-C", installed.toString());
        try (Stream<Path> files = Files.list(installed)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("package.json", "LICENSE", "README.md", "src");
        }
        assertThat(run(project, "npm", "test")).contains("Tests  4 passed (4)");
    }

    private void needsPackages() {
        Path packages = Artifacts.root().resolve("samples/testkit-vitest/node_modules/vitest");
        boolean there = Files.exists(packages);
        if (!there && "true".equals(System.getenv("JITNEY_CI"))) {
            throw new AssertionError("Expected the packages of samples/testkit-vitest. Run: npm ci --prefix"
                    + " samples/testkit-vitest");
        }
        Assumptions.assumeTrue(there, "Run: npm ci --prefix samples/testkit-vitest");
    }

    private String run(Path folder, String... command) throws Exception {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("JITNEY_HOME", home().toString());
        environment.put("NO_COLOR", "1");
        Result result = Artifacts.run(folder, environment, command);
        assertThat(result.status()).as("%s%n%s", List.of(command), result).isZero();
        return result.out();
    }

    private Path home() throws Exception {
        Path place = dir.resolve("place");
        return Files.exists(place)
                ? place.resolve("jitney-" + Artifacts.version())
                : Artifacts.unpack("jitney-" + Artifacts.version() + "-linux-x64.tar.gz", place);
    }
}
