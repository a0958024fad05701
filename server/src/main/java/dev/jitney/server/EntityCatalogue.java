package dev.jitney.server;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a namespace, for setting them up. Changes complete when they are durable, or with {@link
 * dev.jitney.runtime.BrokerException}.
 */
interface EntityCatalogue {

    /** Returns the description in force, or null if there is no such entity. */
    @Nullable
    EntityDescription find(String path);

    /** Returns the rules of a subscription, or an empty list for other entities. */
    List<RuleDescription> rules(String path);

    /** Creates a queue or topic. */
    CompletionStage<?> create(EntityDescription description);

    /** Creates a subscription with its first rule, or without one. */
    CompletionStage<?> create(SubscriptionDescription description, @Nullable RuleDescription rule);

    /** Changes an entity of any kind. */
    CompletionStage<?> update(EntityDescription description);

    CompletionStage<?> createRule(String subscriptionPath, RuleDescription rule);

    CompletionStage<?> updateRule(String subscriptionPath, RuleDescription rule);

    CompletionStage<?> deleteRule(String subscriptionPath, String name);

    /** Returns the paths of all queues or all topics, sorted. */
    List<String> paths(EntityKind kind);

    /** Returns the entities of a running broker. Setting them up costs no throttling credits. */
    static EntityCatalogue of(Namespace throttled) {
        Namespace namespace = throttled.unthrottled();
        return new EntityCatalogue() {
            @Override
            public @Nullable EntityDescription find(String path) {
                Entity entity = namespace.entity(path);
                return entity == null ? null : entity.description();
            }

            @Override
            public List<RuleDescription> rules(String path) {
                Entity entity = namespace.entity(path);
                return entity == null
                        ? List.of()
                        : entity.rules().stream().map(Rule::description).toList();
            }

            @Override
            public CompletionStage<?> create(EntityDescription description) {
                return description instanceof QueueDescription queue
                        ? namespace.createQueue(queue)
                        : namespace.createTopic((TopicDescription) description);
            }

            @Override
            public CompletionStage<?> create(SubscriptionDescription description, @Nullable RuleDescription rule) {
                return namespace.createSubscription(description, rule);
            }

            @Override
            public CompletionStage<?> update(EntityDescription description) {
                if (description instanceof QueueDescription queue) {
                    return namespace.updateQueue(queue);
                }
                return description instanceof TopicDescription topic
                        ? namespace.updateTopic(topic)
                        : namespace.updateSubscription((SubscriptionDescription) description);
            }

            @Override
            public CompletionStage<?> createRule(String subscriptionPath, RuleDescription rule) {
                return namespace.createRule(subscriptionPath, rule);
            }

            @Override
            public CompletionStage<?> updateRule(String subscriptionPath, RuleDescription rule) {
                return namespace.updateRule(subscriptionPath, rule);
            }

            @Override
            public CompletionStage<?> deleteRule(String subscriptionPath, String name) {
                return namespace.deleteRule(subscriptionPath, name);
            }

            @Override
            public List<String> paths(EntityKind kind) {
                return namespace.entities().stream()
                        .filter(entity -> entity.kind() == kind)
                        .map(Entity::path)
                        .sorted()
                        .toList();
            }
        };
    }
}
