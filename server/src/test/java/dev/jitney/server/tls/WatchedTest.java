package dev.jitney.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates whose files change. */
class WatchedTest {
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir
    Path dir;

    private final Instant now = Instant.now();
    private final List<ServerIdentity> used = new ArrayList<>();
    private ClusterAuthority authority;
    private Path certificate;
    private Path key;
    private long nowMs = now.toEpochMilli();
    private int reads;

    @BeforeEach
    void make() throws Exception {
        authority = ClusterAuthority.open(dir.resolve("ca"), YEAR.multipliedBy(2), now);
        authority.make("a", List.of("localhost"), YEAR, now);
        authority.make("b", List.of("localhost"), YEAR, now);
        certificate = dir.resolve("tls.crt");
        key = dir.resolve("tls.key");
        copy("a", true, true);
    }

    private void copy(String name, boolean withCertificate, boolean withKey) throws Exception {
        if (withCertificate) {
            Files.copy(authority.certificateOf(name), certificate, StandardCopyOption.REPLACE_EXISTING);
        }
        if (withKey) {
            Files.copy(authority.keyOf(name), key, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private Watched<ServerIdentity> watched() throws Exception {
        Watched<ServerIdentity> made = new Watched<>(
                "--tls",
                List.of(certificate, key),
                readAtMs -> {
                    reads++;
                    return PemFiles.identity(certificate, key, readAtMs);
                },
                used::add,
                PemFiles.identity(certificate, key, nowMs),
                nowMs);
        made.poll(nowMs);
        reads = 0;
        return made;
    }

    private void poll(Watched<?> watched) {
        nowMs += 5_000;
        watched.poll(nowMs);
    }

    private static String subject(Watched<ServerIdentity> watched) {
        return watched.current().chain().get(0).getSubjectX500Principal().getName();
    }

    @Test
    @DisplayName("Unchanged files are not read again, except once a minute")
    void readsRarely() throws Exception {
        Watched<ServerIdentity> watched = watched();
        for (int i = 0; i < 11; i++) {
            poll(watched);
        }
        assertThat(reads).isZero();
        poll(watched);
        assertThat(reads).isOne();
        assertThat(used).isEmpty();
    }

    @Test
    @DisplayName("A new certificate and its key are in use after one poll")
    void usesNewFiles() throws Exception {
        Watched<ServerIdentity> watched = watched();
        copy("b", true, true);
        poll(watched);
        assertThat(subject(watched)).contains("CN=b");
        assertThat(used).hasSize(1);
        assertThat(watched.changes()).isOne();
        assertThat(watched.trouble()).isNull();
    }

    @Test
    @DisplayName(
            "While a certificate has no matching key yet, the earlier pair stays, and the reason shows from the second poll")
    void keepsThePairUntilTheNextFits() throws Exception {
        Watched<ServerIdentity> watched = watched();
        copy("b", true, false);
        poll(watched);
        assertThat(watched.trouble()).isNull();
        poll(watched);
        assertThat(watched.trouble()).contains("tls.key: Expected the key of the first certificate");
        assertThat(subject(watched)).contains("CN=a");
        copy("b", false, true);
        poll(watched);
        assertThat(subject(watched)).contains("CN=b");
        assertThat(watched.trouble()).isNull();
    }

    @Test
    @DisplayName("A damaged, missing or expired file changes nothing, and the reason shows")
    void survivesBadFiles() throws Exception {
        Watched<ServerIdentity> watched = watched();
        Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        poll(watched);
        poll(watched);
        assertThat(watched.trouble()).contains("tls.crt");
        Files.delete(certificate);
        poll(watched);
        assertThat(watched.trouble()).contains("There is no such file");
        authority.make("old", List.of("localhost"), Duration.ofDays(1), now.minus(Duration.ofDays(10)));
        copy("old", true, true);
        poll(watched);
        assertThat(watched.trouble()).contains("expired on");
        assertThat(subject(watched)).contains("CN=a");
        copy("a", true, true);
        poll(watched);
        assertThat(watched.trouble()).isNull();
        assertThat(watched.changes()).isZero();
    }

    @Test
    @DisplayName("A mounted secret of Kubernetes, which is replaced by changing a symbolic link, is read again")
    void followsLinks() throws Exception {
        Path first = Files.createDirectories(dir.resolve("mount/..first"));
        Path second = Files.createDirectories(dir.resolve("mount/..second"));
        for (String name : List.of("a", "b")) {
            Path target = name.equals("a") ? first : second;
            Files.copy(authority.certificateOf(name), target.resolve("tls.crt"));
            Files.copy(authority.keyOf(name), target.resolve("tls.key"));
            Files.setLastModifiedTime(target.resolve("tls.crt"), FileTime.from(now));
            Files.setLastModifiedTime(target.resolve("tls.key"), FileTime.from(now));
        }
        Path data = dir.resolve("mount/..data");
        Files.createSymbolicLink(data, Path.of("..first"));
        certificate = Files.createSymbolicLink(dir.resolve("mount/tls.crt"), Path.of("..data/tls.crt"));
        key = Files.createSymbolicLink(dir.resolve("mount/tls.key"), Path.of("..data/tls.key"));
        Watched<ServerIdentity> watched = watched();
        Path next = Files.createSymbolicLink(dir.resolve("mount/..data_tmp"), Path.of("..second"));
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        poll(watched);
        assertThat(subject(watched)).contains("CN=b");
    }

    @Test
    @DisplayName("A certificate that expires soon is reported: 14 days before, or in the last tenth of a short life")
    void reportsTheEnd() throws Exception {
        List<X509Certificate> chain = PemFiles.certificates(certificate);
        long endMs = chain.get(0).getNotAfter().getTime();
        assertThat(CertificateExpiry.ending(chain, endMs - Duration.ofDays(15).toMillis()))
                .isNull();
        assertThat(CertificateExpiry.ending(chain, endMs - Duration.ofDays(13).toMillis()))
                .contains("expires on");
        assertThat(CertificateExpiry.ending(chain, endMs + 1)).contains("expired on");
        authority.make("short", List.of("localhost"), Duration.ofDays(9), now);
        List<X509Certificate> brief = PemFiles.certificates(authority.certificateOf("short"));
        long briefEndMs = brief.get(0).getNotAfter().getTime();
        assertThat(CertificateExpiry.ending(
                        brief, briefEndMs - Duration.ofHours(25).toMillis()))
                .isNull();
        assertThat(CertificateExpiry.ending(
                        brief, briefEndMs - Duration.ofHours(23).toMillis()))
                .contains("expires on");
    }
}
