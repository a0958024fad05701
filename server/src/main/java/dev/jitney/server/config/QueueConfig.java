package dev.jitney.server.config;

import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;

/**
 * A queue as declared in the file.
 *
 * @param where JSON path of the declaration
 * @param partitioned true if a new queue is partitioned when the settings do not specify it (PART-5)
 */
public record QueueConfig(String where, String name, Settings<QueueDescription> settings, boolean partitioned)
        implements EntityConfig<QueueDescription> {

    /**
     * Returns a copy with the partitioning of a namespace of this tier, for a queue that does not specify one. In
     * PREMIUM, "not partitioned" counts as not specified (PART-7).
     */
    QueueConfig partitionedBy(Partitioning partitioning, TierProfile tier) {
        return new QueueConfig(
                where,
                name,
                tier == TierProfile.PREMIUM ? settings.without("EnablePartitioning", "false") : settings,
                partitioning.enabled(null, tier));
    }

    @Override
    public String path() {
        return name;
    }

    @Override
    public QueueDescription named() {
        return QueueDescription.named(name).enablePartitioning(partitioned).build();
    }
}
