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
     * Checks a rule name and its key, as plain SASL credentials carry them.
     *
     * <p>Namespace rules only: a name says nothing about which entity's rules to look in, and trying those of ten
     * thousand entities is more work than a stranger may ask for.
     *
     * @throws AuthenticationException if there is no such rule or the key is neither of its two
     */
    public static Grant checkKey(String ruleName, String key, Namespace namespace) throws AuthenticationException {
        return checkKey(ruleName, key, namespace.accessRules());
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
        // The entity's own rules first, then its topic's, then the namespace's (HTTP reference 1.5, step 5).
        if (!audience.path().isEmpty()) {
            String topic = audience.topic();
            for (String owner : topic == null ? List.of(audience.path()) : List.of(audience.path(), topic)) {
                AccessRule rule = match(sas, entityRules.apply(owner));
                if (rule != null) {
                    String ownerKey = EntityAddress.keyOf(owner);
                    // Both cover the audience, so the longer one is the narrower.
                    String narrower = scopeKey.length() > ownerKey.length() ? scopeKey : ownerKey;
                    return new Grant(rule.name(), narrower, rule.rights(), sas.expiresAtMs(), true);
                }
            }
        }
        AccessRule rule = match(sas, namespaceRules);
        if (rule == null) {
            throw AuthenticationException.invalidSignature();
        }
        return new Grant(rule.name(), scopeKey, rule.rights(), sas.expiresAtMs());
    }

    static Grant checkKey(String ruleName, String key, List<AccessRule> namespaceRules) throws AuthenticationException {
        byte[] given = key.getBytes(StandardCharsets.UTF_8);
        for (AccessRule rule : namespaceRules) {
            if (rule.name().equalsIgnoreCase(ruleName)
                    && (sameKey(given, rule.primaryKey()) || sameKey(given, rule.secondaryKey()))) {
                return new Grant(rule.name(), "", rule.rights(), Long.MAX_VALUE);
            }
        }
        throw AuthenticationException.invalidKey();
    }

    private static List<AccessRule> rulesOf(Namespace namespace, String path) {
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

    private static @Nullable AccessRule match(SasToken sas, List<AccessRule> rules) {
        for (AccessRule rule : rules) {
            // Form-encoding SDKs write a blank as '+', the others send the name as it is.
            boolean named = rule.name().equalsIgnoreCase(sas.ruleName())
                    || rule.name().equalsIgnoreCase(sas.ruleName().replace('+', ' '));
            if (named && (signedWith(sas, rule.primaryKey()) || signedWith(sas, rule.secondaryKey()))) {
                return rule;
            }
        }
        return null;
    }

    private static boolean signedWith(SasToken sas, @Nullable String key) {
        return key != null && !key.isEmpty() && MessageDigest.isEqual(sign(sas.stringToSign(), key), sas.signature());
    }

    private static boolean sameKey(byte[] given, @Nullable String key) {
        return key != null && !key.isEmpty() && MessageDigest.isEqual(key.getBytes(StandardCharsets.UTF_8), given);
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
