package dev.jitney.server.tls;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * The server's own certificate authority, in a directory that persists across restarts.
 *
 * <table>
 * <caption>files</caption>
 * <tr><td>{@code ca.pem}</td><td>the certificate that clients trust</td></tr>
 * <tr><td>{@code truststore.p12}</td><td>the same for Java clients, password {@code changeit}</td></tr>
 * <tr><td>{@code ca-key.pem}</td><td>the authority's key, secret</td></tr>
 * <tr><td>{@code server.pem}, {@code server-key.pem}</td><td>the certificate in use and its key, the latter secret</td></tr>
 * </table>
 *
 * <p>All are readable by their owner only.
 *
 * <p>The authority is valid for ten years, so that clients need to trust it only once. The server's certificate is
 * valid for a year. A start renews it in its last month, or if the names have changed.
 */
final class OwnAuthority {
    static final String TRUST_STORE_PASSWORD = "changeit";

    private static final Duration AUTHORITY_LIFETIME = Duration.ofDays(3_650);
    private static final Duration SERVER_LIFETIME = Duration.ofDays(365);
    private static final Duration RENEW_BEFORE = Duration.ofDays(30);

    private final Path folder;
    private final CertificateNames names;
    private final Path caFile;
    private final Path caKeyFile;
    private final Path trustStoreFile;
    private final Path serverFile;
    private final Path serverKeyFile;

    /** @param names the names in the server's certificate */
    OwnAuthority(Path folder, CertificateNames names) {
        this.folder = folder;
        this.names = names;
        this.caFile = folder.resolve("ca.pem");
        this.caKeyFile = folder.resolve("ca-key.pem");
        this.trustStoreFile = folder.resolve("truststore.p12");
        this.serverFile = folder.resolve("server.pem");
        this.serverKeyFile = folder.resolve("server-key.pem");
    }

    /** Returns the existing certificate and key, or new ones if these are missing, expire soon or have other names. */
    ServerIdentity identity(long nowMs) throws TlsException {
        Instant now = Instant.ofEpochMilli(nowMs);
        try {
            OwnerOnly.createDirectories(folder);
            boolean known = Files.exists(caFile)
                    && Files.exists(caKeyFile)
                    && lasts(PemFiles.certificates(caFile).get(0), now);
            if (!known) {
                makeAuthority(now);
            }
            X509Certificate authority = PemFiles.certificates(caFile).get(0);
            if (!known || !Files.exists(trustStoreFile)) {
                writeTrustStore(authority);
            }
            if (!known || !serverLasts(authority, now)) {
                makeServer(authority, PemFiles.key(caKeyFile), now);
            }
            return PemFiles.identity(serverFile, serverKeyFile, nowMs);
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new TlsException(
                    folder + ": Cannot create the certificates of --tls auto in this directory: " + e, e);
        }
    }

    private void makeAuthority(Instant now) throws GeneralSecurityException, IOException, OperatorCreationException {
        KeyPair keys = CertificateMaker.newKeyPair();
        X509Certificate authority =
                CertificateMaker.authority(keys, "CN=Jitney local authority, O=Jitney", now, AUTHORITY_LIFETIME);
        PrivateFiles.write(caKeyFile, PemTexts.key(keys.getPrivate()));
        PrivateFiles.write(caFile, PemTexts.certificates(List.of(authority)));
    }

    private void makeServer(X509Certificate authority, PrivateKey authorityKey, Instant now)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        KeyPair keys = CertificateMaker.newKeyPair();
        X509Certificate server = CertificateMaker.server(keys, authority, authorityKey, names, now, SERVER_LIFETIME);
        // If a crash leaves only one of the two files, the next start creates both again.
        Files.deleteIfExists(serverFile);
        PrivateFiles.write(serverKeyFile, PemTexts.key(keys.getPrivate()));
        PrivateFiles.write(serverFile, PemTexts.certificates(List.of(server, authority)));
    }

    private boolean serverLasts(X509Certificate authority, Instant now) throws TlsException {
        if (!Files.exists(serverFile) || !Files.exists(serverKeyFile)) {
            return false;
        }
        X509Certificate server = PemFiles.certificates(serverFile).get(0);
        try {
            server.verify(authority.getPublicKey());
            if (!CertificateNames.of(server).equals(names)) {
                return false;
            }
        } catch (GeneralSecurityException signedByAnother) {
            return false;
        }
        return lasts(server, now);
    }

    private static boolean lasts(X509Certificate certificate, Instant now) {
        return certificate.getNotAfter().toInstant().isAfter(now.plus(RENEW_BEFORE))
                && certificate.getNotBefore().toInstant().isBefore(now);
    }

    private void writeTrustStore(X509Certificate authority) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("jitney", authority);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.store(out, TRUST_STORE_PASSWORD.toCharArray());
        PrivateFiles.write(trustStoreFile, out.toByteArray());
    }
}
