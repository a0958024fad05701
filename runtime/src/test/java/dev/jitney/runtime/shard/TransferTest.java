package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("T-4 to T-6, TX-24: messages for an entity of another shard")
class TransferTest {
    private BrokerFixture f;
    private Entity from;
    private Entity to;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        from = on(0);
        to = on(1);
    }

    /** Creates a queue in a given shard. */
    private Entity on(int shard) {
        for (int i = 0; i < 100; i++) {
            Entity queue = f.create(QueueDescription.named("q" + shard + i)
                    .maxDeliveryCount(1_000)
                    .build());
            if (ShardEntities.shardOf(((ServedEntity) queue).id()) == shard) {
                return queue;
            }
        }
        throw new AssertionError("Expected a hundred queues to be spread over both stores.");
    }

    private Answer in(Transaction transaction, Entity entity, Command command) {
        Answer answer = new Answer();
        transaction.submit(Work.on(entity, command).across(true), Runnable::run, answer);
        f.settle();
        return answer;
    }

    private static Command send(String body) {
        return new Command.SendMessages(List.of(message(body)));
    }

    private Answer commit(Transaction transaction) {
        Answer answer = new Answer();
        transaction.commit(Runnable::run, answer);
        return answer;
    }

    private MessageView receive(Entity queue, SubQueue subQueue) {
        Listening listening = new Listening();
        listening.receiver =
                queue.attach(subQueue, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(1, false);
        f.settle();
        listening.receiver.detach();
        f.settle();
        return listening.messages.get(0);
    }

    private Command complete(MessageView message) {
        return new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken())));
    }

    private List<String> peek(Entity queue) {
        Answer answer = f.submit(queue, new Command.PeekMessages(SubQueue.MAIN, 0, 250, null));
        f.settle();
        return ((Reply.Messages) answer.reply())
                .messages().stream().map(TransferTest::body).toList();
    }

    private static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    /** Completes the one message of the source and sends its successor there and to the destination. */
    private Transaction step(String next) {
        Transaction transaction = f.namespace().beginTransaction();
        assertThat(in(transaction, from, complete(receive(from, SubQueue.MAIN))).isDone())
                .isTrue();
        assertThat(in(transaction, from, send(next)).isDone()).isTrue();
        assertThat(in(transaction, to, send(next)).isDone()).isTrue();
        return transaction;
    }

    @Test
    @DisplayName("TX-5, T-5: a commit reaches the other shard, and the outbox is empty again")
    void arrives() {
        f.send(from, "0");
        f.settle();
        Transaction transaction = step("1");
        assertThat(f.counts(from).transfer()).isZero();
        assertThat(peek(to)).isEmpty();
        Answer answer = commit(transaction);
        f.settle();
        assertThat(answer.isDone()).isTrue();
        assertThat(peek(to)).containsExactly("1");
        assertThat(peek(from)).containsExactly("1");
        assertThat(f.counts(from).transfer()).isZero();
        assertThat(f.counts(from).sizeBytes()).isEqualTo(f.counts(to).sizeBytes());
        assertThat(f.stores.get(0).size(Table.TRANSFERS)).isZero();
        assertThat(f.stores.get(1).size(Table.TRANSFER_MARKS)).isEqualTo(1);
    }

    @Test
    @DisplayName("T-4, FWD-16: while the destination's store does not work, the message waits and is counted")
    void waits() {
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        in(transaction, to, send("b"));
        f.stores.get(1).failNextCommit(Reason.IO, false);
        f.stores.get(1).refuseReopens(3);
        commit(transaction);
        f.settle();
        assertThat(f.counts(from).transfer()).isEqualTo(1);
        assertThat(f.counts(from).active()).isEqualTo(1);
        f.letPass(60_000);
        assertThat(f.counts(from).transfer()).isZero();
        assertThat(peek(to)).containsExactly("b");
    }

    @Test
    @DisplayName("T-4, FWD-16: a message arrives later if the destination's store cannot be read at first")
    void unreadable() {
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        in(transaction, to, send("b"));
        f.stores.get(1).failNextRead();
        commit(transaction);
        f.letPass(60_000);
        assertThat(f.counts(from).transfer()).isZero();
        assertThat(peek(to)).containsExactly("b");
    }

    @Test
    @DisplayName("STATE-2: after a restart the shard finds the transfers in flight")
    void restart() throws StoreException {
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        in(transaction, to, send("b"));
        f.stores.get(1).failNextCommit(Reason.IO, false);
        commit(transaction);
        f.turn();
        f.crash();
        assertThat(f.entity(from.path()).counts().transfer()).isEqualTo(1);
        f.settle();
        assertThat(f.entity(from.path()).counts().transfer()).isZero();
        assertThat(peek(f.entity(to.path()))).containsExactly("b");
    }

    @Test
    @DisplayName("DLQ-30, TX-24: destination disabled after the commit: transfer dead-letter queue")
    void disabled() {
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        in(transaction, to, send("b"));
        get(settled(f.namespace()
                .updateQueue(BrokerFixture.describe(to).toBuilder()
                        .status(EntityStatus.DISABLED)
                        .build())));
        assertThat(settled(commit(transaction)).isDone()).isTrue();
        assertThat(f.counts(from).transferDeadLetter()).isEqualTo(1);
        assertThat(f.counts(from).transfer()).isZero();
        MessageView dead = receive(from, SubQueue.TRANSFER_DEAD_LETTER);
        assertThat(body(dead)).isEqualTo("b");
        assertThat(dead.propertyOverrides()).containsKeys("DeadLetterReason", "DeadLetterErrorDescription");
        f.submit(from, complete(dead));
        f.settle();
        assertThat(f.counts(from).transferDeadLetter()).isZero();
    }

    private <T> T settled(T thing) {
        f.settle();
        return thing;
    }

    @Test
    @DisplayName("DLQ-30, DLQ-33: destination deleted: transfer dead-letter queue, also after a restart")
    void deleted() throws StoreException {
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        in(transaction, to, send("b"));
        get(settled(f.namespace().deleteEntity(to.path())));
        commit(transaction);
        f.settle();
        f.crash();
        f.settle();
        from = f.entity(from.path());
        assertThat(f.counts(from).transferDeadLetter()).isEqualTo(1);
        assertThat(body(receive(from, SubQueue.TRANSFER_DEAD_LETTER))).isEqualTo("b");
    }

    @ParameterizedTest
    @EnumSource(names = {"ACTIVE", "DISABLED"})
    @DisplayName(
            "LOCK-7, DLQ-8, DLQ-33, SUSP-6: a lock in the transfer dead-letter queue of a topic ends, disabled or not")
    void lockOfTopicEnds(EntityStatus status) {
        Entity topic = get(
                settled(f.namespace().createTopic(TopicDescription.named("t").build())));
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, topic, send("a"));
        in(transaction, to, send("b"));
        get(settled(f.namespace().deleteEntity(to.path())));
        assertThat(settled(commit(transaction)).isDone()).isTrue();
        get(settled(f.namespace()
                .updateTopic(TopicDescription.named("t").status(status).build())));
        MessageView first = receive(topic, SubQueue.TRANSFER_DEAD_LETTER);
        f.nowMs += QueueDescription.named("any").build().lockDurationMs() - 1;
        f.settle();
        Listening next = new Listening();
        next.receiver =
                topic.attach(SubQueue.TRANSFER_DEAD_LETTER, ReceiveMode.PEEK_LOCK, Runnable::run, next, next.attached);
        next.receiver.setCredit(1, false);
        f.settle();
        assertThat(next.messages).isEmpty();
        f.nowMs++;
        f.settle();
        assertThat(next.messages).extracting(TransferTest::body).containsExactly("b");
        assertThat(settled(f.submit(topic, complete(first))).rejection().code()).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(settled(f.submit(topic, complete(next.messages.get(0)))).isDone())
                .isTrue();
    }

    @Test
    @DisplayName("DLQ-30, TX-24: the same within one shard: the commit is valid")
    void deletedInTheSameShard() {
        Entity near = create("near", 0);
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        in(transaction, near, send("b"));
        get(settled(f.namespace().deleteEntity(near.path())));
        assertThat(settled(commit(transaction)).isDone()).isTrue();
        assertThat(peek(from)).containsExactly("a");
        assertThat(f.counts(from).transferDeadLetter()).isEqualTo(1);
    }

    private Entity create(String prefix, int shard) {
        for (int i = 0; ; i++) {
            Entity queue = f.create(prefix + i);
            if (ShardEntities.shardOf(((ServedEntity) queue).id()) == shard) {
                return queue;
            }
        }
    }

    @Test
    @DisplayName("FWD-8: messages forwarded to a queue whose creation fails in another store reach no other queue")
    void creationFails() {
        QueueDescription forwarding =
                BrokerFixture.describe(from).toBuilder().forwardTo(to.path()).build();
        get(settled(f.namespace().updateQueue(forwarding)));
        get(settled(f.namespace().deleteEntity(to.path())));
        f.stores.get(1).failNextCommit(Reason.IO, false);
        f.stores.get(1).refuseReopens(3);
        CompletionStage<Entity> creation = f.namespace().createQueue(BrokerFixture.describe(to));
        f.turn();
        f.send(from, "a");
        while (f.broker.trouble() != null) { // before the transfer is retried
            f.nowMs++;
            f.turn();
        }
        assertThat(BrokerFixture.failure(creation)).isEqualTo(ErrorCode.SERVER_BUSY);
        Entity other = create("other", 1); // with the number that was free again
        f.letPass(60_000);
        assertThat(peek(other)).isEmpty();
        assertThat(f.counts(from).transferDeadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("MSG-3, QUOTA-5: a message that the destination would never accept is refused at the send")
    void judgedAtOnce() {
        Transaction transaction = f.namespace().beginTransaction();
        in(transaction, from, send("a"));
        Answer large = in(transaction, to, send("x".repeat(300_000)));
        assertThat(large.rejection().code()).isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        assertThat(settled(commit(transaction)).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
    }

    @Test
    @DisplayName("FWD-8: many transfers arrive once each, in their order")
    void order() {
        for (int i = 0; i < 10; i++) {
            Transaction transaction = f.namespace().beginTransaction();
            in(transaction, from, send("s"));
            for (int j = 0; j < 20; j++) {
                in(transaction, to, send(String.valueOf(i * 20 + j)));
            }
            commit(transaction);
        }
        f.settle();
        assertThat(peek(to))
                .isEqualTo(IntStream.range(0, 200).mapToObj(String::valueOf).toList());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @DisplayName(
            "STATE-2, TX-12: crashes and failed commits of both shards between any two steps: each transfer once, in order")
    void exactlyOnce(long seed) throws StoreException {
        Random random = new Random(seed);
        f.send(from, "0");
        f.settle();
        int done = 0;
        for (int round = 0; round < 150; round++) {
            Transaction transaction = step(String.valueOf(done + 1));
            boolean troubled = random.nextInt(3) == 0;
            if (troubled) {
                f.stores.get(random.nextInt(2)).failNextCommit(Reason.IO, random.nextBoolean());
            }
            Answer answer = commit(transaction);
            int turns = random.nextInt(6); // the crash comes before, in the middle of, or after the transfer
            for (int i = 0; i < turns; i++) {
                f.turn();
                if (random.nextInt(12) == 0) {
                    troubled = true;
                    f.stores.get(random.nextInt(2)).failNextCommit(Reason.IO, random.nextBoolean());
                }
            }
            if (random.nextInt(3) > 0) {
                f.settle();
            }
            if (troubled || random.nextInt(3) == 0) {
                f.crash(); // which also removes injected faults that have not happened yet
            }
            from = f.entity(from.path());
            to = f.entity(to.path());
            f.nowMs += 120_000;
            f.settle();
            f.nowMs += 120_000;
            f.settle();
            List<String> there = peek(from);
            assertThat(there).hasSize(1);
            int now = Integer.parseInt(there.get(0));
            assertThat(now).isBetween(answer.isDone() ? done + 1 : done, done + 1);
            assertThat(peek(to))
                    .isEqualTo(IntStream.rangeClosed(1, now)
                            .mapToObj(String::valueOf)
                            .toList());
            assertThat(f.counts(from).transfer()).isZero();
            done = now;
        }
        assertThat(done).isGreaterThan(50);
    }
}
