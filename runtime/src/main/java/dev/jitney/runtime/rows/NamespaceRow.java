package dev.jitney.runtime.rows;

import dev.jitney.model.AccessRule;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stored data of a namespace.
 *
 * @param createdAtMs when it was first served from this store, milliseconds since the epoch
 * @param modifiedAtMs when its authorization rules were last changed at run time, or {@code createdAtMs}
 * @param configured fingerprint of the rules in the configuration at the last start; if it differs at the next start,
 *     the configuration was changed and takes precedence
 * @param accessRules the rules in force
 */
public record NamespaceRow(long createdAtMs, long modifiedAtMs, String configured, List<AccessRule> accessRules) {
    private static final int VERSION = 1;

    public NamespaceRow {
        Objects.requireNonNull(configured, "configured");
        accessRules = List.copyOf(accessRules);
    }

    /**
     * Returns the row in force after a start: the rules set at run time, or the rules of the configuration if those
     * have changed since the last start.
     *
     * @param stored the stored row, or null
     * @param declared the rules of the configuration without the keys that come from files, which may change without the configuration
     * @param seal makes fingerprints
     */
    public static NamespaceRow startingFrom(
            @Nullable NamespaceRow stored,
            List<AccessRule> configured,
            List<AccessRule> declared,
            KeySeal seal,
            long nowMs) {
        List<String> same = fingerprints(declared, seal);
        String fingerprint = same.get(0);
        if (stored == null) {
            return new NamespaceRow(nowMs, nowMs, fingerprint, configured);
        }
        // Releases before the key files had fingerprints of all keys.
        return same.contains(stored.configured())
                        || fingerprints(configured, seal).contains(stored.configured())
                ? new NamespaceRow(stored.createdAtMs(), stored.modifiedAtMs(), fingerprint, stored.accessRules())
                : new NamespaceRow(stored.createdAtMs(), nowMs, fingerprint, configured);
    }

    /** Returns the row of a namespace created at run time. The configuration has no rules for it. */
    public static NamespaceRow made(List<AccessRule> rules, long nowMs) {
        return new NamespaceRow(
                nowMs, nowMs, fingerprints(List.of(), KeySeal.NONE).get(0), rules);
    }

    private static List<String> fingerprints(List<AccessRule> rules, KeySeal seal) {
        RowOutput out = new RowOutput(256);
        AccessRuleRows.write(out, rules, KeySeal.NONE);
        return seal.fingerprints(out.toBytes());
    }

    byte[] toBytes(KeySeal seal) {
        RowOutput out = new RowOutput(256).u8(VERSION);
        out.i64(createdAtMs).i64(modifiedAtMs).text(configured);
        AccessRuleRows.write(out, accessRules, seal);
        return out.toBytes();
    }

    static NamespaceRow read(byte[] value, KeySeal seal) throws StoreException {
        RowInput in = new RowInput(value, VERSION, VERSION, "namespace");
        NamespaceRow row = new NamespaceRow(in.i64(), in.i64(), in.text(), AccessRuleRows.read(in, seal));
        in.end();
        return row;
    }

    @Override
    public String toString() {
        return "NamespaceRow[" + accessRules + "]"; // without the fingerprint
    }
}
