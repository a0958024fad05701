package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.ContentReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
        "Partitioned queues and topics (semantics chapter 17) as entities: outages, changes, forwarding, transactions")
class PartitionedEntitiesTest extends PartitionedScenario {
    private static final int MESSAGE_ANNOTATIONS = 0x72;

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    @Test
    @DisplayName("SCN-9, PART-3, PART-28, PART-39, PART-58: with one store of four unavailable, only its fragments"
            + " are, until it is back")
    void outage() {
        f.stores.get(3).failNextCommit(Reason.IO, false);
        f.stores.get(3).refuseReopens(3);
        sendPlainUntilFailure();
        assertThat(pq.availability()).isEqualTo(EntityAvailability.LIMITED);
        long before = f.counts(pq).active();
        Set<Integer> away = new HashSet<>();
        for (ServedEntity part :
                Objects.requireNonNull(((ServedEntity) pq).fragments()).all()) {
            if (!part.shard().isServing()) {
                away.add(part.fragment());
            }
        }
        assertThat(away).hasSize(4);
        for (int i = 0; i < 160; i++) {
            Answer answer = f.send(pq, "more");
            f.turn();
            assertThat(answer.isDone()).isTrue();
        }
        int refused = 0;
        for (int i = 0; i < 64; i++) {
            String key = "key" + i;
            Answer answer = f.submit(pq, new Command.SendMessages(List.of(keyed("k", null, key))));
            f.turn();
            if (away.contains(KeyHash.fragment(key, 16))) {
                assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY); // which SDKs retry
                assertThat(answer.rejection().description())
                        .contains("PartitionNotOwned", "Partition " + KeyHash.fragment(key, 16) + " ");
                refused++;
            } else {
                assertThat(answer.isDone()).isTrue();
            }
        }
        assertThat(refused).isPositive();
        CompletionStage<Entity> update = f.namespace()
                .updateQueue(BrokerFixture.describe(pq).toBuilder()
                        .maxDeliveryCount(3)
                        .build());
        assertThat(BrokerFixture.failure(update)).isEqualTo(ErrorCode.SERVER_BUSY);
        comeBack();
        assertThat(pq.availability()).isEqualTo(EntityAvailability.AVAILABLE);
        assertThat(f.counts(pq).active()).isEqualTo(before + 160 + 64 - refused);
        Listening all = attach(pq, 1_000);
        assertThat(all.messages).hasSize((int) f.counts(pq).active());
    }

    private void comeBack() {
        for (int i = 0; i < 10; i++) {
            f.nowMs += 1_000;
            f.settle();
        }
    }

    /** Sends until a commit fails; the outcome of that message is unknown. */
    private void sendPlainUntilFailure() {
        for (int i = 0; i < 16; i++) {
            f.send(pq, "x");
            f.turn();
        }
    }

    @Test
    @DisplayName("PART-3, PART-12: a receiver continues with the other fragments, and with all when the store is back")
    void receivesThroughAnOutage() {
        Listening listening = attach(pq, 500);
        f.stores.get(1).failNextCommit(Reason.IO, false);
        f.stores.get(1).refuseReopens(2);
        sendPlainUntilFailure();
        assertThat(listening.closed).isNull();
        int before = listening.messages.size();
        for (int i = 0; i < 32; i++) {
            f.send(pq, "more");
            f.turn();
            f.turn();
        }
        assertThat(listening.messages).hasSize(before + 32);
        comeBack();
        for (int i = 0; i < 32; i++) {
            send(pq, message("again"));
        }
        assertThat(listening.messages.stream().filter(m -> body(m).equals("again")))
                .hasSize(32);
    }

    @Test
    @DisplayName("PART-56: creation, update and deletion apply to all fragments; a restart finds all of them")
    void managed() throws StoreException {
        sendPlain(pq, 32);
        settled(f.namespace()
                .updateQueue(BrokerFixture.describe(pq).toBuilder()
                        .lockDurationMs(10_000)
                        .build()));
        f.crash();
        f.settle();
        Entity there = f.entity("pq");
        Listening listening = attach(there, 32);
        assertThat(listening.messages).hasSize(32).allMatch(m -> m.deliveryCount() == 0);
        f.nowMs += 10_001;
        f.settle();
        assertThat(f.counts(there).locked()).isLessThan(33);
        sendPlain(there, 16);
        settled(f.namespace().deleteEntity("pq"));
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(f.stores).allSatisfy(store -> {
            assertThat(store.size(Table.PARTS)).isZero();
            assertThat(store.size(Table.MESSAGES)).isZero();
            assertThat(store.size(Table.FRAGMENTS)).isZero();
        });
        pq = create(QueueDescription.named("pq"));
        sendPlain(pq, 16);
        assertThat(f.counts(pq).active()).isEqualTo(16);
    }

    @Test
    @DisplayName("PART-56: a creation interrupted by a store failure leaves nothing, and succeeds the next time")
    void interruptedCreation() throws StoreException {
        f.stores.get(2).failNextCommit(Reason.IO, true);
        CompletionStage<Entity> created = f.namespace()
                .createQueue(
                        QueueDescription.named("other").enablePartitioning(true).build());
        f.settle();
        f.nowMs += 60_000;
        f.settle();
        boolean failed = created.toCompletableFuture().isCompletedExceptionally();
        assertThat(f.namespace().entity("other") == null).isEqualTo(failed);
        if (failed) {
            settled(f.namespace()
                    .createQueue(QueueDescription.named("other")
                            .enablePartitioning(true)
                            .build()));
        }
        f.crash();
        f.settle();
        sendPlain(f.entity("other"), 32);
        assertThat(f.counts(f.entity("other")).active()).isEqualTo(32);
        assertThat(f.stores.stream().mapToInt(s -> s.size(Table.PARTS)).sum()).isEqualTo(32);
    }

    @Test
    @DisplayName("PART-27, PART-53: a partitioned topic copies messages to its subscriptions in the same fragment;"
            + " rules follow")
    void topics() throws StoreException {
        Entity pt = settled(f.namespace()
                .createTopic(
                        TopicDescription.named("pt").enablePartitioning(true).build()));
        settled(f.namespace()
                .createSubscription(SubscriptionDescription.of("pt", "all").build(), RuleDescription.takeEverything()));
        settled(f.namespace()
                .createSubscription(SubscriptionDescription.of("pt", "none").build(), null));
        settled(f.namespace()
                .createSubscription(
                        SubscriptionDescription.of("pt", "onward")
                                .forwardTo("pq")
                                .build(),
                        RuleDescription.takeEverything()));
        sendPlain(pt, 32);
        Entity all = f.entity("pt/subscriptions/all");
        assertThat(List.of(
                        pt.isPartitioned(),
                        all.isPartitioned(),
                        f.create("plain").isPartitioned()))
                .containsExactly(true, true, false);
        assertThat(perFragment(all))
                .hasSize(16)
                .allSatisfy((i, count) -> assertThat(count).isEqualTo(2));
        assertThat(f.counts(f.entity("pt/subscriptions/none")).total()).isZero();
        assertThat(f.counts(f.entity("pt/subscriptions/onward")).total()).isZero();
        assertThat(f.counts(pq).active()).isEqualTo(32);
        assertThat(attach(all, 40).messages).hasSize(32);

        settled(f.namespace().createRule("pt/subscriptions/none", RuleDescription.takeEverything()));
        sendPlain(pt, 16);
        assertThat(f.counts(f.entity("pt/subscriptions/none")).active()).isEqualTo(16);
        f.crash();
        f.settle();
        sendPlain(f.entity("pt"), 16);
        assertThat(f.counts(f.entity("pt/subscriptions/none")).active()).isEqualTo(32);
        settled(f.namespace().deleteEntity("pt"));
        assertThat(f.stores.stream().mapToInt(s -> s.size(Table.PARTS)).sum()).isEqualTo(16);
        assertThat(f.stores.stream().mapToInt(s -> s.size(Table.BODIES)).sum()).isZero();
    }

    @Test
    @DisplayName(
            "PART-53, PART-54, FWD-13: forwarding between ordinary and partitioned entities, by key if there is one")
    void forwards() {
        Entity target = create(QueueDescription.named("target"));
        Entity plain =
                f.create(QueueDescription.named("plain").forwardTo("target").build());
        Entity source = create(QueueDescription.named("source").forwardTo("target"));
        for (int i = 0; i < 50; i++) {
            send(plain, keyed("k", null, "order-0001"));
        }
        assertThat(perFragment(target)).containsOnlyKeys(KeyHash.fragment("order-0001", 16));
        sendPlain(plain, 32);
        sendPlain(source, 32);
        assertThat(f.counts(target).active()).isEqualTo(114);
        assertThat(perFragment(target)).hasSize(16);
        assertThat(f.counts(source).total() + f.counts(plain).total()).isZero();
    }

    @Test
    @DisplayName(
            "FWD-10, DUP-10, PART-54: scheduled messages of a topic keep id and key on their way to queues that need them")
    void forwardsScheduledMessages() throws MessageFormatException {
        Entity unique = f.create(QueueDescription.named("unique")
                .requiresDuplicateDetection(true)
                .build());
        Entity both = create(QueueDescription.named("both").requiresDuplicateDetection(true));
        Entity topic =
                settled(f.namespace().createTopic(TopicDescription.named("t").build()));
        for (String destination : List.of("unique", "pq", "both")) {
            settled(f.namespace()
                    .createSubscription(
                            SubscriptionDescription.of("t", destination)
                                    .forwardTo(destination)
                                    .build(),
                            RuleDescription.takeEverything()));
        }
        long dueMs = f.nowMs + 60_000;
        send(topic, scheduled("id", "order-0001", dueMs));
        send(topic, scheduled("id", "order-0001", dueMs));
        for (int i = 0; i < 16; i++) {
            send(topic, scheduled("other" + i, null, dueMs));
        }

        f.nowMs = dueMs;
        f.settle();

        assertThat(f.counts(topic).scheduled()).isZero();
        for (String name : List.of("unique", "pq", "both")) {
            Entity source = f.entity("t/subscriptions/" + name);
            assertThat(f.counts(source).total()).as(name).isZero();
        }
        assertThat(f.counts(unique).active()).as("one of the two").isEqualTo(17);
        assertThat(f.counts(pq).active()).isEqualTo(18);
        assertThat(fragmentsOf(pq, "order-0001")).containsExactly(KeyHash.fragment("order-0001", 16));
        assertThat(f.counts(both).active()).isEqualTo(17);
        assertThat(fragmentsOf(both, "order-0001")).containsExactly(KeyHash.fragment("order-0001", 16));
    }

    /** Returns the fragments that have messages with this partition key. */
    private Set<Integer> fragmentsOf(Entity entity, String key) {
        Set<Integer> fragments = new HashSet<>();
        for (MessageView message : peekAll(entity)) {
            if (new ContentReader(message.content()).annotations().containsValue(key)) {
                fragments.add(FragmentNumbers.fragment(message.sequenceNumber()));
            }
        }
        return fragments;
    }

    /** Returns a message as a client encodes it. */
    private static IncomingMessage scheduled(String id, @Nullable String key, long dueMs)
            throws MessageFormatException {
        AmqpWriter out = new AmqpWriter(128);
        out.writeSection(MESSAGE_ANNOTATIONS);
        int annotations = out.beginMap(key == null ? 1 : 2);
        out.writeSymbol("x-opt-scheduled-enqueue-time");
        out.writeTimestamp(dueMs);
        if (key != null) {
            out.writeSymbol("x-opt-partition-key");
            out.writeString(key);
        }
        out.endCompound(annotations);
        out.writeSection(Sections.PROPERTIES);
        int properties = out.beginList(1);
        out.writeString(id);
        out.endCompound(properties);
        ByteBuffer encoded = out.toByteBuffer();
        return new IncomingMessageDecoder(() -> "fresh")
                .decode(new AmqpReader(encoded.array(), 0, encoded.limit()), IncomingMessageDecoder.FORMAT_SINGLE)
                .get(0);
    }

    private Answer in(Transaction transaction, Entity entity, IncomingMessage... messages) {
        Answer answer = new Answer();
        transaction.submit(
                Transaction.Work.on(entity, new Command.SendMessages(List.of(messages))), Runnable::run, answer);
        f.settle();
        return answer;
    }

    private Answer command(Transaction transaction, Entity entity, Command command) {
        Answer answer = new Answer();
        transaction.submit(Transaction.Work.on(entity, command), Runnable::run, answer);
        f.settle();
        return answer;
    }

    private Answer commit(Transaction transaction) {
        Answer answer = new Answer();
        transaction.commit(Runnable::run, answer);
        f.settle();
        return answer;
    }

    @Test
    @DisplayName("SCN-10, PART-26, PART-43 to PART-47, PART-52: a transaction has one key: a, a commits; a, b and no"
            + " key do not")
    void transactions() {
        Transaction good = f.namespace().beginTransaction();
        assertThat(in(good, pq, keyed("1", null, "a")).isDone()).isTrue();
        assertThat(in(good, pq, keyed("2", null, "a")).isDone()).isTrue();
        assertThat(f.counts(pq).total()).isZero();
        assertThat(commit(good).isDone()).isTrue();
        assertThat(f.counts(pq).active()).isEqualTo(2);

        Transaction mixed = f.namespace().beginTransaction();
        in(mixed, pq, keyed("3", null, "a"));
        assertThat(in(mixed, pq, keyed("4", null, "b")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(commit(mixed).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        Transaction keyless = f.namespace().beginTransaction();
        assertThat(in(keyless, pq, message("5")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(commit(keyless).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(f.counts(pq).active()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "TX-16, PART-64: a refused first operation ends the transaction, also if the next one is in another store")
    void spoiledByItsFirstOperation() {
        Transaction transaction = f.namespace().beginTransaction();
        long unknown = FragmentNumbers.of(16, 1);
        Answer cancel = command(transaction, pq, new Command.CancelScheduledMessages(List.of(unknown)));
        assertThat(cancel.rejection().code()).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        assertThat(in(transaction, pq, keyed("1", null, keyOf(1))).isDone()).isTrue();
        assertThat(commit(transaction).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(f.counts(pq).active()).isZero();
    }

    @Test
    @DisplayName("TX-2: a list of sessions in a transaction has its normal effect on all fragments")
    void listsSessions() {
        Entity sq = create(QueueDescription.named("sq").requiresSession(true));
        send(sq, keyed("1", keyOf(1), null), keyed("1b", keyOf(1), null));
        send(sq, keyed("2", keyOf(2), null));
        Transaction transaction = f.namespace().beginTransaction();
        Answer listed = command(transaction, sq, new Command.ListSessions(MessageView.NEVER, null, 0, 10));
        assertThat(((Reply.Sessions) listed.reply()).sessionIds()).containsExactlyInAnyOrder(keyOf(1), keyOf(2));
        assertThat(in(transaction, sq, keyed("3", keyOf(3), null)).isDone()).isTrue();
        assertThat(commit(transaction).isDone()).isTrue();
        assertThat(f.counts(sq).active()).isEqualTo(4);
    }

    @Test
    @DisplayName("TX-16, PURGE-2: a batch delete in a transaction is refused, and ends it")
    void batchDelete() {
        Transaction transaction = f.namespace().beginTransaction();
        assertThat(in(transaction, pq, keyed("1", null, keyOf(1))).isDone()).isTrue();
        Answer deleted = command(transaction, pq, new Command.BatchDeleteMessages(SubQueue.MAIN, 1, f.nowMs, null));
        assertThat(deleted.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(commit(transaction).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(f.counts(pq).active()).isZero();
    }

    @Test
    @DisplayName("TX-19: a message of another fragment cannot be settled in the transaction, and its lock is given up")
    void settlesInOneFragment() {
        send(pq, keyed("1", null, keyOf(1)));
        send(pq, keyed("2", null, keyOf(2)));
        Listening listening = attach(pq, 2);
        Transaction transaction = f.namespace().beginTransaction();
        List<Answer> answers = new ArrayList<>();
        for (MessageView m : listening.messages) {
            Answer answer = new Answer();
            transaction.submit(
                    Transaction.Work.on(pq, new Command.CompleteMessages(List.of(token(m)))), Runnable::run, answer);
            f.settle();
            answers.add(answer);
        }
        assertThat(answers.get(0).isDone()).isTrue();
        assertThat(answers.get(1).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);

        List<MessageView> again = attach(pq, 2).messages;
        assertThat(again)
                .extracting(MessageView::sequenceNumber, MessageView::deliveryCount)
                .containsExactly(tuple(listening.messages.get(1).sequenceNumber(), 1));
        assertThat(commit(transaction).rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        assertThat(done(pq, new Command.CompleteMessages(List.of(token(listening.messages.get(0)))))
                        .isDone())
                .as("the other message is still locked")
                .isTrue();
    }

    @Test
    @DisplayName(
            "TX-19: a settlement of messages of several fragments gives up the locks outside the transaction's fragment")
    void settlesInOneFragmentTogether() {
        send(pq, keyed("1", null, keyOf(1)));
        send(pq, keyed("2", null, keyOf(2)));
        List<UUID> tokens = attach(pq, 2).messages.stream()
                .sorted(Comparator.comparingLong(MessageView::sequenceNumber))
                .map(PartitionedScenario::token)
                .toList();
        Transaction transaction = f.namespace().beginTransaction();
        Answer answer = new Answer();

        transaction.submit(Transaction.Work.on(pq, new Command.CompleteMessages(tokens)), Runnable::run, answer);
        f.settle();

        assertThat(answer.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(attach(pq, 2).messages).extracting(PartitionedScenario::body).containsExactly("2");
    }

    @Test
    @DisplayName("PART-15, MET-1: sends and receives count as on an ordinary queue, regardless of prefetches")
    void metered() {
        Entity q = f.create("q");
        for (Entity entity : List.of(q, pq)) {
            sendPlain(entity, 100);
            Listening listening = attach(entity, 100);
            assertThat(listening.messages).hasSize(100);
        }
        assertThat(pq.meter().operations()).isEqualTo(q.meter().operations());
    }

    @Test
    @DisplayName("PART-63: at most a hundred partitioned entities in a namespace")
    void limit() {
        for (int i = 1; i < 100; i++) {
            create(QueueDescription.named("p" + i));
        }
        CompletionStage<Entity> more = f.namespace()
                .createQueue(
                        QueueDescription.named("more").enablePartitioning(true).build());
        f.settle();
        assertThat(BrokerFixture.failure(more)).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(f.create("ordinary")).isNotNull();
    }

    @Test
    @DisplayName("IDLE-1, IDLE-13: an idle partitioned queue is deleted, with all fragments")
    void idle() {
        create(QueueDescription.named("temporary").autoDeleteOnIdleMs(300_000));
        Entity temporary = f.entity("temporary");
        f.nowMs += 200_000;
        f.settle();
        sendPlain(temporary, 1);
        f.nowMs += 299_000;
        f.settle();
        assertThat(f.namespace().entity("temporary")).isNotNull();
        f.nowMs += 2_000;
        f.settle();
        assertThat(f.namespace().entity("temporary")).isNull();
        assertThat(f.stores.stream().mapToInt(s -> s.size(Table.PARTS)).sum()).isEqualTo(16);
    }
}
