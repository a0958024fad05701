package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Sections;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.RuleFilter.SqlRuleFilter;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.shard.turn.TurnSteps;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("FILTER-24: rules that take long to judge messages leave turns to the other entities of the shard")
class LongRulesTest {
    private static final int SUBSCRIPTIONS = 100;
    private static final int LENGTH = 3_000;
    private static final int LARGEST_LENGTH = 31_000;

    /** A message with this, of a topic with {@link #slowTopic}, takes more steps than a turn has. */
    private static final String SLOW = "p LIKE '%" + "a".repeat(490) + "_b%'";

    private BrokerFixture f;
    private Entity queue;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        queue = f.create("q");
    }

    private <T> T ask(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    /** A topic with subscriptions of this rule, and one that takes everything. */
    private Entity topic(String name, String filter) {
        Entity topic =
                ask(f.namespace().createTopic(TopicDescription.named(name).build()));
        for (int i = 0; i < SUBSCRIPTIONS; i++) {
            ask(f.namespace()
                    .createSubscription(
                            SubscriptionDescription.of(name, "s" + i).build(),
                            new RuleDescription("r", new SqlRuleFilter(filter, Map.of()), null)));
        }
        ask(f.namespace()
                .createSubscription(SubscriptionDescription.of(name, "all").build(), RuleDescription.takeEverything()));
        f.submit(topic, new Command.SendMessages(List.of(message("compiles the rules"))));
        f.settle();
        return topic;
    }

    private Entity slowTopic(String name) {
        return topic(name, SLOW);
    }

    private static IncomingMessage withProperty(int length, long scheduledMs) {
        AmqpWriter out = new AmqpWriter(32_000);
        out.writeSection(Sections.APPLICATION_PROPERTIES);
        int map = out.beginMap(1);
        out.writeString("p");
        out.writeString("a".repeat(length));
        out.endCompound(map);
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content = MessageContent.of(
                true, 4, false, nothing, nothing, out.toByteBuffer(), StandardCharsets.UTF_8.encode("m"));
        return IncomingMessage.of(content)
                .sizes(content.sizeBytes(), length, 0)
                .sent(null, scheduledMs)
                .build();
    }

    private static Command.SendMessages batch(int count) {
        return new Command.SendMessages(Collections.nCopies(count, withProperty(LENGTH, 0)));
    }

    private long active(String path) {
        return f.counts(f.entity(path)).active();
    }

    /** Turns until the answer is there; how many it took. */
    private int turnsUntil(Answer answer) {
        for (int turns = 1; turns < 10_000; turns++) {
            f.turn();
            if (answer.isThere()) {
                return turns;
            }
        }
        throw new AssertionError("Expected an answer.");
    }

    @Test
    @DisplayName(
            "100 subscriptions with a pattern of 980 characters judge 31,000 characters in the turn in which they come")
    void theAttack() {
        Entity topic = topic("t", "p LIKE '%" + "a".repeat(980) + "b_'");
        Answer sent = f.submit(topic, new Command.SendMessages(List.of(withProperty(LARGEST_LENGTH, 0))));
        Answer other = f.send(queue, "other");
        assertThat(f.turn()).isTrue();
        assertThat(sent.isDone()).isTrue();
        assertThat(other.isDone()).isTrue();
        assertThat(f.shard(0).context().steps().used()).isLessThan(TurnSteps.PER_TURN / 10);
        assertThat(active("t/Subscriptions/all")).isEqualTo(2);
        assertThat(f.counts(f.entity("t/Subscriptions/s0")).deadLetter()).isZero();
    }

    @Test
    @DisplayName(
            "A batch that takes many turns is stored as a whole; meanwhile a queue's clients are answered in each turn")
    void batch() {
        Entity topic = slowTopic("t");
        Answer sent = f.submit(topic, batch(20));
        int turns = 0;
        while (!sent.isThere()) {
            Answer other = f.send(queue, "other");
            f.turn();
            turns++;
            assertThat(other.isDone()).as("in turn %d", turns).isTrue();
            assertThat(f.shard(0).context().steps().used()).isLessThan(5 * TurnSteps.PER_TURN);
            assertThat(f.entity("t/Subscriptions/all").counts().active()).isEqualTo(sent.isThere() ? 21 : 1);
        }
        assertThat(turns).isBetween(20, 25);
        assertThat(((Reply.Sent) sent.reply()).sequenceNumbers()).hasSize(20).doesNotHaveDuplicates();
        assertThat(f.counts(f.entity("t/Subscriptions/s99")).deadLetter())
                .as("DLQ-25: what the steps do not suffice for")
                .isPositive();
    }

    @Test
    @DisplayName("Sends to one topic keep their order, and topics take turns")
    void topicsTakeTurns() {
        Entity slow = slowTopic("slow");
        Entity quick = topic("quick", "n > 1");
        List<Answer> slowOnes = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            slowOnes.add(f.submit(slow, batch(1)));
        }
        Answer last = f.send(slow, "cheap, behind the others");
        Answer other = f.send(quick, "other topic");
        assertThat(turnsUntil(other)).isLessThanOrEqualTo(3);
        assertThat(slowOnes.stream().filter(Answer::isThere).count()).isLessThanOrEqualTo(3);
        turnsUntil(slowOnes.get(28));
        assertThat(last.isThere()).isFalse();
        f.settle();
        assertThat(slowOnes).allMatch(Answer::isDone);
        long[] numbers = ((Reply.Sent) last.reply()).sequenceNumbers();
        assertThat(numbers).containsExactly(32);
    }

    @Test
    @DisplayName("SCHED-7: messages that come due together are published over several turns")
    void scheduledMessages() {
        Entity topic = slowTopic("t");
        Answer scheduled = f.submit(
                topic, new Command.SendMessages(Collections.nCopies(10, withProperty(LENGTH, f.nowMs + 60_000))));
        f.settle();
        assertThat(scheduled.isDone()).isTrue();
        f.nowMs += 60_000;
        int turns = 0;
        while (f.entity("t").counts().scheduled() > 0) {
            Answer other = f.send(queue, "other");
            f.turn();
            assertThat(other.isDone()).isTrue();
            turns++;
            assertThat(turns).isLessThan(30);
        }
        assertThat(turns).isGreaterThanOrEqualTo(10);
        f.settle();
        assertThat(active("t/Subscriptions/all")).isEqualTo(11);
    }

    @Test
    @DisplayName("FWD-12: messages that are forwarded to such a topic come one after the other, and all of them")
    void forwarding() {
        slowTopic("t");
        Entity source = f.create(QueueDescription.named("source").forwardTo("t").build());
        Answer sent = f.submit(source, batch(20));
        int turns = 0;
        while (f.entity("t/Subscriptions/all").counts().active() < 21) {
            Answer other = f.send(queue, "other");
            f.turn();
            assertThat(other.isDone()).isTrue();
            turns++;
            assertThat(turns).isLessThan(200);
        }
        assertThat(sent.isDone()).isTrue();
        assertThat(turns).isGreaterThanOrEqualTo(15);
        f.settle();
        assertThat(active("source")).isZero();
    }

    @Test
    @DisplayName(
            "FWD-8: rules that were not used yet take longer to prepare than a turn has steps, and take what is forwarded")
    void newRules() {
        Entity topic = ask(f.namespace().createTopic(TopicDescription.named("t").build()));
        StringBuilder longest = new StringBuilder("n = 0");
        while (longest.length() < 1_000) {
            longest.append(" OR n = 0");
        }
        for (int i = 0; i < 250; i++) {
            ask(f.namespace()
                    .createSubscription(
                            SubscriptionDescription.of("t", "s" + i).build(),
                            new RuleDescription("r", new SqlRuleFilter(longest + " OR 1 = 1", Map.of()), null)));
        }
        Entity source = f.create(QueueDescription.named("source").forwardTo("t").build());
        Answer forwarded = f.send(source, "forwarded");
        Answer sent = f.send(topic, "sent");
        f.settle();
        assertThat(forwarded.isDone()).isTrue();
        assertThat(sent.isDone()).isTrue();
        assertThat(active("t/Subscriptions/s249")).isEqualTo(2);
        assertThat(f.counts(source).deadLetter()).isZero();
    }

    @Test
    @DisplayName("TX-12: a transaction whose messages take too many steps is rolled back")
    void transactions() {
        Entity topic = slowTopic("t");
        Transaction tx = f.namespace().beginTransaction();
        Answer few = new Answer();
        tx.submit(new Transaction.Work(topic, batch(1), topic, false, false), Runnable::run, few);
        Answer many = new Answer();
        tx.submit(new Transaction.Work(topic, batch(50), topic, false, false), Runnable::run, many);
        Answer other = f.send(queue, "other");
        f.turn();
        assertThat(other.isDone()).as("passes the transaction, which waits").isTrue();
        assertThat(many.isThere()).isFalse();
        f.settle();
        assertThat(few.isDone()).isTrue();
        assertThat(many.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        Answer committed = new Answer();
        tx.commit(Runnable::run, committed);
        f.settle();
        assertThat(committed.rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(active("t/Subscriptions/all")).isEqualTo(1);
    }

    @Test
    @DisplayName("What waits for another turn is refused when the store fails or the topic goes, each once")
    void waitingSendsAreAnswered() {
        Entity topic = slowTopic("t");
        Answer first = f.submit(topic, batch(20));
        Answer second = f.submit(topic, batch(1));
        f.turn();
        assertThat(first.isThere() || second.isThere()).isFalse();
        assertThat(f.shard(0).mailbox().count()).as("what waits counts").isEqualTo(2);
        assertThat(f.shard(0).mailbox().bytes()).isGreaterThan(20L * LENGTH);
        f.store.failNextCommit(StoreException.Reason.IO, false);
        f.send(queue, "fails");
        f.turn();
        assertThat(first.rejection().code().retryable()).isTrue();
        assertThat(second.rejection().code().retryable()).isTrue();
        assertThat(f.shard(0).mailbox().bytes()).isZero();
        f.letPass(10_000);

        Answer third = f.submit(f.entity("t"), batch(20));
        f.turn();
        CompletionStage<?> deleted = f.namespace().deleteEntity("t");
        f.settle();
        assertThat(third.rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(deleted.toCompletableFuture()).isCompleted();
        assertThat(queue.description().status()).isEqualTo(EntityStatus.ACTIVE);
    }

    @Test
    @DisplayName("RULE-11: a subscription that goes while a send is judged gets nothing of it, and harms nothing")
    void subscriptionGoesMeanwhile() {
        Entity topic = slowTopic("t");
        Answer sent = f.submit(topic, batch(5));
        f.turn();
        CompletionStage<?> deleted = f.namespace().deleteEntity("t/Subscriptions/s0");
        f.turn();
        assertThat(deleted.toCompletableFuture()).isCompleted();
        assertThat(sent.isThere()).isFalse();
        f.settle();
        assertThat(sent.isDone()).isTrue();
        assertThat(active("t/Subscriptions/all")).isEqualTo(6);
    }
}
