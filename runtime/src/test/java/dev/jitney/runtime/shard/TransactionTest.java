package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Semantics chapter 16: transactions in a shard")
class TransactionTest {
    private BrokerFixture f;
    private Entity q;
    private Transaction tx;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        q = f.create("q");
        tx = f.namespace().beginTransaction();
    }

    private Answer work(Work work) {
        return work(tx, work);
    }

    private Answer work(Transaction in, Work work) {
        Answer answer = new Answer();
        in.submit(work, Runnable::run, answer);
        f.settle();
        return answer;
    }

    private Answer commit() {
        Answer answer = new Answer();
        tx.commit(Runnable::run, answer);
        f.settle();
        return answer;
    }

    private Answer rollback() {
        Answer answer = new Answer();
        tx.rollback(Runnable::run, answer);
        f.settle();
        return answer;
    }

    private static Work send(Entity entity, String... bodies) {
        List<IncomingMessage> messages = new ArrayList<>();
        for (String body : bodies) {
            messages.add(message(body));
        }
        return Work.on(entity, new Command.SendMessages(messages));
    }

    private static Work complete(Entity entity, MessageView message) {
        return Work.on(entity, new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken()))));
    }

    private Entity subscription() {
        get(settled(f.namespace().createTopic(TopicDescription.named("t").build())));
        return get(settled(f.namespace()
                .createSubscription(
                        SubscriptionDescription.of("t", "s")
                                .maxDeliveryCount(1_000)
                                .build(),
                        RuleDescription.takeEverything())));
    }

    private <T> T settled(T stage) {
        f.settle();
        return stage;
    }

    private MessageView receive(Entity entity) {
        Listening listening = f.listen(entity, 1);
        f.settle();
        listening.receiver.detach();
        f.settle();
        return listening.messages.get(0);
    }

    private List<String> peek(Entity entity) {
        Answer answer = f.submit(entity, new Command.PeekMessages(SubQueue.MAIN, 0, 100, null));
        f.settle();
        return ((Reply.Messages) answer.reply())
                .messages().stream()
                        .map(m -> StandardCharsets.UTF_8
                                .decode(m.content().body())
                                .toString())
                        .toList();
    }

    @Test
    @DisplayName("TX-13: nothing is visible before the commit, everything after it")
    void commitsAsOne() {
        f.send(q, "a");
        f.settle();
        MessageView a = receive(q);
        assertThat(work(send(q, "b", "c")).reply()).isInstanceOf(Reply.Sent.class);
        assertThat(work(complete(q, a)).reply()).isInstanceOf(Reply.Done.class);
        assertThat(q.counts().active()).isEqualTo(1);
        assertThat(commit().reply()).isEqualTo(Reply.Done.INSTANCE);
        assertThat(peek(q)).containsExactly("b", "c");
        assertThat(q.counts().active()).isEqualTo(2);
        assertThat(q.figures().incomingMessages()).isEqualTo(3);
    }

    @Test
    @DisplayName("TX-12: all operations of a commit are in one batch of rows")
    void oneBatch() {
        f.send(q, "a");
        f.settle();
        work(send(q, "b"));
        work(complete(q, receive(q)));
        long before = f.store.commits();
        commit();
        assertThat(f.store.commits()).isEqualTo(before + 1);
    }

    @Test
    @DisplayName("TX-3, TX-6: a topic and its subscriptions are one entity")
    void topicAndSubscription() {
        Entity s = subscription();
        Entity t = f.entity("t");
        f.send(t, "a");
        f.settle();
        MessageView a = receive(s);
        assertThat(work(complete(s, a)).reply()).isNotNull();
        assertThat(work(send(t, "b")).reply()).isNotNull();
        assertThat(peek(s)).containsExactly("a");
        commit();
        assertThat(peek(s)).containsExactly("b");
        assertThat(s.counts().active()).isEqualTo(1);
        assertThat(t.figures().incomingMessages()).isEqualTo(2);
    }

    @Test
    @DisplayName("TX-3: a second entity is refused, and makes the transaction roll back")
    void secondEntity() {
        Entity other = f.create("q2");
        work(send(q, "a"));
        assertThat(work(send(other, "b")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(peek(q)).isEmpty();
    }

    @Test
    @DisplayName("TX-5: across entities, sends may go anywhere, and settlements to the first entity only")
    void acrossEntities() {
        Entity other = f.create("q2");
        f.send(q, "a");
        f.send(other, "x");
        f.settle();
        work(complete(q, receive(q)).across(true));
        assertThat(work(send(other, "b").across(true)).reply()).isNotNull();
        commit();
        assertThat(peek(q)).isEmpty();
        assertThat(peek(other)).containsExactly("x", "b");
        tx = f.namespace().beginTransaction();
        work(send(q, "c").across(true));
        assertThat(work(complete(other, receive(other)).across(true))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
    }

    @Test
    @DisplayName("TX-9: a transaction is rolled back two minutes after its first operation, and later calls report it")
    void timesOut() {
        f.send(q, "a");
        f.settle();
        MessageView a = receive(q);
        f.nowMs += 60_000;
        work(send(q, "b"));
        f.nowMs += 119_999;
        f.settle();
        assertThat(tx.isEnded()).isFalse();
        f.nowMs += 1;
        f.settle();
        assertThat(tx.isEnded()).isTrue();
        assertThat(work(send(q, "c")).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_TIMEOUT);
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_TIMEOUT);
        assertThat(peek(q)).containsExactly("a");
        assertThat(a.lockToken()).isNotNull();
    }

    @Test
    @DisplayName("TX-9, TX-15: a commit that comes too late does nothing, even before the timer runs")
    void lateCommit() {
        work(send(q, "b"));
        f.nowMs += 120_000;
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_TIMEOUT);
        assertThat(peek(q)).isEmpty();
    }

    @Test
    @DisplayName("TX-15: a rollback after the expiry of the lock makes the message available as a failed delivery")
    void lockOverItsTime() {
        f.send(q, "a");
        f.settle();
        work(complete(q, receive(q)));
        f.nowMs += 90_000;
        f.settle();
        rollback();
        assertThat(receive(q).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("TX-10: after its end a transaction is unknown")
    void afterTheEnd() {
        work(send(q, "a"));
        assertThat(rollback().reply()).isNotNull();
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_UNKNOWN);
        assertThat(work(send(q, "b")).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_UNKNOWN);
    }

    @Test
    @DisplayName("a transaction without operations succeeds with commit and with rollback")
    void empty() {
        assertThat(commit().reply()).isEqualTo(Reply.Done.INSTANCE);
        tx = f.namespace().beginTransaction();
        assertThat(rollback().reply()).isEqualTo(Reply.Done.INSTANCE);
    }

    @Test
    @DisplayName("TX-22: the tier BASIC has no transactions")
    void basicTier() throws StoreException {
        BrokerFixture basic = new BrokerFixture(
                BrokerOptions.of(List.of(new NamespaceOptions(
                        "ns",
                        List.of(AccessRule.root("key")),
                        Limits.of(TierProfile.BASIC),
                        ExpiryEnforcement.ON_RECEIVER))),
                new InMemoryMessagingStore());
        assertThatThrownBy(() -> basic.namespace().beginTransaction())
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED));
    }

    @Test
    @DisplayName("an entity deleted in the meantime makes the transaction fail")
    void deletedEntity() {
        work(send(q, "a"));
        get(settled(f.namespace().deleteEntity("q")));
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
    }

    @Test
    @DisplayName("SCHED-5: the reply to a schedule has the number that cancels it")
    void schedules() {
        IncomingMessage now = message("later");
        IncomingMessage later = IncomingMessage.of(now.content())
                .sizes(10, 0, 0)
                .sent(null, f.nowMs + 60_000)
                .build();
        Answer scheduled =
                work(Work.on(q, new Command.SendMessages(List.of(later))).schedule(true));
        long number = ((Reply.Sent) scheduled.reply()).sequenceNumbers()[0];
        assertThat(number).isEqualTo(1);
        assertThat(q.counts().scheduled()).isZero();
        commit();
        assertThat(q.counts().scheduled()).isEqualTo(1);
        assertThat(f.submit(q, new Command.CancelScheduledMessages(List.of(number))))
                .isNotNull();
        f.settle();
        assertThat(q.counts().scheduled()).isZero();
    }

    @Test
    @DisplayName("TX-12: a commit whose batch fails gets an uncertain answer and has done nothing")
    void failedCommit() {
        f.send(q, "a");
        f.settle();
        work(complete(q, receive(q)));
        work(send(q, "b"));
        f.store.failNextCommit(Reason.IO, false);
        assertThat(commit().rejection().code().retryable()).isTrue();
        assertThat(peek(q)).containsExactly("a");
    }

    @Test
    @DisplayName(
            "TX-12: a commit whose batch failed after it was written gets an uncertain answer and has done everything")
    void uncertainCommit() {
        f.send(q, "a");
        f.settle();
        work(complete(q, receive(q)));
        work(send(q, "b"));
        f.store.failNextCommit(Reason.IO, true);
        assertThat(commit().rejection().code().retryable()).isTrue();
        assertThat(peek(q)).containsExactly("b");
    }

    @Test
    @DisplayName("STATE-4: open transactions are lost with the memory of the shard")
    void storeFailsMeanwhile() {
        work(send(q, "b"));
        f.store.failNextCommit(Reason.IO, false);
        f.send(q, "x");
        f.settle();
        assertThat(work(send(q, "c")).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(peek(q)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName("TX-12, STATE-2: crashes and failed commits between any two steps leave all operations or none")
    void allOrNothing(long seed) throws StoreException {
        Random random = new Random(seed);
        subscription();
        f.send(f.entity("t"), "0");
        f.settle();
        int done = 0;
        for (int round = 0; round < 150; round++) {
            // Takes the one message of the subscription and puts its successor there and into the queue.
            Entity s = f.entity("t/Subscriptions/s");
            Entity t = f.entity("t");
            q = f.entity("q");
            tx = f.namespace().beginTransaction();
            Answer committed = new Answer();
            String next = String.valueOf(done + 1);
            int trouble = random.nextInt(8);
            for (int step = 0; step < 4 && step != trouble; step++) {
                switch (step) {
                    case 0 -> work(complete(s, receive(s)));
                    case 1 -> work(send(t, next));
                    case 2 -> work(send(q, next).across(true));
                    default -> {
                        if (trouble == 4) {
                            f.store.failNextCommit(Reason.IO, random.nextBoolean());
                        }
                        boolean commits = random.nextInt(5) > 0;
                        if (commits && trouble == 5) {
                            tx.commit(Runnable::run, committed); // still in the mailbox at the crash
                        } else if (commits) {
                            committed = commit();
                        } else {
                            rollback();
                        }
                    }
                }
            }
            if (trouble < 6) {
                f.crash();
            }
            f.nowMs += 120_000; // locks restored by a rollback expire
            f.settle();
            List<String> there = peek(f.entity("t/Subscriptions/s"));
            assertThat(there).hasSize(1);
            int now = Integer.parseInt(there.get(0));
            assertThat(now).isBetween(committed.isDone() ? done + 1 : done, done + 1);
            assertThat(peek(f.entity("q"))).hasSize(Math.min(now, 100));
            assertThat(f.entity("q").counts().active()).isEqualTo(now);
            assertThat(f.entity("t/Subscriptions/s").counts().active()).isEqualTo(1);
            done = now;
        }
        assertThat(done).isGreaterThan(20);
    }

    @Test
    @DisplayName(
            "TX-8: with sixteen stores, a transaction has 100 messages of almost 256 KB, and a larger one is refused")
    void manyStores() throws StoreException {
        List<InMemoryMessagingStore> stores =
                Stream.generate(InMemoryMessagingStore::new).limit(16).toList();
        BrokerOptions options =
                BrokerOptions.forHeap(BrokerFixture.options("ns").namespaces(), 256L << 20, stores.size());
        f = new BrokerFixture(options, stores);
        q = f.create(QueueDescription.named("q").build());
        tx = f.namespace().beginTransaction();
        for (int i = 0; i < 100; i++) {
            assertThat(work(send(q, "x".repeat(255_000))).reply()).isNotNull();
        }
        assertThat(commit().reply()).isNotNull();

        BrokerOptions small = BrokerOptions.forHeap(BrokerFixture.options("ns").namespaces(), 4L << 20, 16);
        f = new BrokerFixture(
                small, Stream.generate(InMemoryMessagingStore::new).limit(16).toList());
        q = f.create(QueueDescription.named("q").build());
        tx = f.namespace().beginTransaction();
        assertThat(work(send(q, "x".repeat(200_000))).reply()).isNotNull();
        assertThat(work(send(q, "x".repeat(200_000))).reply()).isNotNull();
        Rejection refusal = work(send(q, "x".repeat(200_000))).rejection();
        assertThat(refusal.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(refusal.description()).contains("at most 524288 bytes in a transaction");
    }

    @Test
    @DisplayName("QUOTA-12: the memory of open transactions is limited")
    void boundedMemory() throws StoreException {
        BrokerOptions options =
                new BrokerOptions(BrokerFixture.options("ns").namespaces(), 10_000, 1_000, 1 << 20, 1_000);
        f = new BrokerFixture(options, new InMemoryMessagingStore());
        q = f.create(QueueDescription.named("q").build());
        String large = "x".repeat(6_000);
        Transaction other = f.namespace().beginTransaction();
        assertThat(work(other, send(q, large)).reply()).isNotNull();
        tx = f.namespace().beginTransaction();
        Rejection refusal = work(send(q, large)).rejection();
        assertThat(refusal.code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(commit().rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        other.rollback(Runnable::run, ReplyListener.IGNORE);
        f.settle();
        tx = f.namespace().beginTransaction();
        assertThat(work(send(q, large)).reply()).isNotNull();
    }

    @Test
    @DisplayName(
            "QUOTA-12: a client gets its share of the memory although another one holds all of it, which loses its youngest transaction")
    void fairMemory() throws StoreException {
        BrokerOptions options =
                new BrokerOptions(BrokerFixture.options("ns").namespaces(), 10_000, 1_000, 1 << 20, 1_000);
        f = new BrokerFixture(options, new InMemoryMessagingStore());
        q = f.create(QueueDescription.named("q").build());
        Object greedy = new Object();
        Transaction first = f.namespace().beginTransaction(greedy);
        Transaction second = f.namespace().beginTransaction(greedy);
        assertThat(work(first, send(q, "x".repeat(4_000))).reply()).isNotNull();
        assertThat(work(second, send(q, "x".repeat(4_000))).reply()).isNotNull();
        Transaction third = f.namespace().beginTransaction(greedy);
        assertThat(work(third, send(q, "x".repeat(4_000))).rejection().code())
                .as("the client has more than its share")
                .isEqualTo(ErrorCode.SERVER_BUSY);

        tx = f.namespace().beginTransaction();
        assertThat(work(send(q, "x".repeat(6_000))).rejection().code())
                .as("more than the share of two clients")
                .isEqualTo(ErrorCode.SERVER_BUSY);
        tx = f.namespace().beginTransaction();
        assertThat(work(send(q, "x".repeat(2_000))).reply()).isNotNull();

        assertThat(second.isEnded()).isTrue();
        assertThat(first.isEnded()).isFalse();
        Answer lost = new Answer();
        second.commit(Runnable::run, lost);
        f.settle();
        assertThat(lost.rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(lost.rejection().description()).contains("Commit earlier");
        assertThat(commit().reply()).isNotNull();
        tx = first;
        assertThat(commit().reply()).isNotNull();
        assertThat(f.entity("q").counts().active()).isEqualTo(2);
    }

    @Test
    @DisplayName("QUOTA-12: clients with equal shares displace none of each other's transactions")
    void equalShares() throws StoreException {
        BrokerOptions options =
                new BrokerOptions(BrokerFixture.options("ns").namespaces(), 10_000, 1_000, 1 << 20, 1_000);
        f = new BrokerFixture(options, new InMemoryMessagingStore());
        q = f.create(QueueDescription.named("q").build());
        Transaction other = f.namespace().beginTransaction();
        tx = f.namespace().beginTransaction();
        assertThat(work(other, send(q, "x".repeat(4_000))).reply()).isNotNull();
        assertThat(work(send(q, "x".repeat(4_000))).reply()).isNotNull();
        assertThat(work(other, send(q, "x".repeat(4_000))).rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(commit().reply()).isNotNull();
    }
}
