package dev.jitney.server.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** The creation of certificates for {@link OwnAuthority} and {@link ClusterAuthority}: P-256 keys, signed with ECDSA, which all clients support. */
final class CertificateMaker {
    private static final String SIGNATURE = "SHA256withECDSA";
    /** Clocks differ a little between machines and containers. */
    private static final Duration VALID_BEFORE = Duration.ofDays(1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private CertificateMaker() {}

    static KeyPair newKeyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        return generator.generateKeyPair();
    }

    /** Creates the certificate of an authority that may sign certificates, but not those of other authorities. */
    static X509Certificate authority(KeyPair keys, String name, Instant now, Duration lifetime)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X500Principal subject = new X500Principal(name);
        X509v3CertificateBuilder builder = builder(subject, subject, keys, now, lifetime)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                .addExtension(
                        Extension.subjectKeyIdentifier,
                        false,
                        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
        return signed(builder, keys.getPrivate());
    }

    /** Creates a certificate for a server with these names. */
    static X509Certificate server(
            KeyPair keys,
            X509Certificate authority,
            PrivateKey authorityKey,
            CertificateNames names,
            Instant now,
            Duration lifetime)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        return signed(
                keys,
                authority,
                authorityKey,
                new Holder("CN=localhost, O=Jitney", names, List.of(KeyPurposeId.id_kp_serverAuth)),
                now,
                lifetime);
    }

    /**
     * The content of a certificate that is not of an authority.
     *
     * @param name     the distinguished name
     * @param names    the host names and addresses, or null for a certificate that is not of a server
     * @param purposes the permitted uses
     */
    record Holder(String name, @Nullable CertificateNames names, List<KeyPurposeId> purposes) {}

    /** Creates a certificate that an authority signs. */
    static X509Certificate signed(
            KeyPair keys,
            X509Certificate authority,
            PrivateKey authorityKey,
            Holder holder,
            Instant now,
            Duration lifetime)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
        X509v3CertificateBuilder builder = builder(
                        authority.getSubjectX500Principal(), new X500Principal(holder.name()), keys, now, lifetime)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(
                        Extension.extendedKeyUsage,
                        false,
                        new ExtendedKeyUsage(holder.purposes().toArray(new KeyPurposeId[0])))
                .addExtension(Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(keys.getPublic()))
                .addExtension(Extension.authorityKeyIdentifier, false, ids.createAuthorityKeyIdentifier(authority));
        CertificateNames names = holder.names();
        if (names != null) {
            builder.addExtension(Extension.subjectAlternativeName, false, names.toGeneralNames());
        }
        return signed(builder, authorityKey);
    }

    private static X509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, KeyPair keys, Instant now, Duration lifetime) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM).add(BigInteger.ONE),
                Date.from(now.minus(VALID_BEFORE)),
                Date.from(now.plus(lifetime)),
                subject,
                keys.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
    }
}
