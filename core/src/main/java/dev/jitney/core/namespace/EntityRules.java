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

/** Judges descriptions of every kind, alone and against what else is in the namespace. Null means fine. */
public final class EntityRules {

    private EntityRules() {}

    /**
     * Judges an entity that is to be created.
     *
     * @param lookup the description of the entity of a path, or null if there is none
     */
    public static @Nullable Rejection refuseCreation(
            EntityDescription description, Limits limits, Function<String, @Nullable EntityDescription> lookup) {
        Rejection refusal = refuseCreation(description, limits);
        return refusal != null ? refusal : refuseForwarding(description, lookup);
    }

    /** Judges an entity that is to be created, but for its forwarding. */
    public static @Nullable Rejection refuseCreation(EntityDescription description, Limits limits) {
        Rejection refusal = description instanceof SubscriptionDescription subscription
                ? EntityNames.refuseChildName(subscription.name(), false)
                : EntityNames.refusePath(description.path());
        if (refusal == null && limits.tier() == TierProfile.BASIC && description.kind() != EntityKind.QUEUE) {
            refusal = Rejection.argument("The BASIC tier has no topics and subscriptions.");
        }
        return refusal != null ? refusal : EntityTable.of(description).refuse(null, description, limits);
    }

    /** Judges a change of an entity to another description of the same kind, but for its forwarding. */
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

    /** Judges where an entity forwards to (FWD; HTTP reference 5.3). */
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

    /** Judges the shared access rules of a namespace. */
    public static @Nullable Rejection refuseNamespaceRules(List<AccessRule> rules) {
        if (rules.stream().noneMatch(rule -> rule.rights().contains(AccessRight.MANAGE))) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected at least one authorization rule of the namespace with the Manage right, but got none:"
                            + " nobody could administer it any more.");
        }
        return AccessRuleChecks.refuse(rules);
    }

    /**
     * Judges what is asked for about partitioning at a creation (PART-7); null means fine. Says nothing of its number
     * (PART-63).
     *
     * @param description as asked for, before {@link #partitioned}
     */
    public static @Nullable Rejection refusePartitioning(
            EntityDescription description, Partitioning partitioning, Limits limits) {
        return partitioning.refuse(description.enablePartitioning(), limits.tier());
    }

    /**
     * What a new queue or topic is made as (PART-5 to PART-7): PREMIUM decides whether it is partitioned, whatever is asked
     * for; other tiers do as asked. Who says nothing has been given the default of the namespace already.
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

    /** Whether a queue or a topic says that it is partitioned; a subscription is as its topic is, and says nothing. */
    public static boolean isPartitioned(EntityDescription description) {
        return description.enablePartitioning();
    }

    /** What there is instead of the usual defaults: in BASIC of "for ever" (TTL-19), under a low limit of the usual size. */
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
