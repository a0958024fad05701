package dev.jitney.runtime.shard.forward;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations on chains of forwarding entities over one or several stores, with crashes, failing commits and
 * destinations that are unavailable for a while. At the end every message is in exactly one place.
 */
@DisplayName("FWD-8, STATE-2: forwarding under crashes and failing stores")
class ForwardingCrashTest {
    private final Map<String, Integer> copiesWanted = new HashMap<>();
    private final List<String> uncertain = new ArrayList<>();
    private BrokerFixture f;
    private Random random;
    private int sent;
    private int names;

    private String name(int store) {
        while (true) {
            String name = "e" + names++;
            Entity probe = f.create(name);
            boolean right = ShardEntities.shardOf(((ServedEntity) probe).id()) == store % f.stores.size();
            settled(f.namespace().deleteEntity(name));
            if (right) {
                return name;
            }
        }
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    @ParameterizedTest(name = "{0} stores, seed {1}")
    @CsvSource({"1, 1", "1, 2", "2, 3", "2, 4", "2, 5", "3, 6", "3, 7", "3, 8"})
    void everyMessageIsInOnePlace(int stores, long seed) throws StoreException {
        random = new Random(seed);
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(stores).toList());
        String end = f.create(name(0)).path();
        String third =
                f.create(QueueDescription.named(name(1)).forwardTo(end).build()).path();
        String second = f.create(
                        QueueDescription.named(name(2)).forwardTo(third).build())
                .path();
        String first = f.create(
                        QueueDescription.named(name(0)).forwardTo(second).build())
                .path();
        String dead = f.create(name(1)).path();
        String poison = f.create(QueueDescription.named(name(0))
                        .forwardDeadLetteredMessagesTo(dead)
                        .build())
                .path();
        String topic = settled(f.namespace()
                        .createTopic(TopicDescription.named(name(1)).build()))
                .path();
        for (String[] subscription : new String[][] {{"kept", null}, {"near", poison}, {"far", first}}) {
            settled(f.namespace()
                    .createSubscription(
                            SubscriptionDescription.of(topic, subscription[0])
                                    .forwardTo(subscription[1])
                                    .build(),
                            RuleDescription.takeEverything()));
        }
        for (int round = 0; round < 120; round++) {
            step(List.of(first, poison, topic), 3);
            switch (random.nextInt(5)) {
                case 0 -> deadLetter(poison);
                case 1 -> status(random.nextBoolean() ? end : dead, EntityStatus.DISABLED);
                case 2 -> status(random.nextBoolean() ? third : second, EntityStatus.RECEIVE_DISABLED);
                default -> {}
            }
            for (int turns = random.nextInt(8); turns > 0; turns--) {
                f.turn();
            }
            if (random.nextInt(4) == 0) {
                f.crash();
            }
            if (random.nextInt(3) == 0) {
                f.nowMs += 40_000;
                f.settle();
                for (String path : List.of(end, dead, third, second)) {
                    status(path, EntityStatus.ACTIVE);
                }
            }
        }
        f.crash();
        List.of(end, dead, third, second).forEach(path -> status(path, EntityStatus.ACTIVE));
        for (int i = 0; i < 4; i++) {
            f.nowMs += 70_000;
            f.settle();
        }

        Map<String, Integer> found = new HashMap<>();
        for (String path : List.of(
                end,
                third,
                second,
                first,
                dead,
                poison,
                topic + "/subscriptions/kept",
                topic + "/subscriptions/near",
                topic + "/subscriptions/far")) {
            Entity entity = f.entity(path);
            assertThat(f.counts(entity).transfer()).as(path).isZero();
            for (SubQueue subQueue : SubQueue.values()) {
                all(entity, subQueue).forEach(body -> found.merge(body, 1, Integer::sum));
            }
        }
        assertThat(all(f.entity(poison), SubQueue.DEAD_LETTER)).isEmpty();
        for (String body : uncertain) {
            assertThat(found.getOrDefault(body, 0)).as(body).isIn(0, body.startsWith(topic) ? 3 : 1);
            found.remove(body);
        }
        assertThat(found).isEqualTo(copiesWanted);
        assertThat(copiesWanted.size()).isGreaterThan(50);
    }

    private void step(List<String> paths, int countMax) {
        for (int i = random.nextInt(countMax + 1); i > 0; i--) {
            String path = paths.get(random.nextInt(paths.size()));
            String body = path + "-" + sent++;
            boolean fails = random.nextInt(6) == 0;
            if (fails) {
                f.stores.get(random.nextInt(f.stores.size())).failNextCommit(Reason.IO, random.nextBoolean());
            }
            Answer answer = f.send(f.entity(path), body);
            f.turn();
            if (answer.isThere() && answer.isDone()) {
                copiesWanted.put(body, path.equals(paths.get(2)) ? 3 : 1);
            } else {
                uncertain.add(body);
            }
        }
    }

    /** Dead-letters some messages of a queue. Requests that fail or get no answer are repeated in another round. */
    private void deadLetter(String path) {
        Entity queue = f.entity(path);
        Listening listening = new Listening();
        listening.receiver =
                queue.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(5, false);
        f.settle();
        for (MessageView message : listening.messages) {
            f.submit(
                    queue,
                    new Command.DeadLetterMessages(
                            List.of(Objects.requireNonNull(message.lockToken())), "poison", null, Map.of()));
        }
        f.turn();
        listening.receiver.detach();
    }

    private void status(String path, EntityStatus status) {
        QueueDescription before = BrokerFixture.describe(f.entity(path));
        f.settle();
        f.namespace().updateQueue(before.toBuilder().status(status).build());
        f.settle();
    }

    private List<String> all(Entity entity, SubQueue subQueue) {
        List<String> bodies = new ArrayList<>();
        long from = 0;
        while (true) {
            Answer answer = f.submit(entity, new Command.PeekMessages(subQueue, from, 250, null));
            f.settle();
            List<MessageView> messages = ((Reply.Messages) answer.reply()).messages();
            if (messages.isEmpty()) {
                return bodies;
            }
            for (MessageView message : messages) {
                bodies.add(
                        StandardCharsets.UTF_8.decode(message.content().body()).toString());
                from = message.sequenceNumber() + 1;
            }
        }
    }
}
