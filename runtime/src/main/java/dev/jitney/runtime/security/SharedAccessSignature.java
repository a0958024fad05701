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
 * Checks and makes shared access signatures (HTTP reference 1.4 and 1.5). Any thread may call it.
 *
 * <p>The host inside a token is not compared: containers are reached by many names, and the signature is proof enough.
 * There is no grace after the expiry either: a grant permits nothing from that second on, also on running links.
 */
public final class SharedAccessSignature {
    private static final String ALGORITHM = "HmacSHA256";

    private SharedAccessSignature() {}

    /**
     * Checks a token for one entity.
     *
     * @param token as it came: {@code SharedAccessSignature sr=…&sig=…&se=…&skn=…}, fields in any order
     * @param audience what the client wants to use it for; the empty path asks for the whole namespace
     * @param nowMs the time, milliseconds since the epoch
     * @return what the token permits: its rule's rights, within the resource it names
     * @throws AuthenticationException if it does not cover the audience, or is not to be believed
     */
    public static Grant check(@Nullable String token, EntityAddress audience, Namespace namespace, long nowMs)
            throws AuthenticationException {
        return check(token, audience, path -> rulesOf(namespace, path), namespace.accessRules(), nowMs);
    }

    /**
     * Checks a token for one request to an entity. Besides tokens that cover the entity it accepts those made for the
     * very resource that is requested, such as a rule of a subscription or {@code orders/messages}, because some clients
     * sign the whole URL of each request (HTTP reference 1.4).
     *
     * @param requestPath the path of the request, decoded; the grant is for this request only
     */
    public static Grant check(
            @Nullable String token, EntityAddress entity, String requestPath, Namespace namespace, long nowMs)
            throws AuthenticationException {
        return check(token, entity, requestPath, path -> rulesOf(namespace, path), namespace.accessRules(), nowMs);
    }

    /**
     * Checks a rule name and its key, as plain SASL credentials carry them: a rule of the namespace or an entity's own
     * (ENT-4). It takes the same time however many entities have rules of that name.
     *
     * @throws AuthenticationException if there is no such rule or the key is neither of its two
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
     * The name of the key that a token says it is signed with. Nothing of the token is believed by that.
     *
     * @return null if it is no token
     */
    public static @Nullable String keyName(@Nullable String token) {
        try {
            return SasToken.parse(token).ruleName();
        } catch (AuthenticationException noToken) {
            return null;
        }
    }

    /**
     * Makes a token.
     *
     * @param resourceUri what it is for, for example {@code sb://localhost/orders}
     * @param key the key text; its UTF-8 bytes sign, base64 or not
     */
    public static String create(String resourceUri, String ruleName, String key, long expiresAtEpochSeconds) {
        String sr = PercentCoding.encode(resourceUri);
        String se = Long.toString(expiresAtEpochSeconds);
        byte[] signature = sign(SasToken.stringToSign(sr, se), key);
        String sig = PercentCoding.encode(Base64.getEncoder().encodeToString(signature));
        return "SharedAccessSignature sr=" + sr + "&sig=" + sig + "&se=" + se + "&skn="
                + PercentCoding.encode(ruleName);
    }

    static Grant check(
            @Nullable String token,
            EntityAddress audience,
            Function<String, List<AccessRule>> entityRules,
            List<AccessRule> namespaceRules,
            long nowMs)
            throws AuthenticationException {
        return check(token, audience, audience.path(), entityRules, namespaceRules, nowMs);
    }

    private static Grant check(
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
        if (!Grant.covers(scopeKey, audience.key())) {
            if (!Grant.covers(scopeKey, EntityAddress.keyOf(requestPath))) {
                throw AuthenticationException.invalidAudience();
            }
            scopeKey = audience.key();
        }
        Grant grant = judge(
                audience, scopeKey, sas.expiresAtMs(), rule -> signingKey(sas, rule), entityRules, namespaceRules);
        if (grant == null) {
            throw AuthenticationException.invalidSignature();
        }
        return grant;
    }

    /**
     * Finds the rule that vouches for a token: the entity's own rules first, then its topic's, then the namespace's (HTTP
     * reference 1.5, step 5).
     *
     * @param scopeKey the path that the token covers, in comparison form
     * @param keyIn the key of a rule that signed the token, or null if none of its keys did
     * @return null if no rule does
     */
    static @Nullable Grant judge(
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
                    // Both cover the audience, so the longer one is the narrower.
                    String narrower = scopeKey.length() > ownerKey.length() ? scopeKey : ownerKey;
                    Grant.Proof proof = new Grant.Proof(audience, scopeKey, rule.name(), key);
                    return new Grant(rule.name(), narrower, rule.rights(), expiresAtMs, true, proof);
                }
            }
        }
        for (AccessRule rule : namespaceRules) {
            String key = keyIn.apply(rule);
            if (key != null) {
                Grant.Proof proof = new Grant.Proof(audience, scopeKey, rule.name(), key);
                return new Grant(rule.name(), scopeKey, rule.rights(), expiresAtMs, false, proof);
            }
        }
        return null;
    }

    /** The paths of the entities whose own rules count for an entity: itself, and its topic if it has one. */
    static List<String> ruleOwners(EntityAddress entity) {
        if (entity.path().isEmpty()) {
            return List.of();
        }
        String topic = entity.topic();
        return topic == null ? List.of(entity.path()) : List.of(entity.path(), topic);
    }

    /** An entity's own rules, in force now; none if there is no such entity. */
    static List<AccessRule> rulesOf(Namespace namespace, String path) {
        Entity entity = namespace.entity(path);
        return entity == null ? List.of() : entity.description().accessRules();
    }

    /**
     * A sub-queue or the management node of an entity is part of the entity. A path of such a node alone names no
     * entity; it stays as it is, so that it never turns into the empty path, which means everything. Scheme and host are cut
     * off already: what looks like them in the path is part of the path.
     */
    private static String scopeKey(String resourcePath) {
        String key = EntityAddress.parse("sb://host/" + resourcePath).key();
        boolean named = resourcePath.chars().anyMatch(c -> c != '/' && c != '\\');
        return key.isEmpty() && named ? EntityAddress.keyOf(resourcePath) : key;
    }

    private static @Nullable String signingKey(SasToken sas, AccessRule rule) {
        // Form-encoding SDKs write a blank as '+', the others send the name as it is.
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
            throw new IllegalStateException("Expected every Java runtime to know " + ALGORITHM + ".", e);
        }
    }
}
