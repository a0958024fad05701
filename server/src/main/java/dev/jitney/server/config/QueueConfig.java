package dev.jitney.server.config;

import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;

/**
 * A queue as the file declares it.
 *
 * @param where JSON path of the declaration
 * @param partitioned whether a new one is partitioned when the settings do not say it (PART-5)
 */
public record QueueConfig(String where, String name, Settings<QueueDescription> settings, boolean partitioned)
        implements EntityConfig<QueueDescription> {

    /**
     * The same where a namespace of this tier partitions what says nothing. To PREMIUM, "not partitioned" says nothing
     * (PART-7).
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
