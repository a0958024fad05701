package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.RuleFilter.FalseRuleFilter;
import dev.jitney.model.RuleFilter.SqlRuleFilter;
import dev.jitney.model.RuleFilter.TrueRuleFilter;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Topics and their subscriptions in a shard")
class TopicTest {
    private BrokerFixture f;
    private Entity topic;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        topic = ask(f.namespace().createTopic(TopicDescription.named("t").build()));
    }

    private <T> T ask(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private Entity subscribe(String name) {
        return subscribe(name, RuleDescription.takeEverything());
    }

    private Entity subscribe(String name, @Nullable RuleDescription rule) {
        return ask(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", name).build(), rule));
    }

    private void send(String... bodies) {
        Answer answer = f.send(topic, bodies);
        f.settle();
        assertThat(answer.reply()).isInstanceOf(Reply.Sent.class);
    }

    private Answer schedule(String body, long inMs) {
        IncomingMessage now = message(body);
        IncomingMessage later = IncomingMessage.of(now.content())
                .sizes(now.encodedSizeBytes(), 0, 0)
                .sent(null, f.nowMs + inMs)
                .build();
        Answer answer = f.submit(topic, new Command.SendMessages(List.of(later)));
        f.settle();
        return answer;
    }

    private List<String> drain(Entity entity) {
        return drain(entity, SubQueue.MAIN, 100);
    }

    private List<String> drain(Entity entity, SubQueue subQueue, int countMax) {
        Listening listening = new Listening();
        listening.receiver =
                entity.attach(subQueue, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(countMax, true);
        f.settle();
        listening.receiver.detach();
        f.settle();
        return listening.messages.stream().map(TopicTest::text).toList();
    }

    private static String text(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    private void crash() throws StoreException {
        f.crash();
        topic = f.entity("t");
    }

    private int rows(Table table) {
        return f.store.size(table);
    }

    private Rejection refusal(Entity entity, String body) {
        Answer answer = f.send(entity, body);
        f.settle();
        return answer.rejection();
    }

    private static String[] numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
    }

    @Test
    @DisplayName("Every subscription gets a copy of what is sent after it was created, and keeps it over a crash")
    void fanOut() throws StoreException {
        send("before"); // MSG-10
        Entity a = subscribe("a");
        send("one");
        Entity b = subscribe("b");
        send("two");
        assertThat(f.counts(a).active()).isEqualTo(2);
        assertThat(f.counts(b).active()).isEqualTo(1);

        crash();
        assertThat(drain(f.entity("t/subscriptions/a"))).containsExactly("one", "two");
        assertThat(drain(f.entity("t/Subscriptions/B"))).containsExactly("two");
    }

    @Test
    @DisplayName("The body is in the store once, whatever the number of subscriptions, and goes with its last copy")
    void oneBody() throws StoreException {
        Entity a = subscribe("a");
        Entity b = subscribe("b");
        Entity c = subscribe("c");
        send("one", "two");
        assertThat(rows(Table.BODIES)).isEqualTo(2);
        assertThat(rows(Table.MESSAGES)).isEqualTo(6);

        assertThat(drain(a)).hasSize(2);
        assertThat(drain(b)).hasSize(2);
        assertThat(rows(Table.BODY_RELEASES)).isEqualTo(2);
        crash();
        c = f.entity("t/subscriptions/c");
        assertThat(drain(c, SubQueue.MAIN, 1)).containsExactly("one");
        assertThat(rows(Table.BODIES)).isEqualTo(1);
        assertThat(rows(Table.BODY_RELEASES)).isEqualTo(1);
        assertThat(drain(c)).containsExactly("two");
        assertThat(rows(Table.BODIES)).isZero();
        assertThat(rows(Table.BODY_RELEASES)).isZero();
        assertThat(f.counts(topic).sizeBytes()).isZero();
    }

    @Test
    @DisplayName(
            "QUOTA-2: the size of a topic is that of its bodies and of its subscriptions' messages, also after a crash")
    void size() throws StoreException {
        Entity a = subscribe("a");
        send("alone");
        long alone = f.counts(a).sizeBytes();
        assertThat(alone).isPositive();
        assertThat(topic.counts().sizeBytes()).isEqualTo(alone);

        Entity b = subscribe("b");
        send("shared");
        long all = topic.counts().sizeBytes();
        assertThat(all).isEqualTo(alone + message("shared").content().sizeBytes());
        assertThat(f.counts(topic).sizeBytes()).isEqualTo(all);
        crash();
        assertThat(topic.counts().sizeBytes()).isEqualTo(all);
        assertThat(f.counts(topic).sizeBytes()).isEqualTo(all);

        drain(f.entity(a.path()));
        drain(f.entity(b.path()));
        assertThat(topic.counts().sizeBytes()).isZero();
        assertThat(f.counts(topic).sizeBytes()).isZero();
    }

    @Test
    @DisplayName("Deleting a subscription gives the bodies of its messages back, in slices, and goes on after a crash")
    void deleteSubscription() throws StoreException {
        Entity a = subscribe("a");
        subscribe("b");
        send(numbered(1_000));
        assertThat(rows(Table.BODIES)).isEqualTo(1_000);
        drain(f.entity("t/subscriptions/b"), SubQueue.MAIN, 2_000);
        assertThat(rows(Table.BODIES)).isEqualTo(1_000);

        CompletionStage<Void> deleted = f.namespace().deleteEntity(a.path());
        f.turn();
        get(deleted);
        assertThat(f.namespace().entity(a.path())).isNull();
        assertThat(rows(Table.BODIES)).isPositive();
        crash();
        f.turn();
        f.turn();
        crash();
        assertThat(rows(Table.BODIES)).isPositive();
        f.settle();
        for (Table table : List.of(
                Table.BODIES, Table.BODY_RELEASES, Table.MESSAGES, Table.MESSAGE_STATES, Table.REMAINS, Table.RULES)) {
            assertThat(rows(table)).as(table.name()).isEqualTo(table == Table.RULES ? 1 : 0);
        }
        assertThat(f.counts(topic).sizeBytes()).isZero();
    }

    @Test
    @DisplayName("Deleting a topic takes subscriptions, rules, bodies and what deleted subscriptions left with it")
    void deleteTopic() {
        Entity a = subscribe("a");
        Entity b = subscribe("b");
        send(numbered(600));
        Listening listening = f.listen(b, 10);
        f.settle();
        CompletionStage<Void> first = f.namespace().deleteEntity(a.path());
        CompletionStage<Void> second = f.namespace().deleteEntity("t");
        ask(first);
        ask(second);
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        for (Table table : Table.values()) {
            if (table != Table.META) {
                assertThat(rows(table)).as(table.name()).isZero();
            }
        }
        assertThat(refusal(topic, "late").code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }

    @Test
    @DisplayName("A subscription of the same name starts empty while the former one's messages are still going")
    void recreate() {
        subscribe("a");
        Entity b = subscribe("b");
        send(numbered(600));
        CompletionStage<Void> deleted = f.namespace().deleteEntity("t/subscriptions/a");
        f.turn();
        get(deleted);
        Entity again = subscribe("a");
        send("new");
        assertThat(drain(again)).containsExactly("new");
        assertThat(drain(b, SubQueue.MAIN, 1_000)).hasSize(601);
        assertThat(rows(Table.BODIES)).isZero();
    }

    @Test
    @DisplayName("RULE-3, RULE-11: rules that come and go judge the messages after them, also after a crash")
    void rules() throws StoreException {
        Entity a = subscribe("a", null);
        send("nobody");
        ask(f.namespace().createRule(a.path(), new RuleDescription("all", new SqlRuleFilter("1=1", Map.of()), null)));
        send("one");
        ask(f.namespace().updateRule(a.path(), new RuleDescription("ALL", new FalseRuleFilter(), null)));
        send("never");
        crash();
        send("never either");
        ask(f.namespace().createRule(a.path(), new RuleDescription("More", TrueRuleFilter.INSTANCE, null)));
        send("two");
        ask(f.namespace().deleteRule(a.path(), "More"));
        send("last");
        assertThat(drain(f.entity(a.path()))).containsExactly("one", "two");
    }

    @Test
    @DisplayName("SCHED-7, CNT-2: a scheduled message waits in the topic and goes to the subscriptions of its time")
    void scheduled() throws StoreException {
        assertThat(schedule("later", 60_000).reply()).isInstanceOf(Reply.Sent.class);
        MessageCounts waiting = f.counts(topic);
        assertThat(waiting.scheduled()).isEqualTo(1);
        assertThat(waiting.active()).isZero();
        Entity a = subscribe("a");
        crash();
        f.settle();
        f.nowMs += 59_999;
        f.settle();
        assertThat(drain(f.entity(a.path()))).isEmpty();
        f.nowMs += 1;
        f.settle();
        assertThat(f.counts(topic).scheduled()).isZero();
        assertThat(drain(f.entity(a.path()))).containsExactly("later");
        assertThat(f.counts(topic).sizeBytes()).isZero();
    }

    @Test
    @DisplayName("SCHED-4: a message that waits in a topic can be looked at and cancelled")
    void cancelled() {
        long number = ((Reply.Sent) schedule("later", 60_000).reply()).sequenceNumbers()[0];
        Answer peeked = f.submit(topic, new Command.PeekMessages(SubQueue.MAIN, 0, 10, null));
        f.settle();
        assertThat(((Reply.Messages) peeked.reply()).messages())
                .extracting(TopicTest::text)
                .containsExactly("later");
        Answer cancelled = f.submit(topic, new Command.CancelScheduledMessages(List.of(number)));
        f.settle();
        assertThat(cancelled.reply()).isEqualTo(Reply.Done.INSTANCE);
        assertThat(f.counts(topic).scheduled()).isZero();
    }

    @Test
    @DisplayName("SUSP-2, SCHED-7: a disabled topic refuses messages and publishes none until it is active again")
    void disabledTopic() {
        Entity a = subscribe("a");
        send("before");
        schedule("later", 1_000);
        ask(f.namespace()
                .updateTopic(TopicDescription.named("t")
                        .status(EntityStatus.DISABLED)
                        .build()));
        f.nowMs += 2_000;
        f.settle(); // and comes to rest, although a message is due
        assertThat(refusal(topic, "refused").code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        assertThat(drain(a)).containsExactly("before");
        ask(f.namespace().updateTopic(TopicDescription.named("t").build()));
        assertThat(drain(a)).containsExactly("later");
    }

    @Test
    @DisplayName("SUSP-3: a disabled subscription closes its receivers and goes on collecting")
    void disabledSubscription() {
        Entity a = subscribe("a");
        Listening listening = f.listen(a, 10);
        f.settle();
        ask(f.namespace()
                .updateSubscription(SubscriptionDescription.of("t", "a")
                        .status(EntityStatus.DISABLED)
                        .build()));
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        Listening refused = f.listen(a, 1);
        send("one");
        assertThat(refused.attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        ask(f.namespace()
                .updateSubscription(SubscriptionDescription.of("t", "a").build()));
        assertThat(drain(a)).containsExactly("one");
    }

    @Test
    @DisplayName("Topics are not received from, subscriptions are not sent to")
    void wrongWay() {
        Entity a = subscribe("a");
        assertThat(f.listen(topic, 1).attached.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(refusal(a, "m").code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(f.submit(topic, new Command.BatchDeleteMessages(SubQueue.MAIN, 1, f.nowMs))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(f.submit(topic, new Command.PeekMessages(SubQueue.DEAD_LETTER, 0, 1, null))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("A topic and its subscriptions live in one commit: what fails, fails for all of them")
    void atomic() throws StoreException {
        Entity a = subscribe("a");
        Entity b = subscribe("b");
        f.store.failNextCommit(StoreException.Reason.IO, false);
        Answer answer = f.send(topic, "lost");
        f.settle();
        assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        send("kept");
        assertThat(drain(a)).containsExactly("kept");
        assertThat(drain(b)).containsExactly("kept");
        assertThat(rows(Table.BODIES)).isZero();
    }

    @Test
    @DisplayName("MET-1: what a topic takes and what its subscriptions hand out is counted where it happens")
    void figures() {
        Entity a = subscribe("a");
        Entity b = subscribe("b");
        send("one", "two");
        drain(a);
        assertThat(topic.figures().incomingMessages()).isEqualTo(2);
        assertThat(a.figures().incomingMessages()).isEqualTo(2);
        assertThat(a.figures().outgoingMessages()).isEqualTo(2);
        assertThat(b.figures().outgoingMessages()).isZero();
        assertThat(topic.meter().operations()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "IDLE-8, IDLE-9, CNT-4: sends are activity of the topic only, receives of the subscription are of both")
    void activity() {
        Entity a = subscribe("a");
        long start = f.nowMs;
        f.nowMs += 60_000;
        send("one");
        assertThat(topic.accessedAtMs()).isEqualTo(start + 60_000);
        assertThat(a.accessedAtMs()).isLessThanOrEqualTo(start);
        f.nowMs += 60_000;
        drain(a);
        send("two");
        assertThat(a.accessedAtMs()).isEqualTo(start + 120_000);
        f.nowMs += 60_000;
        drain(a);
        f.settle();
        assertThat(topic.accessedAtMs()).isEqualTo(start + 180_000);
    }

    @Test
    @DisplayName("ENT-1: a topic does not take the name of a queue")
    void names() {
        f.create("q");
        CompletionStage<Entity> taken =
                f.namespace().createTopic(TopicDescription.named("q").build());
        f.settle();
        assertThat(failure(taken)).isEqualTo(ErrorCode.ENTITY_EXISTS);
    }
}
