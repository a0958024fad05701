package dev.jitney.gateway.http.atom;

import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import org.jspecify.annotations.Nullable;

/**
 * The interpretation of elements for one namespace and one client.
 *
 * @param version the client's version
 * @param limits of the namespace, with the defaults of its tier
 * @param partitioning of the namespace
 * @param authority host and port under which the client reaches the namespace
 */
public record Dialect(ApiVersion version, Limits limits, Partitioning partitioning, String authority) {
    /**
     * Sizes are whole gigabytes (PART-17). The size in a response therefore cannot be mistaken for another valid size.
     */
    private static final long MEGABYTES_PER_STEP = 1_024;

    /**
     * Returns the size in a response, which is sixteen times as large for partitioned entities outside PREMIUM (HTTP
     * reference 2.8, PART-21).
     */
    public long shownMegabytes(long megabytes, boolean partitioned) {
        return partitioning.effectiveMegabytes(megabytes, partitioned, limits.tier());
    }

    /** Returns the size that a client means, which may send the size itself or the size from a response. */
    public long meantMegabytes(long sent, boolean partitioned, @Nullable Long stored) {
        long factor = shownMegabytes(1, partitioned);
        boolean told = stored != null && sent == shownMegabytes(stored, partitioned);
        boolean multiple = sent > limits.maxQueueSizeInMegabytes() && sent % (MEGABYTES_PER_STEP * factor) == 0;
        return told || multiple ? sent / factor : sent;
    }

    /** Returns whether a new queue or topic is partitioned if its description does not specify it (PART-5). */
    public boolean partitionsByDefault() {
        return partitioning.enabled(null, limits.tier());
    }

    /** Returns the largest message size in a response. */
    public long shownKilobytes(@Nullable Long own) {
        return own == null ? limits.maxMessageSizeBytes() / 1024 : own;
    }

    /**
     * Returns the largest message size that a client means. Null means the tier's default, also if a client echoes that
     * value. Clients whose version lacks the element leave it unchanged.
     */
    public @Nullable Long meantKilobytes(@Nullable Long sent, @Nullable Long stored) {
        if (!version.hasLargeMessages()) {
            return stored;
        }
        return sent == null || sent == limits.maxMessageSizeBytes() / 1024 ? null : sent;
    }
}
