package dev.jitney.gateway.http.atom;

import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import org.jspecify.annotations.Nullable;

/**
 * What elements mean between this namespace and this client.
 *
 * @param version what the client understands
 * @param limits of the namespace; they hold the defaults of its tier
 * @param partitioning of the namespace
 * @param authority host and port under which the client sees the namespace
 */
public record Dialect(ApiVersion version, Limits limits, Partitioning partitioning, String authority) {
    /** Sizes are whole gigabytes (PART-17), so that what is told of one cannot be meant as another that is refused. */
    private static final long MEGABYTES_PER_STEP = 1_024;

    /** How a size is told: sixteen times as large when it is partitioned outside PREMIUM (HTTP reference 2.8, PART-21). */
    long shownMegabytes(long megabytes, boolean partitioned) {
        return partitioning.effectiveMegabytes(megabytes, partitioned, limits.tier());
    }

    /** The size meant by what a client sends, which may be the size itself or what it was told. */
    long meantMegabytes(long sent, boolean partitioned, @Nullable Long stored) {
        long factor = shownMegabytes(1, partitioned);
        boolean told = stored != null && sent == shownMegabytes(stored, partitioned);
        boolean multiple = sent > limits.maxQueueSizeInMegabytes() && sent % (MEGABYTES_PER_STEP * factor) == 0;
        return told || multiple ? sent / factor : sent;
    }

    /** Whether a new queue or topic is partitioned whose description says nothing about it (PART-5). */
    boolean partitionsByDefault() {
        return partitioning.enabled(null, limits.tier());
    }

    /** How the largest message is told. */
    long shownKilobytes(@Nullable Long own) {
        return own == null ? limits.maxMessageSizeBytes() / 1024 : own;
    }

    /**
     * The largest message meant: null stands for the tier's default, also where a client echoes it; clients that do not
     * know the element leave it as it is.
     */
    @Nullable
    Long meantKilobytes(@Nullable Long sent, @Nullable Long stored) {
        if (!version.hasLargeMessages()) {
            return stored;
        }
        return sent == null || sent == limits.maxMessageSizeBytes() / 1024 ? null : sent;
    }
}
