package dev.jitney.runtime.security;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Creates and verifies shared access signatures (HTTP reference 1.4 and 1.5). Any thread may call it.
 *
 * <p>The host inside a token is not compared: containers are reachable under many names, and the signature is
 * sufficient. There is no grace period after the expiry: a grant becomes invalid in that second, also on attached
 * links.
 */
public final class SharedAccessSignature {
    private static final String ALGORITHM = "HmacSHA256";

    private SharedAccessSignature() {}

    /**
     * Verifies a token for one entity.
     *
     * @param token    the token as received: {@code SharedAccessSignature sr=…&sig=…&se=…&skn=…}, fields in any order
     * @param audience the entity that the client presents the token for; the empty path means the whole namespace
     * @param nowMs    the current time in milliseconds since the epoch
     * @return the grant: the rights of the token's rule, within the resource in the token
     * @throws AuthenticationException if the token does not cover the audience, or is not valid
     */
    public static RuleGrant check(@Nullable String token, EntityAddress audience, Namespace namespace, long nowMs)
            throws AuthenticationException {
        return check(token, audience, path -> rulesOf(namespace, path), namespace.accessRules(), nowMs);
    }

    /**
     * Verifies a token for one request to an entity. In addition to tokens that cover the entity, it accepts tokens
     * for exactly the requested resource, such as a rule of a subscription or {@code orders/messages}, because some
     * clients sign the whole URL of each request (HTTP reference 1.4).
     *
     * @param requestPath the path of the request, decoded; the grant is for this request only
     */
    public static RuleGrant check(
            @Nullable String token, EntityAddress entity, String requestPath, Namespace namespace, long nowMs)
            throws AuthenticationException {
        return check(token, entity, requestPath, path -> rulesOf(namespace, path), namespace.accessRules(), nowMs);
    }

    /**
     * Verifies a rule name and its key, as in plain SASL credentials: a rule of the namespace or an entity's own rule
     * (ENT-4). The call takes the same time regardless of the number of entities that have rules of that name.
     *
     * @throws AuthenticationException if there is no such rule, or the key is neither its primary nor its secondary
     *         key
     */
    public static KeyCredential checkKey(String ruleName, String key, Namespace namespace)
            throws AuthenticationException {
        KeyCredential credential = new KeyCredential(namespace, ruleName, key);
        if (!credential.isValid()) {
            throw AuthenticationException.invalidKey();
        }
        return credential;
    }

    /**
     * Returns the key name in a token. The token is not verified.
     *
     * @return null if it is not a token
     */
    public static @Nullable String keyName(@Nullable String token) {
        try {
            return SasToken.parse(token).ruleName();
        } catch (AuthenticationException noToken) {
            return null;
        }
    }

    /**
     * Returns the resource that a token covers. The token is not verified.
     *
     * @return null if it is not a token; the empty path means the whole namespace
     */
    public static @Nullable EntityAddress resource(@Nullable String token) {
        try {
            return EntityAddress.parse("sb://host/" + SasToken.parse(token).resourcePath());
        } catch (AuthenticationException noToken) {
            return null;
        }
    }

    /**
     * Creates a token.
     *
     * @param resourceUri the resource that it covers, for example {@code sb://localhost/orders}
     * @param key         the key as text; its UTF-8 bytes are the signing key, even if it looks like base64
     */
    public static String create(String resourceUri, String ruleName, String key, long expiresAtEpochSeconds) {
        String sr = PercentCoding.encode(resourceUri);
        String se = Long.toString(expiresAtEpochSeconds);
        byte[] signature = sign(SasToken.stringToSign(sr, se), key);
        String sig = PercentCoding.encode(Base64.getEncoder().encodeToString(signature));
        return "SharedAccessSignature sr=" + sr + "&sig=" + sig + "&se=" + se + "&skn="
                + PercentCoding.encode(ruleName);
    }

    static RuleGrant check(
            @Nullable String token,
            EntityAddress audience,
            Function<String, List<AccessRule>> entityRules,
            List<AccessRule> namespaceRules,
            long nowMs)
            throws AuthenticationException {
        return check(token, audience, audience.path(), entityRules, namespaceRules, nowMs);
    }

    private static RuleGrant check(
            @Nullable String token,
            EntityAddress audience,
            String requestPath,
            Function<String, List<AccessRule>> entityRules,
            List<AccessRule> namespaceRules,
            long nowMs)
            throws AuthenticationException {
        SasToken sas = SasToken.parse(token);
        if (sas.expiresAtMs() <= nowMs) {
            throw AuthenticationException.expired();
        }
        String scopeKey = scopeKey(sas.resourcePath());
        if (!RuleGrant.covers(scopeKey, audience.key())) {
            if (!RuleGrant.covers(scopeKey, EntityAddress.keyOf(requestPath))) {
                throw AuthenticationException.invalidAudience();
            }
            scopeKey = audience.key();
        }
        RuleGrant grant = judge(
                audience, scopeKey, sas.expiresAtMs(), rule -> signingKey(sas, rule), entityRules, namespaceRules);
        if (grant == null) {
            throw AuthenticationException.invalidSignature();
        }
        return grant;
    }

    /**
     * Finds the rule that signed a token: the entity's own rules first, then its topic's, then the namespace's (HTTP
     * reference 1.5, step 5).
     *
     * @param scopeKey the path that the token covers, in comparison form
     * @param keyIn    returns the key of a rule that signed the token, or null if none of its keys did
     * @return null if there is no such rule
     */
    static @Nullable RuleGrant judge(
            EntityAddress audience,
            String scopeKey,
            long expiresAtMs,
            Function<AccessRule, @Nullable String> keyIn,
            Function<String, List<AccessRule>> entityRules,
            List<AccessRule> namespaceRules) {
        for (String owner : ruleOwners(audience)) {
            String ownerKey = EntityAddress.keyOf(owner);
            for (AccessRule rule : entityRules.apply(owner)) {
                String key = keyIn.apply(rule);
                if (key != null) {
                    // Both paths cover the audience, so the longer one is narrower.
                    String narrower = scopeKey.length() > ownerKey.length() ? scopeKey : ownerKey;
                    RuleGrant.Proof proof = new RuleGrant.Proof(audience, scopeKey, rule.name(), key);
                    return new RuleGrant(rule.name(), narrower, rule.rights(), expiresAtMs, true, proof);
                }
            }
        }
        for (AccessRule rule : namespaceRules) {
            String key = keyIn.apply(rule);
            if (key != null) {
                RuleGrant.Proof proof = new RuleGrant.Proof(audience, scopeKey, rule.name(), key);
                return new RuleGrant(rule.name(), scopeKey, rule.rights(), expiresAtMs, false, proof);
            }
        }
        return null;
    }

    /** Returns the paths of the entities whose own rules apply to an entity: itself, and its topic if it has one. */
    static List<String> ruleOwners(EntityAddress entity) {
        if (entity.path().isEmpty()) {
            return List.of();
        }
        String topic = entity.topic();
        return topic == null ? List.of(entity.path()) : List.of(entity.path(), topic);
    }

    /** Returns an entity's own current rules; empty if there is no such entity. */
    static List<AccessRule> rulesOf(Namespace namespace, String path) {
        Entity entity = namespace.entity(path);
        return entity == null ? List.of() : entity.description().accessRules();
    }

    /**
     * Returns the path that a token covers, in comparison form. A sub-queue or the management node of an entity is
     * part of the entity. The path of such a node alone names no entity; it stays unchanged, so that it never becomes
     * the empty path, which means the whole namespace. Scheme and host are already removed: text that looks like them
     * in the path is part of the path.
     */
    private static String scopeKey(String resourcePath) {
        String key = EntityAddress.parse("sb://host/" + resourcePath).key();
        boolean named = resourcePath.chars().anyMatch(c -> c != '/' && c != '\\');
        return key.isEmpty() && named ? EntityAddress.keyOf(resourcePath) : key;
    }

    private static @Nullable String signingKey(SasToken sas, AccessRule rule) {
        // SDKs that form-encode write a blank as '+', the others send the name unchanged.
        boolean named = rule.name().equalsIgnoreCase(sas.ruleName())
                || rule.name().equalsIgnoreCase(sas.ruleName().replace('+', ' '));
        if (named && signedWith(sas, rule.primaryKey())) {
            return rule.primaryKey();
        }
        return named && signedWith(sas, rule.secondaryKey()) ? rule.secondaryKey() : null;
    }

    private static boolean signedWith(SasToken sas, @Nullable String key) {
        return key != null && !key.isEmpty() && MessageDigest.isEqual(sign(sas.stringToSign(), key), sas.signature());
    }

    static boolean sameKey(String given, @Nullable String key) {
        return key != null
                && !key.isEmpty()
                && MessageDigest.isEqual(key.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] sign(String text, String key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected " + ALGORITHM + " in this Java runtime, but it is missing.", e);
        }
    }
}
