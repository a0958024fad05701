package dev.jitney.simulation.run;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.simulation.Chance;
import java.util.ArrayList;
import java.util.List;

/** The entities of a history, with settings that make much happen. */
final class EntityPlan {
    private static final int QUEUES_MAX = 4;

    private EntityPlan() {}

    static List<EntityDescription> of(Chance chance) {
        List<EntityDescription> all = new ArrayList<>();
        int queues = 1 + chance.below(QUEUES_MAX);
        for (int i = 0; i < queues; i++) {
            all.add(queue("queue-" + i, chance));
        }
        return all;
    }

    private static QueueDescription queue(String path, Chance chance) {
        QueueDescription.Builder queue = QueueDescription.named(path)
                .lockDurationMs(chance.between(5, 60) * 1_000)
                .maxDeliveryCount(1 + chance.below(5))
                .deadLetteringOnMessageExpiration(chance.perMille(500));
        if (chance.perMille(300)) {
            queue.defaultMessageTimeToLiveMs(chance.between(1, 120) * 1_000);
        }
        return queue.build();
    }
}
