package dev.jitney.server.config;

import dev.jitney.model.QueueDescription;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the file declares it.
 *
 * @param where JSON path of the declaration
 */
public record QueueConfig(String where, String name, Settings<QueueDescription.Builder> settings)
        implements EntityConfig<QueueDescription> {

    @Override
    public String path() {
        return name;
    }

    @Override
    public QueueDescription describe() {
        return settings.over(QueueDescription.named(name)
                        .defaultMessageTimeToLiveMs(EmulatorDefaults.TIME_TO_LIVE_MS)
                        .duplicateDetectionHistoryTimeWindowMs(EmulatorDefaults.DUPLICATE_WINDOW_MS)
                        .maxDeliveryCount(EmulatorDefaults.MAX_DELIVERY_COUNT))
                .build();
    }

    @Override
    public QueueDescription over(QueueDescription existing) {
        return settings.over(existing.toBuilder()).build();
    }

    @Override
    public @Nullable String conflict(QueueDescription existing) {
        return settings.conflict(
                setter -> !setter.apply(existing.toBuilder()).build().equals(existing), "queue '" + name + "'");
    }

    @Override
    public String whereSaid(String refusal) {
        String said = settings.whereSaid(refusal);
        return said == null ? where : said;
    }
}
