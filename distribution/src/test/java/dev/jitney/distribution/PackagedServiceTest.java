package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

/** The Debian package: its files, and its life cycle in a separate root, where a script replaces systemd. */
@Tag("release")
@Timeout(600)
class PackagedServiceTest {
    private static final Map<String, String> PATH =
            Map.of("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");

    /** The packages that a root without systemd needs for the package and for these tests. */
    private static final String PACKAGES = "passwd,libstdc++6,zlib1g,mount";

    @TempDir
    Path dir;

    @Test
    @DisplayName("The package has its files in Debian's folders, owned by root, and its settings are conffiles")
    void files() throws Exception {
        String deb = deb();
        String listed = ok("dpkg-deb", "--contents", deb);
        assertThat(listed.lines())
                .isNotEmpty()
                .allSatisfy(
                        line -> assertThat(line)
                                .matches(
                                        "(-rw-r--r--|-rwxr-xr-x|-rw-r-----|drwxr-xr-x|lrwxrwxrwx) root/root .* \\./(etc|usr)/.*"));
        assertThat(listed)
                .containsPattern("-rwxr-xr-x .*/usr/lib/jitney/bin/jitney\n")
                .containsPattern("/usr/bin/jitney -> \\.\\./lib/jitney/bin/jitney\n")
                .containsPattern("-rw-r----- .*/etc/jitney/jitney\\.env\n")
                .containsPattern("-rw-r----- .*/etc/jitney/config\\.json\n")
                .containsPattern("-rw-r--r-- .*/usr/lib/systemd/system/jitney\\.service\n")
                .containsPattern("/usr/share/man/man1/jitney-server\\.1\n")
                .containsPattern("/usr/share/bash-completion/completions/jitney\n")
                .containsPattern("/usr/share/doc/jitney/copyright\n")
                .containsPattern("/usr/share/doc/jitney/licenses/THIRD-PARTY\\.txt\n")
                .doesNotContain("jitney.bat", "windows", "osx");
        assertThat(ok("dpkg-deb", "--info", deb, "conffiles").lines())
                .containsExactlyInAnyOrder("/etc/jitney/config.json", "/etc/jitney/jitney.env");
        assertThat(ok("dpkg-deb", "--field", deb))
                .contains("Package: jitney\n", "Version: " + Artifacts.version() + "\n", "Architecture: amd64\n")
                .containsPattern("Depends: libc6 \\(>= 2\\.\\d+\\), passwd");
        long files = listed.lines().filter(line -> line.startsWith("-")).count();
        assertThat(ok("dpkg-deb", "--info", deb, "md5sums").lines()).hasSize((int) files);
        for (String script : List.of("postinst", "prerm", "postrm")) {
            Path file = Files.writeString(dir.resolve(script), ok("dpkg-deb", "--info", deb, script));
            ok("dash", "-n", file.toString());
        }
    }

    @Test
    @DisplayName("systemd accepts every line of the unit")
    void unit() throws Exception {
        Path root = Files.createDirectories(dir.resolve("unit"));
        Path units = Files.createDirectories(root.resolve("usr/lib/systemd/system"));
        ok("dpkg-deb", "--extract", deb(), root.toString());
        needs("systemd-analyze");
        try (Stream<Path> targets = Files.list(Path.of("/usr/lib/systemd/system"))) {
            for (Path target :
                    targets.filter(file -> file.toString().endsWith(".target")).toList()) {
                Files.copy(target, units.resolve(target.getFileName()));
            }
        }
        Result verified =
                Artifacts.run(root, PATH, "systemd-analyze", "verify", "--man=no", "--root=" + root, "jitney.service");
        assertThat(verified).isEqualTo(new Result(0, "", ""));
    }

    @Test
    @DisplayName("The service starts when installed, keeps messages over upgrade and removal, and a purge deletes them")
    void life() throws Exception {
        Path root = debianRoot();
        try {
            Path newer = dir.resolve("newer.deb");
            ok(asRoot(script("newer.sh"), deb(), dir.resolve("newer").toString(), newer.toString()));
            ok(asRoot("cp", deb(), root + "/tmp/jitney.deb"));
            ok(asRoot("cp", newer.toString(), root + "/tmp/newer.deb"));
            ok(asRoot("cp", script("service-life.sh"), root + "/tmp/service-life.sh"));
            ok(asRoot("cp", script("systemctl.sh"), root + "/usr/bin/systemctl"));
            Result life =
                    Artifacts.run(dir, PATH, asRoot(script("in-root.sh"), root.toString(), "/tmp/service-life.sh"));
            assertThat(life.status()).as(life.toString()).isZero();
            Map<String, String> facts = facts(life.out());

            assertThat(facts)
                    .containsEntry("installed", "running")
                    .containsEntry("enabled", "yes")
                    .containsEntry("user", "/var/lib/jitney:/usr/sbin/nologin")
                    .containsEntry("state-directory", "750 jitney:jitney")
                    .containsEntry("data-directory", "700 jitney:jitney")
                    .containsEntry("env-file", "640 root:jitney")
                    .containsEntry("config-file", "640 root:jitney")
                    .containsEntry("sums", "right")
                    .containsEntry("process-user", "1")
                    .containsEntry("capabilities", "0000000000000400 0000000000000400"); // CAP_NET_BIND_SERVICE
            assertThat(facts.get("process")).startsWith("/usr/lib/jitney/runtime/bin/java ");
            assertThat(Long.parseLong(facts.getOrDefault("classes", "0"))).isPositive();
            assertThat(facts.get("program")).startsWith("jitney " + Artifacts.version() + " (Java ");

            assertThat(facts)
                    .containsEntry("stopped", "stopped with 0")
                    .containsEntry("port-443", "Ready: http://127.0.0.1:443/health");
            assertThat(facts.get("after-restart")).endsWith(" one coffee");

            assertThat(facts)
                    .containsEntry("upgraded", Artifacts.version() + "+1 install ok installed, running")
                    .containsEntry("settings-kept", "1")
                    .containsEntry("new-settings-beside", "1")
                    .containsEntry("env-file-upgraded", "640 root:jitney")
                    .containsEntry("upgraded-stopped", "stopped");
            assertThat(facts.get("after-upgrade")).endsWith(" one coffee");

            assertThat(facts)
                    .containsEntry("removed", "stopped, deinstall ok config-files")
                    .containsEntry("data-kept", "700 jitney:jitney")
                    .containsEntry("left-behind", "0")
                    .containsEntry("reinstalled", "running");
            assertThat(facts.get("after-reinstallation")).endsWith(" one coffee");

            assertThat(facts)
                    .containsEntry("purged", "stopped")
                    .containsEntry("mount-point", "/var/cache/jitney /var/cache/jitney/disk")
                    .containsEntry("left", "")
                    .containsEntry("user-kept", "jitney");
        } finally {
            // The files in it belong to other users.
            ok(asRoot("rm", "-rf", root.toString(), dir.resolve("newer").toString()));
        }
    }

    /** Creates a small Debian or Ubuntu from the package sources of this machine. */
    private Path debianRoot() throws Exception {
        needs("mmdebstrap");
        needs("unshare");
        needs("ip");
        Assumptions.assumeTrue(
                "true".equals(System.getenv("JITNEY_CI"))
                        || Artifacts.run(dir, PATH, asRoot("true")).status() == 0,
                "Expected root, or sudo without a password.");
        String release = ok("sh", "-c", ". /etc/os-release && echo \"$VERSION_CODENAME\"")
                .strip();
        Path root = dir.resolve("root");
        List<String> sources = Stream.of(
                        "/etc/apt/sources.list",
                        "/etc/apt/sources.list.d/debian.sources",
                        "/etc/apt/sources.list.d/ubuntu.sources")
                .filter(file -> Files.exists(Path.of(file)))
                .toList();
        ok(asRoot(Stream.concat(
                        Stream.of(
                                "mmdebstrap",
                                "--quiet",
                                "--variant=essential",
                                "--include=" + PACKAGES,
                                release,
                                root.toString()),
                        sources.stream())
                .toArray(String[]::new)));
        return root;
    }

    private static Map<String, String> facts(String out) {
        Map<String, String> facts = new HashMap<>();
        Pattern.compile("^FACT ([a-z0-9-]+): (.*)$", Pattern.MULTILINE)
                .matcher(out)
                .results()
                .forEach(fact -> facts.put(fact.group(1), fact.group(2).strip()));
        return facts;
    }

    private static String deb() throws Exception {
        return Artifacts.folder()
                .resolve("jitney_" + Artifacts.version() + "_amd64.deb")
                .toString();
    }

    /** Skips a test if a program is missing, but fails if {@code JITNEY_CI} is true. */
    private void needs(String program) throws Exception {
        if (Artifacts.run(dir, PATH, "sh", "-c", "command -v " + program).status() != 0) {
            String missing = "Expected " + program + " on the PATH, but it is missing.";
            if ("true".equals(System.getenv("JITNEY_CI"))) {
                throw new AssertionError(missing + " In CI this test must not be skipped.");
            }
            Assumptions.abort(missing);
        }
    }

    /** Writes a script of the test resources as an executable program. */
    private String script(String name) throws Exception {
        Path file = dir.resolve(name);
        try (InputStream in = PackagedServiceTest.class.getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file.toString();
    }

    private static String[] asRoot(String... command) {
        boolean root = "root".equals(System.getProperty("user.name"));
        return Stream.concat(root ? Stream.empty() : Stream.of("sudo", "-n"), Stream.of(command))
                .toArray(String[]::new);
    }

    private String ok(String... command) throws Exception {
        Result result = Artifacts.run(dir, PATH, command);
        assertThat(result.status()).as("%s%n%s", List.of(command), result).isZero();
        return result.out();
    }
}
