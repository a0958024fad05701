package dev.jitney.model;

/**
 * The quotas of a namespace (semantics chapter 19 and QUOTA-12). Each one is a setting.
 *
 * @param tier the tier that the defaults come from; it also decides on the available features (QUOTA-10)
 * @param maxMessageSizeBytes largest encoded message or batch, unless the entity sets its own limit (QUOTA-5)
 * @param maxQueueSizeInMegabytes largest value of MaxSizeInMegabytes (QUOTA-1)
 * @param maxTimeToLiveMs maximum of every time to live; {@link MessageView#NEVER} except in BASIC (TTL-19)
 * @param maxIdLength longest MessageId, SessionId and PartitionKey, in characters (QUOTA-6)
 * @param maxPropertySizeBytes largest single application property (QUOTA-6)
 * @param maxHeaderSizeBytes largest sum of properties (QUOTA-6)
 * @param maxEntities queues and topics of the namespace (QUOTA-7)
 * @param maxPartitionedEntities partitioned queues and topics of the namespace; no limit in PREMIUM (PART-63)
 * @param maxSubscriptions subscriptions of one topic (QUOTA-9)
 * @param maxSqlFilters SQL filters of one topic, including true filters and false filters (FILTER)
 * @param maxCorrelationFilters correlation filters of one topic (FILTER)
 * @param maxConnections AMQP connections of the namespace (QUOTA-8)
 * @param maxReceivers receivers of one entity (QUOTA-8)
 * @param maxLocks messages of one entity that can be locked at the same time
 * @param maxPeekCount messages of one peek
 * @param maxPeekSizeBytes bytes of one peek (PEEK-7)
 * @param maxBatchDeleteCount messages of one batch delete (PURGE-1)
 */
public record Limits(
        TierProfile tier,
        long maxMessageSizeBytes,
        long maxQueueSizeInMegabytes,
        long maxTimeToLiveMs,
        int maxIdLength,
        int maxPropertySizeBytes,
        int maxHeaderSizeBytes,
        int maxEntities,
        long maxPartitionedEntities,
        int maxSubscriptions,
        int maxSqlFilters,
        int maxCorrelationFilters,
        int maxConnections,
        int maxReceivers,
        int maxLocks,
        int maxPeekCount,
        int maxPeekSizeBytes,
        int maxBatchDeleteCount) {

    private static final long BASIC_TIME_TO_LIVE_MS = 14L * 24 * 60 * 60 * 1000;

    /** Returns the documented quotas of a tier. */
    public static Limits of(TierProfile tier) {
        boolean premium = tier == TierProfile.PREMIUM;
        return new Limits(
                tier,
                premium ? 1024 * 1024 : 256 * 1024,
                premium ? 81_920 : 5_120,
                tier == TierProfile.BASIC ? BASIC_TIME_TO_LIVE_MS : MessageView.NEVER,
                128,
                32 * 1024,
                64 * 1024,
                premium ? 1_000 : 10_000,
                premium ? Long.MAX_VALUE : 100,
                2_000,
                2_000,
                100_000,
                5_000,
                5_000,
                200_000,
                250,
                256 * 1024,
                premium ? 4_000 : 500);
    }
}
