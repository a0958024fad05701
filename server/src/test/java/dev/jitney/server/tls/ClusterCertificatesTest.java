package dev.jitney.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCertificatesTest {
    private static final long NOW_MS = Instant.now().toEpochMilli();
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    @TempDir
    Path dir;

    private TestAuthority authority;

    @BeforeEach
    void make() throws Exception {
        authority = new TestAuthority(dir.resolve("ca"));
    }

    @Test
    @DisplayName("CL-70: the certificate of a node is accepted for each of its hosts, for localhost, and for no other")
    void hosts() throws Exception {
        ClusterCertificates node = authority.node("a", "Broker-1.example", "10.0.0.7", "fd00::7");
        for (String host : List.of(
                "broker-1.example", "BROKER-1.EXAMPLE", "10.0.0.7", "[fd00::7]", "localhost", "127.0.0.1", "[::1]")) {
            assertThat(node.ofNode(host, NOW_MS).expiry()).as(host).isAfter(Instant.now());
        }
        assertThatExceptionOfType(TlsException.class)
                .isThrownBy(() -> node.ofNode("broker-2.example", NOW_MS))
                .withMessageContaining(node.certificates().toString())
                .withMessageContaining("Expected a certificate for the host broker-2.example of this node")
                .withMessageContaining("it is for broker-1.example, localhost, 10.0.0.7")
                .withMessageContaining("jitney cluster certificates");
    }

    @Test
    @DisplayName("CL-70: faults that are known at the start name the file and the fix")
    void faults() throws Exception {
        ClusterCertificates node = authority.node("a", "broker");
        ClusterCertificates other = authority.node("b", "broker");
        ClusterCertificates foreign = new TestAuthority(dir.resolve("foreign")).node("a", "broker");
        assertFault(authority.expired("old", "broker"), NOW_MS, "old.pem: The certificate expired on", "Renew it");
        assertFault(node, NOW_MS - 2 * DAY_MS, "a.pem: The certificate is not valid before", "Check the clock");
        assertFault(
                new ClusterCertificates(node.certificates(), other.key(), node.authority()),
                NOW_MS,
                "b-key.pem: Expected the key of the first certificate in",
                "it does not match");
        assertFault(
                new ClusterCertificates(node.certificates(), node.key(), foreign.authority()),
                NOW_MS,
                "a.pem: Expected a certificate that the authority in",
                "Use the files of one directory");
        assertFault(
                authority.operator(),
                NOW_MS,
                "operator.pem: Expected a certificate for both sides",
                "not that of an operator");
        assertFault(node, NOW_MS + 400 * DAY_MS, "a.pem: The certificate expired on");
        assertFault(
                new ClusterCertificates(node.certificates(), node.key(), dir.resolve("none.pem")),
                NOW_MS,
                "none.pem: There is no such file");
        assertThat(authority.operator().ofOperator(NOW_MS).expiry()).isAfter(Instant.now());
    }

    @Test
    @DisplayName("CL-70: an expired authority is named before the certificates that it signed")
    void expiredAuthority() throws Exception {
        Instant past = Instant.now().minus(Duration.ofDays(100));
        Path old = dir.resolve("old");
        ClusterAuthority.open(old, Duration.ofDays(50), past);
        ClusterCertificates node = authority.node("a", "broker");
        assertFault(
                new ClusterCertificates(node.certificates(), node.key(), old.resolve("ca.pem")),
                NOW_MS,
                "ca.pem: The certificate of the authority expired on",
                "Make a new authority in another directory");
    }

    private static void assertFault(ClusterCertificates files, long nowMs, String... parts) {
        assertThatExceptionOfType(TlsException.class)
                .isThrownBy(() -> files.ofNode("broker", nowMs))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    @DisplayName("CL-70: a file of the authority may have two of them while one replaces the other")
    void twoAuthorities() throws Exception {
        ClusterCertificates node = authority.node("a", "broker");
        Path next = new TestAuthority(dir.resolve("next")).node("a", "broker").authority();
        Path both =
                Files.writeString(dir.resolve("both.pem"), Files.readString(next) + Files.readString(node.authority()));
        assertThat(new ClusterCertificates(node.certificates(), node.key(), both).ofNode("broker", NOW_MS))
                .isNotNull();
    }

    @Test
    @DisplayName("CL-70: the option has three files; anything else is refused with an example")
    void parse() {
        ClusterCertificates parsed = ClusterCertificates.parse("a.pem, a-key.pem,ca.pem");
        assertThat(parsed.key()).isEqualTo(Path.of("a-key.pem"));
        assertThat(parsed.toString()).isEqualTo("a.pem,a-key.pem,ca.pem");
        for (String wrong : List.of("", "a.pem", "a.pem,b.pem", "a,b,c,d", "a,,c")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ClusterCertificates.parse(wrong))
                    .withMessageContaining("CERT,KEY,CA");
        }
    }

    @Test
    @DisplayName("CL-70: keys are for their owner only; a second run overwrites nothing, and renewing keeps the hosts")
    void authorityKeepsFiles() throws Exception {
        Path files = dir.resolve("ca");
        ClusterCertificates node = authority.node("a", "broker", "10.0.0.7");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(node.key())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("ca-key.pem"))))
                .isEqualTo("rw-------");
        String before = Files.readString(node.certificates());
        ClusterAuthority again = ClusterAuthority.open(files, Duration.ofDays(10), Instant.now());
        assertThat(again.isNew()).isFalse();
        assertThatExceptionOfType(TlsException.class)
                .isThrownBy(() -> again.make("a", List.of("x"), Duration.ofDays(10), Instant.now()))
                .withMessageContaining("--renew a");
        assertThat(Files.readString(node.certificates())).isEqualTo(before);
        again.renew("a", Duration.ofDays(10_000), Instant.now());
        assertThat(Files.readString(node.certificates())).isNotEqualTo(before);
        X509Certificate renewed = node.ofNode("10.0.0.7", NOW_MS).certificate();
        assertThat(renewed.getNotAfter().toInstant())
                .as("not longer than the authority")
                .isEqualTo(again.expiry());
        assertThatExceptionOfType(TlsException.class)
                .isThrownBy(() -> again.renew("z", Duration.ofDays(1), Instant.now()))
                .withMessageContaining("there is none");
        again.make("operator", List.of(), Duration.ofDays(10), Instant.now());
        again.renew("operator", Duration.ofDays(10), Instant.now());
        assertThat(CertificateUse.isNode(authority.operator().ofOperator(NOW_MS).certificate()))
                .isFalse();
        Files.delete(files.resolve("ca-key.pem"));
        assertThatExceptionOfType(TlsException.class)
                .isThrownBy(() -> ClusterAuthority.open(files, Duration.ofDays(10), Instant.now()))
                .withMessageContaining("only one of them is there");
    }
}
