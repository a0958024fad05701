package dev.jitney.distribution.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries have licenses that were read and permitted. */
class DependencyLicensesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path LIST = ROOT.resolve("dependencies.licenses");
    private static final String HEADER = """
        # The licenses of the libraries on the class path of the distribution, which includes its tools and tests, and of the packages
        # of npm from which the web console is built. DependencyLicensesTest compares each build with them. Renew this file after a
        # change of a dependency:
        # mvn -pl distribution -am test -Dtest=DependencyLicensesTest -Dsurefire.failIfNoSpecifiedTests=false -Djitney.dependencies.renew=true
        """;

    @TempDir
    Path repository;

    private Path jar;

    @BeforeEach
    void createJar() throws IOException {
        jar = write("org.example", "lib", "1.0", "").resolveSibling("lib-1.0.jar");
    }

    private Path write(String group, String artifact, String version, String content) throws IOException {
        Path pom = repository
                .resolve("repository")
                .resolve(group.replace('.', '/'))
                .resolve(artifact)
                .resolve(version)
                .resolve(artifact + "-" + version + ".pom");
        Files.createDirectories(pom.getParent());
        return Files.writeString(pom, "<project>" + content + "</project>");
    }

    private Map<String, String> licenses() throws IOException {
        return Licenses.permitted(ROOT).of(List.of(jar));
    }

    private static String license(String name, String url) {
        return "<license><name>" + name + "</name><url>" + url + "</url></license>";
    }

    @Test
    @DisplayName("Each library has a permitted license, and the checked-in list names it")
    void permitted() throws Exception {
        Licenses licenses = Licenses.permitted(ROOT);
        Map<String, String> actual = new TreeMap<>(
                licenses.of(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .filter(Files::isRegularFile)
                        .toList()));
        for (String lock : Libraries.LOCKS) {
            actual.putAll(licenses.ofPackages(ROOT.resolve(lock)));
        }
        assertThat(actual).hasSizeGreaterThan(100);
        StringBuilder text = new StringBuilder(HEADER);
        actual.forEach((library, license) ->
                text.append(library).append(": ").append(license).append('\n'));
        if (Boolean.getBoolean("jitney.dependencies.renew")) {
            Files.writeString(LIST, text);
        }
        assertThat(Files.readString(LIST))
                .as("renew %s as its head says, if a dependency was changed on purpose", LIST)
                .isEqualTo(text.toString());
    }

    @Test
    @DisplayName("A library without a license in its POM or the parents of it is refused")
    void none() throws Exception {
        write("org.example", "parent", "2", "");
        write(
                "org.example",
                "lib",
                "1.0",
                "<parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>2</version></parent>");
        assertThatThrownBy(this::licenses).isInstanceOf(IOException.class).hasMessageContaining("but it has none");
    }

    @Test
    @DisplayName("A library has the license of the parent of its POM if it names none")
    void parent() throws Exception {
        write("org.example", "parent", "2", "<licenses>" + license("ISC", "https://example.org") + "</licenses>");
        write(
                "org.example",
                "lib",
                "1.0",
                "<parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>2</version></parent>");
        assertThat(licenses()).containsExactly(Map.entry("org.example:lib 1.0", "ISC"));
    }

    @Test
    @DisplayName("A library whose licenses are not in the list is refused, and one with a choice has the permitted one")
    void choice() throws Exception {
        String gpl = license("GPL", "https://www.gnu.org/licenses/gpl-3.0.html");
        write("org.example", "lib", "1.0", "<licenses>" + gpl + "</licenses>");
        assertThatThrownBy(this::licenses)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("org.example:lib:1.0")
                .hasMessageContaining("gpl-3.0")
                .hasMessageContaining(Licenses.PERMITTED);
        write(
                "org.example",
                "lib",
                "1.0",
                "<licenses>" + gpl + license("MIT", "http://opensource.org/licenses/MIT") + "</licenses>");
        assertThat(licenses()).containsValue("MIT");
    }

    @Test
    @DisplayName("The address decides if the name stands for several licenses")
    void ambiguousName() throws Exception {
        write(
                "org.example",
                "lib",
                "1.0",
                "<licenses>" + license("The BSD License", "http://www.example.org/old-bsd") + "</licenses>");
        assertThatThrownBy(this::licenses).hasMessageContaining("The BSD License");
        write(
                "org.example",
                "lib",
                "1.0",
                "<licenses>" + license("The BSD License", "https://opensource.org/licenses/BSD-3-Clause")
                        + "</licenses>");
        assertThat(licenses()).containsValue("BSD-3-Clause");
    }

    @Test
    @DisplayName("A package of npm without a license is refused")
    void packages() throws Exception {
        Path lock = Files.writeString(
                repository.resolve("package-lock.json"),
                "{\"packages\":{\"\":{},\"node_modules/a/node_modules/@b/c\":{\"version\":\"1.2\"}}}");
        assertThatThrownBy(() -> Licenses.permitted(ROOT).ofPackages(lock)).hasMessageContaining("npm:@b/c 1.2");
    }
}
