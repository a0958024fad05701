package dev.jitney.server.tls;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * A reader of certificates and keys in PEM files: PKCS#8, PKCS#1 and SEC 1 keys, as written by OpenSSL and similar
 * tools.
 */
final class PemFiles {
    private static final long MAX_FILE_BYTES = 1024 * 1024;
    private static final byte[] PROBE = "does this key belong to this certificate".getBytes(StandardCharsets.US_ASCII);

    private PemFiles() {}

    /** Returns certificates and key after checking that they match and are valid now. */
    static ServerIdentity identity(Path certificates, Path key, long nowMs) throws TlsException {
        List<X509Certificate> chain = certificates(certificates);
        PrivateKey privateKey = key(key);
        X509Certificate own = chain.get(0);
        Date now = Date.from(Instant.ofEpochMilli(nowMs));
        if (now.after(own.getNotAfter())) {
            throw new TlsException(certificates + ": The certificate expired on "
                    + own.getNotAfter().toInstant() + ". Renew it.");
        }
        if (now.before(own.getNotBefore())) {
            throw new TlsException(certificates + ": The certificate is not valid before "
                    + own.getNotBefore().toInstant() + ". Check the clock and the certificate.");
        }
        if (!belongTogether(privateKey, own.getPublicKey())) {
            throw new TlsException(key + ": Expected the key of the first certificate in " + certificates
                    + ", but it does not match. Put the server's own certificate first, or use its key.");
        }
        return new ServerIdentity(privateKey, chain);
    }

    static List<X509Certificate> certificates(Path file) throws TlsException {
        List<X509Certificate> chain = new ArrayList<>();
        JcaX509CertificateConverter converter = new JcaX509CertificateConverter();
        for (Object object : objects(file)) {
            if (object instanceof X509CertificateHolder holder) {
                try {
                    chain.add(converter.getCertificate(holder));
                } catch (GeneralSecurityException e) {
                    throw new TlsException(file + ": Cannot read a certificate in this file: " + e.getMessage(), e);
                }
            }
        }
        if (chain.isEmpty()) {
            throw new TlsException(file + ": Expected a PEM file with '-----BEGIN CERTIFICATE-----', but it has none.");
        }
        return chain;
    }

    static PrivateKey key(Path file) throws TlsException {
        JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
        for (Object object : objects(file)) {
            try {
                if (object instanceof PEMKeyPair pair) {
                    return key(pair.getPrivateKeyInfo(), converter);
                }
                if (object instanceof PrivateKeyInfo info) {
                    return key(info, converter);
                }
            } catch (IOException | InvalidKeySpecException | NoSuchAlgorithmException e) {
                throw new TlsException(file + ": Cannot read the key in this file: " + e.getMessage(), e);
            }
            if (object instanceof PEMEncryptedKeyPair || object instanceof PKCS8EncryptedPrivateKeyInfo) {
                throw new TlsException(
                        file + ": Expected a key without a password, but it is encrypted. Decrypt it, and"
                                + " protect the file with its permissions.");
            }
        }
        throw new TlsException(file + ": Expected a PEM file with '-----BEGIN PRIVATE KEY-----', but it has none.");
    }

    /*
     * If a library in the process has registered the provider of Bouncy Castle, as the Java SDK does, the converter makes EC keys with
     * the algorithm ECDSA. The TLS of the JDK does not know that name, and would show no certificate.
     */
    private static PrivateKey key(PrivateKeyInfo info, JcaPEMKeyConverter converter)
            throws IOException, InvalidKeySpecException, NoSuchAlgorithmException {
        return X9ObjectIdentifiers.id_ecPublicKey.equals(
                        info.getPrivateKeyAlgorithm().getAlgorithm())
                ? KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()))
                : converter.getPrivateKey(info);
    }

    private static List<Object> objects(Path file) throws TlsException {
        List<Object> objects = new ArrayList<>();
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new TlsException(file + ": Expected a PEM file of at most " + MAX_FILE_BYTES + " bytes.");
            }
            try (Reader in = Files.newBufferedReader(file, StandardCharsets.US_ASCII);
                    PEMParser parser = new PEMParser(in)) {
                for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
                    objects.add(object);
                }
            }
        } catch (NoSuchFileException e) {
            throw new TlsException(file + ": There is no such file.", e);
        } catch (CharacterCodingException e) {
            throw new TlsException(file + ": Expected a PEM file, but it is not text.", e);
        } catch (IOException e) {
            throw new TlsException(file + ": Cannot read the file as PEM: " + e.getMessage(), e);
        }
        return objects;
    }

    private static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey) {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm(); // Ed25519 and similar algorithms sign under their own name
        };
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(privateKey);
            signer.update(PROBE);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(PROBE);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
