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
 * An index that finds in constant time whether any entity of a namespace has a rule with a given name and key,
 * regardless of the number of entities that have rules of that name (ENT-4). It also numbers the changes of all rules
 * of the namespace. Any thread may call it.
 */
final class AccessRuleIndex {
    private final byte[] salt = new byte[16];

    /** The rules of each entity that has rules. */
    private final Map<ServedEntity, List<AccessRule>> byEntity = new IdentityHashMap<>();

    /** The number of rules for each pair of name and key, by a digest of the two. */
    private final Map<String, Integer> counts = new HashMap<>();

    /** The number of rules for each name in comparison form. */
    private final Map<String, Integer> names = new HashMap<>();

    private volatile long version;

    AccessRuleIndex() {
        new SecureRandom().nextBytes(salt);
    }

    /** Returns the number that {@link Namespace#accessVersion} describes. */
    long version() {
        return version;
    }

    /** Counts a change of the namespace's rules; called when the new rules are visible. */
    synchronized void namespaceChanged() {
        version++;
    }

    /** Replaces the indexed rules of an entity by its currently visible ones; empty if the entity is deleted. */
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

    /** Returns the result of {@link Namespace#hasEntityRule}. */
    boolean contains(String ruleName, String key) {
        String digest = digest(ruleName, key);
        synchronized (this) {
            return counts.containsKey(digest);
        }
    }

    /** Returns whether any entity has a rule of that name, compared without case. */
    boolean containsName(String ruleName) {
        String folded = folded(ruleName);
        synchronized (this) {
            return names.containsKey(folded);
        }
    }

    /** Returns a salted digest of a name and a key, so that the duration of the lookup reveals nothing about keys. */
    private String digest(String ruleName, String key) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(salt);
            sha.update(folded(ruleName).getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            sha.update(key.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java runtime, but it is missing.", e);
        }
    }

    /** Returns a text that is equal for two names if and only if {@link String#equalsIgnoreCase} is true for them. */
    private static String folded(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            folded.append(Character.toLowerCase(Character.toUpperCase(name.charAt(i))));
        }
        return folded.toString();
    }
}
