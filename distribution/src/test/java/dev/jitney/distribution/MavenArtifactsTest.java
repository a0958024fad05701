package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Maven libraries in an application: from a local repository, with the lines of the guide. */
@Tag("release")
@Timeout(420)
class MavenArtifactsTest {
    private static final String LIBRARY = "dev/jitney/jitney-paired-namespaces/";

    @TempDir
    Path dir;

    @Test
    @DisplayName(
            "mvn install writes libraries, sources, Javadoc and POMs reproducibly, and an application can use them")
    void application() throws Exception {
        // A separate repository with the contents of this machine's, but without Jitney.
        Path local = LocalRepository.withoutJitney(dir.resolve("repository"));
        String version = Artifacts.version();
        String base = LIBRARY + version + "/jitney-paired-namespaces-" + version;
        List<String> artifacts = List.of(base + ".jar", base + "-sources.jar", base + "-javadoc.jar", base + ".pom");
        install(sources(dir.resolve("first")), local);
        List<String> sums = sums(local, artifacts);
        install(sources(dir.resolve("a second place")), local);
        assertThat(sums(local, artifacts)).isEqualTo(sums);

        assertThat(entries(local.resolve(base + ".jar"))).contains("dev/jitney/paired/MessagingFactory.class");
        assertThat(entries(local.resolve(base + "-sources.jar"))).contains("dev/jitney/paired/MessagingFactory.java");
        assertThat(entries(local.resolve(base + "-javadoc.jar")))
                .contains("index.html")
                .anyMatch(name -> name.endsWith("dev/jitney/paired/MessagingFactory.html"));
        for (String pom : List.of("jitney-parent", "jitney-bom")) {
            assertThat(local.resolve("dev/jitney/" + pom + "/" + version + "/" + pom + "-" + version + ".pom"))
                    .content()
                    .contains("<name>Apache-2.0</name>", "<developers>", "<scm>", "<url>", "<description>");
        }

        Path application = Files.createDirectories(dir.resolve("application"));
        Path main = Files.createDirectories(application.resolve("src/main/java"));
        Files.writeString(main.resolve("Main.java"), """
                import dev.jitney.paired.MessagingFactory;

                public class Main {
                    public static void main(String[] args) {
                        try (MessagingFactory factory = MessagingFactory.create(args[0])) {
                            System.out.println("Made " + factory.getClass().getName());
                        }
                    }
                }
                """);
        Files.writeString(application.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>example</groupId>
                  <artifactId>application</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                %s
                  <build>
                    <plugins>
                %s
                    </plugins>
                  </build>
                </project>
                """.formatted(
                        guide(), plugins("maven-compiler-plugin", "maven-resources-plugin")));
        Path classPath = application.resolve("classpath.txt");
        LocalRepository.maven(
                application,
                local,
                "compile",
                "org.apache.maven.plugins:maven-dependency-plugin:" + pluginVersion("maven-dependency-plugin")
                        + ":build-classpath",
                "-Dmdep.outputFile=" + classPath);
        String libraries = Files.readString(classPath).strip();
        assertThat(libraries).contains(local.resolve(base + ".jar").toString()).doesNotContain("netty-bom", "rocksdb");
        Result run = Artifacts.run(
                application,
                System.getenv(),
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                application.resolve("target/classes") + ":" + libraries,
                "Main",
                "Endpoint=sb://localhost:1;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=x;"
                        + "UseDevelopmentEmulator=true;");
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).contains("Made dev.jitney.paired.MessagingFactory");
    }

    private void install(Path tree, Path local) throws Exception {
        LocalRepository.maven(
                tree,
                local,
                "install",
                "-T1",
                "-DskipTests",
                "-Dspotless.check.skip=true",
                "-pl",
                ".,bom,paired-namespaces");
    }

    /** Copies the POMs of all modules, and the sources of the installed ones. */
    private static Path sources(Path target) throws Exception {
        Path root = Artifacts.root();
        Pattern wanted =
                Pattern.compile("([a-z0-9-]+/){0,2}pom\\.xml|\\.mvn/.*|bom/[^/]*|paired-namespaces/src/main/.*");
        List<Path> places = List.of(
                root, root.resolve("testing"), root.resolve("testkit"), root.resolve(".mvn"), root.resolve("bom"));
        List<Path> found = new ArrayList<>();
        for (Path place : places) {
            try (Stream<Path> files = Files.find(place, 2, (file, attributes) -> attributes.isRegularFile())) {
                files.forEach(found::add);
            }
        }
        try (Stream<Path> files = Files.walk(root.resolve("paired-namespaces/src/main"))) {
            files.filter(Files::isRegularFile).forEach(found::add);
        }
        for (Path file : found) {
            Path copy = target.resolve(root.relativize(file).toString());
            if (wanted.matcher(root.relativize(file).toString()).matches() && !Files.exists(copy)) {
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return target;
    }

    /** Returns the lines for an application's POM from the guide to paired namespaces. */
    private static String guide() throws Exception {
        String page = Files.readString(Artifacts.root().resolve("docs/guides/paired-namespaces.md"));
        MatchResult block = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .findFirst()
                .orElseThrow();
        assertThat(block.group(1)).contains("jitney-bom", "jitney-paired-namespaces");
        return block.group(1);
    }

    /** Returns the plugins in the versions of Jitney's own build. */
    private static String plugins(String... names) throws Exception {
        StringBuilder xml = new StringBuilder();
        for (String name : names) {
            xml.append("<plugin><artifactId>").append(name).append("</artifactId><version>");
            xml.append(pluginVersion(name)).append("</version></plugin>\n");
        }
        return xml.toString();
    }

    private static String pluginVersion(String name) throws Exception {
        return Pattern.compile("<artifactId>" + name + "</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(Artifacts.root().resolve("pom.xml")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private static List<String> sums(Path repository, List<String> files) throws Exception {
        List<String> sums = new ArrayList<>();
        for (String file : files) {
            sums.add(Checksums.sha256(repository.resolve(file)) + " " + file);
        }
        return sums;
    }

    private static List<String> entries(Path jar) throws Exception {
        try (ZipFile zip = ZipFile.builder().setPath(jar).get()) {
            return Collections.list(zip.getEntries()).stream()
                    .map(ZipArchiveEntry::getName)
                    .toList();
        }
    }
}
