package dev.jitney.server.config;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the file declares it. What is null is not said: a new queue gets the default, an existing one keeps what
 * it has, so that a restart never takes back what somebody changed meanwhile without the file naming it.
 *
 * @param accessRules the queue's own rules, or null
 */
public record QueueConfig(
        String name,
        @Nullable Long lockDurationMs,
        @Nullable Long defaultMessageTimeToLiveMs,
        @Nullable Long autoDeleteOnIdleMs,
        @Nullable Integer maxDeliveryCount,
        @Nullable Boolean deadLetteringOnMessageExpiration,
        boolean requiresDuplicateDetection,
        boolean requiresSession,
        boolean enablePartitioning,
        @Nullable String forwardTo,
        @Nullable String forwardDeadLetteredMessagesTo,
        @Nullable Long maxSizeInMegabytes,
        @Nullable Long maxMessageSizeInKilobytes,
        @Nullable EntityStatus status,
        @Nullable String userMetadata,
        @Nullable List<AccessRule> accessRules) {

    /** Defaults of the emulator's file, which differ from those of the service (HTTP reference 4.1). */
    private static final long DEFAULT_TIME_TO_LIVE_MS = 60 * 60 * 1000;

    private static final int DEFAULT_MAX_DELIVERY_COUNT = 3;

    public QueueConfig {
        accessRules = accessRules == null ? null : List.copyOf(accessRules);
    }

    /** A queue of which only the name is said. */
    public static QueueConfig named(String name) {
        return new QueueConfig(
                name, null, null, null, null, null, false, false, false, null, null, null, null, null, null, null);
    }

    /** What this queue asks for that is not served yet, in words; empty if it can be served. */
    public List<String> unserved() {
        List<String> features = new ArrayList<>();
        if (requiresSession) {
            features.add("sessions (RequiresSession)");
        }
        if (requiresDuplicateDetection) {
            features.add("duplicate detection (RequiresDuplicateDetection)");
        }
        if (forwardTo != null) {
            features.add("forwarding (ForwardTo)");
        }
        if (forwardDeadLetteredMessagesTo != null) {
            features.add("forwarding (ForwardDeadLetteredMessagesTo)");
        }
        if (enablePartitioning) {
            features.add("partitioning (EnablePartitioning)");
        }
        return features;
    }

    /** The description a new queue is created with. */
    public QueueDescription describe() {
        return over(QueueDescription.named(name)
                .defaultMessageTimeToLiveMs(DEFAULT_TIME_TO_LIVE_MS)
                .maxDeliveryCount(DEFAULT_MAX_DELIVERY_COUNT)
                .build());
    }

    /** An existing queue's description with everything the file says put over it. */
    public QueueDescription over(QueueDescription existing) {
        return existing.toBuilder()
                .lockDurationMs(or(lockDurationMs, existing.lockDurationMs()))
                .defaultMessageTimeToLiveMs(or(defaultMessageTimeToLiveMs, existing.defaultMessageTimeToLiveMs()))
                .autoDeleteOnIdleMs(or(autoDeleteOnIdleMs, existing.autoDeleteOnIdleMs()))
                .maxDeliveryCount(or(maxDeliveryCount, existing.maxDeliveryCount()))
                .deadLetteringOnMessageExpiration(
                        or(deadLetteringOnMessageExpiration, existing.deadLetteringOnMessageExpiration()))
                .maxSizeInMegabytes(or(maxSizeInMegabytes, existing.maxSizeInMegabytes()))
                .maxMessageSizeInKilobytes(
                        maxMessageSizeInKilobytes != null
                                ? maxMessageSizeInKilobytes
                                : existing.maxMessageSizeInKilobytes())
                .status(or(status, existing.status()))
                .userMetadata(userMetadata != null ? userMetadata : existing.userMetadata())
                .accessRules(or(accessRules, existing.accessRules()))
                .build();
    }

    private static <T> T or(@Nullable T said, T otherwise) {
        return said == null ? otherwise : said;
    }
}
