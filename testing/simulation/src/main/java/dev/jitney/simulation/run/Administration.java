package dev.jitney.simulation.run;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.entity.AskedRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An administrator that creates, changes and deletes entities. It makes one change at a time, so that the model knows
 * which change is stored.
 */
final class Administration {
    private final World world;
    private final Ledger ledger;
    private final List<EntityPlan.Planned> plans;
    private final List<String> senders = new ArrayList<>();
    private final List<String> subscriptions = new ArrayList<>();
    private final List<String> sources = new ArrayList<>();
    private boolean changing;

    /** The number of processes that have ended. Late answers of these end no change. */
    private long ended;

    Administration(World world, List<EntityPlan.Planned> plans) {
        this.world = world;
        this.ledger = world.ledger();
        this.plans = plans;
    }

    /** Creates all planned entities, before any fault happens. */
    void createAll() {
        for (EntityPlan.Planned planned : plans) {
            String path = planned.description().path();
            (planned.description() instanceof SubscriptionDescription ? subscriptions : senders).add(path);
            if (!(planned.description() instanceof TopicDescription)) {
                sources.add(path);
            }
            create(planned);
            world.rest();
            world.awaitCredits();
            if (world.entity(path) == null) {
                throw new Violation("Expected '" + path + "' to be created, but it does not exist.");
            }
        }
    }

    /** Ends the change in progress, because the process that would answer it has ended. */
    void processEnded() {
        changing = false;
        ended++;
    }

    /** Runs a change until it is answered. */
    private void change(CompletionStage<?> change) {
        long began = ended;
        change.whenComplete((done, failure) -> changing &= ended != began);
    }

    /** Returns whether some entity exists that is deleted when idle. */
    boolean hasTemporary() {
        return plans.stream()
                .map(EntityPlan.Planned::description)
                .anyMatch(one -> one.autoDeleteOnIdleMs() != MessageView.NEVER && world.entity(one.path()) != null);
    }

    /** Returns the maximum number of paths for senders and receivers, times the number of fragments. */
    int windowCount() {
        return (senders.size() + sources.size()) * world.partitions();
    }

    /** Returns whether an entity is partitioned. */
    boolean isPartitioned(String path) {
        Entity entity = world.entity(path);
        EntityDescription description = entity == null ? null : entity.description();
        return (description instanceof QueueDescription queue && queue.enablePartitioning())
                || (description instanceof TopicDescription topic && topic.enablePartitioning());
    }

    /** Returns whether an entity requires sessions. */
    boolean requiresSession(String path) {
        Entity entity = world.entity(path);
        return entity != null && entity.description().requiresSession();
    }

    /** Returns the path of an existing queue or topic, or null. */
    @Nullable
    String sender(SeededRandom random) {
        return oneOf(senders, random);
    }

    /** Returns the path of an existing queue or subscription, or null. */
    @Nullable
    String source(SeededRandom random) {
        return oneOf(sources, random);
    }

    /** Returns the path of an existing subscription, or null. */
    @Nullable
    String subscription(SeededRandom random) {
        return subscriptions.isEmpty() ? null : oneOf(subscriptions, random);
    }

    /** Checks that all existing subscriptions show their rules. */
    void checkRules() {
        for (String path : subscriptions) {
            Entity entity = world.entity(path);
            if (entity != null) {
                ledger.audit().checkRules(path, entity.rules());
            }
        }
    }

    private @Nullable String oneOf(List<String> paths, SeededRandom random) {
        int first = random.below(paths.size());
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get((first + i) % paths.size());
            if (world.entity(path) != null) {
                return path;
            }
        }
        return null;
    }

    /** Returns whether messages can be sent to a path, which is so for existing queues and topics. */
    boolean isSender(String path) {
        return senders.contains(path) && world.entity(path) != null;
    }

    private CompletionStage<?> create(EntityPlan.Planned planned) {
        ledger.credits().manage();
        EntityDescription description = planned.description();
        if (description instanceof QueueDescription queue) {
            return world.namespace().createQueue(asked(queue));
        } else if (description instanceof TopicDescription topic) {
            return world.namespace().createTopic(asked(topic));
        }
        SubscriptionDescription subscription = asked((SubscriptionDescription) description);
        AskedRule first = planned.rule();
        if (first == null) {
            return world.namespace().createSubscription(subscription, null);
        }
        ledger.requests().firstRule(description.path(), first);
        return world.namespace().createSubscription(subscription, first.description());
    }

    /** Creates an entity that was deleted. */
    Object create(SeededRandom random) {
        EntityPlan.Planned planned = plans.get(random.below(plans.size()));
        String path = planned.description().path();
        String topic = planned.description() instanceof SubscriptionDescription s ? s.topicPath() : null;
        if (changing || world.entity(path) != null || (topic != null && world.entity(topic) == null)) {
            return "";
        }
        changing = true;
        change(create(planned));
        return path;
    }

    /** Deletes an entity; with a topic, also its subscriptions. */
    Object delete(SeededRandom random) {
        EntityPlan.Planned planned = plans.get(random.below(plans.size()));
        String path = planned.description().path();
        if (changing || world.entity(path) == null) {
            return "";
        }
        changing = true;
        ledger.credits().manage();
        ledger.askToDelete(path);
        subscriptions.stream().filter(one -> one.startsWith(path + "/")).forEach(ledger::askToDelete);
        change(world.namespace().deleteEntity(path));
        return path;
    }

    private QueueDescription asked(QueueDescription queue) {
        QueueDescription named =
                queue.toBuilder().userMetadata(ledger.nextName()).build();
        ledger.ask(named, named.userMetadata());
        return named;
    }

    private TopicDescription asked(TopicDescription topic) {
        TopicDescription named =
                topic.toBuilder().userMetadata(ledger.nextName()).build();
        ledger.ask(named, named.userMetadata());
        return named;
    }

    private SubscriptionDescription asked(SubscriptionDescription subscription) {
        SubscriptionDescription named =
                subscription.toBuilder().userMetadata(ledger.nextName()).build();
        ledger.ask(named, named.userMetadata());
        return named;
    }

    /** Changes the settings or the status of an entity. Only one change runs at a time. */
    Object update(SeededRandom random) {
        String path = oneOf(random.perMille(500) ? senders : sources, random);
        Entity entity = path == null ? null : world.entity(path);
        if (changing || entity == null) {
            return "";
        }
        boolean active = random.perMille(600);
        EntityDescription before = entity.description();
        if (before instanceof QueueDescription queue) {
            return change(queue.toBuilder()
                    .lockDurationMs(random.between(5, 60) * 1_000)
                    .maxDeliveryCount(1 + random.below(5))
                    .deadLetteringOnMessageExpiration(random.perMille(500))
                    .status(active ? EntityStatus.ACTIVE : random.oneOf(EntityStatus.values()))
                    .build());
        } else if (before instanceof TopicDescription topic) {
            return change(topic.toBuilder()
                    .status(
                            active
                                    ? EntityStatus.ACTIVE
                                    : random.oneOf(EntityStatus.DISABLED, EntityStatus.SEND_DISABLED))
                    .build());
        }
        return change(((SubscriptionDescription) before)
                .toBuilder()
                        .lockDurationMs(random.between(5, 60) * 1_000)
                        .maxDeliveryCount(1 + random.below(5))
                        .deadLetteringOnMessageExpiration(random.perMille(500))
                        .status(
                                active
                                        ? EntityStatus.ACTIVE
                                        : random.oneOf(EntityStatus.DISABLED, EntityStatus.RECEIVE_DISABLED))
                        .build());
    }

    private EntityDescription change(EntityDescription description) {
        changing = true;
        ledger.credits().manage();
        CompletionStage<Entity> done;
        if (description instanceof QueueDescription queue) {
            done = world.namespace().updateQueue(asked(queue));
        } else if (description instanceof TopicDescription topic) {
            done = world.namespace().updateTopic(asked(topic));
        } else {
            done = world.namespace().updateSubscription(asked((SubscriptionDescription) description));
        }
        change(done);
        return description;
    }

    /** Enables all disabled entities, after all faults have ended. */
    void enableAll() {
        for (String path :
                Stream.concat(senders.stream(), sources.stream()).distinct().toList()) {
            Entity entity = world.entity(path);
            if (entity == null) {
                continue;
            }
            EntityDescription before = entity.description();
            if (before instanceof QueueDescription queue) {
                change(queue.toBuilder().status(EntityStatus.ACTIVE).build());
            } else if (before instanceof TopicDescription topic) {
                change(topic.toBuilder().status(EntityStatus.ACTIVE).build());
            } else {
                change(((SubscriptionDescription) before)
                        .toBuilder().status(EntityStatus.ACTIVE).build());
            }
            world.rest();
            world.awaitCredits();
            if (changing) {
                throw new Violation("Expected a reply to the change of '" + path + "', but there is none.");
            }
        }
    }
}
