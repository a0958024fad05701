package dev.jitney.server.config;

import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.util.List;

/**
 * A topic as declared in the file.
 *
 * @param where JSON path of the declaration
 * @param partitioned true if a new topic is partitioned when the settings do not specify it (PART-5)
 * @param subscriptions subscriptions that exist after the start
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
     * Returns a copy with the partitioning of a namespace of this tier, for a topic that does not specify one. In
     * PREMIUM, "not partitioned" counts as not specified (PART-7).
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
