package dev.jitney.gateway.http.atom;

import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.property.EntityTable;

/**
 * The facts about an entity in a response, in addition to its description. Times are milliseconds since the epoch.
 *
 * @param accessedAtMs last activity; not after {@code createdAtMs} if there was none
 * @param availability the state of its messaging store
 * @param subscriptions number of subscriptions of a topic, 0 for other entities
 * @param sqlFilters number of rules of a topic's subscriptions with a filter that counts as SQL, 0 for other entities
 * @param correlationFilters number of such rules with a correlation filter, 0 for other entities
 */
public record EntityFacts(
        long createdAtMs,
        long updatedAtMs,
        long accessedAtMs,
        MessageCounts counts,
        EntityAvailability availability,
        int subscriptions,
        int sqlFilters,
        int correlationFilters) {

    /**
     * Writes the facts that come directly before an element of the description.
     *
     * @param element an element of {@link EntityTable#inAtom} of that kind
     */
    void writeBefore(XmlWriter out, EntityKind kind, String element, Dialect dialect) {
        switch (kind) {
            case QUEUE -> {
                switch (element) {
                    case "AuthorizationRules" ->
                        out.number("SizeInBytes", counts.sizeBytes())
                                .number("MessageCount", bounded(counts.total()))
                                .bool("IsAnonymousAccessible", false);
                    case "UserMetadata" -> writeTimes(out);
                    case "AutoDeleteOnIdle" -> writeCounts(out);
                    case "ForwardDeadLetteredMessagesTo" -> writeAvailability(out);
                    default -> {}
                }
            }
            case TOPIC -> {
                switch (element) {
                    case "FilteringMessagesBeforePublishing" -> out.number("SizeInBytes", counts.sizeBytes());
                    case "AuthorizationRules" -> out.bool("IsAnonymousAccessible", false);
                    case "UserMetadata" -> writeTimes(out);
                    case "AutoDeleteOnIdle" -> {
                        writeCounts(out);
                        writeSubscriptions(out, dialect);
                    }
                    case "EnableSubscriptionPartitioning" -> writeAvailability(out);
                    default -> {}
                }
            }
            case SUBSCRIPTION -> {
                switch (element) {
                    case "MaxDeliveryCount" -> out.number("MessageCount", bounded(counts.total()));
                    case "UserMetadata" -> writeTimes(out);
                    case "ForwardDeadLetteredMessagesTo" -> writeCounts(out);
                    case "IsClientAffine" -> writeAvailability(out);
                    default -> {}
                }
            }
        }
    }

    private void writeAvailability(XmlWriter out) {
        out.text("EntityAvailabilityStatus", availability.word());
    }

    private void writeSubscriptions(XmlWriter out, Dialect dialect) {
        out.number("SubscriptionCount", subscriptions);
        if (dialect.version().hasFilterCounts()) {
            out.number("SqlFilterCount", sqlFilters).number("CorrelationFilterCount", correlationFilters);
        }
    }

    /** Writes {@code CreatedAt}, {@code UpdatedAt} and {@code AccessedAt}. */
    private void writeTimes(XmlWriter out) {
        out.text("CreatedAt", XmlTimes.precise(createdAtMs))
                .text("UpdatedAt", XmlTimes.precise(updatedAtMs))
                .text("AccessedAt", accessedAtMs <= createdAtMs ? XmlTimes.NEVER : XmlTimes.precise(accessedAtMs));
    }

    /** Writes {@code CountDetails}; JavaScript requires one attribute and prefixed children (HTTP reference 2.7). */
    private void writeCounts(XmlWriter out) {
        out.open("CountDetails", "xmlns:d2p1", XmlNames.COUNTS)
                .number("d2p1:ActiveMessageCount", bounded(counts.active()))
                .number("d2p1:DeadLetterMessageCount", bounded(counts.deadLetter()))
                .number("d2p1:ScheduledMessageCount", bounded(counts.scheduled()))
                .number("d2p1:TransferMessageCount", bounded(counts.transfer()))
                .number("d2p1:TransferDeadLetterMessageCount", bounded(counts.transferDeadLetter()))
                .close("CountDetails");
    }

    /** Limits a count, because several SDKs read counts as 32-bit numbers. */
    static long bounded(long count) {
        return Math.min(count, Integer.MAX_VALUE);
    }
}
