package dev.jitney.server;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.server.config.LimitSettings;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.secrets.KeyFiles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of one namespace: options override the file, and the file overrides the defaults.
 *
 * @param rules at least one
 * @param mainKeySource the source of the key of {@link #mainRule}, as text
 * @param throttling credits per second, or 0 for no throttling
 * @param transferFailureTarget the destination of messages that cannot be forwarded
 * @param deletionLock true if clients may not delete entities
 * @param partitioning the partitioning of queues and topics
 * @param keyPolicy the keys that rules may have
 * @param declaredRules the rules without the keys that come from files
 */
record NamespaceSettings(
        String name,
        List<AccessRule> rules,
        String mainKeySource,
        Limits limits,
        ExpiryEnforcement expiry,
        int throttling,
        TransferFailureTarget transferFailureTarget,
        boolean deletionLock,
        Partitioning partitioning,
        KeyPolicy keyPolicy,
        List<AccessRule> declaredRules) {

    NamespaceSettings {
        declaredRules = List.copyOf(declaredRules);
        rules = List.copyOf(rules);
    }

    static NamespaceSettings of(NamespaceConfig file, ServerOptions options) {
        TierProfile tier = first(options.tier(), file.tier(), TierProfile.STANDARD);
        List<AccessRule> rules = rules(file, options);
        Limits limits = LimitSettings.apply(Limits.of(tier), LimitSettings.merged(file.limits(), options.limits()));
        return new NamespaceSettings(
                file.name(),
                rules,
                keySource(mainRule(rules), file, options),
                limits,
                first(options.expiryEnforcement(), file.expiryEnforcement(), ExpiryEnforcement.ON_RECEIVER),
                first(options.throttling(), file.throttling(), 0),
                first(
                        options.transferFailureTarget(),
                        file.transferFailureTarget(),
                        TransferFailureTarget.TRANSFER_DLQ),
                first(options.deletionLock(), file.deletionLock(), false),
                partitioning(file, options),
                options.keyPolicy(),
                KeyFiles.withoutKeys(file.name(), rules, KeyFiles.sources(options.config(), options.secrets())));
    }

    /**
     * Returns the options of a namespace created at run time: its tier is its own, all other settings are the server's.
     */
    static NamespaceOptions made(String name, TierProfile tier, ServerOptions options) {
        NamespaceConfig nothing = NamespaceConfig.named(name);
        NamespaceSettings server = of(nothing, options);
        Limits limits = LimitSettings.apply(Limits.of(tier), options.limits());
        return server.with(limits).options(List.of());
    }

    private NamespaceSettings with(Limits other) {
        return new NamespaceSettings(
                name,
                rules,
                mainKeySource,
                other,
                expiry,
                throttling,
                transferFailureTarget,
                deletionLock,
                partitioning,
                keyPolicy,
                declaredRules);
    }

    /** Returns the options for the broker. */
    NamespaceOptions options() {
        return options(rules).declaring(declaredRules);
    }

    private NamespaceOptions options(List<AccessRule> accessRules) {
        return new NamespaceOptions(
                name,
                accessRules,
                limits,
                expiry,
                throttling,
                transferFailureTarget,
                deletionLock,
                partitioning,
                keyPolicy);
    }

    private static Partitioning partitioning(NamespaceConfig file, ServerOptions options) {
        PartitioningDefault byDefault =
                first(options.partitioningDefault(), file.partitioningDefault(), PartitioningDefault.OFF);
        return new Partitioning(
                byDefault == PartitioningDefault.ON,
                first(options.premiumPartitions(), file.premiumPartitions(), Partitioning.DEFAULT.premiumPartitions()));
    }

    private static <T> T first(@Nullable T option, @Nullable T declared, T byDefault) {
        return option != null ? option : declared != null ? declared : byDefault;
    }

    /**
     * Returns the rule in the printed connection string: the root rule, otherwise the first rule with Manage, otherwise
     * the first rule.
     */
    AccessRule mainRule() {
        return mainRule(rules);
    }

    private static AccessRule mainRule(List<AccessRule> rules) {
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

    private static String keySource(AccessRule rule, NamespaceConfig file, ServerOptions options) {
        boolean option = options.sasKey() != null && rule.name().equalsIgnoreCase(AccessRule.ROOT_NAME);
        String source = options.sasKeySource();
        return option ? source == null ? "--sas-key" : source : "AccessRules of " + file.name() + " in --config";
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
