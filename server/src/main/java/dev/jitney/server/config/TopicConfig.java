package dev.jitney.server.config;

import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.util.List;

/**
 * A topic as the file declares it.
 *
 * @param where JSON path of the declaration
 * @param partitioned whether a new one is partitioned when the settings do not say it (PART-5)
 * @param subscriptions subscriptions to be there after the start
 */
public record TopicConfig(
        String where,
        String name,
        Settings<TopicDescription> settings,
        boolean partitioned,
        List<SubscriptionConfig> subscriptions)
        implements EntityConfig<TopicDescription> {

    public TopicConfig {
        subscriptions = List.copyOf(subscriptions);
    }

    /**
     * The same where a namespace of this tier partitions what says nothing. To PREMIUM, "not partitioned" says nothing
     * (PART-7).
     */
    TopicConfig partitionedBy(Partitioning partitioning, TierProfile tier) {
        return new TopicConfig(
                where,
                name,
                tier == TierProfile.PREMIUM ? settings.without("EnablePartitioning", "false") : settings,
                partitioning.enabled(null, tier),
                subscriptions);
    }

    @Override
    public String path() {
        return name;
    }

    @Override
    public TopicDescription named() {
        return TopicDescription.named(name).enablePartitioning(partitioned).build();
    }
}
