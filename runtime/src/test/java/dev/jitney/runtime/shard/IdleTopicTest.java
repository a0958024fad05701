package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Semantics chapter 7: temporary topics and subscriptions are deleted when they are idle")
class IdleTopicTest {
    private static final String SUBSCRIPTION = "t/subscriptions/s";

    private IdleScenario s;

    @BeforeEach
    void open() throws StoreException {
        s = new IdleScenario();
    }

    private static RuleDescription rule(String name, String expression) {
        return new RuleDescription(name, new SqlRuleFilter(expression, Map.of()), null);
    }

    private static TopicDescription description(Entity topic) {
        return (TopicDescription) topic.description();
    }

    /** An action on a topic and its subscription at 4:00. */
    private record Deed(BiConsumer<IdleScenario, Entity> deed, boolean ofTopic, boolean ofSubscription) {}

    private static Map<String, Deed> deeds() {
        Map<String, Deed> all = new LinkedHashMap<>();
        all.put("a send", new Deed((s, t) -> s.send(t, "m"), true, false));
        all.put("a peek at the topic", new Deed((s, t) -> s.peek(t), true, false));
        all.put(
                "an update of the topic",
                new Deed(
                        (s, t) -> s.ask(s.f.namespace()
                                .updateTopic(description(t).toBuilder()
                                        .userMetadata("u")
                                        .build())),
                        true,
                        false));
        all.put("a new subscription", new Deed((s, t) -> s.permanentSubscription("t", "new"), true, false));
        all.put(
                "a deletion of another subscription",
                new Deed((s, t) -> s.ask(s.f.namespace().deleteEntity("t/subscriptions/other")), true, false));
        all.put(
                "a receive of another subscription",
                new Deed((s, t) -> s.receiveAndLeave(s.f.entity("t/subscriptions/other"), SubQueue.MAIN), true, false));
        all.put(
                "a receive",
                new Deed((s, t) -> s.receiveAndLeave(s.f.entity(SUBSCRIPTION), SubQueue.MAIN), true, true));
        all.put(
                "a receive from the dead-letter queue",
                new Deed((s, t) -> s.receiveAndLeave(s.f.entity(SUBSCRIPTION), SubQueue.DEAD_LETTER), true, true));
        all.put("a peek at the subscription", new Deed((s, t) -> s.peek(s.f.entity(SUBSCRIPTION)), true, true));
        all.put(
                "an update of the subscription",
                new Deed(
                        (s, t) -> s.ask(s.f.namespace()
                                .updateSubscription(SubscriptionDescription.of("t", "s")
                                        .autoDeleteOnIdleMs(IdleScenario.IDLE_MS)
                                        .maxDeliveryCount(3)
                                        .build())),
                        true,
                        true));
        all.put(
                "a new rule",
                new Deed((s, t) -> s.ask(s.f.namespace().createRule(SUBSCRIPTION, rule("r", "x=1"))), true, true));
        all.put(
                "a changed rule",
                new Deed(
                        (s, t) -> s.ask(
                                s.f.namespace().updateRule(SUBSCRIPTION, rule(RuleDescription.DEFAULT_NAME, "x=1"))),
                        true,
                        false));
        all.put(
                "a deleted rule",
                new Deed(
                        (s, t) -> s.ask(s.f.namespace().deleteRule(SUBSCRIPTION, RuleDescription.DEFAULT_NAME)),
                        true,
                        false));
        all.put(
                "a query of the counters",
                new Deed(
                        (s, t) -> {
                            s.f.counts(t);
                            s.f.counts(s.f.entity(SUBSCRIPTION));
                        },
                        false,
                        false));
        return all;
    }

    @TestFactory
    @DisplayName(
            "IDLE-8, IDLE-9: the actions that are activity of a topic, and those that are activity of a subscription")
    Stream<DynamicTest> activity() {
        return deeds().entrySet().stream()
                .map(deed -> DynamicTest.dynamicTest(deed.getKey(), () -> {
                    boolean ofTopic = deed.getValue().ofTopic;
                    boolean ofSubscription = deed.getValue().ofSubscription;
                    IdleScenario each = new IdleScenario();
                    Entity topic = each.topic("t");
                    each.subscription("t", "s");
                    each.permanentSubscription("t", "other");
                    each.at("4:00");
                    deed.getValue().deed.accept(each, topic);
                    if (ofTopic) {
                        assertThat(topic.accessedAtMs()).as("CNT-4").isEqualTo(each.f.nowMs);
                    }
                    if (!ofSubscription) {
                        each.assertGoesAt("5:00", SUBSCRIPTION);
                        assertThat(each.f.namespace().entity("t") != null)
                                .as("topic")
                                .isEqualTo(ofTopic);
                    }
                    if (ofTopic) {
                        each.shortlyBefore("9:00");
                        assertThat(each.f.namespace().entity(SUBSCRIPTION) != null)
                                .as("subscription")
                                .isEqualTo(ofSubscription);
                        each.assertGoesAt("9:00", "t");
                    }
                }));
    }

    @Test
    @DisplayName("IDLE-9: a steady flow of copies does not keep a subscription without receivers")
    void copiesAreNoActivity() {
        Entity t = s.topic("t");
        s.subscription("t", "s");
        for (int minute = 1; minute < 5; minute++) {
            s.at(minute + ":00");
            s.send(t, "m");
        }
        s.assertGoesAt("5:00", SUBSCRIPTION);
        s.assertGoesAt("9:00", "t");
        assertThat(s.f.store.size(Table.MESSAGES)).isZero();
        assertThat(s.f.store.size(Table.BODIES)).isZero();
    }

    @Test
    @DisplayName("PAIR-32: pings are no activity of a topic")
    void pingsAreNoActivity() {
        Entity t = s.topic("t");
        for (int minute = 1; minute < 5; minute++) {
            s.at(minute + ":00");
            assertThat(s.send(t, null, null, 1_000, true).isDone()).isTrue();
        }
        assertThat(t.accessedAtMs()).as("CNT-4").isLessThan(s.f.nowMs);
        s.assertGoesAt("5:00", "t");
    }

    @Test
    @DisplayName("IDLE-8: the deletion of an idle subscription is no activity of its topic")
    void deletionOnIdleIsNoActivity() {
        s.topic("t");
        s.at("1:00");
        s.subscription("t", "s");
        s.at("3:00");
        s.permanentSubscription("t", "other");
        s.assertGoesAt("6:00", SUBSCRIPTION);
        s.assertGoesAt("8:00", "t");
    }

    @Test
    @DisplayName("IDLE-8: a scheduled message keeps the topic until it is published, but none of its subscriptions")
    void scheduledMessage() {
        Entity t = s.topic("t");
        s.subscription("t", "s");
        s.schedule(t, "30:00");
        s.assertGoesAt("5:00", SUBSCRIPTION);
        s.assertThere("30:00", "t");
        assertThat(t.counts().scheduled()).isZero();
        s.assertGoesAt("35:00", "t");
    }

    @Test
    @DisplayName("IDLE-8: a receiver that waits at a subscription keeps the subscription and the topic")
    void pendingReceive() {
        s.topic("t");
        Entity subscription = s.subscription("t", "s");
        s.permanentSubscription("t", "other");
        Listening waiting = s.receive(subscription, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.assertThere("24:00:00", SUBSCRIPTION);
        waiting.receiver.detach();
        s.f.settle();
        s.assertThere("24:04:59", "t");
        s.assertGoesAt("24:05:00", SUBSCRIPTION);
        assertThat(s.f.namespace().entity("t")).isNull();
    }

    @Test
    @DisplayName("IDLE-10: a subscription that forwards is never idle, nor is its topic, even without messages")
    void forwarding() {
        s.f.create("target");
        s.topic("t");
        s.subscribe(SubscriptionDescription.of("t", "s")
                .autoDeleteOnIdleMs(IdleScenario.IDLE_MS)
                .forwardTo("target")
                .build());
        s.subscription("t", "plain");
        s.assertGoesAt("5:00", "t/subscriptions/plain");
        s.assertThere("24:00:00", SUBSCRIPTION);
        s.ask(s.f.namespace().deleteEntity(SUBSCRIPTION));
        s.assertGoesAt("24:05:00", "t");
    }

    @Test
    @DisplayName("IDLE-13: a topic is deleted with its subscriptions, messages, dead letters and rules")
    void topicWithSubscriptions() {
        Entity t = s.topic("t");
        Entity a = s.permanentSubscription("t", "a");
        Entity b = s.permanentSubscription("t", "b");
        s.send(t, "one", "two");
        Listening attached = s.receive(a, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.command(
                a,
                new Command.DeadLetterMessages(
                        List.of(Objects.requireNonNull(attached.messages.get(0).lockToken())), "r", null, Map.of()));
        s.assertGoesAt("5:00", "t");
        assertThat(Objects.requireNonNull(attached.closed).code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(s.send(t, "m").rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(s.command(b, new Command.PeekMessages(SubQueue.MAIN, 1, 1, null))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        for (Table table : Table.values()) {
            if (table != Table.META && table != Table.UPTIME) {
                assertThat(s.f.store.size(table)).as("%s", table).isZero();
            }
        }
        s.topic("t");
        assertThat(s.f.entity("t").subscriptions()).isEmpty();
    }

    @Test
    @DisplayName(
            "IDLE-3: a permanent topic stays when its temporary subscription is deleted, with the bodies that others need")
    void permanentTopic() {
        Entity t = s.permanentTopic("t");
        s.subscription("t", "s");
        Entity other = s.permanentSubscription("t", "other");
        s.send(t, "m");
        s.assertGoesAt("5:00", SUBSCRIPTION);
        assertThat(s.f.store.size(Table.BODIES)).isEqualTo(1);
        assertThat(other.counts().active()).isEqualTo(1);
        s.receiveAndLeave(other, SubQueue.MAIN);
        s.f.settle();
        assertThat(s.f.store.size(Table.BODIES)).isZero();
        assertThat(s.f.entity("t").counts().sizeBytes()).isZero();
    }

    @Test
    @DisplayName(
            "IDLE-9: a topic that becomes temporary is idle from its update, or from later activity of a subscription")
    void topicBecomesTemporary() {
        Entity t = s.permanentTopic("t");
        Entity other = s.permanentSubscription("t", "other");
        s.at("1:00:00");
        s.ask(s.f.namespace()
                .updateTopic(description(t).toBuilder()
                        .autoDeleteOnIdleMs(IdleScenario.IDLE_MS)
                        .build()));
        s.at("1:03:00");
        s.peek(other);
        s.assertGoesAt("1:08:00", "t");
    }

    @Test
    @DisplayName("IDLE-9: the first rule of a subscription is created with it")
    void firstRule() {
        s.permanentTopic("t");
        s.at("1:00");
        Entity subscription = s.subscription("t", "s");
        assertThat(subscription.rules()).hasSize(1);
        assertThat(subscription.rules().get(0).description().filter()).isInstanceOf(RuleFilter.class);
        s.assertGoesAt("6:00", SUBSCRIPTION);
    }
}
