package dev.jitney.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which keys authorization rules may have. */
public enum KeyPolicy {
    /** Any: only this machine can connect, or it was asked for on purpose. */
    ANY,
    /** Others can connect: no key that everybody knows, and none that is short enough to be guessed. */
    OWN_AND_LONG;

    /** The key in every handbook: that of the emulator. */
    public static final String PUBLIC_KEY = "SAS_KEY_VALUE";

    /** Shortest key where others can connect. */
    public static final int CHARACTERS_MIN = 16;

    /** Why a rule is not for servers that others can connect to, part of a sentence without the key; or null. */
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

    /** Why rules may not come into force, or null. */
    public @Nullable Rejection refuse(List<AccessRule> rules) {
        if (this == OWN_AND_LONG) {
            for (AccessRule rule : rules) {
                String weakness = weakness(rule);
                if (weakness != null) {
                    return new Rejection(
                            ErrorCode.ARGUMENT,
                            "Expected a key of your own of at least " + CHARACTERS_MIN + " characters in rule '"
                                    + ClientText.abbreviate(rule.name())
                                    + "', because other machines can connect to this server, but " + weakness
                                    + ". Give a longer key, leave the keys out to have them generated, or start the"
                                    + " server with --allow-public-key.");
                }
            }
        }
        return null;
    }
}
