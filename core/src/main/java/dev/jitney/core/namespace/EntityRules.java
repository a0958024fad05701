package dev.jitney.core.namespace;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.property.AccessRuleChecks;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.SizeChecks;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks of descriptions of every kind, alone and together with other entities of the namespace. Null means valid. */
public final class EntityRules {

    private EntityRules() {}

    /**
     * Checks an entity before its creation.
     *
     * @param lookup returns the description of the entity with a path, or null if there is none
     */
    public static @Nullable Rejection refuseCreation(
            EntityDescription description, Limits limits, Function<String, @Nullable EntityDescription> lookup) {
        Rejection refusal = refuseCreation(description, limits);
        return refusal != null ? refusal : refuseForwarding(description, lookup);
    }

    /** Checks an entity before its creation, without its forwarding. */
    public static @Nullable Rejection refuseCreation(EntityDescription description, Limits limits) {
        Rejection refusal = description instanceof SubscriptionDescription subscription
                ? EntityNames.refuseChildName(subscription.name(), false)
                : EntityNames.refusePath(description.path());
        if (refusal == null && limits.tier() == TierProfile.BASIC && description.kind() != EntityKind.QUEUE) {
            refusal =
                    Rejection.argument("The BASIC tier has no topics and subscriptions. Use a queue or another tier.");
        }
        return refusal != null ? refusal : EntityTable.of(description).refuse(null, description, limits);
    }

    /** Checks an update of an entity to another description of the same kind, without its forwarding. */
    public static <D extends EntityDescription> @Nullable Rejection refuseUpdate(D old, D changed, Limits limits) {
        EntityTable<D> properties = EntityTable.of(old);
        Rejection refusal = properties.refuseChange(old, changed);
        if (refusal != null) {
            return refusal;
        }
        return old.kind() == EntityKind.SUBSCRIPTION
                ? refuseCreation(changed, limits)
                : properties.refuse(old, changed, limits);
    }

    /** Checks the forwarding destinations of an entity (FWD; HTTP reference 5.3). */
    public static @Nullable Rejection refuseForwarding(
            EntityDescription description, Function<String, @Nullable EntityDescription> lookup) {
        if (description instanceof QueueDescription queue) {
            return ForwardingRules.refuse(queue, queue.forwardTo(), queue.forwardDeadLetteredMessagesTo(), lookup);
        }
        return description instanceof SubscriptionDescription subscription
                ? ForwardingRules.refuse(
                        subscription, subscription.forwardTo(), subscription.forwardDeadLetteredMessagesTo(), lookup)
                : null;
    }

    /** Checks the shared access rules of a namespace. */
    public static @Nullable Rejection refuseNamespaceRules(List<AccessRule> rules) {
        if (rules.stream().noneMatch(rule -> rule.rights().contains(AccessRight.MANAGE))) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected at least one authorization rule with the Manage right in the namespace, but got none."
                            + " Without such a rule no client can manage the namespace.");
        }
        return AccessRuleChecks.refuse(rules);
    }

    /**
     * Checks the partitioning of a new entity (PART-7). Null means valid. The number of partitioned entities is checked
     * elsewhere (PART-63).
     *
     * @param description as requested, before {@link #partitioned}
     */
    public static @Nullable Rejection refusePartitioning(
            EntityDescription description, Partitioning partitioning, Limits limits) {
        return partitioning.refuse(description.enablePartitioning(), limits.tier());
    }

    /**
     * Returns the description with the final value of EnablePartitioning (PART-5 to PART-7). PREMIUM decides on it and
     * ignores the request; other tiers follow the request. A request without the property already has the default of the
     * namespace.
     */
    public static EntityDescription partitioned(
            EntityDescription description, Partitioning partitioning, Limits limits) {
        boolean enabled = partitioning.enabled(description.enablePartitioning(), limits.tier());
        if (description instanceof QueueDescription queue && enabled != queue.enablePartitioning()) {
            return queue.toBuilder().enablePartitioning(enabled).build();
        }
        return description instanceof TopicDescription topic && enabled != topic.enablePartitioning()
                ? topic.toBuilder().enablePartitioning(enabled).build()
                : description;
    }

    /**
     * Returns whether a queue or topic is partitioned. The description of a subscription has no value of its own: it
     * follows its topic.
     */
    public static boolean isPartitioned(EntityDescription description) {
        return description.enablePartitioning();
    }

    /**
     * Returns the description with the defaults of the tier: in BASIC a limited time to live (TTL-19), and with a low
     * limit a smaller size.
     */
    public static EntityDescription withTierDefaults(EntityDescription description, Limits limits) {
        long timeToLiveMs = description.defaultMessageTimeToLiveMs() == MessageView.NEVER
                ? limits.maxTimeToLiveMs()
                : description.defaultMessageTimeToLiveMs();
        if (description instanceof QueueDescription queue) {
            return queue.toBuilder()
                    .defaultMessageTimeToLiveMs(timeToLiveMs)
                    .maxSizeInMegabytes(SizeChecks.fitting(queue.maxSizeInMegabytes(), limits))
                    .build();
        }
        if (description instanceof TopicDescription topic) {
            return topic.toBuilder()
                    .defaultMessageTimeToLiveMs(timeToLiveMs)
                    .maxSizeInMegabytes(SizeChecks.fitting(topic.maxSizeInMegabytes(), limits))
                    .build();
        }
        return ((SubscriptionDescription) description)
                .toBuilder().defaultMessageTimeToLiveMs(timeToLiveMs).build();
    }
}
