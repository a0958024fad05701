package dev.jitney.runtime;

import static dev.jitney.runtime.BrokerFixture.get;
import static dev.jitney.runtime.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.BrokerFixture.Answer;
import dev.jitney.runtime.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Partitioned queues and topics (semantics chapter 17) over four stores")
class PartitionedTest {
    private BrokerFixture f;
    private Entity pq;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(4).toList());
        pq = create(QueueDescription.named("pq"));
    }

    private Entity create(QueueDescription.Builder description) {
        return f.create(description.enablePartitioning(true).build());
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private static IncomingMessage keyed(String body, @Nullable String session, @Nullable String key) {
        return identified(null, body, session, key);
    }

    private static IncomingMessage identified(
            @Nullable String id, String body, @Nullable String session, @Nullable String key) {
        IncomingMessage m = message(body);
        return new IncomingMessage(
                id, session, key, MessageView.NEVER, 0, false, m.encodedSizeBytes(), 0, 0, m.content());
    }

    private Answer send(Entity entity, IncomingMessage... messages) {
        Answer answer = f.submit(entity, new Command.SendMessages(List.of(messages)));
        f.settle();
        return answer;
    }

    private void sendPlain(Entity entity, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(send(entity, message(String.valueOf(i))).isDone()).isTrue();
        }
    }

    private static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    private Listening attach(Entity entity, SubQueue subQueue, ReceiveMode mode, int credit) {
        Listening listening = new Listening();
        listening.receiver = entity.attach(subQueue, mode, Runnable::run, listening, listening.attached);
        f.settle();
        listening.receiver.setCredit(credit, false);
        f.settle();
        return listening;
    }

    private Listening attach(Entity entity, int credit) {
        return attach(entity, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, credit);
    }

    private Answer done(Entity entity, Command command) {
        Answer answer = f.submit(entity, command);
        f.settle();
        return answer;
    }

    private static UUID token(MessageView message) {
        return Objects.requireNonNull(message.lockToken());
    }

    private List<MessageView> peekAll(Entity entity) {
        List<MessageView> all = new ArrayList<>();
        long from = 0;
        while (true) {
            Answer answer = done(entity, new Command.PeekMessages(SubQueue.MAIN, from, 100, null));
            List<MessageView> some = ((Reply.Messages) answer.reply()).messages();
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            from = some.get(some.size() - 1).sequenceNumber() + 1;
        }
    }

    private Map<Integer, Integer> perFragment(Entity entity) {
        Map<Integer, Integer> counts = new HashMap<>();
        peekAll(entity).forEach(m -> counts.merge(FragmentNumbers.fragment(m.sequenceNumber()), 1, Integer::sum));
        return counts;
    }

    @Test
    @DisplayName(
            "PART-9, PART-10, PART-11, PART-38, PART-40, SEQ-2, PART-57: without keys 160 messages are ten in each fragment, on all stores")
    void spread() {
        sendPlain(pq, 160);
        Map<Integer, Integer> counts = perFragment(pq);
        assertThat(counts)
                .hasSize(16)
                .allSatisfy((fragment, count) -> assertThat(count).isEqualTo(10));
        assertThat(peekAll(pq).stream()
                        .map(m -> FragmentNumbers.count(m.sequenceNumber()))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 10).mapToObj(Long::valueOf).toList());
        assertThat(f.stores)
                .allSatisfy(store -> assertThat(store.size(Table.MESSAGES)).isEqualTo(40));
        assertThat(f.counts(pq).active()).isEqualTo(160);
        assertThat(pq.figures().incomingMessages()).isEqualTo(160);
    }

    @Test
    @DisplayName("PEEK-8, PEEK-9: peeking on and on shows all messages once, in ascending numbers")
    void peeks() {
        sendPlain(pq, 100);
        List<Long> numbers =
                peekAll(pq).stream().map(MessageView::sequenceNumber).toList();
        assertThat(numbers).hasSize(100).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName(
            "PART-25, PART-29, PART-31, PART-32: a SessionId or PartitionKey chooses the fragment, and they may not differ")
    void keys() {
        for (String key : List.of("myPartitionKey", "a", "b", "order-0001")) {
            Entity queue = create(QueueDescription.named("keyed-" + key));
            assertThat(send(queue, keyed("x", null, key)).isDone()).isTrue();
            assertThat(send(queue, keyed("y", key, null)).isDone()).isTrue();
            assertThat(send(queue, keyed("z", key, key)).isDone()).isTrue();
            assertThat(perFragment(queue)).containsOnlyKeys(KeyHash.fragment(key, 16));
        }
        assertThat(send(pq, keyed("x", "a", "b")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(send(pq, keyed("x", null, "a"), keyed("x", null, "b"))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("PART-35, PART-36, PART-37, DUP-6: MessageId is a key only where duplicates are detected")
    void messageIds() {
        for (int i = 0; i < 32; i++) {
            send(pq, identified("same", String.valueOf(i), null, null));
        }
        assertThat(perFragment(pq)).hasSize(16);
        Entity detecting = create(QueueDescription.named("detecting").requiresDuplicateDetection(true));
        send(detecting, identified("same", "1", null, null));
        send(detecting, identified("same", "2", null, null));
        send(detecting, identified("same", "3", null, "a"));
        send(detecting, identified("same", "4", null, "b"));
        send(detecting, identified("same", "5", null, "b"));
        assertThat(peekAll(detecting)).extracting(PartitionedTest::body).containsExactlyInAnyOrder("1", "3", "4");
        assertThat(send(detecting, message("no id")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("PART-12, PART-14: a receiver gets the messages of all fragments once each, and settles them")
    void receives() {
        sendPlain(pq, 100);
        Listening listening = attach(pq, 100);
        assertThat(listening.messages).hasSize(100);
        assertThat(listening.messages.stream().map(PartitionedTest::body).distinct())
                .hasSize(100);
        for (MessageView m : listening.messages) {
            assertThat(done(pq, new Command.CompleteMessages(List.of(token(m)))).isDone())
                    .isTrue();
        }
        assertThat(f.counts(pq).total()).isZero();
        assertThat(done(pq, new Command.CompleteMessages(List.of(token(listening.messages.get(0)))))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(done(pq, new Command.CompleteMessages(List.of(UUID.randomUUID())))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
    }

    @Test
    @DisplayName("PART-12: the one message there is is found whatever fragment it is in, also if it comes later")
    void findsTheOne() {
        send(pq, keyed("x", null, "order-0002"));
        Listening listening = attach(pq, 1);
        assertThat(listening.messages).hasSize(1);
        listening.receiver.setCredit(2, false);
        f.settle();
        send(pq, keyed("y", null, "b"));
        assertThat(listening.messages).hasSize(2);
    }

    @Test
    @DisplayName(
            "PART-13, PART-59: what is fetched beyond what is wanted is given out next; others do not see it meanwhile")
    void keeps() {
        sendPlain(pq, 64);
        Listening first = attach(pq, 1);
        assertThat(first.messages).hasSize(1);
        long fetched = f.counts(pq).locked();
        assertThat(fetched).isBetween(2L, 16L);
        first.receiver.setCredit(2, false);
        assertThat(first.messages).hasSize(2); // without asking a fragment
        assertThat(attach(pq, 100).messages).hasSizeLessThanOrEqualTo(64 - (int) fetched);
    }

    @Test
    @DisplayName(
            "PART-60: what was fetched for nobody is there again when its lock ends, as if it had never been fetched")
    void keptTooLong() {
        sendPlain(pq, 3);
        Listening first = attach(pq, 1);
        f.nowMs += 61_000;
        f.settle();
        Listening second = attach(pq, 10);
        assertThat(second.messages).hasSize(3);
        Map<String, Integer> counts = new HashMap<>();
        second.messages.forEach(m -> counts.put(body(m), m.deliveryCount()));
        String delivered = body(first.messages.get(0));
        assertThat(counts).containsEntry(delivered, 1);
        counts.remove(delivered);
        assertThat(counts.values()).containsOnly(0);
    }

    @Test
    @DisplayName("PART-60: a receiver that goes gives back what nobody has got")
    void givesBack() {
        sendPlain(pq, 20);
        Listening first = attach(pq, 1);
        first.receiver.detach();
        f.settle();
        Listening second = attach(pq, 30);
        assertThat(second.messages).hasSize(19).allMatch(m -> m.deliveryCount() == 0);
    }

    @Test
    @DisplayName("PART-14, RECV-2: receive-and-delete removes exactly what is given out")
    void receiveAndDelete() {
        sendPlain(pq, 50);
        Listening listening = attach(pq, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 7);
        assertThat(listening.messages).hasSize(7).allMatch(m -> m.lockToken() == null);
        listening.receiver.detach();
        f.settle();
        assertThat(f.counts(pq).active()).isEqualTo(43);
        assertThat(attach(pq, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 100).messages)
                .hasSize(43);
        assertThat(f.counts(pq).total()).isZero();
    }

    @Test
    @DisplayName("PART-14, RECV-3: a drain ends when all fragments have nothing more")
    void drains() {
        for (int i = 0; i < 10; i++) {
            send(pq, keyed(String.valueOf(i), null, "one"));
        }
        Listening listening = attach(pq, 0);
        listening.receiver.setCredit(4, true);
        f.settle();
        assertThat(listening.messages).hasSize(4);
        assertThat(listening.drained).containsExactly(4L);
        listening.receiver.setCredit(24, true);
        f.settle();
        assertThat(listening.messages).hasSize(10);
        assertThat(listening.drained).containsExactly(4L, 24L);
        listening.receiver.setCredit(25, true);
        f.settle();
        assertThat(listening.drained).containsExactly(4L, 24L, 25L);
    }

    @Test
    @DisplayName("DEFER-10, PART-64: deferred messages are received by number, of one fragment at a time")
    void defers() {
        send(pq, keyed("1", null, "a"));
        send(pq, keyed("2", null, "a"));
        send(pq, keyed("3", null, "b"));
        Listening listening = attach(pq, 3);
        Map<String, MessageView> byBody = new HashMap<>();
        for (MessageView m : listening.messages) {
            byBody.put(body(m), m);
            done(pq, new Command.DeferMessages(List.of(token(m)), Map.of()));
        }
        assertThat(f.counts(pq).deferred()).isEqualTo(3);
        List<Long> mixed =
                List.of(byBody.get("1").sequenceNumber(), byBody.get("3").sequenceNumber());
        assertThat(done(pq, new Command.ReceiveDeferredMessages(SubQueue.MAIN, mixed, ReceiveMode.PEEK_LOCK))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        List<Long> same =
                List.of(byBody.get("1").sequenceNumber(), byBody.get("2").sequenceNumber());
        Reply.Messages found = (Reply.Messages)
                done(pq, new Command.ReceiveDeferredMessages(SubQueue.MAIN, same, ReceiveMode.PEEK_LOCK))
                        .reply();
        assertThat(found.messages()).hasSize(2);
        List<Long> foreign = List.of(FragmentNumbers.of(77, 1));
        assertThat(done(pq, new Command.ReceiveDeferredMessages(SubQueue.MAIN, foreign, ReceiveMode.PEEK_LOCK))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @Test
    @DisplayName("DLQ-40, LOCK-13: dead-letters stay in their fragments and are read as one; renewals answer in order")
    void deadLetters() {
        sendPlain(pq, 32);
        Listening listening = attach(pq, 32);
        List<UUID> tokens =
                listening.messages.stream().map(PartitionedTest::token).toList();
        Reply.LocksRenewed renewed =
                (Reply.LocksRenewed) done(pq, new Command.RenewLocks(tokens)).reply();
        assertThat(renewed.lockedUntilMs()).hasSize(32).containsOnly(f.nowMs + 60_000);
        assertThat(done(pq, new Command.DeadLetterMessages(tokens, "r", null, Map.of()))
                        .isDone())
                .isTrue();
        assertThat(f.counts(pq).deadLetter()).isEqualTo(32);
        Listening dead = attach(pq, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 40);
        assertThat(dead.messages).hasSize(32);
        Set<Integer> fragments = new HashSet<>();
        dead.messages.forEach(m -> fragments.add(FragmentNumbers.fragment(m.sequenceNumber())));
        assertThat(fragments).hasSize(16);
    }

    @Test
    @DisplayName("SESS-23, PART-30: sessions live in one fragment each; the next one is found in any")
    void sessions() {
        Entity sq = create(QueueDescription.named("sq").requiresSession(true));
        Set<String> sent = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            sent.add("s" + i);
            send(sq, keyed("1", "s" + i, null));
            send(sq, keyed("2", "s" + i, null));
        }
        assertThat(send(sq, message("none")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        Set<String> accepted = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            Listening listening = new Listening();
            listening.receiver =
                    sq.acceptSession(null, ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
            f.settle();
            Reply.SessionAccepted session = (Reply.SessionAccepted) listening.attached.reply();
            accepted.add(session.sessionId());
            listening.receiver.setCredit(5, false);
            f.settle();
            assertThat(listening.messages).extracting(PartitionedTest::body).containsExactly("1", "2");
            var hold = new dev.jitney.core.SessionHold(listening.receiver.id(), session.sessionId());
            assertThat(done(sq, new Command.SetSessionState(hold, new byte[] {1}))
                            .isDone())
                    .isTrue();
            Reply.SessionState state = (Reply.SessionState)
                    done(sq, new Command.GetSessionState(hold)).reply();
            assertThat(state.state()).containsExactly(1);
            assertThat(done(sq, new Command.RenewSessionLock(hold)).isDone()).isTrue();
        }
        assertThat(accepted).isEqualTo(sent);
        Listening late = new Listening();
        late.receiver = sq.acceptSession(null, ReceiveMode.PEEK_LOCK, 5_000, Runnable::run, late, late.attached);
        f.settle();
        assertThat(late.attached.isThere()).isFalse();
        send(sq, keyed("new", "fresh", null));
        assertThat(((Reply.SessionAccepted) late.attached.reply()).sessionId()).isEqualTo("fresh");
        Reply.Sessions listed = (Reply.Sessions) done(sq, new Command.ListSessions(MessageView.NEVER, null, 0, 100))
                .reply();
        assertThat(listed.sessionIds()).hasSize(41).isSorted();
    }

    @Test
    @DisplayName(
            "SCN-9, PART-3, PART-28, PART-39, PART-58: one store of four away: its fragments only, until it is back")
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
            f.broker.turn();
            assertThat(answer.isDone()).isTrue();
        }
        int refused = 0;
        for (int i = 0; i < 64; i++) {
            String key = "key" + i;
            Answer answer = f.submit(pq, new Command.SendMessages(List.of(keyed("k", null, key))));
            f.broker.turn();
            if (away.contains(KeyHash.fragment(key, 16))) {
                assertThat(answer.rejection().code()).isEqualTo(ErrorCode.PARTITION_NOT_OWNED);
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

    /** The message whose commit fails is uncertain. */
    private void sendPlainUntilFailure() {
        for (int i = 0; i < 16; i++) {
            f.send(pq, "x");
            f.broker.turn();
        }
    }

    @Test
    @DisplayName("PART-3, PART-12: a receiver goes on with the rest, and with the others when they are back")
    void receivesThroughAnOutage() {
        Listening listening = attach(pq, 500);
        f.stores.get(1).failNextCommit(Reason.IO, false);
        f.stores.get(1).refuseReopens(2);
        sendPlainUntilFailure();
        assertThat(listening.closed).isNull();
        int before = listening.messages.size();
        for (int i = 0; i < 32; i++) {
            f.send(pq, "more");
            f.broker.turn();
            f.broker.turn();
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
    @DisplayName("PART-56: creation, update and deletion are of all fragments; a restart finds all of them")
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
    @DisplayName("PART-56: a creation that a store interrupts leaves nothing, and succeeds the next time")
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
    @DisplayName(
            "PART-27, PART-53: a partitioned topic hands copies to its subscriptions in the same fragment; rules follow")
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
            "PART-53, PART-54, FWD-13: forwarding between ordinary and partitioned entities, by key where there is one")
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

    private Answer in(Transaction transaction, Entity entity, IncomingMessage... messages) {
        Answer answer = new Answer();
        transaction.submit(
                Transaction.Work.on(entity, new Command.SendMessages(List.of(messages))), Runnable::run, answer);
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
    @DisplayName(
            "SCN-10, PART-26, PART-43 to PART-47, PART-52: a transaction has one key: a, a commits; a, b and no key do not")
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
    @DisplayName("TX-19: a message of another fragment is not settled in the transaction")
    void settlesInOneFragment() {
        send(pq, keyed("1", null, "a"));
        send(pq, keyed("2", null, "b"));
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
    }

    @Test
    @DisplayName("PART-15, MET-1: sends and receives count as on an ordinary queue, whatever is fetched beside")
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
    @DisplayName("TTL-31: who holds a session in one fragment listens to all: sessions in others expire")
    void expiresSessions() {
        Entity sq = create(QueueDescription.named("sq").requiresSession(true).deadLetteringOnMessageExpiration(true));
        send(sq, keyed("stays", "a", null));
        IncomingMessage m = message("expires");
        send(sq, new IncomingMessage(null, "b", null, 10_000, 0, false, m.encodedSizeBytes(), 0, 0, m.content()));
        f.nowMs += 20_000;
        f.settle();
        assertThat(f.counts(sq).deadLetter()).isZero();
        Listening listening = new Listening();
        listening.receiver =
                sq.acceptSession("a", ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        assertThat(f.counts(sq).deadLetter()).isEqualTo(1);
        listening.receiver.detach();
        send(sq, new IncomingMessage(null, "b", null, 10_000, 0, false, m.encodedSizeBytes(), 0, 0, m.content()));
        f.nowMs += 20_000;
        f.settle();
        assertThat(f.counts(sq).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("PURGE-2: messages of a partitioned entity are not deleted in batches")
    void deletes() {
        sendPlain(pq, 4);
        assertThat(done(pq, new Command.BatchDeleteMessages(SubQueue.MAIN, 50, f.nowMs + 1))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(f.counts(pq).active()).isEqualTo(4);
    }

    @Test
    @DisplayName("IDLE-1, IDLE-13: a partitioned queue that nobody uses goes, with all fragments")
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
