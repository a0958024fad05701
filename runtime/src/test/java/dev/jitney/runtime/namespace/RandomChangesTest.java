package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.namespace.EntityRules;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random changes of entities with a few names, while shards run in any order and commits fail. */
@DisplayName("PART-56: after any concurrent changes and failures, visible entities are complete, and no others exist")
class RandomChangesTest {
    private static final int STORES = 3;
    private static final int HISTORIES = 100;
    private static final int STEPS = 120;
    private static final int FRAGMENTS = 16;
    private static final RuleDescription NOTHING =
            new RuleDescription("nothing", new SqlRuleFilter("1 = 0", Map.of()), null);

    private Random random = new Random(0);
    private BrokerFixture f;
    private List<CompletionStage<?>> asked = List.of();

    @SuppressWarnings("NullAway.Init")
    RandomChangesTest() {}

    @ParameterizedTest(name = "failures: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("after random histories")
    void histories(boolean failures) throws StoreException {
        for (long seed = 1; seed <= HISTORIES; seed++) {
            try {
                history(seed, failures);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("Seed " + seed + ": " + e, e);
            }
        }
    }

    private void history(long seed, boolean failures) throws StoreException {
        random = new Random(seed);
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(STORES).toList());
        asked = new ArrayList<>();
        int toFail = 0;
        for (int step = 0; step < STEPS; step++) {
            int dice = random.nextInt(20);
            if (dice < 6) {
                change();
            } else if (dice == 6 && failures) {
                f.stores.get(random.nextInt(STORES)).failNextCommit(Reason.IO, random.nextBoolean());
                toFail++;
            } else {
                f.nowMs += random.nextInt(100);
                f.shard(random.nextInt(STORES)).turn();
            }
        }
        f.settle();
        f.letPass(60_000);
        use(); // so that all planned failures happen
        f.letPass(60_000);
        assertThat(f.broker.trouble()).isNull();
        assertThat(asked).allMatch(stage -> stage.toCompletableFuture().isDone());
        assertThat(f.stores.stream().mapToInt(InMemoryMessagingStore::reopens).sum())
                .as("shards that reloaded their stores, except after planned failures")
                .isLessThanOrEqualTo(toFail);
        assertWhole();
        Map<String, List<Object>> picture = picture();
        f.crash();
        f.settle();
        assertThat(picture()).isEqualTo(picture);
        assertWhole();
        assertNamesAreFree();
    }

    private void change() {
        Namespace namespace = f.namespace();
        String queue = "q" + random.nextInt(2);
        String topic = "t" + random.nextInt(2);
        String subscription = "s" + random.nextInt(2);
        String path = topic + "/subscriptions/" + subscription;
        boolean partitioned = random.nextInt(4) > 0;
        EntityStatus status = random.nextBoolean() ? EntityStatus.ACTIVE : EntityStatus.SEND_DISABLED;
        switch (random.nextInt(10)) {
            case 0 ->
                ask(namespace.createQueue(QueueDescription.named(queue)
                        .enablePartitioning(partitioned)
                        .build()));
            case 1 -> ask(namespace.deleteEntity(queue));
            case 2 -> {
                Entity there = namespace.entity(queue);
                if (there != null) {
                    ask(namespace.updateQueue(BrokerFixture.describe(there).toBuilder()
                            .status(status)
                            .build()));
                }
            }
            case 3, 4 ->
                ask(namespace.createTopic(TopicDescription.named(topic)
                        .enablePartitioning(partitioned)
                        .build()));
            case 5 -> ask(namespace.deleteEntity(topic));
            case 6, 7 ->
                ask(namespace.createSubscription(
                        SubscriptionDescription.of(topic, subscription).build(), RuleDescription.takeEverything()));
            case 8 -> ask(namespace.deleteEntity(path));
            default -> {
                if (random.nextBoolean()) {
                    ask(namespace.deleteRule(path, "$Default"));
                } else {
                    ask(namespace.createRule(path, random.nextBoolean() ? RuleDescription.takeEverything() : NOTHING));
                }
            }
        }
    }

    private void ask(CompletionStage<?> change) {
        asked.add(change);
    }

    /** Returns every visible queue, topic and subscription. */
    private List<Entity> all() {
        List<Entity> all = new ArrayList<>();
        for (Entity entity : f.namespace().entities()) {
            all.add(entity);
            all.addAll(entity.subscriptions());
        }
        return all;
    }

    private static boolean isPartitioned(Entity entity) {
        return ((ServedEntity) entity).fragments() != null;
    }

    private Map<String, List<Object>> picture() {
        Map<String, List<Object>> picture = new TreeMap<>();
        for (Entity entity : all()) {
            picture.put(
                    entity.path(),
                    List.of(entity.description(), entity.rules(), isPartitioned(entity), entity.counts()));
        }
        return picture;
    }

    private int rows(Table table) {
        return f.stores.stream().mapToInt(store -> store.size(table)).sum();
    }

    /** Sends a message to every fragment of every queue and topic. */
    private void use() {
        for (Entity entity : f.namespace().entities()) {
            for (int i = 0; i < FRAGMENTS; i++) {
                f.send(entity, "m");
                f.settle();
            }
        }
    }

    /**
     * Checks that visible entities are stored with all fragments, which have the same description, and that no others
     * are.
     */
    private void assertWhole() {
        List<Entity> all = all();
        assertThat(rows(Table.ENTITIES)).isEqualTo(all.size());
        long partitioned = all.stream().filter(RandomChangesTest::isPartitioned).count();
        assertThat(rows(Table.PARTS)).isEqualTo((int) partitioned * FRAGMENTS);
        for (Entity entity : f.namespace().entities()) {
            assertThat(isPartitioned(entity)).isEqualTo(EntityRules.isPartitioned(entity.description()));
            Map<String, Long> before = active(entity);
            boolean allowed = entity.description().status().allowsSend();
            for (int i = 0; i < FRAGMENTS; i++) {
                Answer answer = f.send(entity, "m");
                f.settle();
                assertThat(answer.isDone()).as(entity.path()).isEqualTo(allowed);
            }
            active(entity)
                    .forEach((path, count) -> assertThat(count - before.get(path))
                            .as(path)
                            .isEqualTo(allowed && takes(path) ? FRAGMENTS : 0));
        }
    }

    private Map<String, Long> active(Entity entity) {
        Map<String, Long> counts = new TreeMap<>();
        if (entity.description() instanceof QueueDescription) {
            counts.put(entity.path(), entity.counts().active());
        }
        entity.subscriptions()
                .forEach(one -> counts.put(one.path(), one.counts().active()));
        return counts;
    }

    private boolean takes(String path) {
        Entity entity = f.entity(path);
        return entity.description() instanceof QueueDescription
                || entity.rules().stream()
                        .map(Rule::description)
                        .anyMatch(rule -> !rule.name().equals(NOTHING.name()));
    }

    /** Checks that all other names can be used for new entities. */
    private void assertNamesAreFree() {
        for (int i = 0; i < 2; i++) {
            String queue = "q" + i;
            String topic = "t" + i;
            if (f.namespace().entity(queue) == null) {
                f.create(queue);
            }
            if (f.namespace().entity(topic) == null) {
                made(f.namespace()
                        .createTopic(TopicDescription.named(topic)
                                .enablePartitioning(true)
                                .build()));
            }
            if (f.namespace().entity(topic + "/subscriptions/s0") == null) {
                made(f.namespace()
                        .createSubscription(
                                SubscriptionDescription.of(topic, "s0").build(), RuleDescription.takeEverything()));
            }
        }
        assertThat(f.broker.trouble()).isNull();
    }

    private void made(CompletionStage<?> change) {
        f.settle();
        get(change);
    }
}
