package dev.jitney.runtime.namespace;

import dev.jitney.model.AccessRule;
import dev.jitney.runtime.Namespace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds out in one step whether any entity of a namespace has a rule of a given name with a given key, however many
 * entities have rules of that name (ENT-4). It also numbers the changes of all rules of the namespace. Any thread may call
 * it.
 */
final class AccessRuleIndex {
    private final byte[] salt = new byte[16];

    /** The rules of each entity that has some. */
    private final Map<ServedEntity, List<AccessRule>> byEntity = new IdentityHashMap<>();

    /** How many rules have a name and a key, by a digest of the two. */
    private final Map<String, Integer> counts = new HashMap<>();

    /** How many rules have a name, in comparison form. */
    private final Map<String, Integer> names = new HashMap<>();

    private volatile long version;

    AccessRuleIndex() {
        new SecureRandom().nextBytes(salt);
    }

    /** See {@link Namespace#accessVersion}. */
    long version() {
        return version;
    }

    /** The namespace has other rules than before; called when these are visible. */
    synchronized void namespaceChanged() {
        version++;
    }

    /** Remembers the rules that are visible in an entity now; none if it is deleted. */
    synchronized void entityChanged(ServedEntity entity, List<AccessRule> rules) {
        List<AccessRule> before = rules.isEmpty() ? byEntity.remove(entity) : byEntity.put(entity, rules);
        List<AccessRule> old = before == null ? List.of() : before;
        if (old.equals(rules)) {
            return;
        }
        old.forEach(rule -> count(rule, (digest, count) -> count == null || count == 1 ? null : count - 1));
        rules.forEach(rule -> count(rule, (digest, count) -> count == null ? 1 : count + 1));
        version++;
    }

    private void count(AccessRule rule, BiFunction<String, @Nullable Integer, @Nullable Integer> change) {
        names.compute(folded(rule.name()), change);
        counts.compute(digest(rule.name(), rule.primaryKey()), change);
        String second = rule.secondaryKey();
        if (second != null) {
            counts.compute(digest(rule.name(), second), change);
        }
    }

    /** See {@link Namespace#hasEntityRule}. */
    boolean contains(String ruleName, String key) {
        String digest = digest(ruleName, key);
        synchronized (this) {
            return counts.containsKey(digest);
        }
    }

    /** Whether any entity has a rule of that name, compared without case. */
    boolean containsName(String ruleName) {
        String folded = folded(ruleName);
        synchronized (this) {
            return names.containsKey(folded);
        }
    }

    /** Keys are looked up by a salted digest, so the time that this takes tells nothing about them. */
    private String digest(String ruleName, String key) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(salt);
            sha.update(folded(ruleName).getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            sha.update(key.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java runtime to know SHA-256.", e);
        }
    }

    /** Equal for two names if and only if {@link String#equalsIgnoreCase} is true of them. */
    private static String folded(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            folded.append(Character.toLowerCase(Character.toUpperCase(name.charAt(i))));
        }
        return folded.toString();
    }
}
