package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TransferFailureTarget;
import java.util.List;

/**
 * One namespace to serve.
 *
 * @param name chosen by the first label of the host name clients ask for
 * @param accessRules who may do what in all of it
 * @param limits its quotas
 * @param expiryEnforcement when expired messages are removed (TTL-4)
 * @param creditsPerSecond throttling credits (THR-2), or 0 for no throttling (THR-7); without effect in PREMIUM (THR-5)
 * @param transferFailureTarget where messages go that cannot be forwarded (DLQ-32)
 * @param deletionLocked whether clients may not delete entities; those that are idle go nevertheless (IDLE-11)
 * @param partitioning how entities are partitioned (PART-5, PART-7)
 * @param keyPolicy which keys rules may get at run time; those that are in force already are not judged
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
        KeyPolicy keyPolicy) {

    public NamespaceOptions {
        accessRules = List.copyOf(accessRules);
        if (creditsPerSecond < 0) {
            throw new IllegalArgumentException("Expected no or some credits, but got " + creditsPerSecond + ".");
        }
    }

    /** A namespace whose rules may have any keys. */
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

    /** A namespace that partitions what asks for it. */
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

    /** A namespace that is ordinary in all else. */
    public NamespaceOptions(
            String name,
            List<AccessRule> accessRules,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            int creditsPerSecond) {
        this(name, accessRules, limits, expiryEnforcement, creditsPerSecond, TransferFailureTarget.TRANSFER_DLQ, false);
    }

    /** A namespace without throttling. */
    public NamespaceOptions(
            String name, List<AccessRule> accessRules, Limits limits, ExpiryEnforcement expiryEnforcement) {
        this(name, accessRules, limits, expiryEnforcement, 0);
    }
}
