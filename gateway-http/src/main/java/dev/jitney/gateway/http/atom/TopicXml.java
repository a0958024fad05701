package dev.jitney.gateway.http.atom;

import dev.jitney.model.AccessRule;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.MessageView;
import dev.jitney.model.TopicDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code TopicDescription} (HTTP reference 2.7). */
public final class TopicXml {
    /** The element's name. */
    public static final String ELEMENT = "TopicDescription";

    private static final long DUPLICATE_WINDOW_MS = 600_000;
    private static final long MEGABYTES = 1_024;

    private TopicXml() {}

    /**
     * Reads what a topic is to be like. What is omitted has its default, what is fixed at creation stays as it is.
     *
     * @param stored the topic that is to be changed, or null for a new one
     * @param keys where keys come from that rules do not bring along
     */
    public static TopicDescription read(
            Elements in, String path, @Nullable TopicDescription stored, Dialect dialect, AccessRuleXml.Keys keys)
            throws MalformedEntryException {
        boolean partitioned = in.bool(
                "EnablePartitioning", stored == null ? dialect.partitionsByDefault() : stored.enablePartitioning());
        Long megabytes = in.integer("MaxSizeInMegabytes");
        List<AccessRule> storedRules = stored == null ? List.of() : stored.accessRules();
        return TopicDescription.named(path)
                .defaultMessageTimeToLiveMs(in.timeToLiveMs("DefaultMessageTimeToLive", MessageView.NEVER))
                .maxSizeInMegabytes(
                        megabytes == null
                                ? MEGABYTES
                                : dialect.meantMegabytes(
                                        megabytes, partitioned, stored == null ? null : stored.maxSizeInMegabytes()))
                .requiresDuplicateDetection(
                        in.bool("RequiresDuplicateDetection", stored != null && stored.requiresDuplicateDetection()))
                .duplicateDetectionHistoryTimeWindowMs(
                        in.durationMs("DuplicateDetectionHistoryTimeWindow", DUPLICATE_WINDOW_MS))
                .enableBatchedOperations(in.bool("EnableBatchedOperations", true))
                .enableFilteringMessagesBeforePublishing(in.bool(
                        "FilteringMessagesBeforePublishing",
                        stored != null && stored.enableFilteringMessagesBeforePublishing()))
                .accessRules(AccessRuleXml.readAll(in, storedRules, keys))
                .status(StatusXml.read(in))
                .userMetadata(in.text("UserMetadata"))
                .supportOrdering(in.bool("SupportOrdering", true))
                .autoDeleteOnIdleMs(in.durationMs("AutoDeleteOnIdle", MessageView.NEVER))
                .enablePartitioning(partitioned)
                .enableSubscriptionPartitioning(in.bool(
                        "EnableSubscriptionPartitioning", stored != null && stored.enableSubscriptionPartitioning()))
                .enableExpress(in.bool("EnableExpress", false))
                .maxMessageSizeInKilobytes(dialect.meantKilobytes(
                        in.integer("MaxMessageSizeInKilobytes"),
                        stored == null ? null : stored.maxMessageSizeInKilobytes()))
                .build();
    }

    /** The description as an answer tells it, in the order older .NET clients insist on. */
    public static AtomContent content(TopicDescription topic, EntityFacts facts, Dialect dialect) {
        return out -> write(out, topic, facts, dialect);
    }

    private static void write(XmlWriter out, TopicDescription topic, EntityFacts facts, Dialect dialect) {
        out.open(ELEMENT, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE)
                .text("DefaultMessageTimeToLive", IsoDurations.format(topic.defaultMessageTimeToLiveMs()))
                .number(
                        "MaxSizeInMegabytes",
                        dialect.shownMegabytes(topic.maxSizeInMegabytes(), topic.enablePartitioning()))
                .bool("RequiresDuplicateDetection", topic.requiresDuplicateDetection())
                .text(
                        "DuplicateDetectionHistoryTimeWindow",
                        IsoDurations.format(topic.duplicateDetectionHistoryTimeWindowMs()))
                .bool("EnableBatchedOperations", topic.enableBatchedOperations())
                .number("SizeInBytes", facts.counts().sizeBytes())
                .bool("FilteringMessagesBeforePublishing", topic.enableFilteringMessagesBeforePublishing())
                .bool("IsAnonymousAccessible", false);
        AccessRuleXml.writeAll(out, topic.accessRules());
        StatusXml.write(out, topic.status());
        facts.writeTimes(out);
        out.text("UserMetadata", topic.userMetadata()).bool("SupportOrdering", topic.supportOrdering());
        facts.writeCounts(out);
        out.number("SubscriptionCount", facts.subscriptions());
        if (dialect.version().hasFilterCounts()) {
            out.number("SqlFilterCount", facts.sqlFilters())
                    .number("CorrelationFilterCount", facts.correlationFilters());
        }
        out.text("AutoDeleteOnIdle", IsoDurations.format(topic.autoDeleteOnIdleMs()))
                .bool("EnablePartitioning", topic.enablePartitioning())
                .text("EntityAvailabilityStatus", facts.availability().word())
                .bool("EnableSubscriptionPartitioning", topic.enableSubscriptionPartitioning())
                .bool("EnableExpress", topic.enableExpress());
        if (dialect.version().hasLargeMessages()) {
            out.number("MaxMessageSizeInKilobytes", dialect.shownKilobytes(topic.maxMessageSizeInKilobytes()));
        }
        out.close(ELEMENT);
    }
}
