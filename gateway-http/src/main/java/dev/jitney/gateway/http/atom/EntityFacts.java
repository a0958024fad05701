package dev.jitney.gateway.http.atom;

import dev.jitney.model.EntityAvailability;
import dev.jitney.model.MessageCounts;

/**
 * What an answer tells about an entity beside its description. Times are milliseconds since the epoch.
 *
 * @param accessedAtMs last activity; not after {@code createdAtMs} if there was none
 * @param availability whether its messaging store works
 * @param subscriptions how many a topic has, 0 of others
 * @param sqlFilters how many rules of a topic's subscriptions have a filter that counts as SQL, 0 of others
 * @param correlationFilters how many have a correlation filter, 0 of others
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

    /** Writes {@code CreatedAt}, {@code UpdatedAt} and {@code AccessedAt}. */
    void writeTimes(XmlWriter out) {
        out.text("CreatedAt", XmlTimes.precise(createdAtMs))
                .text("UpdatedAt", XmlTimes.precise(updatedAtMs))
                .text("AccessedAt", accessedAtMs <= createdAtMs ? XmlTimes.NEVER : XmlTimes.precise(accessedAtMs));
    }

    /** Writes {@code CountDetails}; JavaScript wants one attribute and prefixed children (HTTP reference 2.7). */
    void writeCounts(XmlWriter out) {
        out.open("CountDetails", "xmlns:d2p1", XmlNames.COUNTS)
                .number("d2p1:ActiveMessageCount", bounded(counts.active()))
                .number("d2p1:DeadLetterMessageCount", bounded(counts.deadLetter()))
                .number("d2p1:ScheduledMessageCount", bounded(counts.scheduled()))
                .number("d2p1:TransferMessageCount", bounded(counts.transfer()))
                .number("d2p1:TransferDeadLetterMessageCount", bounded(counts.transferDeadLetter()))
                .close("CountDetails");
    }

    /** Several SDKs read counts as numbers of 32 bits. */
    static long bounded(long count) {
        return Math.min(count, Integer.MAX_VALUE);
    }
}
