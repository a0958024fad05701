package dev.jitney.gateway.http.atom;

import dev.jitney.model.IsoDurations;
import dev.jitney.model.MessageView;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubscriptionDescription;
import org.jspecify.annotations.Nullable;

/** {@code SubscriptionDescription} (HTTP reference 2.7). */
public final class SubscriptionXml {
    /** The element's name. */
    public static final String ELEMENT = "SubscriptionDescription";

    private static final String FIRST_RULE = "DefaultRuleDescription";
    private static final long LOCK_MS = 60_000;
    private static final int DELIVERIES = 10;

    private SubscriptionXml() {}

    /**
     * Reads what a subscription is to be like. What is omitted has its default, what is fixed at creation stays as it is.
     *
     * @param stored the subscription that is to be changed, or null for a new one
     */
    public static SubscriptionDescription read(
            Elements in, String topicPath, String name, @Nullable SubscriptionDescription stored, Dialect dialect)
            throws MalformedEntryException {
        // The newer Java client never sends the time to live of a subscription it changes (HTTP reference 2.4).
        long timeToLiveMs = stored == null ? MessageView.NEVER : stored.defaultMessageTimeToLiveMs();
        boolean clientAffine = stored != null && stored.clientAffine();
        return SubscriptionDescription.of(topicPath, name)
                .lockDurationMs(in.durationMs("LockDuration", LOCK_MS))
                .requiresSession(in.bool("RequiresSession", stored != null && stored.requiresSession()))
                .defaultMessageTimeToLiveMs(in.timeToLiveMs("DefaultMessageTimeToLive", timeToLiveMs))
                .deadLetteringOnMessageExpiration(in.bool("DeadLetteringOnMessageExpiration", false))
                .deadLetteringOnFilterEvaluationExceptions(in.bool("DeadLetteringOnFilterEvaluationExceptions", true))
                .maxDeliveryCount(in.integer("MaxDeliveryCount", DELIVERIES))
                .enableBatchedOperations(in.bool("EnableBatchedOperations", true))
                .status(StatusXml.read(in))
                .forwardTo(ForwardUrls.read(in, "ForwardTo"))
                .userMetadata(in.text("UserMetadata"))
                .forwardDeadLetteredMessagesTo(ForwardUrls.read(in, "ForwardDeadLetteredMessagesTo"))
                .autoDeleteOnIdleMs(in.durationMs("AutoDeleteOnIdle", MessageView.NEVER))
                .clientAffine(
                        dialect.version().hasLargeMessages() ? in.bool("IsClientAffine", clientAffine) : clientAffine)
                .build();
    }

    /**
     * The rule a new subscription is to begin with: what the client asks for, or the one that takes everything. Java
     * clients up to 7.14 write the element under the name of its type.
     */
    public static RuleDescription readFirstRule(Elements in) throws MalformedEntryException {
        Elements rule = in.child(FIRST_RULE);
        if (rule == null) {
            rule = in.child(RuleXml.ELEMENT);
        }
        if (rule == null) {
            return RuleDescription.takeEverything();
        }
        String name = rule.word("Name");
        return RuleXml.read(rule, name == null ? RuleDescription.DEFAULT_NAME : name);
    }

    /** The description as an answer tells it, in the order older .NET clients insist on. */
    public static AtomContent content(SubscriptionDescription subscription, EntityFacts facts, Dialect dialect) {
        return out -> write(out, subscription, facts, dialect);
    }

    private static void write(XmlWriter out, SubscriptionDescription subscription, EntityFacts facts, Dialect dialect) {
        out.open(ELEMENT, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE)
                .text("LockDuration", IsoDurations.format(subscription.lockDurationMs()))
                .bool("RequiresSession", subscription.requiresSession())
                .text("DefaultMessageTimeToLive", IsoDurations.format(subscription.defaultMessageTimeToLiveMs()))
                .bool("DeadLetteringOnMessageExpiration", subscription.deadLetteringOnMessageExpiration())
                .bool(
                        "DeadLetteringOnFilterEvaluationExceptions",
                        subscription.deadLetteringOnFilterEvaluationExceptions())
                .number("MessageCount", EntityFacts.bounded(facts.counts().total()))
                .number("MaxDeliveryCount", subscription.maxDeliveryCount())
                .bool("EnableBatchedOperations", subscription.enableBatchedOperations());
        StatusXml.write(out, subscription.status());
        out.text("ForwardTo", ForwardUrls.shown(subscription.forwardTo(), dialect));
        facts.writeTimes(out);
        out.text("UserMetadata", subscription.userMetadata());
        facts.writeCounts(out);
        out.text(
                        "ForwardDeadLetteredMessagesTo",
                        ForwardUrls.shown(subscription.forwardDeadLetteredMessagesTo(), dialect))
                .text("AutoDeleteOnIdle", IsoDurations.format(subscription.autoDeleteOnIdleMs()))
                .text("EntityAvailabilityStatus", facts.availability().word());
        if (dialect.version().hasLargeMessages()) {
            out.bool("IsClientAffine", subscription.clientAffine());
        }
        out.close(ELEMENT);
    }
}
