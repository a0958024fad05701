package dev.jitney.runtime.rows;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Authorization rules inside other rows ({@code docs/formats.md}). */
final class AccessRuleRows {
    private static final int ALL_RIGHTS = 7;

    private AccessRuleRows() {}

    static void write(RowOutput out, List<AccessRule> rules, KeySeal seal) {
        out.i32(rules.size());
        for (AccessRule rule : rules) {
            out.text(rule.name()).u8(code(rule.rights())).text(seal.seal(rule.name(), rule.primaryKey()));
            String secondary = rule.secondaryKey();
            out.text(secondary == null ? null : seal.seal(rule.name(), secondary));
        }
    }

    static List<AccessRule> read(RowInput in, KeySeal seal) throws StoreException {
        int count = in.count();
        List<AccessRule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rules.add(rule(in, seal));
        }
        return rules;
    }

    private static AccessRule rule(RowInput in, KeySeal seal) throws StoreException {
        try {
            String name = in.text();
            int rights = in.flags(ALL_RIGHTS);
            AccessRule rule = new AccessRule(
                    name,
                    rights(rights),
                    opened(in, seal, name, in.text()),
                    openedOrNull(in, seal, name, in.textOrNull()));
            if (code(rule.rights()) != rights) {
                throw in.corrupt("the Manage right without Send and Listen");
            }
            return rule;
        } catch (IllegalArgumentException e) {
            throw in.corrupt("an invalid authorization rule: " + e.getMessage());
        }
    }

    private static @Nullable String openedOrNull(RowInput in, KeySeal seal, String rule, @Nullable String stored)
            throws StoreException {
        return stored == null ? null : opened(in, seal, rule, stored);
    }

    private static String opened(RowInput in, KeySeal seal, String rule, String stored) throws StoreException {
        String key = seal.open(rule, stored);
        if (key == null) {
            throw in.corrupt("an access key that no key in --secrets-key-file decrypts");
        }
        return key;
    }

    private static int code(Set<AccessRight> rights) {
        return (rights.contains(AccessRight.MANAGE) ? 1 : 0)
                | (rights.contains(AccessRight.SEND) ? 2 : 0)
                | (rights.contains(AccessRight.LISTEN) ? 4 : 0);
    }

    private static Set<AccessRight> rights(int code) {
        EnumSet<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        if ((code & 1) != 0) {
            rights.add(AccessRight.MANAGE);
        }
        if ((code & 2) != 0) {
            rights.add(AccessRight.SEND);
        }
        if ((code & 4) != 0) {
            rights.add(AccessRight.LISTEN);
        }
        return rights;
    }
}
