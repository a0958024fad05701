package dev.jitney.server;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.server.config.EntityConfig;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.SubscriptionConfig;
import dev.jitney.server.config.SubscriptionConfig.RuleConfig;
import dev.jitney.server.config.TopicConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the changes that bring the entities of a namespace to the configuration. Only differences are written:
 * applying a file twice changes nothing. Entities that the file does not name stay.
 *
 * <p>All entities are created without forwarding first; changes, including forwarding, follow. A destination may
 * therefore be declared anywhere in the file.
 *
 * @param created number of entities that were created
 * @param updated number of existing entities that differed
 */
record EntitySetup(int created, int updated) {

    /** Applies one namespace of the file and waits until the changes are durable. */
    static EntitySetup apply(NamespaceConfig config, EntityCatalogue catalogue) throws StartException {
        Work work = new Work(new SetupSteps(config.name()), catalogue);
        work.queuesAndTopics(config);
        work.subscriptions(config.topics());
        work.rules(config.topics());
        work.changes();
        return new EntitySetup(work.created, work.updated);
    }

    /** The state of one setup. */
    private static final class Work {
        private final SetupSteps steps;
        private final EntityCatalogue catalogue;

        /** The first rules of subscriptions that were created with them. */
        private final Map<SubscriptionConfig, RuleDescription> first = new HashMap<>();

        private final List<Runnable> changes = new ArrayList<>();
        private int created;
        private int updated;

        Work(SetupSteps steps, EntityCatalogue catalogue) {
            this.steps = steps;
            this.catalogue = catalogue;
        }

        void queuesAndTopics(NamespaceConfig config) throws StartException {
            for (EntityConfig<QueueDescription> queue : config.queues()) {
                QueueDescription existing = existing(queue, QueueDescription.class, "queue");
                if (existing == null) {
                    QueueDescription wanted = queue.describe();
                    QueueDescription start = wanted.toBuilder()
                            .forwardTo(null)
                            .forwardDeadLetteredMessagesTo(null)
                            .build();
                    created++;
                    steps.add(queue, catalogue.create(start));
                    laterUnlessEqual(queue, start, wanted);
                } else {
                    change(queue, existing);
                }
            }
            for (EntityConfig<TopicDescription> topic : config.topics()) {
                TopicDescription existing = existing(topic, TopicDescription.class, "topic");
                if (existing == null) {
                    created++;
                    steps.add(topic, catalogue.create(topic.describe()));
                } else {
                    change(topic, existing);
                }
            }
            steps.await();
        }

        void subscriptions(List<TopicConfig> topics) throws StartException {
            for (TopicConfig topic : topics) {
                for (SubscriptionConfig subscription : topic.subscriptions()) {
                    SubscriptionDescription existing =
                            existing(subscription, SubscriptionDescription.class, "subscription");
                    if (existing == null) {
                        SubscriptionDescription wanted = subscription.describe();
                        SubscriptionDescription start = wanted.toBuilder()
                                .forwardTo(null)
                                .forwardDeadLetteredMessagesTo(null)
                                .build();
                        RuleDescription rule = firstRule(subscription);
                        if (rule != null) {
                            first.put(subscription, rule);
                        }
                        created++;
                        steps.add(subscription, catalogue.create(start, rule));
                        laterUnlessEqual(subscription, start, wanted);
                    } else {
                        change(subscription, existing);
                    }
                }
            }
            steps.await();
        }

        private static @Nullable RuleDescription firstRule(SubscriptionConfig subscription) {
            List<RuleConfig> rules = subscription.rules();
            if (rules == null) {
                return RuleDescription.takeEverything();
            }
            return rules.isEmpty() ? null : rules.get(0).description();
        }

        void rules(List<TopicConfig> topics) throws StartException {
            for (TopicConfig topic : topics) {
                for (SubscriptionConfig subscription : topic.subscriptions()) {
                    List<RuleConfig> declared = subscription.rules();
                    if (declared != null) {
                        rules(subscription, declared);
                    }
                }
            }
            steps.await();
        }

        private void rules(SubscriptionConfig subscription, List<RuleConfig> declared) {
            Map<String, RuleDescription> there = new HashMap<>();
            catalogue.rules(subscription.path()).forEach(rule -> there.put(key(rule), rule));
            boolean differs = false;
            for (RuleConfig rule : declared) {
                RuleDescription existing = there.remove(key(rule.description()));
                if (existing == null) {
                    steps.add(rule.where(), catalogue.createRule(subscription.path(), rule.description()));
                    differs = true;
                } else if (!new RuleDescription(
                                existing.name(),
                                rule.description().filter(),
                                rule.description().action())
                        .equals(existing)) {
                    steps.add(rule.where(), catalogue.updateRule(subscription.path(), rule.description()));
                    differs = true;
                }
            }
            // Rules in the file replace the default rule of a new subscription; beside them it would accept all
            // messages.
            if (RuleDescription.takeEverything()
                    .equals(there.get(RuleDescription.DEFAULT_NAME.toLowerCase(Locale.ROOT)))) {
                steps.add(
                        subscription.where() + ".Rules",
                        catalogue.deleteRule(subscription.path(), RuleDescription.DEFAULT_NAME));
                differs = true;
            }
            updated += differs && !first.containsKey(subscription) ? 1 : 0;
        }

        private static String key(RuleDescription rule) {
            return rule.name().toLowerCase(Locale.ROOT);
        }

        void changes() throws StartException {
            changes.forEach(Runnable::run);
            steps.await();
        }

        private <D extends EntityDescription> void change(EntityConfig<D> entity, D existing) throws StartException {
            String conflict = entity.conflict(existing);
            if (conflict != null) {
                throw StartException.badOption("--config: " + conflict);
            }
            D wanted = entity.over(existing);
            if (!wanted.equals(existing)) {
                updated++;
            }
            laterUnlessEqual(entity, existing, wanted);
        }

        private <D extends EntityDescription> void laterUnlessEqual(EntityConfig<D> entity, D now, D wanted) {
            if (!wanted.equals(now)) {
                changes.add(() -> steps.add(entity, catalogue.update(wanted)));
            }
        }

        private <D extends EntityDescription> @Nullable D existing(EntityConfig<D> entity, Class<D> type, String word)
                throws StartException {
            EntityDescription existing = catalogue.find(entity.path());
            if (existing != null && !type.isInstance(existing)) {
                throw StartException.badOption("--config: " + entity.where() + ".Name: Expected the name of a " + word
                        + " or an unused name, but '" + existing.path() + "' is a "
                        + existing.kind().word().toLowerCase(Locale.ROOT)
                        + ". Choose another name, or delete the entity first.");
            }
            return type.cast(existing);
        }
    }
}
