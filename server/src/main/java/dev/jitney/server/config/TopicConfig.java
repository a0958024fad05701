package dev.jitney.server.config;

import dev.jitney.model.TopicDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the file declares it.
 *
 * @param where JSON path of the declaration
 * @param subscriptions subscriptions to be there after the start
 */
public record TopicConfig(
        String where, String name, Settings<TopicDescription.Builder> settings, List<SubscriptionConfig> subscriptions)
        implements EntityConfig<TopicDescription> {

    public TopicConfig {
        subscriptions = List.copyOf(subscriptions);
    }

    @Override
    public String path() {
        return name;
    }

    @Override
    public TopicDescription describe() {
        return settings.over(TopicDescription.named(name)
                        .defaultMessageTimeToLiveMs(EmulatorDefaults.TIME_TO_LIVE_MS)
                        .duplicateDetectionHistoryTimeWindowMs(EmulatorDefaults.DUPLICATE_WINDOW_MS))
                .build();
    }

    @Override
    public TopicDescription over(TopicDescription existing) {
        return settings.over(existing.toBuilder()).build();
    }

    @Override
    public @Nullable String conflict(TopicDescription existing) {
        return settings.conflict(
                setter -> !setter.apply(existing.toBuilder()).build().equals(existing), "topic '" + name + "'");
    }

    @Override
    public String whereSaid(String refusal) {
        String said = settings.whereSaid(refusal);
        return said == null ? where : said;
    }
}
