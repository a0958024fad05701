package dev.jitney.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an identity provider at one moment: those for signatures with an asymmetric algorithm that have an
 * id. Others are ignored, as are the private parts of keys. Immutable.
 */
final class ProviderKeys {
    static final ProviderKeys NONE = new ProviderKeys(List.of());

    /** The limit of keys; providers have two to six. */
    static final int KEYS_MAX = 100;

    private static final int RSA_BITS_MIN = 2_048;
    private static final int RSA_BITS_MAX = 8_192;

    private final Map<String, List<Key>> byId = new HashMap<>();
    private final Set<String> prints = new HashSet<>();

    /**
     * A key.
     *
     * @param print     the thumbprint of the key (RFC 7638)
     * @param algorithm the only algorithm that it is for, or null
     */
    record Key(String id, String print, @Nullable String algorithm, JWSVerifier verifier) {

        /** Returns whether the key is for the algorithm of a token, so that its owner cannot choose another kind of key. */
        boolean isFor(JWSHeader header) {
            return verifier.supportedJWSAlgorithms().contains(header.getAlgorithm())
                    && (algorithm == null
                            || algorithm.equals(header.getAlgorithm().getName()));
        }

        boolean verifies(JWSHeader header, byte[] signed, Base64URL signature) {
            try {
                return verifier.verify(header, signed, signature);
            } catch (JOSEException unusable) {
                return false;
            }
        }
    }

    private ProviderKeys(List<Key> keys) {
        for (Key key : keys) {
            byId.computeIfAbsent(key.id(), first -> new ArrayList<>(1)).add(key);
            prints.add(key.print());
        }
    }

    /**
     * Reads a document with keys (RFC 7517, section 5).
     *
     * @throws KeysUnreadableException if it is not such a document, or has no usable key
     */
    static ProviderKeys parse(String document) {
        List<JWK> all;
        try {
            JsonDepth.check(document);
            all = JWKSet.parse(document).getKeys();
        } catch (ParseException | RuntimeException notKeys) {
            throw new KeysUnreadableException("Expected a JSON document with keys, but it cannot be read.");
        }
        if (all.size() > KEYS_MAX) {
            throw new KeysUnreadableException(
                    "Expected at most " + KEYS_MAX + " keys, but the document has " + all.size() + ".");
        }
        List<Key> usable = new ArrayList<>();
        for (JWK each : all) {
            Key key = usable(each);
            if (key != null) {
                usable.add(key);
            }
        }
        if (usable.isEmpty()) {
            throw new KeysUnreadableException("Expected a key for signatures with a 'kid', RSA of " + RSA_BITS_MIN
                    + " to " + RSA_BITS_MAX + " bits or an elliptic curve, but the document has none.");
        }
        return new ProviderKeys(usable);
    }

    private static @Nullable Key usable(JWK key) {
        boolean signs = key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
        if (!signs || key.getKeyID() == null || key.getKeyID().isEmpty()) {
            return null;
        }
        String algorithm =
                key.getAlgorithm() == null ? null : key.getAlgorithm().getName();
        try {
            String print = key.computeThumbprint().toString();
            if (key instanceof RSAKey rsa && rsa.size() >= RSA_BITS_MIN && rsa.size() <= RSA_BITS_MAX) {
                return new Key(key.getKeyID(), print, algorithm, new RSASSAVerifier(rsa.toRSAPublicKey()));
            }
            if (key instanceof ECKey curve) {
                return new Key(key.getKeyID(), print, algorithm, new ECDSAVerifier(curve.toECPublicKey()));
            }
            return null;
        } catch (JOSEException | RuntimeException unusable) {
            return null;
        }
    }

    /** Returns whether there are no keys. */
    boolean isEmpty() {
        return prints.isEmpty();
    }

    int count() {
        return prints.size();
    }

    /** Returns the keys with an id. */
    List<Key> withId(String id) {
        return byId.getOrDefault(id, List.of());
    }

    /** Returns whether the key with a thumbprint is among them. */
    boolean has(String print) {
        return prints.contains(print);
    }

    /** Returns whether all keys of an earlier moment are still among them. */
    boolean hasAllOf(ProviderKeys earlier) {
        return prints.containsAll(earlier.prints);
    }
}
