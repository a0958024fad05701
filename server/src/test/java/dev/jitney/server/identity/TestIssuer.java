package dev.jitney.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An issuer of tokens for tests, with keys that can be rotated and withdrawn. Any thread may call it. */
public final class TestIssuer {
    public static final String AUDIENCE = "api://jitney";

    /** Keys take long to make, so all issuers share them. */
    private static final Map<String, JWK> MADE = new ConcurrentHashMap<>();

    private final List<String> published = new ArrayList<>();
    private final String issuer;

    /** Creates an issuer with the RSA key {@code rsa-1} and the elliptic key {@code ec-1}. */
    public TestIssuer(String issuer) {
        this.issuer = issuer;
        publish("rsa-1");
        publish("ec-1");
    }

    public String issuer() {
        return issuer;
    }

    /** Publishes a key, whose id begins with {@code rsa} or {@code ec}. */
    public synchronized void publish(String id) {
        key(id);
        published.add(id);
    }

    /** Withdraws a key. */
    public synchronized void withdraw(String id) {
        published.remove(id);
    }

    /** Returns the document with the public keys. */
    public synchronized String keys() {
        return new JWKSet(published.stream().map(TestIssuer::key).toList()).toString();
    }

    static JWK key(String id) {
        return MADE.computeIfAbsent(id, made -> {
            try {
                return id.startsWith("ec")
                        ? new ECKeyGenerator(Curve.P_256).keyID(id).generate()
                        : new RSAKeyGenerator(id.startsWith("rsa-weak") ? 1024 : 2048, id.startsWith("rsa-weak"))
                                .keyID(id)
                                .generate();
            } catch (JOSEException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Returns claims of a subject that are valid for an hour, to be changed. */
    public JWTClaimsSet.Builder claims(String subject, long nowMs, String... roles) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(AUDIENCE)
                .subject(subject)
                .issueTime(new Date(nowMs))
                .expirationTime(new Date(nowMs + 3_600_000))
                .claim("roles", List.of(roles));
    }

    /** Returns a token that the key {@code rsa-1} signs. */
    public String token(JWTClaimsSet.Builder claims) {
        return token(claims, "rsa-1", JWSAlgorithm.RS256);
    }

    /** Returns a token that a key signs. */
    public String token(JWTClaimsSet.Builder claims, String keyId, JWSAlgorithm algorithm) {
        return token(
                claims,
                new JWSHeader.Builder(algorithm)
                        .keyID(keyId)
                        .type(JOSEObjectType.JWT)
                        .build(),
                key(keyId));
    }

    /** Returns a token with any header that a key signs. */
    public String token(JWTClaimsSet.Builder claims, JWSHeader header, JWK key) {
        try {
            JWSSigner signer = key instanceof ECKey curve
                    ? new ECDSASigner(curve)
                    : new RSASSASigner(((RSAKey) key).toPrivateKey(), true);
            SignedJWT token = new SignedJWT(header, claims.build());
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
