package dev.jitney.runtime.rows;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Authorization rules inside other rows ({@code docs/formats.md}). */
final class AccessRuleRows {
    private static final int ALL_RIGHTS = 7;

    private AccessRuleRows() {}

    static void write(RowOutput out, List<AccessRule> rules) {
        out.i32(rules.size());
        for (AccessRule rule : rules) {
            out.text(rule.name())
                    .u8(code(rule.rights()))
                    .text(rule.primaryKey())
                    .text(rule.secondaryKey());
        }
    }

    static List<AccessRule> read(RowInput in) throws StoreException {
        int count = in.count();
        List<AccessRule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rules.add(rule(in));
        }
        return rules;
    }

    private static AccessRule rule(RowInput in) throws StoreException {
        try {
            String name = in.text();
            int rights = in.flags(ALL_RIGHTS);
            AccessRule rule = new AccessRule(name, rights(rights), in.text(), in.textOrNull());
            if (code(rule.rights()) != rights) {
                throw in.corrupt("the Manage right without Send and Listen");
            }
            return rule;
        } catch (IllegalArgumentException e) {
            throw in.corrupt("an invalid authorization rule: " + e.getMessage());
        }
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
