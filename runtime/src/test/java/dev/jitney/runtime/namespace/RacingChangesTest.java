package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PART-56: a topic is deleted, or a commit fails, while fragments are created in other stores")
class RacingChangesTest {
    private static final int STORES = 4;

    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(STORES).toList());
    }

    private CompletionStage<Entity> createTopic() {
        return f.namespace()
                .createTopic(
                        TopicDescription.named("t").enablePartitioning(true).build());
    }

    private CompletionStage<Entity> createQueue(String name) {
        return f.namespace()
                .createQueue(
                        QueueDescription.named(name).enablePartitioning(true).build());
    }

    private CompletionStage<Entity> subscribe() {
        return f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything());
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private int homeOf(Entity entity) {
        return ((ServedEntity) entity).shard().index();
    }

    private void turnOthers(int home) {
        for (int i = 0; i < STORES; i++) {
            if (i != home) {
                f.shard(i).turn();
            }
        }
    }

    /** Checks that shards have reloaded their stores only after failures that the test has caused. */
    private void assertReopened(int times) {
        assertThat(f.stores.stream().mapToInt(InMemoryMessagingStore::reopens).sum())
                .isEqualTo(times);
    }

    private int rows(Table table) {
        return f.stores.stream().mapToInt(store -> store.size(table)).sum();
    }

    @Test
    @DisplayName("a subscription whose topic is deleted while its fragments are created is not added, and no"
            + " shard fails")
    void topicGoesBeforeItsSubscriptionIsAdded() {
        int home = homeOf(settled(createTopic()));
        CompletionStage<Entity> subscribed = subscribe();
        f.shard(home).turn();
        CompletionStage<Void> deleted = f.namespace().deleteEntity("t");
        f.settle();
        get(deleted);
        assertThat(failure(subscribed)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertReopened(0);
        assertThat(rows(Table.PARTS)).isZero();
        assertThat(rows(Table.ENTITIES)).isZero();
        settled(createTopic());
        settled(subscribe());
        f.send(f.entity("t"), "m");
        f.settle();
        assertThat(f.entity("t/subscriptions/s").counts().active()).isEqualTo(1);
    }

    @Test
    @DisplayName("a subscription whose topic is replaced while its fragments are created is not added to the new topic")
    void topicIsMadeAnew() {
        int home = homeOf(settled(createTopic()));
        CompletionStage<Entity> subscribed = subscribe();
        f.shard(home).turn();
        f.namespace().deleteEntity("t");
        f.shard(home).turn();
        CompletionStage<Entity> again = createTopic();
        f.settle();
        get(again);
        assertThat(failure(subscribed)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertReopened(0);
        assertThat(f.entity("t").subscriptions()).isEmpty();
        assertThat(rows(Table.PARTS)).isEqualTo(16);
        settled(subscribe());
    }

    @Test
    @DisplayName("a fragment of a subscription is not created after the topic's fragment was deleted")
    void fragmentOfTheTopicGoesFirst() {
        int home = homeOf(settled(createTopic()));
        Entity elsewhere = f.create("elsewhere");
        for (int i = 0; homeOf(elsewhere) == home; i++) {
            elsewhere = f.create("elsewhere" + i);
        }
        int other = homeOf(elsewhere);
        CompletionStage<Entity> subscribed = subscribe();
        f.namespace().deleteEntity("t");
        f.stores.get(other).failNextCommit(Reason.IO, false);
        f.send(elsewhere, "m");
        f.shard(other).turn();
        assertThat(f.broker.trouble()).isNotNull();
        f.shard(home).turn();
        f.settle();
        assertThat(failure(subscribed)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertReopened(1);
        assertThat(rows(Table.PARTS)).isZero();
        settled(createTopic());
        settled(subscribe());
    }

    @Test
    @DisplayName("a creation whose first commit fails releases its name")
    void nameOfAFailedCreation() {
        int home = homeOf(settled(createQueue("q")));
        settled(f.namespace().deleteEntity("q"));
        for (boolean stored : new boolean[] {false, true}) {
            f.stores.get(home).failNextCommit(Reason.IO, stored);
            CompletionStage<Entity> refused = createQueue("q");
            f.settle();
            assertThat(failure(refused)).isEqualTo(ErrorCode.SERVER_BUSY);
        }
        settled(createQueue("q"));
        assertThat(rows(Table.PARTS)).isEqualTo(16);
    }

    @Test
    @DisplayName("a subscription whose first commit fails releases its name")
    void nameOfAFailedSubscription() {
        int home = homeOf(settled(createTopic()));
        f.stores.get(home).failNextCommit(Reason.IO, false);
        CompletionStage<Entity> refused = subscribe();
        f.settle();
        assertThat(failure(refused)).isEqualTo(ErrorCode.SERVER_BUSY);
        settled(subscribe());
    }

    @Test
    @DisplayName("PART-54, FWD-8: no message that is forwarded to a partitioned queue during its creation is lost")
    void forwardedWhileTheTargetIsMade() {
        int home = homeOf(settled(createQueue("target")));
        String source = "source";
        for (int i = 0; homeOf(f.create(source)) != home; i++) {
            source = "source" + i;
        }
        settled(f.namespace()
                .updateQueue(QueueDescription.named(source).forwardTo("target").build()));
        settled(f.namespace().deleteEntity("target"));
        CompletionStage<Entity> made = createQueue("target");
        int sent = 0;
        while (!made.toCompletableFuture().isDone()) {
            f.send(f.entity(source), String.valueOf(sent++));
            f.shard(home).turn();
            f.send(f.entity(source), String.valueOf(sent++));
            turnOthers(home);
            f.send(f.entity(source), String.valueOf(sent++));
        }
        f.settle();
        long arrived = f.counts(f.entity("target")).active();
        long deadLettered = f.counts(f.entity(source)).transferDeadLetter();
        assertThat(arrived + deadLettered).isEqualTo(sent);
    }
}
