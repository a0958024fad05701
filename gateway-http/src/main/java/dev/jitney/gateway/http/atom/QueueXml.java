package dev.jitney.gateway.http.atom;

import dev.jitney.model.AccessRule;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code QueueDescription} (HTTP reference 2.7). */
public final class QueueXml {
    /** The element's name. */
    public static final String ELEMENT = "QueueDescription";

    private static final long DUPLICATE_WINDOW_MS = 600_000;
    private static final long LOCK_MS = 60_000;
    private static final long MEGABYTES = 1_024;
    private static final int DELIVERIES = 10;

    private QueueXml() {}

    /**
     * Reads what a queue is to be like. What is omitted has its default, what is fixed at creation stays as it is.
     *
     * @param stored the queue that is to be changed, or null for a new one
     * @param keys where keys come from that rules do not bring along
     */
    public static QueueDescription read(
            Elements in, String path, @Nullable QueueDescription stored, Dialect dialect, AccessRuleXml.Keys keys)
            throws MalformedEntryException {
        boolean partitioned = in.bool(
                "EnablePartitioning", stored == null ? dialect.partitionsByDefault() : stored.enablePartitioning());
        Long megabytes = in.integer("MaxSizeInMegabytes");
        List<AccessRule> storedRules = stored == null ? List.of() : stored.accessRules();
        return QueueDescription.named(path)
                .lockDurationMs(in.durationMs("LockDuration", LOCK_MS))
                .maxSizeInMegabytes(
                        megabytes == null
                                ? MEGABYTES
                                : dialect.meantMegabytes(
                                        megabytes, partitioned, stored == null ? null : stored.maxSizeInMegabytes()))
                .requiresDuplicateDetection(
                        in.bool("RequiresDuplicateDetection", stored != null && stored.requiresDuplicateDetection()))
                .requiresSession(in.bool("RequiresSession", stored != null && stored.requiresSession()))
                .defaultMessageTimeToLiveMs(in.timeToLiveMs("DefaultMessageTimeToLive", MessageView.NEVER))
                .deadLetteringOnMessageExpiration(in.bool("DeadLetteringOnMessageExpiration", false))
                .duplicateDetectionHistoryTimeWindowMs(
                        in.durationMs("DuplicateDetectionHistoryTimeWindow", DUPLICATE_WINDOW_MS))
                .maxDeliveryCount(in.integer("MaxDeliveryCount", DELIVERIES))
                .enableBatchedOperations(in.bool("EnableBatchedOperations", true))
                .accessRules(AccessRuleXml.readAll(in, storedRules, keys))
                .status(StatusXml.read(in))
                .forwardTo(ForwardUrls.read(in, "ForwardTo"))
                .userMetadata(in.text("UserMetadata"))
                .supportOrdering(in.bool("SupportOrdering", true))
                .autoDeleteOnIdleMs(in.durationMs("AutoDeleteOnIdle", MessageView.NEVER))
                .enablePartitioning(partitioned)
                .forwardDeadLetteredMessagesTo(ForwardUrls.read(in, "ForwardDeadLetteredMessagesTo"))
                .enableExpress(in.bool("EnableExpress", false))
                .maxMessageSizeInKilobytes(dialect.meantKilobytes(
                        in.integer("MaxMessageSizeInKilobytes"),
                        stored == null ? null : stored.maxMessageSizeInKilobytes()))
                .build();
    }

    /** The description as an answer tells it, in the order older .NET clients insist on. */
    public static AtomContent content(QueueDescription queue, EntityFacts facts, Dialect dialect) {
        return out -> write(out, queue, facts, dialect);
    }

    private static void write(XmlWriter out, QueueDescription queue, EntityFacts facts, Dialect dialect) {
        out.open(ELEMENT, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE)
                .text("LockDuration", IsoDurations.format(queue.lockDurationMs()))
                .number(
                        "MaxSizeInMegabytes",
                        dialect.shownMegabytes(queue.maxSizeInMegabytes(), queue.enablePartitioning()))
                .bool("RequiresDuplicateDetection", queue.requiresDuplicateDetection())
                .bool("RequiresSession", queue.requiresSession())
                .text("DefaultMessageTimeToLive", IsoDurations.format(queue.defaultMessageTimeToLiveMs()))
                .bool("DeadLetteringOnMessageExpiration", queue.deadLetteringOnMessageExpiration())
                .text(
                        "DuplicateDetectionHistoryTimeWindow",
                        IsoDurations.format(queue.duplicateDetectionHistoryTimeWindowMs()))
                .number("MaxDeliveryCount", queue.maxDeliveryCount())
                .bool("EnableBatchedOperations", queue.enableBatchedOperations())
                .number("SizeInBytes", facts.counts().sizeBytes())
                .number("MessageCount", EntityFacts.bounded(facts.counts().total()))
                .bool("IsAnonymousAccessible", false);
        AccessRuleXml.writeAll(out, queue.accessRules());
        StatusXml.write(out, queue.status());
        out.text("ForwardTo", ForwardUrls.shown(queue.forwardTo(), dialect));
        facts.writeTimes(out);
        out.text("UserMetadata", queue.userMetadata()).bool("SupportOrdering", queue.supportOrdering());
        facts.writeCounts(out);
        out.text("AutoDeleteOnIdle", IsoDurations.format(queue.autoDeleteOnIdleMs()))
                .bool("EnablePartitioning", queue.enablePartitioning())
                .text("EntityAvailabilityStatus", facts.availability().word())
                .text(
                        "ForwardDeadLetteredMessagesTo",
                        ForwardUrls.shown(queue.forwardDeadLetteredMessagesTo(), dialect))
                .bool("EnableExpress", queue.enableExpress());
        if (dialect.version().hasLargeMessages()) {
            out.number("MaxMessageSizeInKilobytes", dialect.shownKilobytes(queue.maxMessageSizeInKilobytes()));
        }
        out.close(ELEMENT);
    }
}
