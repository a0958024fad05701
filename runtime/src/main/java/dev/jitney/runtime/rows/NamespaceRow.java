package dev.jitney.runtime.rows;

import dev.jitney.model.AccessRule;
import dev.jitney.runtime.store.StoreException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the store remembers about a namespace.
 *
 * @param createdAtMs when it was first served from this store, milliseconds since the epoch
 * @param modifiedAtMs when its authorization rules were last changed at run time, or {@code createdAtMs}
 * @param configured the rules of the configuration the last time they were looked at, as a fingerprint: with other ones
 *     the configuration has been changed since, and wins
 * @param accessRules the rules in force
 */
public record NamespaceRow(long createdAtMs, long modifiedAtMs, String configured, List<AccessRule> accessRules) {
    private static final int VERSION = 1;

    public NamespaceRow {
        Objects.requireNonNull(configured, "configured");
        accessRules = List.copyOf(accessRules);
    }

    /**
     * What is in force after a start: rules set at run time, unless the configuration names other rules than it did when it
     * was last looked at; then those.
     *
     * @param stored what the store has, or null
     */
    public static NamespaceRow startingFrom(@Nullable NamespaceRow stored, List<AccessRule> configured, long nowMs) {
        String fingerprint = fingerprint(configured);
        if (stored == null) {
            return new NamespaceRow(nowMs, nowMs, fingerprint, configured);
        }
        return stored.configured().equals(fingerprint)
                ? stored
                : new NamespaceRow(stored.createdAtMs(), nowMs, fingerprint, configured);
    }

    /** That of a namespace made at run time: no configuration names any rules of it. */
    public static NamespaceRow made(List<AccessRule> rules, long nowMs) {
        return new NamespaceRow(nowMs, nowMs, fingerprint(List.of()), rules);
    }

    private static String fingerprint(List<AccessRule> rules) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            RowOutput out = new RowOutput(256);
            AccessRuleRows.write(out, rules);
            return HexFormat.of().formatHex(digest.digest(out.toBytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java runtime to know SHA-256.", e);
        }
    }

    byte[] toBytes() {
        RowOutput out = new RowOutput(256).u8(VERSION);
        out.i64(createdAtMs).i64(modifiedAtMs).text(configured);
        AccessRuleRows.write(out, accessRules);
        return out.toBytes();
    }

    static NamespaceRow read(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, VERSION, "namespace");
        NamespaceRow row = new NamespaceRow(in.i64(), in.i64(), in.text(), AccessRuleRows.read(in));
        in.end();
        return row;
    }

    @Override
    public String toString() {
        return "NamespaceRow[" + accessRules + "]"; // the fingerprint is nobody's business
    }
}
