package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedQueue;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A shard and its broker")
class ShardTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    private static List<UUID> token(MessageView message) {
        return List.of(Objects.requireNonNull(message.lockToken()));
    }

    @Test
    @DisplayName("MSG-1: no reply or delivery leaves the shard before its commit")
    void outputsAfterCommit() {
        Entity q = f.create("q");
        long before = f.store.commits();
        List<Long> commitsWhenTold = new ArrayList<>();
        q.submit(new Command.SendMessages(List.of(BrokerFixture.message("a"))), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                commitsWhenTold.add(f.store.commits() - before);
            }

            @Override
            public void onRejected(dev.jitney.model.Rejection rejection) {
                throw new AssertionError(rejection);
            }
        });
        assertThat(commitsWhenTold).isEmpty();
        f.turn();
        assertThat(commitsWhenTold).containsExactly(1L);
    }

    @Test
    @DisplayName("design 1.4: one commit for all requests that arrived meanwhile")
    void groupCommit() {
        Entity q = f.create("q");
        Listening listening = f.listen(q, 100);
        f.settle();
        long before = f.store.commits();
        for (int i = 0; i < 100; i++) {
            f.send(q, "m" + i);
        }
        f.settle();
        assertThat(f.store.commits() - before).isEqualTo(1);
        assertThat(listening.messages).hasSize(100);
    }

    @Test
    @DisplayName("ADR 45: a turn delivers as many messages as it stores, so that senders do not leave receivers behind")
    void fairShareOfDeliveries() {
        Entity q = f.create("q");
        Entity other = f.create("other");
        Listening listening = f.listen(q, 2_000);
        Listening alsoListening = f.listen(other, 2_000);
        f.settle();
        for (int i = 0; i < 500; i++) {
            f.send(q, "m" + i);
            f.send(other, "m" + i);
        }
        f.turn();
        assertThat(listening.messages).hasSize(500);
        assertThat(alsoListening.messages).hasSize(500);
    }

    @Test
    @DisplayName("ADR 45: a turn that delivers much content leaves the rest to the next one")
    void boundedShareOfDeliveries() {
        Entity q = f.create("q");
        String body = "x".repeat(20_000);
        for (int i = 0; i < 600; i++) {
            f.send(q, body);
        }
        f.settle();
        for (int i = 0; i < 900; i++) {
            f.send(q, "small");
        }
        Listening listening = f.listen(q, 2_000);
        f.turn();
        assertThat(listening.messages).hasSizeBetween(1, 256);
        f.settle();
        assertThat(listening.messages).hasSize(1_500);
    }

    @Test
    @DisplayName(
            "ADR 27: a read sees the changes of the same turn, commits nothing, and its reply waits for the commit")
    void readsCommitNothing() {
        Entity q = f.create("q");
        f.send(q, "before");
        f.settle();
        long before = f.store.commits();
        List<Integer> messagesRead = new ArrayList<>();
        List<Long> commitsWhenTold = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            f.send(q, "m" + i);
            q.submit(new Command.PeekMessages(SubQueue.MAIN, 0, 100, null), Runnable::run, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    messagesRead.add(((Reply.Messages) reply).messages().size());
                    commitsWhenTold.add(f.store.commits() - before);
                }

                @Override
                public void onRejected(dev.jitney.model.Rejection rejection) {
                    throw new AssertionError(rejection);
                }
            });
        }
        f.turn();
        assertThat(messagesRead).containsExactly(2, 3, 4, 5, 6);
        assertThat(commitsWhenTold).containsExactly(1L, 1L, 1L, 1L, 1L);
        assertThat(f.store.commits() - before).isEqualTo(1);
    }

    @Test
    @DisplayName("ADR 27: if the commit fails, the reply to a read of the same turn fails with it")
    void readsFailWithTheCommit() {
        Entity q = f.create("q");
        f.settle();
        f.store.failNextCommit(StoreException.Reason.IO, false);
        Answer sent = f.send(q, "lost");
        Answer peeked = f.submit(q, new Command.PeekMessages(SubQueue.MAIN, 0, 100, null));
        f.turn();
        assertThat(sent.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(peeked.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
    }

    @Test
    @DisplayName("design 1: a delivery under a lock writes nothing")
    void deliveryWritesNothing() {
        Entity q = f.create("q");
        f.send(q, "a");
        f.settle();
        long before = f.store.commits();
        Listening listening = f.listen(q, 1);
        f.settle();
        assertThat(listening.messages).hasSize(1);
        assertThat(f.store.commits()).isEqualTo(before);
    }

    @Test
    @DisplayName("SERVER_BUSY: a full mailbox refuses sends, but never requests that free resources")
    void fullMailbox() throws StoreException {
        BrokerOptions small = new BrokerOptions(BrokerFixture.options("ns").namespaces(), 1L << 20, 3, 1L << 20, 1_000);
        f = new BrokerFixture(small, new InMemoryMessagingStore());
        Entity q = f.create("q");
        f.send(q, "first");
        Listening listening = f.listen(q, 1);
        f.settle();
        List<Answer> sends = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sends.add(f.send(q, "m" + i));
        }
        Answer renewal = f.submit(q, new Command.RenewLocks(token(listening.messages.get(0))));
        Answer settlement = f.submit(q, new Command.CompleteMessages(token(listening.messages.get(0))));
        f.settle();
        assertThat(renewal.reply()).isNotNull();
        assertThat(settlement.reply()).isNotNull();
        assertThat(sends.get(0).reply()).isNotNull();
        assertThat(sends.get(19).rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        Answer later = f.send(q, "later");
        f.settle();
        assertThat(later.reply()).isNotNull();
    }

    @Test
    @DisplayName("SERVER_BUSY: too many waiting bytes refuse sends too")
    void fullMailboxBytes() throws StoreException {
        BrokerOptions small =
                new BrokerOptions(BrokerFixture.options("ns").namespaces(), 1_000, 1_000, 1L << 20, 1_000);
        f = new BrokerFixture(small, new InMemoryMessagingStore());
        Entity q = f.create("q");
        f.send(q, "x".repeat(2_000));
        Answer busy = f.send(q, "b");
        assertThat(busy.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        f.settle();
        assertThat(f.counts(q).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("STATE-4: kill -9 keeps messages, counts, deferred and scheduled state, and numbers")
    void restartKeepsEverything() throws StoreException {
        Entity q = f.create("q");
        for (int i = 0; i < 6; i++) {
            f.send(q, "m" + i);
        }
        Listening listening = f.listen(q, 4);
        f.settle();
        f.submit(q, new Command.CompleteMessages(token(listening.messages.get(0))));
        f.submit(q, new Command.AbandonMessages(token(listening.messages.get(1)), Map.of()));
        f.submit(q, new Command.DeferMessages(token(listening.messages.get(2)), Map.of()));
        f.submit(q, new Command.DeadLetterMessages(token(listening.messages.get(3)), "r", null, Map.of()));
        var counts = f.counts(q);
        assertThat(counts.active()).isEqualTo(4);
        f.crash();
        q = f.entity("q");
        assertThat(f.counts(q)).isEqualTo(counts);
        Listening again = f.listen(q, 10);
        f.settle();
        assertThat(again.messages.stream().map(MessageView::sequenceNumber)).containsExactly(2L, 5L, 6L);
        assertThat(again.messages.get(0).deliveryCount()).isEqualTo(1);
        Answer lost = f.submit(q, new Command.CompleteMessages(token(listening.messages.get(1))));
        Answer sent = f.send(q, "next");
        f.settle();
        assertThat(lost.rejection().code()).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(((Reply.Sent) sent.reply()).sequenceNumbers()).containsExactly(7);
    }

    @Test
    @DisplayName("SCHED-2: scheduled messages become active after a restart")
    void scheduledAfterRestart() throws StoreException {
        Entity q = f.create("q");
        var plain = BrokerFixture.message("a");
        f.submit(
                q,
                new Command.SendMessages(List.of(plain.toBuilder()
                        .sizes(10, 0, 0)
                        .sent(null, f.nowMs + 60_000)
                        .build())));
        f.settle();
        f.crash();
        Listening listening = f.listen(f.entity("q"), 1);
        f.settle();
        assertThat(listening.messages).isEmpty();
        f.nowMs += 60_000;
        f.settle();
        assertThat(listening.messages).hasSize(1);
    }

    @Test
    @DisplayName("MSG-9, ENT-3: names are compared without case; creating twice fails, also at the same time")
    void duplicateNames() {
        CompletionStage<Entity> first =
                f.namespace().createQueue(QueueDescription.named("Q1").build());
        CompletionStage<Entity> second =
                f.namespace().createQueue(QueueDescription.named("q1").build());
        f.settle();
        assertThat(get(first).path()).isEqualTo("Q1");
        assertThat(failure(second)).isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(f.entity("q1").path()).isEqualTo("Q1");
    }

    @Test
    @DisplayName(
            "ENT-3: update and delete of a missing queue fail; delete removes all rows except those of ids and namespaces")
    void missingAndDeleted() {
        assertThat(failure(f.namespace().updateQueue(QueueDescription.named("q").build())))
                .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(failure(f.namespace().deleteEntity("q"))).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        Entity q = f.create("q");
        f.send(q, "a");
        Listening listening = f.listen(q, 1);
        f.settle();
        CompletionStage<Void> deleted = f.namespace().deleteEntity("Q");
        f.settle();
        get(deleted);
        assertThat(listening.closed).isNotNull();
        for (Table table : Table.values()) {
            assertThat(f.store.size(table)).as("rows of %s", table).isEqualTo(table == Table.META ? 2 : 0);
        }
        Answer late = f.send(q, "b");
        f.settle();
        assertThat(late.rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }

    @Test
    @DisplayName("an entity id is never used again, also after a restart")
    void idsAreNeverReused() throws StoreException {
        ServedQueue first = (ServedQueue) f.create("q");
        f.send(first, "a");
        f.settle();
        get(settled(f.namespace().deleteEntity("q")));
        f.crash();
        ServedQueue second = (ServedQueue) f.create("q");
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(f.counts(second).active()).isZero();
        f.send(second, "b");
        assertThat(f.counts(second).active()).isEqualTo(1);
    }

    private <T> CompletionStage<T> settled(CompletionStage<T> stage) {
        f.settle();
        return stage;
    }

    @Test
    @DisplayName("SUSP-1, SUSP-5, LOCK-15: a status closes receivers but allows the settlement of held locks")
    void statusClosesReceivers() {
        Entity q = f.create("q");
        f.send(q, "a");
        Listening listening = f.listen(q, 5);
        f.settle();
        get(settled(f.namespace()
                .updateQueue(QueueDescription.named("q")
                        .status(EntityStatus.DISABLED)
                        .build())));
        assertThat(listening.closed).isNotNull();
        Answer send = f.send(q, "b");
        Answer complete = f.submit(q, new Command.CompleteMessages(token(listening.messages.get(0))));
        Listening other = f.listen(q, 1);
        f.settle();
        assertThat(send.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        assertThat(complete.reply()).isNotNull();
        assertThat(other.attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }

    @Test
    @DisplayName("the first label of the host name selects the namespace; any other name selects the first namespace")
    void namespacesByLabel() throws StoreException {
        f = new BrokerFixture(BrokerFixture.options("one", "two"), new InMemoryMessagingStore());
        assertThat(f.broker.namespace("TWO.servicebus.windows.net").name()).isEqualTo("two");
        assertThat(f.broker.namespace("two:5671").name()).isEqualTo("two");
        assertThat(f.broker.namespace("localhost").name()).isEqualTo("one");
        assertThat(f.broker.namespace("").name()).isEqualTo("one");
        assertThat(f.broker.namespace(null).name()).isEqualTo("one");
        CompletionStage<Entity> created = f.broker
                .namespace("two")
                .createQueue(QueueDescription.named("q").build());
        f.settle();
        get(created);
        assertThat(f.broker.namespace("one").entity("q")).isNull();
        f.crash();
        assertThat(f.broker.namespace("two").entity("q")).isNotNull();
        assertThat(f.broker.namespace("one").entity("q")).isNull();
    }

    @Test
    @DisplayName(
            "a key name that exists in only one namespace, or in its entities, selects it; any other name selects the first")
    void namespacesByKeyName() throws StoreException {
        f = new BrokerFixture(BrokerFixture.options("one", "two", "three"), new InMemoryMessagingStore());
        Namespace two = f.broker.namespace("two");
        Namespace three = f.broker.namespace("three");
        AccessRule team = new AccessRule("team b", Set.of(AccessRight.SEND), "team-key", null);
        two.setAccessRules(List.of(AccessRule.root("key"), team));
        three.createQueue(QueueDescription.named("q")
                .accessRules(List.of(new AccessRule("app", Set.of(AccessRight.SEND), "app-key", null)))
                .build());
        f.settle();
        assertThat(f.broker.namespaceOfKey("TEAM B").name()).isEqualTo("two");
        assertThat(f.broker.namespaceOfKey("team+b").name()).isEqualTo("two");
        assertThat(f.broker.namespaceOfKey("App").name()).isEqualTo("three");
        assertThat(f.broker.namespaceOfKey(AccessRule.ROOT_NAME).name()).isEqualTo("one");
        assertThat(f.broker.namespaceOfKey("nobody's").name()).isEqualTo("one");
        assertThat(f.broker.namespaceOfKey(null).name()).isEqualTo("one");
        two.createQueue(QueueDescription.named("p")
                .accessRules(List.of(new AccessRule("app", Set.of(AccessRight.SEND), "app-key", null)))
                .build());
        f.settle();
        assertThat(f.broker.namespaceOfKey("app").name())
                .as("two namespaces have the key name")
                .isEqualTo("one");
        CompletionStage<Void> deleted = two.deleteEntity("p");
        f.settle();
        get(deleted);
        assertThat(f.broker.namespaceOfKey("app").name()).isEqualTo("three");
        f.crash();
        assertThat(f.broker.namespaceOfKey("app").name()).isEqualTo("three");
        assertThat(f.broker.namespaceOfKey("team b").name()).isEqualTo("two");
    }

    @Test
    @DisplayName("a store with entities of a namespace missing in the configuration is refused")
    void unknownNamespace() {
        f.create("q");
        InMemoryMessagingStore left = f.store.crash();
        assertThatThrownBy(() -> new BrokerFixture(BrokerFixture.options("other"), left))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("ns");
    }

    @Test
    @DisplayName("RECV-4: competing receivers share evenly and nothing is delivered twice")
    void fairReceivers() {
        Entity q = f.create("q");
        List<Listening> receivers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            receivers.add(f.listen(q, 1_000));
        }
        for (int i = 0; i < 1_000; i++) {
            f.send(q, "m");
        }
        f.settle();
        List<Long> all = new ArrayList<>();
        for (Listening receiver : receivers) {
            assertThat(receiver.messages).hasSize(100);
            receiver.messages.forEach(m -> all.add(m.sequenceNumber()));
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(1_000);
    }

    @Test
    @DisplayName("design 5: a backlog far larger than memory is delivered in order")
    void deepBacklog() throws StoreException {
        BrokerOptions small =
                new BrokerOptions(BrokerFixture.options("ns").namespaces(), 32L << 20, 1_000_000, 200_000, 5_000);
        f = new BrokerFixture(small, new InMemoryMessagingStore());
        Entity q = f.create("q");
        int count = 50_000;
        for (int i = 0; i < count / 50; i++) {
            String[] batch = new String[50];
            java.util.Arrays.fill(batch, "x".repeat(100));
            f.send(q, batch);
        }
        f.settle();
        Listening listening = new Listening();
        listening.receiver =
                q.attach(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(count, false);
        f.settle();
        assertThat(listening.messages).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(listening.messages.get(i).sequenceNumber()).isEqualTo(i + 1L);
        }
        assertThat(f.store.size(Table.MESSAGES)).isZero();
    }

    @Test
    @DisplayName("PREF-4: messages that receive-and-delete has sent ahead are lost in a crash, and never sent again")
    void receiveAndDeleteAhead() throws StoreException {
        Entity q = f.create("q");
        f.send(q, "1", "2", "3", "4", "5", "6");
        Listening buffer = new Listening();
        buffer.receiver =
                q.attach(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, buffer, buffer.attached);
        buffer.receiver.setCredit(4, false);
        f.settle();
        assertThat(buffer.messages).hasSize(4);
        f.crash();
        Listening next = f.listen(f.entity("q"), 10);
        f.settle();
        assertThat(next.messages.stream().map(MessageView::sequenceNumber)).containsExactly(5L, 6L);
    }

    @Test
    @DisplayName("ENT-2: EnableBatchedOperations changes no outcome, order or durability")
    void batchedOperations() throws StoreException {
        assertThat(lifeOfAQueue(true)).isEqualTo(lifeOfAQueue(false)).hasSize(10);
    }

    /** The state that clients of a queue see, and the state after a crash. */
    private List<Object> lifeOfAQueue(boolean batchedOperations) throws StoreException {
        f = new BrokerFixture();
        List<Object> seen = new ArrayList<>();
        Entity q = f.create(QueueDescription.named("q")
                .enableBatchedOperations(batchedOperations)
                .maxDeliveryCount(2)
                .build());
        long commits = f.store.commits();
        for (int i = 0; i < 8; i++) {
            f.send(q, "m" + i);
        }
        f.settle();
        seen.add(f.store.commits() - commits);
        Listening listening = f.listen(q, 5);
        f.settle();
        listening.messages.forEach(m -> seen.add(m.sequenceNumber()));
        f.submit(q, new Command.CompleteMessages(token(listening.messages.get(0))));
        f.submit(q, new Command.AbandonMessages(token(listening.messages.get(1)), Map.of()));
        f.submit(q, new Command.DeferMessages(token(listening.messages.get(2)), Map.of()));
        f.submit(q, new Command.DeadLetterMessages(token(listening.messages.get(3)), "r", null, Map.of()));
        f.nowMs += 60_000;
        f.settle();
        seen.add(f.counts(q));
        f.crash();
        q = f.entity("q");
        seen.add(f.counts(q));
        seen.add(BrokerFixture.describe(q).maxDeliveryCount());
        Listening again = f.listen(q, 10);
        f.settle();
        seen.add(again.messages.stream()
                .map(m -> m.sequenceNumber() + " after " + m.deliveryCount())
                .toList());
        return seen;
    }
}
