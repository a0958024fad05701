package dev.jitney.server;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import dev.jitney.server.config.LimitSettings;
import dev.jitney.server.config.NamespaceConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * One namespace with everything decided: options over file over defaults.
 *
 * @param rules at least one
 * @param throttling credits per second, or 0 for no throttling
 */
record NamespaceSettings(String name, List<AccessRule> rules, Limits limits, ExpiryEnforcement expiry, int throttling) {

    NamespaceSettings {
        rules = List.copyOf(rules);
    }

    static NamespaceSettings of(NamespaceConfig file, ServerOptions options) {
        TierProfile tier =
                options.tier() != null ? options.tier() : file.tier() != null ? file.tier() : TierProfile.STANDARD;
        ExpiryEnforcement expiry = options.expiryEnforcement() != null
                ? options.expiryEnforcement()
                : file.expiryEnforcement() != null ? file.expiryEnforcement() : ExpiryEnforcement.ON_RECEIVER;
        Limits limits = LimitSettings.apply(Limits.of(tier), LimitSettings.merged(file.limits(), options.limits()));
        int throttling =
                options.throttling() != null ? options.throttling() : file.throttling() != null ? file.throttling() : 0;
        return new NamespaceSettings(file.name(), rules(file, options), limits, expiry, throttling);
    }

    /** The rule that the printed connection string names: the root rule, or else the one that may do most. */
    AccessRule mainRule() {
        for (AccessRule rule : rules) {
            if (rule.name().equalsIgnoreCase(AccessRule.ROOT_NAME)) {
                return rule;
            }
        }
        for (AccessRule rule : rules) {
            if (rule.rights().contains(AccessRight.MANAGE)) {
                return rule;
            }
        }
        return rules.get(0);
    }

    private static List<AccessRule> rules(NamespaceConfig file, ServerOptions options) {
        String key = options.sasKey();
        List<AccessRule> declared = file.accessRules();
        if (declared == null) {
            return List.of(AccessRule.root(key == null ? ServerOptions.DEFAULT_SAS_KEY : key));
        }
        List<AccessRule> rules = new ArrayList<>();
        for (AccessRule rule : declared) {
            boolean root = rule.name().equalsIgnoreCase(AccessRule.ROOT_NAME);
            rules.add(root && key != null ? new AccessRule(rule.name(), rule.rights(), key, null) : rule);
        }
        return rules;
    }
}
