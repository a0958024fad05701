package dev.jitney.simulation.run;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.model.entity.AskedRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a history, with settings that cause many events. Entities forward only to earlier ones, so there are
 * no circles.
 */
final class EntityPlan {
    /** The name of the first rule, which is changed and removed like other rules. */
    private static final String FIRST_RULE = "Rule-0";

    private static final int QUEUES_MAX = 4;
    private static final int TOPICS_MAX = 2;
    private static final int SUBSCRIPTIONS_MAX = 3;

    private final SeededRandom random;
    private final Partitions partitions;
    private int temporaryPerMille;
    private final List<Planned> all = new ArrayList<>();
    private final List<String> destinations = new ArrayList<>();

    /**
     * An entity to create.
     *
     * @param rule the first rule of a subscription; null for a subscription without rules
     */
    record Planned(EntityDescription description, @Nullable AskedRule rule) {}

    private EntityPlan(SeededRandom random, Partitions partitions) {
        this.random = random;
        this.partitions = partitions;
    }

    static List<Planned> of(SeededRandom random, Partitions partitions) {
        EntityPlan plan = new EntityPlan(random, partitions);
        plan.make();
        return plan.all;
    }

    private void make() {
        temporaryPerMille = random.perMille(300) ? 500 : 0;
        int queues = 1 + random.below(QUEUES_MAX);
        for (int i = 0; i < queues; i++) {
            QueueDescription queue = queue("queue-" + i);
            if (partitions.perMille() > 0 && random.perMille(partitions.perMille())) {
                queue = partitioned(queue);
            }
            all.add(new Planned(queue, null));
            destinations.add(queue.path());
        }
        int topics = random.perMille(500) || partitions.isEverything() ? 0 : 1 + random.below(TOPICS_MAX);
        for (int i = 0; i < topics; i++) {
            TopicDescription.Builder topic =
                    TopicDescription.named("topic-" + i).autoDeleteOnIdleMs(idleMs());
            if (random.perMille(200)) {
                topic.requiresDuplicateDetection(true).duplicateDetectionHistoryTimeWindowMs(window());
            }
            all.add(new Planned(topic.build(), null));
            int subscriptions = 1 + random.below(SUBSCRIPTIONS_MAX);
            for (int j = 0; j < subscriptions; j++) {
                all.add(subscription("topic-" + i, "sub-" + j));
            }
        }
        if (topics > 0 && random.perMille(300)) { // a queue in front of a topic
            all.add(new Planned(
                    queue("front").toBuilder()
                            .requiresSession(false)
                            .forwardTo("topic-0")
                            .build(),
                    null));
        }
    }

    /** Returns the AutoDeleteOnIdle time, which is unlimited for most entities. */
    private long idleMs() {
        return random.perMille(temporaryPerMille) ? random.between(300, 360) * 1_000 : MessageView.NEVER;
    }

    private long window() {
        return random.between(20, 60) * 1_000;
    }

    private @Nullable String destination(int perMille) {
        return destinations.isEmpty() || !random.perMille(perMille)
                ? null
                : destinations.get(random.below(destinations.size()));
    }

    private QueueDescription queue(String path) {
        QueueDescription.Builder queue = QueueDescription.named(path)
                .lockDurationMs(random.between(5, 60) * 1_000)
                .maxDeliveryCount(1 + random.below(5))
                .deadLetteringOnMessageExpiration(random.perMille(500))
                .autoDeleteOnIdleMs(idleMs())
                .forwardDeadLetteredMessagesTo(destination(150));
        if (random.perMille(300)) {
            queue.defaultMessageTimeToLiveMs(random.between(1, 120) * 1_000);
        }
        if (random.perMille(200)) {
            queue.requiresDuplicateDetection(true).duplicateDetectionHistoryTimeWindowMs(window());
        }
        if (random.perMille(250)) {
            queue.requiresSession(true);
        } else {
            queue.forwardTo(destination(200));
        }
        return queue.build();
    }

    private static QueueDescription partitioned(QueueDescription queue) {
        return queue.toBuilder()
                .enablePartitioning(true)
                .autoDeleteOnIdleMs(MessageView.NEVER)
                .build();
    }

    private Planned subscription(String topic, String name) {
        SubscriptionDescription.Builder subscription = SubscriptionDescription.of(topic, name)
                .lockDurationMs(random.between(5, 60) * 1_000)
                .maxDeliveryCount(1 + random.below(5))
                .deadLetteringOnMessageExpiration(random.perMille(500))
                .deadLetteringOnFilterEvaluationExceptions(random.perMille(500))
                .autoDeleteOnIdleMs(idleMs())
                .forwardDeadLetteredMessagesTo(destination(100));
        if (random.perMille(200)) {
            subscription.requiresSession(true);
        } else {
            subscription.forwardTo(destination(250));
        }
        AskedRule first = random.perMille(900) ? Actions.rule(FIRST_RULE, random) : null;
        return new Planned(subscription.build(), first);
    }
}
