package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapters 15 and 19: topics, subscriptions and rules of a namespace")
class EntityChangesTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    private <T> CompletionStage<T> settled(CompletionStage<T> stage) {
        f.settle();
        return stage;
    }

    private Entity topic(String path) {
        return get(
                settled(f.namespace().createTopic(TopicDescription.named(path).build())));
    }

    private CompletionStage<Entity> subscribe(String topic, String name, @Nullable RuleDescription rule) {
        return settled(f.namespace()
                .createSubscription(SubscriptionDescription.of(topic, name).build(), rule));
    }

    private static RuleDescription sql(String name, String expression) {
        return new RuleDescription(name, new SqlRuleFilter(expression, Map.of()), null);
    }

    private static RuleDescription correlation(String name, String label) {
        RuleFilter filter = new CorrelationRuleFilter(null, null, null, null, label, null, null, null, Map.of());
        return new RuleDescription(name, filter, null);
    }

    private static List<String> ruleNames(Entity subscription) {
        return subscription.rules().stream()
                .map(rule -> rule.description().name())
                .toList();
    }

    private static List<String> paths(List<Entity> entities) {
        return entities.stream().map(Entity::path).sorted().toList();
    }

    @Test
    @DisplayName("ENT-1: a topic keeps the properties of its description, after a restart too")
    void createTopic() throws StoreException {
        TopicDescription asked = TopicDescription.named("Deep/Events")
                .defaultMessageTimeToLiveMs(86_400_000)
                .maxSizeInMegabytes(2_048)
                .requiresDuplicateDetection(true)
                .duplicateDetectionHistoryTimeWindowMs(60_000)
                .status(EntityStatus.SEND_DISABLED)
                .userMetadata("m")
                .enablePartitioning(true)
                .build();
        Entity created = get(settled(f.namespace().createTopic(asked)));
        assertThat(created.kind()).isEqualTo(EntityKind.TOPIC);
        assertThat(created.description()).isEqualTo(asked);
        f.crash();
        assertThat(f.entity("deep/events").description()).isEqualTo(asked);
        assertThat(f.entity("deep/events").subscriptions()).isEmpty();
    }

    @Test
    @DisplayName("MSG-9, ENT-3: queues and topics share their names, compared without case")
    void namesAreShared() {
        topic("Events");
        f.create("Orders");
        assertThat(failure(settled(f.namespace()
                        .createQueue(QueueDescription.named("EVENTS").build()))))
                .isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(failure(settled(f.namespace()
                        .createTopic(TopicDescription.named("orders").build()))))
                .isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(failure(settled(f.namespace()
                        .updateQueue(QueueDescription.named("events").build()))))
                .as("HTTP 2.2: an update of the other kind")
                .isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(paths(f.namespace().entities())).containsExactly("Events", "Orders");
    }

    @Test
    @DisplayName(
            "HTTP checklist 46: a subscription starts with the given rule, or with none; its name is found in any case")
    void createSubscription() throws StoreException {
        topic("Events");
        get(subscribe("EVENTS", "All", RuleDescription.takeEverything()));
        get(subscribe("events", "none", null));
        get(subscribe("events", "red", sql("red-only", "colour = 'red'")));
        assertThat(failure(subscribe("events", "ALL", null))).isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(failure(subscribe("missing", "s", null))).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        f.create("q");
        assertThat(failure(subscribe("q", "s", null))).as("a queue").isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        f.crash();
        assertThat(paths(f.entity("events").subscriptions()))
                .containsExactly("Events/Subscriptions/All", "Events/Subscriptions/none", "Events/Subscriptions/red");
        assertThat(f.entity("eVents/subscriptions/aLL").path()).isEqualTo("Events/Subscriptions/All");
        Rule born = f.entity("events/Subscriptions/all").rules().get(0);
        assertThat(born.description().name()).isEqualTo("$Default");
        assertThat(born.description().filter()).isEqualTo(TrueRuleFilter.INSTANCE);
        assertThat(f.entity("events/subscriptions/none").rules()).isEmpty();
        assertThat(ruleNames(f.entity("events/subscriptions/red"))).containsExactly("red-only");
    }

    @Test
    @DisplayName("ENT-1: an update with another spelling keeps the subscription's names, rules and creation time")
    void updateSubscription() throws StoreException {
        topic("Events");
        get(subscribe("Events", "Red", sql("r", "1=1")));
        long createdAtMs = f.nowMs;
        f.nowMs += 5_000;
        Entity changed = get(settled(f.namespace()
                .updateSubscription(SubscriptionDescription.of("EVENTS", "RED")
                        .maxDeliveryCount(3)
                        .build())));
        for (int i = 0; i < 2; i++) {
            assertThat(changed.path()).isEqualTo("Events/Subscriptions/Red");
            assertThat(((SubscriptionDescription) changed.description()).maxDeliveryCount())
                    .isEqualTo(3);
            assertThat(changed.createdAtMs()).isEqualTo(createdAtMs);
            assertThat(changed.updatedAtMs()).isEqualTo(createdAtMs + 5_000);
            assertThat(ruleNames(changed)).containsExactly("r");
            f.crash();
            changed = f.entity("events/subscriptions/red");
        }
        assertThat(failure(settled(f.namespace()
                        .updateSubscription(SubscriptionDescription.of("Events", "Red")
                                .requiresSession(true)
                                .build()))))
                .isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(settled(f.namespace()
                        .updateSubscription(
                                SubscriptionDescription.of("Events", "Blue").build()))))
                .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }

    @Test
    @DisplayName(
            "RULE-2, HTTP checklist 48: an update replaces a rule's filter and action and keeps its name and CreatedAt")
    void updateRule() throws StoreException {
        topic("t");
        get(subscribe("t", "s", sql("Red", "colour = 'red'")));
        long createdAtMs = f.nowMs;
        f.nowMs += 5_000;
        RuleDescription changed = new RuleDescription(
                "RED",
                new CorrelationRuleFilter(
                        "c",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        Map.of("n", new RuleValue(RuleValue.Type.INT, "7"))),
                new SqlRuleAction("SET a = @p", Map.of("@p", RuleValue.ofString("v"))));
        get(settled(f.namespace().updateRule("T/subscriptions/S", changed)));
        f.crash();
        assertThat(f.entity("t/subscriptions/s").rules())
                .containsExactly(new Rule(new RuleDescription("Red", changed.filter(), changed.action()), createdAtMs));
        assertThat(failure(settled(f.namespace().updateRule("t/subscriptions/s", sql("blue", "1=1")))))
                .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }

    @Test
    @DisplayName("RULE-2: rules are created and deleted by name in any case; the last one may be deleted")
    void createAndDeleteRules() throws StoreException {
        topic("t");
        get(subscribe("t", "s", RuleDescription.takeEverything()));
        get(settled(f.namespace().createRule("t/subscriptions/s", sql("b", "1=1"))));
        get(settled(f.namespace().createRule("t/subscriptions/s", correlation("a", "l"))));
        assertThat(failure(settled(f.namespace().createRule("t/subscriptions/s", sql("A", "1=1")))))
                .isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(failure(settled(f.namespace().createRule("t/subscriptions/none", sql("a", "1=1")))))
                .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(ruleNames(f.entity("t/subscriptions/s"))).containsExactly("$Default", "a", "b");
        get(settled(f.namespace().deleteRule("t/subscriptions/s", "$DEFAULT")));
        get(settled(f.namespace().deleteRule("t/subscriptions/s", "A")));
        assertThat(failure(settled(f.namespace().deleteRule("t/subscriptions/s", "a"))))
                .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        get(settled(f.namespace().deleteRule("t/subscriptions/s", "b")));
        f.crash();
        assertThat(f.entity("t/subscriptions/s").rules()).isEmpty();
    }

    @Test
    @DisplayName("a rule that is deleted and created again in one turn has its new filter")
    void ruleComesBackInTheSameTurn() throws StoreException {
        topic("t");
        get(subscribe("t", "s", sql("r", "1=1")));
        CompletionStage<Void> deleted = f.namespace().deleteRule("t/subscriptions/s", "r");
        CompletionStage<Entity> created = f.namespace().createRule("t/subscriptions/s", sql("R", "2=2"));
        f.settle();
        get(deleted);
        get(created);
        for (int i = 0; i < 2; i++) {
            assertThat(f.entity("t/subscriptions/s").rules())
                    .singleElement()
                    .extracting(Rule::description)
                    .isEqualTo(sql("R", "2=2"));
            f.crash();
        }
    }

    @Test
    @DisplayName("ENT-3, HTTP checklist 25: a topic is deleted together with its subscriptions and rules,"
            + " including all rows")
    void deleteTopic() throws StoreException {
        topic("t");
        topic("u");
        get(subscribe("t", "a", sql("r", "1=1")));
        get(subscribe("t", "b", correlation("r", "l")));
        get(subscribe("u", "a", sql("kept", "1=1")));
        Entity held = f.entity("t/subscriptions/a");
        get(settled(f.namespace().deleteEntity("T")));
        assertThat(f.namespace().entity("t")).isNull();
        assertThat(f.namespace().entity("t/subscriptions/a")).isNull();
        assertThat(f.store.size(Table.RULES)).isEqualTo(1);
        assertThat(f.store.size(Table.ENTITIES)).isEqualTo(2);
        BrokerFixture.Answer late = f.send(held, "m");
        f.settle();
        assertThat(late.rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        topic("t");
        assertThat(f.entity("t").subscriptions()).isEmpty();
        f.crash();
        assertThat(f.entity("t").subscriptions()).isEmpty();
        assertThat(ruleNames(f.entity("u/subscriptions/a"))).containsExactly("kept");
    }

    @Test
    @DisplayName("changes that arrive after the deletion of their topic in the same turn are refused as not found")
    void changesAfterADeletionInTheSameTurn() throws StoreException {
        topic("t");
        get(subscribe("t", "s", sql("r", "1=1")));
        CompletionStage<Void> deleted = f.namespace().deleteEntity("t");
        List<CompletionStage<?>> late = List.of(
                f.namespace()
                        .createSubscription(
                                SubscriptionDescription.of("t", "new").build(), null),
                f.namespace()
                        .updateSubscription(SubscriptionDescription.of("t", "s").build()),
                f.namespace().createRule("t/subscriptions/s", sql("x", "1=1")),
                f.namespace().updateRule("t/subscriptions/s", sql("r", "2=2")),
                f.namespace().deleteRule("t/subscriptions/s", "r"),
                f.namespace().deleteEntity("t/subscriptions/s"),
                f.namespace().updateTopic(TopicDescription.named("t").build()),
                f.namespace().deleteEntity("t"));
        f.settle();
        get(deleted);
        late.forEach(stage -> assertThat(failure(stage)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND));
        assertThat(f.namespace().entities()).isEmpty();
        f.crash();
        assertThat(f.namespace().entities()).isEmpty();
        assertThat(f.store.size(Table.RULES)).isZero();
    }

    @Test
    @DisplayName("a subscription that is created just before its topic is deleted is deleted with it")
    void creationBeforeADeletionInTheSameTurn() throws StoreException {
        topic("t");
        CompletionStage<Entity> created = f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "s").build(), sql("r", "1=1"));
        CompletionStage<Void> deleted = f.namespace().deleteEntity("t");
        f.settle();
        get(created);
        get(deleted);
        assertThat(f.namespace().entity("t/subscriptions/s")).isNull();
        f.crash();
        assertThat(f.store.size(Table.RULES)).isZero();
        assertThat(f.namespace().entities()).isEmpty();
    }

    @Test
    @DisplayName("entity ids: none is assigned twice, not even after a deletion and a restart")
    void idsAreNeverUsedAgain() throws StoreException {
        long first = ((ServedEntity) topic("a")).id();
        long second = ((ServedEntity) topic("b")).id();
        get(settled(f.namespace().deleteEntity("b")));
        f.crash();
        long third = ((ServedEntity) topic("b")).id();
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates().isSorted();
    }

    @Test
    @DisplayName("FWD-2, FWD-5: a destination is looked up when an entity is created and when it is changed")
    void forwarding() {
        topic("t");
        get(subscribe("t", "s", null));
        assertThat(failure(settled(f.namespace()
                        .createQueue(
                                QueueDescription.named("q").forwardTo("missing").build()))))
                .isEqualTo(ErrorCode.FORWARDING_DESTINATION_NOT_FOUND);
        get(settled(f.namespace()
                .createQueue(
                        QueueDescription.named("q").forwardTo("sb://any.host/T").build())));
        assertThat(failure(settled(f.namespace()
                        .updateQueue(QueueDescription.named("q").forwardTo("Q").build()))))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(failure(settled(f.namespace()
                        .updateQueue(QueueDescription.named("q")
                                .forwardTo("t/subscriptions/s")
                                .build()))))
                .isEqualTo(ErrorCode.FORWARDING_DESTINATION_NOT_FOUND);
        get(settled(f.namespace()
                .updateSubscription(
                        SubscriptionDescription.of("t", "s").forwardTo("q").build())));
        assertThat(BrokerFixture.describe(f.entity("q")).forwardTo()).isEqualTo("sb://any.host/T");
        get(settled(f.namespace().deleteEntity("t"))); // HTTP 5.3: deleting a destination is allowed
    }

    @Test
    @DisplayName("QUOTA-9, RULE-12: subscriptions, SQL filters and correlation filters of a topic have limits, each"
            + " with its error")
    void quotas() throws StoreException {
        Limits limits = limits(2, 2, 1);
        f = new BrokerFixture(
                BrokerOptions.of(List.of(new NamespaceOptions(
                        "ns", List.of(AccessRule.root("key")), limits, ExpiryEnforcement.ON_RECEIVER))),
                new InMemoryMessagingStore());
        topic("t");
        topic("other");
        get(subscribe("t", "a", RuleDescription.takeEverything()));
        get(subscribe("t", "b", null));
        assertThat(failure(subscribe("t", "c", null))).isEqualTo(ErrorCode.SUBSCRIPTIONS_EXCEEDED);
        get(settled(f.namespace().createRule("t/subscriptions/b", sql("s", "1=1"))));
        assertThat(failure(settled(f.namespace().createRule("t/subscriptions/a", sql("s", "1=1")))))
                .isEqualTo(ErrorCode.SQL_FILTERS_EXCEEDED);
        get(settled(f.namespace().createRule("t/subscriptions/b", correlation("c", "l"))));
        assertThat(failure(settled(f.namespace().createRule("t/subscriptions/a", correlation("c", "l")))))
                .isEqualTo(ErrorCode.CORRELATION_FILTERS_EXCEEDED);
        assertThat(failure(settled(f.namespace().updateRule("t/subscriptions/b", correlation("s", "l")))))
                .as("another kind of filter")
                .isEqualTo(ErrorCode.CORRELATION_FILTERS_EXCEEDED);
        get(settled(f.namespace().updateRule("t/subscriptions/b", sql("s", "2=2"))));
        get(subscribe("other", "a", sql("s", "1=1")));

        f.crash();
        assertThat(failure(settled(f.namespace().createRule("t/subscriptions/a", sql("s", "1=1")))))
                .isEqualTo(ErrorCode.SQL_FILTERS_EXCEEDED);
        get(settled(f.namespace().deleteRule("t/subscriptions/b", "c")));
        get(settled(f.namespace().updateRule("t/subscriptions/b", correlation("s", "l"))));
        get(settled(f.namespace().createRule("t/subscriptions/a", sql("s", "1=1"))));
        get(settled(f.namespace().deleteEntity("t/subscriptions/b")));
        get(subscribe("t", "c", correlation("c", "l")));
    }

    private static Limits limits(int subscriptions, int sqlFilters, int correlationFilters) {
        Limits l = Limits.of(TierProfile.STANDARD);
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                l.maxQueueSizeInMegabytes(),
                l.maxTimeToLiveMs(),
                l.maxIdLength(),
                l.maxPropertySizeBytes(),
                l.maxHeaderSizeBytes(),
                l.maxEntities(),
                l.maxPartitionedEntities(),
                subscriptions,
                sqlFilters,
                correlationFilters,
                l.maxConnections(),
                l.maxReceivers(),
                l.maxLocks(),
                l.maxPeekCount(),
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }
}
