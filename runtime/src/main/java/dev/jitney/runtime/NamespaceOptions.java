package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TransferFailureTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of one namespace.
 *
 * @param name                  compared with the first label of the host name that clients connect to
 * @param accessRules           shared access rules for the whole namespace
 * @param limits                its quotas
 * @param expiryEnforcement     when expired messages are removed (TTL-4)
 * @param creditsPerSecond      throttling credits (THR-2), or 0 for no throttling (THR-7); ignored in PREMIUM (THR-5)
 * @param transferFailureTarget destination of messages that cannot be forwarded (DLQ-32)
 * @param deletionLocked        whether deletion by clients is refused; idle entities are still deleted automatically
 *                              (IDLE-11)
 * @param partitioning          how entities are partitioned (PART-5, PART-7)
 * @param keyPolicy             the keys that rules may get at run time; existing keys are not checked
 * @param configuration         fingerprint of the configuration of the namespace in a cluster, which applies each one only
 *                              once (CL-32); null on a single node, which applies its configuration at every start
 * @param declaredRules         the access rules without the keys that come from files: a file may get another key without a change of the
 *                              configuration
 */
public record NamespaceOptions(
        String name,
        List<AccessRule> accessRules,
        Limits limits,
        ExpiryEnforcement expiryEnforcement,
        int creditsPerSecond,
        TransferFailureTarget transferFailureTarget,
        boolean deletionLocked,
        Partitioning partitioning,
        KeyPolicy keyPolicy,
        @Nullable String configuration,
        List<AccessRule> declaredRules) {

    public NamespaceOptions {
        accessRules = List.copyOf(accessRules);
        declaredRules = List.copyOf(declaredRules);
        if (creditsPerSecond < 0) {
            throw new IllegalArgumentException("Expected 0 or more credits, but got " + creditsPerSecond + ".");
        }
    }

    /** Creates options of a single node. */
    public NamespaceOptions(
            String name,
            List<AccessRule> accessRules,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            int creditsPerSecond,
            TransferFailureTarget transferFailureTarget,
            boolean deletionLocked,
            Partitioning partitioning,
            KeyPolicy keyPolicy) {
        this(
                name,
                accessRules,
                limits,
                expiryEnforcement,
                creditsPerSecond,
                transferFailureTarget,
                deletionLocked,
                partitioning,
                keyPolicy,
                null,
                accessRules);
    }

    /** Returns a copy for a cluster, which applies each configuration only once. */
    public NamespaceOptions appliedOnce(String fingerprint) {
        return new NamespaceOptions(
                name,
                accessRules,
                limits,
                expiryEnforcement,
                creditsPerSecond,
                transferFailureTarget,
                deletionLocked,
                partitioning,
                keyPolicy,
                fingerprint,
                declaredRules);
    }

    /** Returns a copy with the rules that the configuration declares, without keys from files. */
    public NamespaceOptions declaring(List<AccessRule> declared) {
        return new NamespaceOptions(
                name,
                accessRules,
                limits,
                expiryEnforcement,
                creditsPerSecond,
                transferFailureTarget,
                deletionLocked,
                partitioning,
                keyPolicy,
                configuration,
                declared);
    }

    /** Creates options whose rules may have any keys. */
    public NamespaceOptions(
            String name,
            List<AccessRule> accessRules,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            int creditsPerSecond,
            TransferFailureTarget transferFailureTarget,
            boolean deletionLocked,
            Partitioning partitioning) {
        this(
                name,
                accessRules,
                limits,
                expiryEnforcement,
                creditsPerSecond,
                transferFailureTarget,
                deletionLocked,
                partitioning,
                KeyPolicy.ANY);
    }

    /** Creates options that partition only the entities whose description requests it. */
    public NamespaceOptions(
            String name,
            List<AccessRule> accessRules,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            int creditsPerSecond,
            TransferFailureTarget transferFailureTarget,
            boolean deletionLocked) {
        this(
                name,
                accessRules,
                limits,
                expiryEnforcement,
                creditsPerSecond,
                transferFailureTarget,
                deletionLocked,
                Partitioning.DEFAULT);
    }

    /** Creates options with defaults for everything else. */
    public NamespaceOptions(
            String name,
            List<AccessRule> accessRules,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            int creditsPerSecond) {
        this(name, accessRules, limits, expiryEnforcement, creditsPerSecond, TransferFailureTarget.TRANSFER_DLQ, false);
    }

    /** Creates options without throttling. */
    public NamespaceOptions(
            String name, List<AccessRule> accessRules, Limits limits, ExpiryEnforcement expiryEnforcement) {
        this(name, accessRules, limits, expiryEnforcement, 0);
    }
}
