package dev.jitney.server.tls;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.operator.OperatorCreationException;
import org.jspecify.annotations.Nullable;

/**
 * The authority of a cluster, in a directory of an operator (CL-70). It makes a certificate for each node and for operators.
 *
 * <table>
 * <caption>files</caption>
 * <tr><td>{@code ca.pem}</td><td>the certificate of the authority</td></tr>
 * <tr><td>{@code ca-key.pem}</td><td>its key, secret: who has it can make nodes</td></tr>
 * <tr><td>{@code NAME.pem}, {@code NAME-key.pem}</td><td>the certificate of a node or of operators, and its key, the latter secret</td></tr>
 * </table>
 *
 * <p>All are readable by their owner only. An existing file is never overwritten, except by {@link #renew}.
 */
public final class ClusterAuthority {
    private static final String LOCALHOST = "localhost";
    private static final List<String> LOOPBACK = List.of(LOCALHOST, "127.0.0.1", "::1");
    private static final List<KeyPurposeId> BOTH_SIDES =
            List.of(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);

    private final Path directory;
    private final X509Certificate authority;
    private final boolean made;

    private ClusterAuthority(Path directory, X509Certificate authority, boolean made) {
        this.directory = directory;
        this.authority = authority;
        this.made = made;
    }

    /** Returns whether a text is a host name or an IP address that a certificate can have. */
    public static boolean isHost(String text) {
        return CertificateNames.isValid(text) && !text.startsWith("*");
    }

    /**
     * Opens the authority in a directory, or makes one if there is none.
     *
     * @param lifetime how long a new authority is valid
     * @throws TlsException if a file cannot be read or written, or only one of the two files of the authority is there
     */
    public static ClusterAuthority open(Path directory, Duration lifetime, Instant now) throws TlsException {
        Path file = directory.resolve("ca.pem");
        Path keyFile = directory.resolve("ca-key.pem");
        try {
            OwnerOnly.createDirectories(directory);
            if (Files.exists(file) != Files.exists(keyFile)) {
                throw new TlsException(directory + ": Expected both ca.pem and ca-key.pem of an authority, or neither,"
                        + " but only one of them is there. Bring the other one back, or use a new directory.");
            }
            boolean known = Files.exists(file);
            if (!known) {
                KeyPair keys = CertificateMaker.newKeyPair();
                X509Certificate made =
                        CertificateMaker.authority(keys, "CN=Jitney cluster authority, O=Jitney", now, lifetime);
                PrivateFiles.write(keyFile, PemTexts.key(keys.getPrivate()));
                PrivateFiles.write(file, PemTexts.certificates(List.of(made)));
            }
            return new ClusterAuthority(directory, PemFiles.certificates(file).get(0), !known);
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new TlsException(directory + ": Cannot make an authority in this directory: " + e, e);
        }
    }

    /** Returns whether {@link #open} has made this authority. */
    public boolean isNew() {
        return made;
    }

    /** Returns the end of the validity of the authority. */
    public Instant expiry() {
        return authority.getNotAfter().toInstant();
    }

    /** Returns the file with the certificate of a name. */
    public Path certificateOf(String name) {
        return directory.resolve(name + ".pem");
    }

    /** Returns the file with the key of a name. */
    public Path keyOf(String name) {
        return directory.resolve(name + "-key.pem");
    }

    /** Returns whether there is a certificate for a name. */
    public boolean has(String name) {
        return Files.exists(certificateOf(name));
    }

    /**
     * Makes a certificate and a key. Both sides of a connection may use it if there are hosts; otherwise only the side that connects.
     *
     * @param hosts the hosts of a node; none for operators. The certificate of a node is also for this machine
     * @throws TlsException if there is one already, or a file cannot be written
     */
    public void make(String name, List<String> hosts, Duration lifetime, Instant now) throws TlsException {
        if (has(name)) {
            throw new TlsException(
                    certificateOf(name) + ": The file exists already. To replace it, use --renew " + name + ".");
        }
        List<String> all = new ArrayList<>(hosts);
        all.addAll(LOOPBACK);
        write(name, hosts.isEmpty() ? null : CertificateNames.only(all), lifetime, now);
    }

    /**
     * Replaces a certificate and its key by new ones for the same hosts.
     *
     * @throws TlsException if there is none, or a file cannot be written
     */
    public void renew(String name, Duration lifetime, Instant now) throws TlsException {
        if (!has(name)) {
            throw new TlsException(certificateOf(name) + ": Expected a certificate to renew, but there is none.");
        }
        try {
            CertificateNames names = CertificateNames.of(
                    PemFiles.certificates(certificateOf(name)).get(0));
            write(name, names.equals(CertificateNames.only(List.of())) ? null : names, lifetime, now);
        } catch (CertificateParsingException e) {
            throw new TlsException(
                    certificateOf(name) + ": Cannot read the names in the certificate: " + e.getMessage(), e);
        }
    }

    private void write(String name, @Nullable CertificateNames names, Duration lifetime, Instant now)
            throws TlsException {
        Instant end = now.plus(lifetime);
        Duration bounded = end.isAfter(expiry()) ? Duration.between(now, expiry()) : lifetime;
        if (bounded.isNegative()) {
            throw new TlsException(directory.resolve("ca.pem") + ": The authority expired on " + expiry()
                    + ". Make a new one in another directory.");
        }
        try {
            KeyPair keys = CertificateMaker.newKeyPair();
            X509Certificate certificate = CertificateMaker.signed(
                    keys,
                    authority,
                    PemFiles.key(directory.resolve("ca-key.pem")),
                    new CertificateMaker.Holder(
                            "CN=" + name + ", O=Jitney",
                            names,
                            names == null ? List.of(KeyPurposeId.id_kp_clientAuth) : BOTH_SIDES),
                    now,
                    bounded);
            // If a crash leaves only one of the two files, the next run makes both again.
            Files.deleteIfExists(certificateOf(name));
            PrivateFiles.write(keyOf(name), PemTexts.key(keys.getPrivate()));
            PrivateFiles.write(certificateOf(name), PemTexts.certificates(List.of(certificate)));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new TlsException(directory + ": Cannot make a certificate in this directory: " + e, e);
        }
    }
}
