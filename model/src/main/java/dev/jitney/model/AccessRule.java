package dev.jitney.model;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A shared access authorization rule of a namespace or an entity.
 *
 * <p>Keys are plain text: a signature uses their UTF-8 bytes and never base64-decodes them.
 *
 * @param name the policy name, 1 to 256 characters, compared without case
 * @param rights at least one right; {@code MANAGE} includes the other two
 * @param primaryKey the key that signatures are checked with first
 * @param secondaryKey the key that signatures are checked with second, so that keys can be rotated
 */
public record AccessRule(
        String name,
        Set<AccessRight> rights,
        String primaryKey,
        @Nullable String secondaryKey) {

    /** The name of the rule that every namespace has from the start. */
    public static final String ROOT_NAME = "RootManageSharedAccessKey";

    public AccessRule {
        Objects.requireNonNull(primaryKey, "primaryKey");
        if (name.isEmpty() || name.length() > 256) {
            throw new IllegalArgumentException(
                    "Expected a rule name of 1 to 256 characters, but got " + name.length() + ".");
        }
        if (rights.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one right in rule '" + name + "', but got none.");
        }
        EnumSet<AccessRight> all = EnumSet.copyOf(rights);
        if (all.contains(AccessRight.MANAGE)) {
            all = EnumSet.allOf(AccessRight.class);
        }
        rights = Set.copyOf(all);
    }

    /** Returns a rule named {@link #ROOT_NAME} with every right. */
    public static AccessRule root(String key) {
        return new AccessRule(ROOT_NAME, EnumSet.allOf(AccessRight.class), key, null);
    }

    @Override
    public String toString() {
        return "AccessRule[" + name + " " + rights + "]"; // never log keys
    }
}
