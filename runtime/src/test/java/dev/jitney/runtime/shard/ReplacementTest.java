package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.MessageAct;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Replacement;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The replacement of a message by another one")
class ReplacementTest {
    private BrokerFixture f;
    private Entity from;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        from = create("from", 0);
    }

    private Entity create(String prefix, int shard) {
        for (int i = 0; ; i++) {
            Entity queue = f.create(prefix + i);
            if (ShardEntities.shardOf(((ServedEntity) queue).id()) == shard) {
                return queue;
            }
        }
    }

    private <T> T ask(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private Answer replace(Entity source, SubQueue subQueue, long number, Entity destination, IncomingMessage message) {
        Answer answer = new Answer();
        source.replace(new Replacement(subQueue, number, destination, message), Runnable::run, answer);
        f.settle();
        return answer;
    }

    /** Sends a message and moves it to the dead-letter queue. Returns its number. */
    private long deadLetter(Entity queue, String body) {
        Answer sent = f.send(queue, body);
        f.settle();
        long number = ((Reply.Sent) sent.reply()).sequenceNumbers()[0];
        change(queue, number);
        return number;
    }

    private void change(Entity queue, long number) {
        Answer moved =
                f.submit(queue, new Command.ChangeMessage(SubQueue.MAIN, number, MessageAct.DEAD_LETTER, "r", null));
        f.settle();
        assertThat(moved.isDone()).isTrue();
    }

    private List<MessageView> peek(Entity queue, SubQueue subQueue) {
        Answer answer = f.submit(queue, new Command.PeekMessages(subQueue, 0, 250, null));
        f.settle();
        return ((Reply.Messages) answer.reply()).messages();
    }

    private List<String> bodies(Entity queue, SubQueue subQueue) {
        return peek(queue, subQueue).stream()
                .map(m -> StandardCharsets.UTF_8.decode(m.content().body()).toString())
                .toList();
    }

    @Test
    @DisplayName("moves a dead letter into another queue of the same store")
    void moves() {
        Entity to = create("near", 0);
        long dead = deadLetter(from, "m");

        Answer answer = replace(from, SubQueue.DEAD_LETTER, dead, to, message("repaired"));

        assertThat(((Reply.Sent) answer.reply()).sequenceNumbers()).containsExactly(1);
        assertThat(bodies(from, SubQueue.DEAD_LETTER)).isEmpty();
        assertThat(bodies(to, SubQueue.MAIN)).containsExactly("repaired");
    }

    @Test
    @DisplayName("is one commit: if it fails, nothing has changed")
    void isOneCommit() throws StoreException {
        Entity to = create("near", 0);
        long dead = deadLetter(from, "m");
        f.stores.get(0).failNextCommit(Reason.IO, false);

        Answer answer = new Answer();
        from.replace(new Replacement(SubQueue.DEAD_LETTER, dead, to, message("repaired")), Runnable::run, answer);
        f.turn();
        f.crash();
        f.settle();

        assertThat(bodies(f.entity(from.path()), SubQueue.DEAD_LETTER)).containsExactly("m");
        assertThat(bodies(f.entity(to.path()), SubQueue.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("reaches another store through the outbox, also after a crash")
    void reachesOtherStores() throws StoreException {
        Entity to = create("far", 1);
        long dead = deadLetter(from, "m");
        f.stores.get(1).failNextCommit(Reason.IO, false);

        Answer answer = new Answer();
        from.replace(new Replacement(SubQueue.DEAD_LETTER, dead, to, message("repaired")), Runnable::run, answer);
        f.turn();
        assertThat(((Reply.Sent) answer.reply()).sequenceNumbers()).containsExactly(0);
        f.crash();
        f.settle();

        assertThat(bodies(f.entity(from.path()), SubQueue.DEAD_LETTER)).isEmpty();
        assertThat(bodies(f.entity(to.path()), SubQueue.MAIN)).containsExactly("repaired");
        assertThat(f.counts(f.entity(from.path())).transfer()).isZero();
    }

    @Test
    @DisplayName("comes back to the dead-letter queue if the queue of another store was deleted meanwhile")
    void comesBack() {
        Entity to = create("far", 1);
        long dead = deadLetter(from, "m");
        ask(f.namespace().deleteEntity(to.path()));

        replace(from, SubQueue.DEAD_LETTER, dead, to, message("repaired"));
        f.letPass(60_000);

        assertThat(f.counts(from).transfer()).isZero();
        assertThat(bodies(from, SubQueue.DEAD_LETTER)).containsExactly("repaired");
    }

    @Test
    @DisplayName("does not leave for a queue of another store that is disabled or detects duplicates")
    void staysForOtherStores() {
        Entity to = create("far", 1);
        long dead = deadLetter(from, "m");
        ask(f.namespace()
                .updateQueue(BrokerFixture.describe(to).toBuilder()
                        .status(EntityStatus.DISABLED)
                        .build()));

        assertThat(replace(from, SubQueue.DEAD_LETTER, dead, to, message("repaired"))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.ENTITY_DISABLED);
        assertThat(bodies(from, SubQueue.DEAD_LETTER)).containsExactly("m");
    }

    @Test
    @DisplayName("leaves a dead letter of a subscription to the other subscriptions, and is only in its own again")
    void resubmitsToOneSubscription() {
        Entity topic = ask(f.namespace().createTopic(TopicDescription.named("t").build()));
        Entity a = ask(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "a").build(), RuleDescription.takeEverything()));
        Entity b = ask(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "b").build(), RuleDescription.takeEverything()));
        String large = "x".repeat(10_000); // the subscriptions share the body
        f.send(topic, large);
        f.settle();
        change(a, 1);

        Answer answer = replace(a, SubQueue.DEAD_LETTER, 1, a, message(large));

        assertThat(((Reply.Sent) answer.reply()).sequenceNumbers()).containsExactly(2);
        assertThat(bodies(a, SubQueue.MAIN)).containsExactly(large);
        assertThat(bodies(a, SubQueue.DEAD_LETTER)).isEmpty();
        assertThat(bodies(b, SubQueue.MAIN)).containsExactly(large);
        Answer refused = replace(a, SubQueue.MAIN, 2, b, message("m"));
        assertThat(refused.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(refused.rejection().description()).contains("Send them to its topic 't'");
    }

    @Test
    @DisplayName("to a topic goes to all its subscriptions, and delivers a scheduled message of the topic now")
    void deliversNow() {
        Entity topic = ask(f.namespace().createTopic(TopicDescription.named("t").build()));
        Entity a = ask(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "a").build(), RuleDescription.takeEverything()));
        IncomingMessage later =
                message("later").toBuilder().sent(null, f.nowMs + 60_000).build();
        f.submit(topic, new Command.SendMessages(List.of(later)));
        f.settle();

        replace(topic, SubQueue.MAIN, 1, topic, message("now"));

        assertThat(bodies(a, SubQueue.MAIN)).containsExactly("now");
        assertThat(f.counts(topic).scheduled()).isZero();
    }

    @Test
    @DisplayName("stays in its partition without a key, and goes to the partition of its key (PART-64)")
    void partitioned() {
        Entity pq =
                f.create(QueueDescription.named("pq").enablePartitioning(true).build());
        long dead = deadLetter(pq, "m");

        Answer plain = replace(pq, SubQueue.DEAD_LETTER, dead, pq, message("plain"));
        long number = ((Reply.Sent) plain.reply()).sequenceNumbers()[0];
        assertThat(number >>> 48).isEqualTo(dead >>> 48);
        String key = keyOfAnotherFragment((int) (number >>> 48));
        Answer keyed = replace(
                pq,
                SubQueue.MAIN,
                number,
                pq,
                message("keyed").toBuilder().partitionKey(key).build());
        f.letPass(1_000);

        assertThat(keyed.isThere()).isTrue();
        assertThat(f.counts(pq).active()).isEqualTo(1);
        assertThat(peek(pq, SubQueue.MAIN))
                .hasSize(1)
                .allSatisfy(m -> assertThat(m.sequenceNumber() >>> 48).isEqualTo(KeyHash.fragment(key, 16)));
        assertThat(replace(pq, SubQueue.MAIN, 99L << 48, pq, message("n"))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @Test
    @DisplayName("goes to the partition of its new MessageId if the queue detects duplicates (PART-25, PART-35, DUP-2)")
    void partitionedByMessageId() {
        Entity pq = f.create(QueueDescription.named("pq")
                .enablePartitioning(true)
                .requiresDuplicateDetection(true)
                .build());
        IncomingMessage old = message("old").toBuilder().messageId("old").build();
        Answer sent = f.submit(pq, new Command.SendMessages(List.of(old)));
        f.settle();
        long number = ((Reply.Sent) sent.reply()).sequenceNumbers()[0];
        String id = idInSameStore((int) (number >>> 48));
        IncomingMessage edited = message("edited").toBuilder().messageId(id).build();

        assertThat(replace(pq, SubQueue.MAIN, number, pq, edited).isDone()).isTrue();
        f.submit(pq, new Command.SendMessages(List.of(edited)));
        f.settle();

        assertThat(peek(pq, SubQueue.MAIN))
                .hasSize(1)
                .allSatisfy(m -> assertThat(m.sequenceNumber() >>> 48).isEqualTo(KeyHash.fragment(id, 16)));
    }

    /** Returns the id of another fragment of the same one of two stores. */
    private static String idInSameStore(int fragment) {
        for (int i = 0; ; i++) {
            int found = KeyHash.fragment("k" + i, 16);
            if (found != fragment && found % 2 == fragment % 2) {
                return "k" + i;
            }
        }
    }

    private static String keyOfAnotherFragment(int fragment) {
        for (int i = 0; ; i++) {
            if (KeyHash.fragment("k" + i, 16) != fragment) {
                return "k" + i;
            }
        }
    }
}
