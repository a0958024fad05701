package dev.jitney.gateway.http.atom;

import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import org.jspecify.annotations.Nullable;

/**
 * What elements mean between this namespace and this client.
 *
 * @param version what the client understands
 * @param limits of the namespace; they hold the defaults of its tier
 * @param authority host and port under which the client sees the namespace
 */
public record Dialect(ApiVersion version, Limits limits, String authority) {
    private static final int FRAGMENTS = 16;

    /** How a size is told: sixteen times as large when it is partitioned outside PREMIUM (HTTP reference 2.8). */
    long shownMegabytes(long megabytes, boolean partitioned) {
        return megabytes * factor(partitioned);
    }

    /** The size meant by what a client sends, which may be the size itself or what it was told. */
    long meantMegabytes(long sent, boolean partitioned, @Nullable Long stored) {
        int factor = factor(partitioned);
        boolean told = stored != null && sent == stored * factor;
        return told || (sent > limits.maxQueueSizeInMegabytes() && sent % factor == 0) ? sent / factor : sent;
    }

    private int factor(boolean partitioned) {
        return partitioned && limits.tier() != TierProfile.PREMIUM ? FRAGMENTS : 1;
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
