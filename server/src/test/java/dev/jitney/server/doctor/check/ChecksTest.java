package dev.jitney.server.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Doctor;
import dev.jitney.server.doctor.Finding;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import dev.jitney.server.doctor.Level;
import dev.jitney.server.doctor.Probe;
import dev.jitney.server.doctor.ServerProcess;
import dev.jitney.server.tls.TestAuthority;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A check of jitney doctor")
class ChecksTest {
    private static final long NOW = System.currentTimeMillis();

    @TempDir
    Path dir;

    private final JitneyServerBuilder options = JitneyServer.builder();
    private @Nullable Path config;
    private List<Path> secrets = List.of();
    private List<URI> urls = List.of();
    private long nowMs = NOW;

    private List<Finding> check(Check check) throws InterruptedException {
        Installation installation = new Installation(
                options.dataDir(dir.resolve("data")).options(),
                config,
                null,
                secrets,
                List.of(),
                urls,
                false,
                ServerProcess.NONE,
                nowMs);
        return new Doctor(List.of(check), Duration.ofSeconds(60)).examine(installation);
    }

    private static void assertFound(List<Finding> findings, Level level, String... parts) {
        assertThat(findings)
                .as("%s", findings)
                .anySatisfy(finding -> assertThat(finding)
                        .matches(found -> found.level() == level)
                        .satisfies(found ->
                                assertThat(found.reason() + " " + found.fix()).contains(parts)));
    }

    private static void assertClean(List<Finding> findings) {
        assertThat(findings).as("%s", findings).isNotEmpty().allMatch(finding -> finding.level() == Level.OK);
    }

    private static void assertFound(Findings findings, Level level, String... parts) {
        assertFound(findings.all(), level, parts);
    }

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    @DisplayName("of files finds directories, data and secrets that others can read")
    void files() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        Path key = Files.writeString(dir.resolve("sas.key"), "x");
        mode(data, "rwx------");
        mode(key, "rw-------");
        secrets = List.of(key);
        assertClean(check(new FilesCheck()));
        mode(data, "rwxr-xr-x");
        mode(key, "rw-r--r--");
        Path store = Files.createDirectories(data.resolve("store-0/db"));
        mode(Files.writeString(store.resolve("1.sst"), "x"), "rw-rw-rw-");
        List<Finding> found = check(new FilesCheck());
        assertFound(found, Level.WARNING, "can access " + data, "chmod 700 " + data);
        assertFound(found, Level.WARNING, "1.sst (rw-rw-rw-)");
        assertFound(found, Level.WARNING, key + ", which has a key", "chmod 600 " + key);
        secrets = List.of(dir.resolve("missing"));
        assertFound(check(new FilesCheck()), Level.FAULT, "missing does not exist");
    }

    @Test
    @DisplayName("of keys finds public, short and shared keys, and no report contains a key")
    void keys() throws Exception {
        assertFound(check(new KeysCheck()), Level.ADVICE, "is the public default", "openssl rand -base64 32");
        options.host("0.0.0.0");
        assertFound(check(new KeysCheck()), Level.FAULT, "other machines can connect");
        options.sasKey("a-key-of-our-own-0123456789");
        assertFound(check(new KeysCheck()), Level.ADVICE, "has a key of 27 characters");
        options.config(ConfigReader.parse("f", """
            {"UserConfig": {"Namespaces": [{"Name": "shop",
              "AccessRules": [{"Name": "one", "Rights": ["Send"], "PrimaryKey": "same-key-of-32-characters-0123456"}],
              "Queues": [{"Name": "orders", "AccessRules": [
                {"Name": "two", "Rights": ["Send"], "PrimaryKey": "same-key-of-32-characters-0123456"},
                {"Name": "three", "Rights": ["Send"], "PrimaryKey": "short"}]}]}]}}
            """.getBytes(java.nio.charset.StandardCharsets.UTF_8), false));
        List<Finding> found = check(new KeysCheck());
        assertFound(found, Level.WARNING, "'two' of queue 'orders' has the same key as rule 'one'");
        assertFound(found, Level.FAULT, "'three' of queue 'orders'", "5 characters");
        assertThat(found.toString()).doesNotContain("same-key-of");
    }

    @Test
    @DisplayName("of disks finds an archive and backups on the disk of the data")
    void otherDisks() throws Exception {
        options.archive(ArchiveOptions.in(dir.resolve("archive"))).backupDir(dir.resolve("backups"));
        List<Finding> found = check(new DiskCheck());
        assertFound(found, Level.WARNING, "--archive-dir", "is on the disk of", "Use another disk");
        assertFound(found, Level.WARNING, "--backup-dir", "is on the disk of");
    }

    @Test
    @DisplayName("of ports and of exposure finds plain ports and settings for development where others can connect")
    void ports() throws Exception {
        assertClean(check(new PortsCheck()));
        assertClean(check(new ExposureCheck()));
        options.host("0.0.0.0");
        List<Finding> found = check(new PortsCheck());
        assertFound(found, Level.WARNING, "AMQP without TLS is on port 5672 of 0.0.0.0", "--tls");
        assertFound(found, Level.WARNING, "HTTP without TLS is on port");
        options.tls(Tls.auto());
        assertClean(check(new PortsCheck()));
        found = check(new ExposureCheck());
        assertFound(found, Level.ADVICE, "--close-idle");
        assertFound(found, Level.ADVICE, "--deletion-lock");
        options.testMode(dev.jitney.gateway.http.testmode.TestModeAccess.ANY);
        assertFound(check(new ExposureCheck()), Level.FAULT, "--test-mode ANY");
    }

    @Test
    @DisplayName("of certificates finds expired ones, missing files, and names that do not fit")
    void certificates() throws Exception {
        TestAuthority authority = new TestAuthority(Files.createDirectory(dir.resolve("ca")));
        var good = authority.node("a", "localhost");
        options.tls(Tls.files(good.certificates(), good.key()));
        assertClean(check(new CertificatesCheck()));
        nowMs = NOW + Duration.ofDays(3_000).toMillis();
        assertFound(check(new CertificatesCheck()), Level.FAULT, "expired on", "Renew it");
        nowMs = NOW - Duration.ofDays(3_000).toMillis();
        assertFound(check(new CertificatesCheck()), Level.FAULT, "is not valid before", "clock");
        nowMs = NOW;
        var own = CertificateFile.read(good.certificates()).get(0);
        Instant end = own.getNotAfter().toInstant();
        Findings soon = new Findings("certificates");
        CertificatesCheck.time("f", own, end.minus(Duration.ofDays(20)), soon);
        assertFound(soon, Level.WARNING, "expires on " + end);
        Findings now = new Findings("certificates");
        CertificatesCheck.time("f", own, end.minus(Duration.ofDays(2)), now);
        assertFound(now, Level.FAULT, "in less than a week");
        Findings names = new Findings("certificates");
        CertificatesCheck.names("f", own, "localhost", names);
        assertThat(names.all()).isEmpty();
        CertificatesCheck.names("f", own, "other.example", names);
        assertFound(names, Level.WARNING, "is not for other.example, but for localhost");
        options.tls(Tls.files(dir.resolve("gone.pem"), good.key()));
        assertFound(check(new CertificatesCheck()), Level.FAULT, "gone.pem does not exist");
        options.tls(Tls.files(good.key(), good.key()));
        assertFound(check(new CertificatesCheck()), Level.FAULT, "has no certificate");
    }

    @Test
    @DisplayName("of the clock finds files of the future and servers with another time")
    void clock() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        Path file = Files.writeString(data.resolve("server.lock"), "");
        assertClean(check(new ClockCheck()));
        Files.setLastModifiedTime(file, FileTime.fromMillis(NOW + 3_600_000));
        assertFound(check(new ClockCheck()), Level.WARNING, "was set back", "NTP");
        nowMs = 0;
        assertFound(check(new ClockCheck()), Level.FAULT, "1970-01-01");
        URI url = URI.create("http://other:5300");
        Findings near = new Findings("clock");
        ClockCheck.compare(url, answer(NOW - 1_500), near);
        assertThat(near.all()).isEmpty();
        Findings skewed = new Findings("clock");
        ClockCheck.compare(url, answer(NOW + 5_000), skewed);
        assertFound(skewed, Level.WARNING, "differs from this machine by");
        Findings far = new Findings("clock");
        ClockCheck.compare(url, answer(NOW - 300_000), far);
        assertFound(far, Level.FAULT, "Tokens are refused");
    }

    private static Probe.Answer answer(long dateMs) {
        return new Probe.Answer(200, "", dateMs, NOW, NOW + 10, List.of());
    }

    @Test
    @DisplayName("of resources finds few inodes, few file descriptors, a large heap, swap and old Java")
    void resources() {
        Findings inodes = new Findings("inodes");
        InodesCheck.check(dir, "/dev/sda1 1000000 999500 500 100% /", inodes);
        assertFound(inodes, Level.FAULT, "Only 500 more files");
        Findings none = new Findings("inodes");
        InodesCheck.check(dir, "btrfs 0 0 0 - /", none);
        InodesCheck.check(dir, "", none);
        InodesCheck.check(dir, "/dev/sda1 1000000 1 999999 1% /", none);
        assertThat(none.all()).isEmpty();
        Findings descriptors = new Findings("descriptors");
        DescriptorsCheck.check("The server", 1_024, 10, descriptors);
        assertFound(descriptors, Level.WARNING, "may open only 1024 files", "LimitNOFILE");
        DescriptorsCheck.check("The server", 65_536, 60_000, descriptors);
        assertFound(descriptors, Level.FAULT, "New connections fail soon");
        Findings memory = new Findings("memory");
        MemoryCheck.heap(Sizes.GIB, Sizes.GIB, memory);
        assertFound(memory, Level.WARNING, "The heap may grow to 1.0 GiB of 1.0 GiB");
        MemoryCheck.used("VmRSS:\t 1020000 kB\nVmSwap:\t 2048 kB\n", Sizes.GIB, memory);
        assertFound(memory, Level.WARNING, "is in swap (2.0 MiB)");
        assertFound(memory, Level.WARNING, "The server uses 996.1 MiB");
        Findings java = new Findings("platform");
        PlatformCheck.java(11, java);
        assertFound(java, Level.FAULT, "Java 11 is too old");
        PlatformCheck.java(23, java);
        assertFound(java, Level.ADVICE, "Java 23 is no long-term release");
    }

    @Test
    @DisplayName("of leftovers finds crash reports, interrupted writes and files of others")
    void leftovers() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        Files.writeString(data.resolve("server.lock"), "");
        assertClean(check(new LeftoversCheck()));
        for (String name : List.of("hs_err_pid17.log", "stores.properties.part", "notes.txt")) {
            Files.writeString(data.resolve(name), "");
        }
        List<Finding> found = check(new LeftoversCheck());
        assertFound(found, Level.WARNING, "hs_err_pid17.log is the remains of a crash");
        assertFound(found, Level.ADVICE, "stores.properties.part is the remains of an interrupted write");
        assertFound(found, Level.ADVICE, "notes.txt");
    }

    @Test
    @DisplayName("of data reads all checksums, also while a server runs, and finds a damaged file of each kind")
    void data() throws Exception {
        assertClean(check(new DataCheck()));
        Path data = dir.resolve("data");
        try (JitneyServer server =
                JitneyServer.builder().dataDir(data).port(0).build().start()) {
            assertThat(server.trouble()).isNull();
            assertClean(check(new DataCheck()));
        }
        assertClean(check(new DataCheck()));
        Path table = first(data, ".sst");
        byte[] intact = Files.readAllBytes(table);
        byte[] damaged = intact.clone();
        damaged[10] ^= 0x5a;
        Files.write(table, damaged);
        assertFound(check(new DataCheck()), Level.FAULT, "The table file " + table + " is damaged");
        Files.write(table, intact);
        assertClean(check(new DataCheck()));

        Path properties = data.resolve("stores.properties");
        String text = Files.readString(properties);
        Files.writeString(properties, text.replaceFirst("state=made", "state=making"));
        assertFound(check(new DataCheck()), Level.FAULT, properties + " is corrupt");
        Files.writeString(properties, text);
        Path current = data.resolve("store-0/db/CURRENT");
        Files.move(current, data.resolve("moved"));
        assertFound(check(new DataCheck()), Level.FAULT, "CURRENT is missing");
    }

    private static Path first(Path data, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    @DisplayName("of the server finds one that does not answer, is not ready or is degraded")
    void server() throws Exception {
        assertClean(check(new ServerCheck()));
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        int[] status = {200};
        String[] body = {"{\"status\":\"healthy\"}"};
        http.createContext("/health", exchange -> {
            byte[] bytes = body[0].getBytes(java.nio.charset.StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status[0], bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        http.start();
        try {
            urls = List.of(URI.create("http://127.0.0.1:" + http.getAddress().getPort()));
            assertClean(check(new ServerCheck()));
            body[0] = "{\"status\":\"healthy\",\"degraded\":true}";
            assertFound(check(new ServerCheck()), Level.WARNING, "is degraded");
            status[0] = 503;
            assertFound(check(new ServerCheck()), Level.FAULT, "is not ready (503)");
        } finally {
            http.stop(0);
        }
        assertFound(check(new ServerCheck()), Level.FAULT, "No server answers");
    }

    @Test
    @DisplayName("that fails or takes too long is a finding, and the others are made")
    void limits() throws Exception {
        Check broken = new Named("broken") {
            @Override
            public void run(Installation of, Findings to) throws IOException {
                throw new IOException("no such disk");
            }
        };
        Check endless = new Named("endless") {
            @Override
            public void run(Installation of, Findings to) throws InterruptedException {
                new java.util.concurrent.CountDownLatch(1).await();
            }
        };
        Installation installation = new Installation(
                options.dataDir(dir).options(),
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                false,
                ServerProcess.NONE,
                NOW);
        List<Finding> found =
                new Doctor(List.of(broken, endless, new PortsCheck()), Duration.ofMillis(100)).examine(installation);
        assertThat(found).extracting(Finding::level).containsExactly(Level.WARNING, Level.ADVICE, Level.OK);
        assertThat(found.get(0).reason()).contains("no such disk");
        assertThat(found.get(1).fix()).contains("--time-limit");
    }

    private abstract static class Named implements Check {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }
    }
}
