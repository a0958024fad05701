package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.distribution.Artifacts.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The archives for a new user: unpacked, started and used, with nothing else on the PATH. */
@Tag("release")
@Timeout(240)
class ReleasedArchiveTest {
    private static final String NO_PROGRAMS = "/nonexistent";

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path dir;

    @AfterEach
    void endAll() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("SHA256SUMS has the checksum of every other artifact, and all artifacts exist")
    void checksums() throws Exception {
        Path folder = Artifacts.folder();
        Result check = Artifacts.run(
                folder, Map.of("PATH", System.getenv("PATH")), "sha256sum", "--strict", "-c", "SHA256SUMS");
        assertThat(check.status()).as(check.toString()).isZero();
        String version = Artifacts.version();
        Set<String> names;
        try (Stream<Path> files = Files.list(folder)) {
            names = files.map(file -> String.valueOf(file.getFileName()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        assertThat(names)
                .contains(
                        "jitney-" + version + ".tar.gz",
                        "jitney-" + version + ".zip",
                        "jitney-" + version + "-linux-x64.tar.gz",
                        "jitney-" + version + "-linux-x64-no-java.tar.gz",
                        "jitney-" + version + "-linux-arm64.tar.gz",
                        "jitney-" + version + "-macos.tar.gz",
                        "jitney-" + version + "-windows-x64.zip",
                        "jitney_" + version + "_amd64.deb",
                        "jitney-" + version + "-image-amd64.tar",
                        "jitney-" + version + "-image-arm64.tar",
                        "jitney-js-testkit-" + version + ".tgz",
                        "jitney-" + version + "-sbom.json");
        names.remove("SHA256SUMS");
        assertThat(Files.readAllLines(folder.resolve("SHA256SUMS")).stream().map(line -> line.substring(66)))
                .containsExactlyElementsOf(names);
    }

    @Test
    @DisplayName("The class paths have the cluster before Ratis, one of whose classes it replaces")
    void classPaths() throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + ".tar.gz", dir.resolve("order"));
        int checked = 0;
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            for (Path jar :
                    jars.filter(each -> Jars.name(each).endsWith(".jar")).toList()) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    String classPath = file.getManifest() == null
                            ? null
                            : file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                    if (classPath != null && classPath.contains("ratis-common-")) {
                        assertThat(classPath.indexOf("jitney-cluster-"))
                                .as(jar + ": " + classPath)
                                .isBetween(0, classPath.indexOf("ratis-common-"));
                        checked++;
                    }
                }
            }
        }
        assertThat(checked).isPositive();
    }

    @ParameterizedTest
    @DisplayName("An archive has the native libraries of its platform and no others")
    @CsvSource({
        ".tar.gz,linux64.so linux-aarch64.so osx-x86_64.jnilib osx-arm64.jnilib win64.dll,linux-x86_64 linux-aarch_64",
        ".zip,linux64.so linux-aarch64.so osx-x86_64.jnilib osx-arm64.jnilib win64.dll,linux-x86_64 linux-aarch_64",
        "-linux-x64.tar.gz,linux64.so,linux-x86_64",
        "-linux-x64-no-java.tar.gz,linux64.so,linux-x86_64",
        "-linux-arm64.tar.gz,linux-aarch64.so,linux-aarch_64",
        "-macos.tar.gz,osx-x86_64.jnilib osx-arm64.jnilib,",
        "-windows-x64.zip,win64.dll,"
    })
    void natives(String archive, String rocksDb, String netty) throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + archive, dir.resolve("place"));
        Set<String> natives = new TreeSet<>();
        TreeSet<String> nettyJars = new TreeSet<>();
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            for (Path jar : jars.toList()) {
                String name = Jars.name(jar);
                if (Jars.isRocksDb(jar)) {
                    try (ZipFile zip = ZipFile.builder().setPath(jar).get()) {
                        for (ZipArchiveEntry entry : java.util.Collections.list(zip.getEntries())) {
                            if (entry.getName().startsWith("librocksdbjni-")) {
                                natives.add(entry.getName().substring("librocksdbjni-".length()));
                            }
                        }
                    }
                } else if (name.startsWith("netty-transport-native-epoll")) {
                    nettyJars.add(name.replaceFirst(".*Final-", "").replace(".jar", ""));
                }
            }
        }
        assertThat(natives).containsExactlyInAnyOrder(rocksDb.split(" "));
        assertThat(String.join(" ", nettyJars.descendingSet())).isEqualTo(netty == null ? "" : netty);
        assertThat(Files.exists(home.resolve("runtime"))).isEqualTo(archive.equals("-linux-x64.tar.gz"));
    }

    @Test
    @DisplayName("An archive has launchers, a configuration, completion, manual pages, licenses and an SBOM")
    void content() throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + ".tar.gz", dir.resolve("place"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("bin/jitney"))))
                .isEqualTo("rwxr-xr-x");
        assertThat(home.resolve("conf/config.json"))
                .hasSameTextualContentAs(Artifacts.root().resolve("samples/config.json"));
        assertThat(home.resolve("bin/jitney.bat")).content().contains("\r\n", "JITNEY_JAVA_OPTS");
        for (String file : List.of("LICENSE", "NOTICE", "README.txt", "CHANGELOG.md", "sbom.json")) {
            assertThat(home.resolve(file)).isNotEmptyFile();
        }
        assertThat(home.resolve("licenses/THIRD-PARTY.txt"))
                .content()
                .contains("org.rocksdb:rocksdbjni", "Apache-2.0", "com.azure:azure-messaging-servicebus", "MIT")
                .doesNotContain("commons-compress", "jdeb", "junit");
        assertThat(home.resolve("licenses/rocksdb-native.txt"))
                .content()
                .contains("Yann Collet", "Julian R", "Meta Platforms", "Google Inc.", "Jean-loup Gailly");
        assertThat(home.resolve("sbom.json"))
                .content()
                .contains("CycloneDX", "rocksdbjni", "pkg:maven/dev.jitney/jitney-server@" + Artifacts.version())
                .doesNotContain("commons-compress", "jdeb", "junit");
        for (String page : List.of("jitney", "jitney-server", "jitney-health", "jitney-send", "jitney-queue-create")) {
            assertThat(home.resolve("man/man1/" + page + ".1")).content().contains(".TH", ".SH \"SYNOPSIS\"");
        }
        Path completion = home.resolve("completion/jitney.bash");
        assertThat(completion).content().contains("--amqp-port", "--connection-string");
        Result syntax = Artifacts.run(home, Map.of("PATH", System.getenv("PATH")), "bash", "-n", completion.toString());
        assertThat(syntax.status()).as(syntax.toString()).isZero();
    }

    @ParameterizedTest
    @DisplayName("A server of the archive works with its own command line and with the Java SDK")
    @ValueSource(strings = {".tar.gz", ".zip", "-linux-x64-no-java.tar.gz", "-linux-x64.tar.gz"})
    void messages(String archive) throws Exception {
        // With a space in the path, as many users have.
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + archive, dir.resolve("a place"));
        Map<String, String> environment =
                archive.equals("-linux-x64.tar.gz") ? Map.of("PATH", NO_PROGRAMS) : Map.of("PATH", onlyJava());
        String jitney = home.resolve("bin/jitney").toString();

        Process server = start(
                home,
                environment,
                jitney,
                "server",
                "--config=conf/config.json",
                "--data-dir=" + dir.resolve("data"),
                "--amqp-port=0",
                "--http-port=0");
        List<String> lines = untilConnectionString(server);
        assertThat(lines.get(0)).isEqualTo("Jitney " + Artifacts.version() + " is ready.");
        String connectionString = lines.get(lines.size() - 1);
        String url = lines.stream()
                .filter(line -> line.contains("http://"))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*(http://\\S+).*", "$1");

        assertThat(ok(home, environment, jitney, "health", "--wait=60s", "--url=" + url))
                .startsWith("Ready: ");
        ok(home, environment, jitney, "send", "orders", "one coffee", "-c", connectionString);
        assertThat(ok(home, environment, jitney, "receive", "orders", "-c", connectionString))
                .contains("one coffee");
        assertThat(ok(home, environment, jitney, "queue", "list", "-c", connectionString, "--admin-url", url))
                .contains("orders");
        assertThat(ok(home, environment, jitney, "--version", "-c", connectionString, "--admin-url", url))
                .startsWith("jitney " + Artifacts.version() + " (Java ")
                .contains("server " + Artifacts.version());

        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(connectionString);
        try (ServiceBusSenderClient sender =
                        builder.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver = builder.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("one tea"));
            ServiceBusReceivedMessage tea = receiver.receiveMessages(1, Duration.ofSeconds(60)).stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(tea.getBody()).hasToString("one tea");
            receiver.complete(tea);
        }

        server.destroy(); // SIGTERM
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isZero();
    }

    @Test
    @DisplayName("With only the loopback network, a server starts and delivers a message")
    void withoutNetwork() throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + "-linux-x64.tar.gz", dir.resolve("place"));
        Path script = Files.writeString(dir.resolve("offline.sh"), """
                set -e
                ip link set lo up
                "$1" server --config "$2" --data-dir "$3" &
                "$1" health --wait 60s
                "$1" send orders coffee
                "$1" receive orders
                kill $!
                wait $!
                """);
        Result offline = Artifacts.run(
                dir,
                Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
                "unshare",
                "--map-root-user",
                "--net",
                "sh",
                script.toString(),
                home.resolve("bin/jitney").toString(),
                home.resolve("conf/config.json").toString(),
                dir.resolve("data").toString());
        assertThat(offline.status()).as(offline.toString()).isZero();
        assertThat(offline.out()).contains("Ready: ", "coffee", "Jitney has stopped.");
    }

    @Test
    @DisplayName("The launcher gives advice when Java is missing, too old or damaged, and works through a link")
    void launcher() throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + ".tar.gz", dir.resolve("place"));
        String jitney = home.resolve("bin/jitney").toString();

        Result missing = Artifacts.run(home, Map.of("PATH", NO_PROGRAMS), jitney, "--version");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).startsWith("jitney: Java was not found. Install Java 17 or later");

        Path old = javaThatPrints("old", "openjdk version \"11.0.2\" 2019-01-15");
        Result tooOld = Artifacts.run(home, Map.of("PATH", old.resolve("bin").toString()), jitney, "--version");
        assertThat(tooOld.status()).isEqualTo(1);
        assertThat(tooOld.err()).contains("Java 17 or later is needed", "is version 11.0.2");
        Result eight = Artifacts.run(
                home,
                Map.of(
                        "JAVA_HOME",
                        javaThatPrints("8", "java version \"1.8.0_292\"").toString()),
                jitney);
        assertThat(eight.err()).contains("is version 1.8.0_292");

        Result damaged = Artifacts.run(
                home, Map.of("JAVA_HOME", javaThatPrints("x", "oops").toString()), jitney);
        assertThat(damaged.status()).isEqualTo(1);
        assertThat(damaged.err()).contains("does not report its version");
        Result nowhere = Artifacts.run(home, Map.of("JAVA_HOME", "/nowhere"), jitney);
        assertThat(nowhere.err()).contains("JAVA_HOME is /nowhere, but there is no bin/java in it");

        Path link = Files.createSymbolicLink(dir.resolve("link"), Path.of(jitney));
        Map<String, String> java = Map.of("PATH", "/usr/bin:/bin", "JAVA_HOME", System.getProperty("java.home"));
        assertThat(ok(dir, java, link.toString(), "--version")).startsWith("jitney " + Artifacts.version());
        assertThat(ok(dir, java, jitney, "--help")).contains("Commands:");

        Result bench = Artifacts.run(home, java, jitney, "bench");
        assertThat(bench.status()).isEqualTo(1);
        assertThat(bench.err()).contains("bench is a developer tool", "./jitney bench");
        assertThat(Artifacts.run(home, java, jitney, "sned").status()).isEqualTo(2);
    }

    @Test
    @DisplayName("Options reach Java, and only JITNEY_JAVA_HOME overrides the included Java")
    void javaOptions() throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + "-linux-x64.tar.gz", dir.resolve("place"));
        String jitney = home.resolve("bin/jitney").toString();
        Map<String, String> options = Map.of(
                "PATH",
                NO_PROGRAMS,
                "JAVA_HOME",
                "/nowhere",
                "JAVA_OPTS",
                "-Duser.home=/first",
                "JITNEY_JAVA_OPTS",
                "-Duser.home=/second -XshowSettings:properties");
        Result shown = Artifacts.run(home, options, jitney, "--version");
        assertThat(shown.status()).isZero();
        assertThat(shown.err())
                .contains(
                        "user.home = /second",
                        "java.home = " + home.toRealPath().resolve("runtime"));
        Result other = Artifacts.run(home, Map.of("JITNEY_JAVA_HOME", "/nowhere"), jitney, "--version");
        assertThat(other.err()).contains("JITNEY_JAVA_HOME is /nowhere");
    }

    /** Creates a folder with a java but without a compiler. */
    private String onlyJava() throws IOException {
        Path bin = Files.createDirectories(dir.resolve("jre/bin"));
        Files.createSymbolicLink(bin.resolve("java"), Path.of(System.getProperty("java.home"), "bin", "java"));
        return bin.toString();
    }

    private Path javaThatPrints(String name, String version) throws IOException {
        Path home = dir.resolve("java-" + name);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho '" + version + "' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    private static String ok(Path folder, Map<String, String> environment, String... command) throws Exception {
        Result result = Artifacts.run(folder, environment, command);
        assertThat(result.status()).as("%s%n%s", List.of(command), result).isZero();
        return result.out();
    }

    private Process start(Path folder, Map<String, String> environment, String... command) throws IOException {
        Process process = Artifacts.builder(folder, environment, List.of(command))
                .redirectError(dir.resolve("errors").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private List<String> untilConnectionString(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (line.startsWith("Endpoint=")) {
                return lines;
            }
        }
        throw new AssertionError(
                "The server ended before it was ready: " + lines + Files.readString(dir.resolve("errors")));
    }
}
