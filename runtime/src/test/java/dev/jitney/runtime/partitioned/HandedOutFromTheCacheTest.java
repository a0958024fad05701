package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.describe;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message that a connection has fetched is fresh when it is handed out, and goes to others that wait")
class HandedOutFromTheCacheTest extends PartitionedScenario {
    private static final long LOCK_MS = 10_000;
    private static final int FRAGMENTS = 16;

    private Entity queue(long lockMs) {
        return create(QueueDescription.named("q").lockDurationMs(lockMs));
    }

    private static IncomingMessage expiring(String body, long ttlMs, String key) {
        IncomingMessage m = message(body);
        return IncomingMessage.of(m.content())
                .partitionKey(key)
                .timeToLiveMs(ttlMs)
                .sizes(m.encodedSizeBytes(), 0, 0)
                .build();
    }

    /** A receiver that has got one message and has the fragments hold one more each. */
    private Listening fetching(Entity queue, ReceiveMode mode) {
        Listening first = attach(queue, SubQueue.MAIN, mode, 1);
        assertThat(first.messages).hasSize(1);
        return first;
    }

    private void wants(Listening listening, int inAll) {
        listening.receiver.setCredit(inAll, false);
        f.settle();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    @DisplayName("PART-13, LOCK-2: with one message at a time and most of a lock for each, nothing is delivered twice")
    void oneAtATime(int stores) throws StoreException {
        open(stores);
        Entity queue = queue(LOCK_MS);
        sendPlain(queue, 40);
        Listening one = attach(queue, 0);
        Set<String> bodies = new HashSet<>();
        for (int i = 1; i <= 40; i++) {
            wants(one, i);
            assertThat(one.messages).hasSize(i);
            MessageView message = one.messages.get(i - 1);
            assertThat(message.lockedUntilMs()).as("a fresh lock").isEqualTo(f.nowMs + LOCK_MS);
            assertThat(message.deliveryCount()).isZero();
            assertThat(bodies.add(body(message))).as("a message not had before").isTrue();
            f.letPass(8_000); // of work
            assertThat(done(queue, new Command.CompleteMessages(List.of(token(message))))
                            .isDone())
                    .isTrue();
        }
        assertThat(f.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("PART-13, LOCK-5: the lock that is told is the one that is in force")
    void lockInForce() {
        Entity queue = queue(LOCK_MS);
        sendPlain(queue, 16);
        Listening one = fetching(queue, ReceiveMode.PEEK_LOCK);
        f.letPass(9_000);
        wants(one, 16);
        f.letPass(9_000);
        for (MessageView message : one.messages.subList(1, 16)) {
            assertThat(done(queue, new Command.CompleteMessages(List.of(token(message))))
                            .isDone())
                    .isTrue();
        }
        // and one that is not settled in time comes again, counted
        assertThat(attach(queue, 16).messages)
                .extracting(MessageView::deliveryCount)
                .containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource(ReceiveMode.class)
    @DisplayName("PART-13, TTL-6: a message that has expired while it was kept is not handed out")
    void expired(ReceiveMode mode) {
        Entity queue = create(QueueDescription.named("dl").deadLetteringOnMessageExpiration(true));
        for (int i = 0; i < FRAGMENTS; i++) {
            send(queue, expiring("short", 5_000, keyOf(i)));
        }
        Listening one = fetching(queue, mode);
        f.nowMs += 5_000;
        wants(one, 17);
        assertThat(one.messages).hasSize(1);
        // it is dead-lettered as expired, and comes from there
        Listening dead = attach(queue, SubQueue.DEAD_LETTER, mode, 20);
        assertThat(dead.messages).hasSize(15).allMatch(m -> m.deliveryCount() == 0);
        assertThat(dead.messages).allMatch(m -> m.propertyOverrides().containsKey("DeadLetterReason"));
    }

    @Test
    @DisplayName("DLQ-3, PART-13: a kept dead letter is handed out whatever its time to live was")
    void deadLetters() {
        Entity queue = create(QueueDescription.named("dl").deadLetteringOnMessageExpiration(true));
        for (int i = 0; i < FRAGMENTS; i++) {
            send(queue, expiring("short", 1_000, keyOf(i)));
        }
        f.nowMs += 1_000;
        Listening waiting = attach(queue, 1);
        waiting.receiver.detach();
        Listening dead = attach(queue, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1);
        assertThat(dead.messages).hasSize(1);
        f.letPass(30_000);
        wants(dead, 16);
        assertThat(dead.messages).hasSize(16);
        assertThat(dead.messages.get(15).lockedUntilMs()).isEqualTo(f.nowMs + 60_000);
    }

    @ParameterizedTest
    @EnumSource(ReceiveMode.class)
    @DisplayName(
            "PART-13, PART-59: what nobody has asked for goes to another receiver that waits, at once and uncounted")
    void goesToAnother(ReceiveMode mode) throws StoreException {
        open(1); // so that each fragment has answered before one hears that it is not wanted any more
        sendPlain(pq, 16);
        Listening first = fetching(pq, mode);
        assertThat(f.counts(pq).locked()).isEqualTo(mode == ReceiveMode.PEEK_LOCK ? 16 : 15);
        long before = f.nowMs;
        Listening other = attach(pq, SubQueue.MAIN, mode, 15);
        assertThat(other.messages).hasSize(15).allMatch(m -> m.deliveryCount() == 0);
        assertThat(f.nowMs).isEqualTo(before);
        // and the first one, which asks too late, gets nothing, and waits for what comes
        wants(first, 2);
        assertThat(first.messages).hasSize(1);
        sendPlain(pq, 1);
        assertThat(first.messages).hasSize(2);
    }

    @Test
    @DisplayName("PART-60: a receiver that waited before the message was kept gets it, too")
    void waitedBefore() {
        // given one that has all its messages, and one that waits
        Listening many = attach(pq, 1);
        Listening other = attach(pq, 3);
        // when messages come of which the first one can have only one
        for (int i = 0; i < 4; i++) {
            f.submit(pq, new Command.SendMessages(List.of(keyed("m" + i, null, keyOf(i)))));
        }
        f.settle();
        // then nothing is left
        assertThat(many.messages.size() + other.messages.size()).isEqualTo(4);
        assertThat(many.messages).hasSize(1);
    }

    @Test
    @DisplayName("PART-60, RECV-3: a receive that does not wait finds what others have not asked for")
    void drains() {
        sendPlain(pq, 16);
        fetching(pq, ReceiveMode.PEEK_LOCK);
        Listening other = attach(pq, 0);
        other.receiver.setCredit(15, true);
        f.settle();
        assertThat(other.messages).hasSize(15);
        assertThat(other.drained).containsExactly(15L);
    }

    @Test
    @DisplayName("PART-60: what several connections keep comes to the one that asks, one message after the other")
    void manyConnections() {
        sendPlain(pq, 32);
        List<Listening> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(attach(pq, 1));
        }
        int left = 32 - all.stream().mapToInt(one -> one.messages.size()).sum();
        Listening last = attach(pq, 0);
        for (int i = 1; i <= left; i++) {
            wants(last, i);
            assertThat(last.messages).hasSize(i);
        }
        assertThat(last.messages).allMatch(m -> m.deliveryCount() == 0);
        assertThat(f.counts(pq).locked()).isEqualTo(32);
    }

    @Test
    @DisplayName(
            "PART-13: a kept dead letter goes to another receiver of the dead-letter queue, not to one of the queue")
    void deadLettersOfOthers() {
        sendPlain(pq, 16);
        Listening all = attach(pq, 16);
        all.messages.forEach(
                m -> f.submit(pq, new Command.DeadLetterMessages(List.of(token(m)), null, null, Map.of())));
        f.settle();
        Listening first = attach(pq, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1);
        assertThat(first.messages).hasSize(1);
        assertThat(attach(pq, 16).messages).isEmpty();
        assertThat(attach(pq, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 16).messages)
                .hasSize(15);
    }

    @Test
    @DisplayName("PART-13: a lock of at most 100 ms is handed out as it is, an older one is renewed first")
    void howOld() throws StoreException {
        open(1);
        sendPlain(pq, 16);
        Listening first = fetching(pq, ReceiveMode.PEEK_LOCK);
        f.nowMs += 100;
        first.receiver.setCredit(2, false);
        assertThat(first.messages).as("without a turn of the shard").hasSize(2);
        f.nowMs += 1;
        first.receiver.setCredit(3, false);
        assertThat(first.messages).hasSize(2);
        f.settle();
        assertThat(first.messages).hasSize(3);
        assertThat(first.messages.get(2).lockedUntilMs()).isEqualTo(f.nowMs + 60_000);
    }

    @Test
    @DisplayName("SEQ-7: the messages of a key keep their order, also when the first one was kept")
    void keepsOrder() {
        Listening one = attach(pq, 1);
        send(pq, keyed("other", null, keyOf(3)));
        for (int i = 0; i < 9; i++) {
            send(pq, keyed("m" + i, null, keyOf(5)));
        }
        for (int i = 2; i <= 10; i += 2) {
            f.nowMs += 200;
            one.receiver.setCredit(i, false); // while what came before is still on its way
            f.turn();
        }
        f.settle();
        assertThat(one.messages.subList(1, 10))
                .extracting(PartitionedScenario::body)
                .containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8");
    }

    @Test
    @DisplayName(
            "RECV-2, PART-13: a message that is kept for a receiver that removes is not removed before it is asked for")
    void notRemovedBefore() {
        sendPlain(pq, 16);
        Listening first = fetching(pq, ReceiveMode.RECEIVE_AND_DELETE);
        assertThat(f.counts(pq).total()).isEqualTo(15);
        f.letPass(59_000);
        assertThat(f.counts(pq).total()).isEqualTo(15);
        first.receiver.detach();
        f.settle();
        assertThat(attach(pq, 16).messages).hasSize(15).allMatch(m -> m.deliveryCount() == 0);
    }

    @Test
    @DisplayName("PART-13, LOCK-9: a receiver that goes while its message is handed out does not take it along")
    void leavesMeanwhile() throws StoreException {
        open(1);
        sendPlain(pq, 16);
        ConnectionReceivers home = new ConnectionReceivers(Runnable::run);
        Listening first = new Listening();
        first.receiver = pq.attach(home, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, first, first.attached);
        f.settle();
        wants(first, 1);
        f.nowMs += 1_000;
        first.receiver.setCredit(16, false);
        first.receiver.detach();
        f.settle();
        assertThat(first.messages).hasSize(1);
        // another one of the connection gets all, or of another connection
        Listening next = new Listening();
        next.receiver = pq.attach(home, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, next, next.attached);
        f.settle();
        wants(next, 1);
        assertThat(next.messages).hasSize(1);
        f.nowMs += 1_000;
        next.receiver.setCredit(16, false);
        home.close();
        f.settle();
        assertThat(attach(pq, 16).messages).hasSize(14).allMatch(m -> m.deliveryCount() == 0);
    }

    @Test
    @DisplayName("PART-13, SUSP-1: what is being handed out when the entity is disabled goes back")
    void disabledMeanwhile() {
        sendPlain(pq, 16);
        Listening first = fetching(pq, ReceiveMode.PEEK_LOCK);
        f.nowMs += 1_000;
        first.receiver.setCredit(16, false);
        f.namespace()
                .updateQueue(describe(pq).toBuilder()
                        .status(EntityStatus.RECEIVE_DISABLED)
                        .build());
        f.settle();
        int got = first.messages.size();
        assertThat(Objects.requireNonNull(first.closed).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        f.namespace()
                .updateQueue(
                        describe(pq).toBuilder().status(EntityStatus.ACTIVE).build());
        f.settle();
        assertThat(attach(pq, 16).messages).hasSize(16 - got).allMatch(m -> m.deliveryCount() == 0);
    }

    @Test
    @DisplayName("PART-13, PART-3: while a store is away its kept messages are not handed out, and come again later")
    void storeGoesMeanwhile() {
        sendPlain(pq, 16);
        Listening first = fetching(pq, ReceiveMode.PEEK_LOCK);
        f.nowMs += 1_000;
        f.stores.get(2).setGone(true);
        f.submit(pq, new Command.SendMessages(List.of(keyed("lost", null, keyOf(2)))));
        wants(first, 16);
        int got = first.messages.size();
        assertThat(got).isBetween(12, 15);
        f.stores.get(2).setGone(false);
        f.letPass(5_000);
        assertThat(first.messages).hasSize(16);
        assertThat(first.messages.stream().map(MessageView::sequenceNumber).distinct())
                .hasSize(16);
    }

    @Test
    @DisplayName(
            "PART-60, LOCK-7: a lock that ends before its message is handed out does not count, and the message comes again")
    void endsMeanwhile() {
        sendPlain(pq, 16);
        Listening first = fetching(pq, ReceiveMode.PEEK_LOCK);
        f.nowMs += 59_999;
        first.receiver.setCredit(16, false); // the fragments hear of it when the locks have ended
        f.nowMs += 1;
        f.settle();
        assertThat(first.messages).hasSize(16);
        assertThat(first.messages.subList(1, 16))
                .allMatch(m -> m.lockedUntilMs() == f.nowMs + 60_000)
                .filteredOn(m -> m.deliveryCount() > 0)
                .extracting(PartitionedScenario::body)
                .allMatch(text -> text.equals(body(first.messages.get(0))));
    }
}
