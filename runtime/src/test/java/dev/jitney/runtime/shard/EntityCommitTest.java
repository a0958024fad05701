package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Issue 3, 6: a change of an entity is visible once it is durable, completely or not at all")
class EntityCommitTest {
    private static final String SUBSCRIPTION = "t/Subscriptions/s";

    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        Namespace namespace = f.namespace();
        namespace.createQueue(QueueDescription.named("q").build());
        namespace.createTopic(TopicDescription.named("t").build());
        f.settle();
        get(settled(namespace.createSubscription(
                SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything())));
    }

    private <T> CompletionStage<T> settled(CompletionStage<T> stage) {
        f.settle();
        return stage;
    }

    /** All kinds of changes. */
    enum Change {
        CREATE_QUEUE(n -> n.createQueue(QueueDescription.named("new").build())),
        UPDATE_QUEUE(n ->
                n.updateQueue(QueueDescription.named("q").maxDeliveryCount(3).build())),
        DELETE_QUEUE(n -> n.deleteEntity("q")),
        CREATE_TOPIC(n -> n.createTopic(TopicDescription.named("new").build())),
        UPDATE_TOPIC(
                n -> n.updateTopic(TopicDescription.named("t").userMetadata("m").build())),
        DELETE_TOPIC(n -> n.deleteEntity("t")),
        CREATE_SUBSCRIPTION(n ->
                n.createSubscription(SubscriptionDescription.of("t", "new").build(), RuleDescription.takeEverything())),
        UPDATE_SUBSCRIPTION(n -> n.updateSubscription(
                SubscriptionDescription.of("t", "s").maxDeliveryCount(3).build())),
        DELETE_SUBSCRIPTION(n -> n.deleteEntity(SUBSCRIPTION)),
        CREATE_RULE(n -> n.createRule(SUBSCRIPTION, rule("new"))),
        UPDATE_RULE(n -> n.updateRule(SUBSCRIPTION, rule("$Default"))),
        DELETE_RULE(n -> n.deleteRule(SUBSCRIPTION, "$Default"));

        private final Function<Namespace, CompletionStage<?>> ask;

        Change(Function<Namespace, CompletionStage<?>> ask) {
            this.ask = ask;
        }

        private static RuleDescription rule(String name) {
            return new RuleDescription(name, new SqlRuleFilter("a = 1", Map.of()), null);
        }
    }

    /** Returns everything visible of the entities, by path. */
    private Map<String, List<Object>> picture() {
        Map<String, List<Object>> picture = new TreeMap<>();
        for (Entity entity : f.namespace().entities()) {
            show(picture, entity);
            entity.subscriptions().forEach(subscription -> show(picture, subscription));
        }
        return picture;
    }

    private static void show(Map<String, List<Object>> picture, Entity entity) {
        List<Rule> rules = entity.rules();
        picture.put(
                entity.path(),
                List.of(entity.description(), entity.createdAtMs(), entity.updatedAtMs(), rules, entity.counts()));
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    @DisplayName("nothing of a change is visible before its turn, all of it afterwards, and the same after kill -9")
    void afterTheCommit(Change change) throws StoreException {
        Map<String, List<Object>> before = picture();
        CompletionStage<?> asked = change.ask.apply(f.namespace());
        assertThat(picture()).isEqualTo(before);
        assertThat(asked.toCompletableFuture()).isNotDone();
        f.settle();
        get(asked);
        Map<String, List<Object>> after = picture();
        assertThat(after).isNotEqualTo(before);
        f.crash();
        assertThat(picture()).isEqualTo(after);
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    @DisplayName("a change whose commit fails is refused as retryable, changes nothing, and works the next time")
    void afterAFailedCommit(Change change) throws StoreException {
        Map<String, List<Object>> before = picture();
        f.store.failNextCommit(Reason.IO, false);
        assertThat(failure(settled(change.ask.apply(f.namespace())))).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(picture()).isEqualTo(before);
        f.store.failNextCommit(Reason.IO, false);
        assertThat(failure(settled(change.ask.apply(f.namespace())))).isEqualTo(ErrorCode.SERVER_BUSY);
        get(settled(change.ask.apply(f.namespace())));
        Map<String, List<Object>> after = picture();
        assertThat(after).isNotEqualTo(before);
        f.crash();
        assertThat(picture()).isEqualTo(after);
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    @DisplayName("a change whose commit was uncertain but happened is visible once the store is back")
    void afterAnUncertainCommit(Change change) throws StoreException {
        Map<String, List<Object>> before = picture();
        f.store.failNextCommit(Reason.IO, true);
        assertThat(failure(settled(change.ask.apply(f.namespace())))).isEqualTo(ErrorCode.SERVER_BUSY);
        Map<String, List<Object>> after = picture();
        assertThat(after).isNotEqualTo(before);
        f.crash();
        assertThat(picture()).isEqualTo(after);
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    @DisplayName("a change of a closed broker is refused as retryable")
    void afterTheEnd(Change change) {
        f.broker.close();
        assertThat(failure(change.ask.apply(f.namespace()))).isEqualTo(ErrorCode.SERVER_BUSY);
    }
}
