package dev.jitney.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requirements for the keys of authorization rules. */
public enum KeyPolicy {
    /** Any key: only this machine can connect, or the user has allowed the public key. */
    ANY,
    /** Other machines can connect: the key must not be the public default, and must be too long to guess. */
    OWN_AND_LONG;

    /** The public key from the documentation of the emulator. */
    public static final String PUBLIC_KEY = "SAS_KEY_VALUE";

    /** The minimum length of a key if other machines can connect. */
    public static final int CHARACTERS_MIN = 16;

    /**
     * Returns the reason why the keys of a rule are too weak for servers that other machines can connect to, as part of a
     * sentence that does not contain the key; or null.
     */
    public static @Nullable String weakness(AccessRule rule) {
        String primary = weakness("PrimaryKey", rule.primaryKey());
        String secondary = rule.secondaryKey();
        return primary != null || secondary == null ? primary : weakness("SecondaryKey", secondary);
    }

    private static @Nullable String weakness(String property, String key) {
        if (PUBLIC_KEY.equals(key)) {
            return "its " + property + " is the public default";
        }
        return key.length() < CHARACTERS_MIN ? "its " + property + " has " + key.length() + " characters" : null;
    }

    /** Checks the keys of rules. Returns null if this policy accepts all of them. */
    public @Nullable Rejection refuse(List<AccessRule> rules) {
        if (this == OWN_AND_LONG) {
            for (AccessRule rule : rules) {
                String weakness = weakness(rule);
                if (weakness != null) {
                    return new Rejection(
                            ErrorCode.ARGUMENT,
                            "Expected a non-public key of at least " + CHARACTERS_MIN + " characters in rule '"
                                    + ClientText.abbreviate(rule.name())
                                    + "', because other machines can connect to this server, but " + weakness
                                    + ". Set a longer key, omit the keys so that Jitney generates them, or start the"
                                    + " server with --allow-public-key.");
                }
            }
        }
        return null;
    }
}
