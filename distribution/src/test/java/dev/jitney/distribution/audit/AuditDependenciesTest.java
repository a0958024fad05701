package dev.jitney.distribution.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The audit of dependencies")
class AuditDependenciesTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-06-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void tree() throws IOException {
        Files.writeString(
                dir.resolve(Libraries.CHECKSUMS),
                "# comment\n" + "a".repeat(64) + "  org.example:lib:1.2.0\n" + "b".repeat(64)
                        + "  org.example:native:3.0:linux-x86_64\n");
        Files.createDirectories(dir.resolve("console"));
        Files.writeString(dir.resolve("console/package-lock.json"), """
            {"packages": {"": {"name": "console"}, "node_modules/a/node_modules/@scope/pack": {"version": "2.0.0-rc.1"}}}
            """);
    }

    private int run(String... args) {
        out.reset();
        err.reset();
        String[] all = new String[args.length + 2];
        all[0] = "--root";
        all[1] = dir.toString();
        System.arraycopy(args, 0, all, 2, args.length);
        return AuditDependencies.execute(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                CLOCK,
                all);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    private static String advisory(String id, String ecosystem, String name, String events) {
        return "{\"id\": \"" + id + "\", \"aliases\": [\"CVE-" + id + "\"], \"summary\": \"Bad " + id
                + "\", \"affected\": [{\"package\": {\"ecosystem\": \"" + ecosystem + "\", \"name\": \"" + name
                + "\"}, \"ranges\": [{\"type\": \"ECOSYSTEM\", \"events\": [" + events + "]}]}]}";
    }

    private String data(String... documents) throws IOException {
        return Files.writeString(dir.resolve("data.json"), "[" + String.join(",", documents) + "]")
                .toString();
    }

    @Test
    @DisplayName("ends with 1 and names each finding, in Maven and npm, from JSON and from a zip file")
    void findings() throws IOException {
        String hit = advisory("G-1", "Maven", "org.example:lib", "{\"introduced\": \"0\"}, {\"fixed\": \"1.3.0\"}");
        String fixed = advisory("G-2", "Maven", "org.example:lib", "{\"introduced\": \"0\"}, {\"fixed\": \"1.2\"}");
        String npm =
                advisory("G-3", "npm", "@scope/pack", "{\"introduced\": \"1.0.0\"}, {\"last_affected\": \"2.0.0\"}");
        String withdrawn = hit.replace("\"summary\"", "\"withdrawn\": \"2026-01-01T00:00:00Z\", \"summary\"");
        assertThat(run("--data", data(hit, fixed, npm, withdrawn))).isEqualTo(1);
        assertThat(printed())
                .contains("org.example:lib 1.2.0: G-1, CVE-G-1: Bad G-1", "@scope/pack 2.0.0-rc.1: G-3")
                .doesNotContain("G-2")
                .contains("3 libraries, 4 advisories, 0 accepted findings, 2 findings");
        Path zip = dir.resolve("all.zip");
        try (OutputStream file = Files.newOutputStream(zip);
                ZipOutputStream entries = new ZipOutputStream(file)) {
            entries.putNextEntry(new ZipEntry("G-1.json"));
            entries.write(hit.getBytes(StandardCharsets.UTF_8));
            entries.putNextEntry(new ZipEntry("G-2.json"));
            entries.write(fixed.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(run("--data", zip.toString())).isEqualTo(1);
        assertThat(printed()).contains("2 advisories", "1 findings");
        assertThat(run("--data", data(fixed))).isZero();
    }

    @Test
    @DisplayName("says that it is skipped if the file is not there, and ends with 2 for a file of another form")
    void files() throws IOException {
        assertThat(run("--data", dir.resolve("missing.zip").toString())).isZero();
        assertThat(printed()).startsWith("Skipped: there is no file");
        for (String bad : new String[] {"{", "[1]", "[{}]", "text"}) {
            Path file = Files.writeString(dir.resolve("bad.json"), bad);
            assertThat(run("--data", file.toString())).as(bad).isEqualTo(2);
            assertThat(printed()).contains("in the format of OSV");
        }
        Path zip = Files.writeString(dir.resolve("bad.zip"), "no zip");
        assertThat(run("--data", zip.toString())).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "accepts findings of the allow list until their last day, also by an alias, and reports lines without a"
                    + " finding")
    void allowances() throws IOException {
        String hit = advisory("G-1", "Maven", "org.example:lib", "{\"introduced\": \"1.0\"}");
        Path allow = dir.resolve("audit-allow.txt");
        Files.writeString(
                allow,
                "# accepted\nCVE-G-1 org.example:lib 2026-06-01 Not used.\nG-9 org.example:lib 2027-01-01 Gone.\n");
        assertThat(run("--data", data(hit))).isZero();
        assertThat(printed())
                .contains("1 accepted findings, 0 findings")
                .contains("The accepted finding 'G-9 org.example:lib' does not occur. Remove it.");
        Files.writeString(allow, "G-1 org.example:lib 2026-05-31 Not used.\n");
        assertThat(run("--data", data(hit))).as("the day has passed").isEqualTo(1);
        Files.writeString(allow, "G-1 org.example:lib soon Not used.\n");
        assertThat(run("--data", data(hit))).isEqualTo(2);
        assertThat(printed()).contains("audit-allow.txt, line 1: Expected ID, library, last day");
    }

    @ParameterizedTest
    @DisplayName("orders versions of Maven as Maven does")
    @CsvSource({
        "1.0, 1.0.0, 0", "1.0.Final, 1.0, 0", "1.9, 1.10, -1", "1.0-alpha-1, 1.0-beta-1, -1", "1.0-rc1, 1.0, -1",
        "1.0-SNAPSHOT, 1.0, -1", "1.0, 1.0-sp1, -1", "1.0-M1, 1.0-RC1, -1", "2.0-jre, 2.0, 1",
                "4.1.100.Final, 4.1.99.Final, 1",
        "1.0a1, 1.0-alpha-1, 0", "33.0.0-jre, 32.1.3-jre, 1", "1.0.1, 1.0-sp1, 1"
    })
    void mavenVersions(String one, String two, int order) {
        assertThat(Integer.signum(new MavenVersion(one).compareTo(new MavenVersion(two))))
                .isEqualTo(order);
        assertThat(Integer.signum(new MavenVersion(two).compareTo(new MavenVersion(one))))
                .isEqualTo(-order);
    }

    @ParameterizedTest
    @DisplayName("orders versions of npm as Semantic Versioning says")
    @CsvSource({
        "1.0.0, 1.0.0+build, 0",
        "1.0.0-alpha, 1.0.0-alpha.1, -1",
        "1.0.0-alpha.1, 1.0.0-alpha.beta, -1",
        "1.0.0-rc.1, 1.0.0, -1",
        "1.0.0-beta.2, 1.0.0-beta.11, -1",
        "2.10.0, 2.9.9, 1",
        "v1.2.3, 1.2.3, 0"
    })
    void npmVersions(String one, String two, int order) {
        assertThat(Integer.signum(new NpmVersion(one).compareTo(new NpmVersion(two))))
                .isEqualTo(order);
        assertThat(Integer.signum(new NpmVersion(two).compareTo(new NpmVersion(one))))
                .isEqualTo(-order);
    }
}
