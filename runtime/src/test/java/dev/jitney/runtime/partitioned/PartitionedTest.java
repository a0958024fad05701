package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Partitioned queues and topics (semantics chapter 17) over four stores")
class PartitionedTest extends PartitionedScenario {
    @Test
    @DisplayName("PART-9, PART-10, PART-11, PART-38, PART-40, SEQ-2, PART-57: 160 messages without keys are ten per"
            + " fragment, in all stores")
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
    @DisplayName("PEEK-8, PEEK-9: repeated peeks return all messages once, in ascending order of numbers")
    void peeks() {
        sendPlain(pq, 100);
        List<Long> numbers =
                peekAll(pq).stream().map(MessageView::sequenceNumber).toList();
        assertThat(numbers).hasSize(100).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("PART-25, PART-29, PART-31, PART-32: a SessionId or PartitionKey selects the fragment, and they"
            + " must not differ")
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
    @DisplayName("PART-35, PART-36, PART-37, DUP-6: MessageId is a key only with duplicate detection")
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
        assertThat(peekAll(detecting)).extracting(PartitionedScenario::body).containsExactlyInAnyOrder("1", "3", "4");
        assertThat(send(detecting, message("no id")).rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("PART-12, PART-14: a receiver gets the messages of all fragments once each, and settles them")
    void receives() {
        sendPlain(pq, 100);
        Listening listening = attach(pq, 100);
        assertThat(listening.messages).hasSize(100);
        assertThat(listening.messages.stream().map(PartitionedScenario::body).distinct())
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
    @DisplayName("PART-12: a single message is found in any fragment, also if it arrives later")
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
    @DisplayName("PART-13, PART-60: a message fetched beyond the credit is delivered next, or goes to another receiver")
    void keeps() {
        sendPlain(pq, 64);
        Listening first = attach(pq, 1);
        assertThat(first.messages).hasSize(1);
        long fetched = f.counts(pq).locked();
        assertThat(fetched).isBetween(2L, 16L);
        first.receiver.setCredit(2, false);
        assertThat(first.messages).hasSize(2); // without a request to a fragment
        assertThat(attach(pq, 100).messages).hasSize(62);
    }

    @Test
    @DisplayName("PART-60: a prefetched message without a receiver is available when its lock expires, without a count")
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
    @DisplayName("PART-60: a receiver that detaches releases undelivered messages")
    void givesBack() {
        sendPlain(pq, 20);
        Listening first = attach(pq, 1);
        first.receiver.detach();
        f.settle();
        Listening second = attach(pq, 30);
        assertThat(second.messages).hasSize(19).allMatch(m -> m.deliveryCount() == 0);
    }

    @Test
    @DisplayName("PART-14, RECV-2: receive-and-delete removes exactly the delivered messages")
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
    @DisplayName("PART-14, RECV-3: a drain ends when all fragments are empty")
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
    @DisplayName("DLQ-40, LOCK-13: dead-letter messages stay in their fragments and are read as one queue;"
            + " renewals answer in order")
    void deadLetters() {
        sendPlain(pq, 32);
        Listening listening = attach(pq, 32);
        List<UUID> tokens =
                listening.messages.stream().map(PartitionedScenario::token).toList();
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
    @DisplayName("SESS-23, PART-30: each session is in one fragment; the next available one is found in any fragment")
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
            assertThat(listening.messages).extracting(PartitionedScenario::body).containsExactly("1", "2");
            var hold = new dev.jitney.core.SessionHold(listening.receiver.id(), session.sessionId());
            assertThat(done(sq, new Command.SetSessionState(hold, new byte[] {1}))
                            .isDone())
                    .isTrue();
            Reply.SessionState state = (Reply.SessionState)
                    done(sq, new Command.GetSessionState(hold.sessionId())).reply();
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
    @DisplayName("TTL-31: the holder of a session in one fragment listens to all fragments: their sessions expire")
    void expiresSessions() {
        Entity sq = create(QueueDescription.named("sq").requiresSession(true).deadLetteringOnMessageExpiration(true));
        send(sq, keyed("stays", "a", null));
        IncomingMessage m = message("expires");
        send(
                sq,
                IncomingMessage.of(m.content())
                        .timeToLiveMs(10_000)
                        .sizes(m.encodedSizeBytes(), 0, 0)
                        .sent("b", 0)
                        .build());
        f.nowMs += 20_000;
        f.settle();
        assertThat(f.counts(sq).deadLetter()).isZero();
        Listening listening = new Listening();
        listening.receiver =
                sq.acceptSession("a", ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        assertThat(f.counts(sq).deadLetter()).isEqualTo(1);
        listening.receiver.detach();
        send(
                sq,
                IncomingMessage.of(m.content())
                        .timeToLiveMs(10_000)
                        .sizes(m.encodedSizeBytes(), 0, 0)
                        .sent("b", 0)
                        .build());
        f.nowMs += 20_000;
        f.settle();
        assertThat(f.counts(sq).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "TTL-31, TTL-5: the holder of a session also listens to a fragment whose store has restarted meanwhile")
    void expiresSessionsAfterRestart() {
        Entity sq = create(QueueDescription.named("sq")
                .requiresSession(true)
                .deadLetteringOnMessageExpiration(true)
                .lockDurationMs(300_000));
        send(sq, keyed("stays", keyOf(1), null));
        Listening listening = new Listening();
        listening.receiver =
                sq.acceptSession(keyOf(1), ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        restartStoreOf(sq, 2);
        sendExpiring(sq, keyOf(2));
        assertThat(f.counts(sq).deadLetter()).isEqualTo(1);
        restartStoreOf(sq, 2);
        sendExpiring(sq, keyOf(2));
        assertThat(f.counts(sq).deadLetter()).isEqualTo(2);
        listening.receiver.detach();
        restartStoreOf(sq, 2);
        sendExpiring(sq, keyOf(2));
        assertThat(f.counts(sq).deadLetter()).isEqualTo(2);
    }

    private void restartStoreOf(Entity entity, int fragment) {
        int store = Objects.requireNonNull(((ServedEntity) entity).fragments())
                .part(fragment)
                .shard()
                .index();
        f.stores.get(store).failNextCommit(StoreException.Reason.IO, false);
        send(entity, keyed("lost", keyOf(fragment), null));
        f.letPass(5_000);
        assertThat(f.shard(store).isServing()).isTrue();
    }

    private void sendExpiring(Entity entity, String session) {
        IncomingMessage m = message("expires");
        send(
                entity,
                IncomingMessage.of(m.content())
                        .timeToLiveMs(10_000)
                        .sizes(m.encodedSizeBytes(), 0, 0)
                        .sent(session, 0)
                        .build());
        f.nowMs += 20_000;
        f.settle();
    }

    @Test
    @DisplayName("PURGE-2: messages of a partitioned entity cannot be deleted in batches")
    void deletes() {
        sendPlain(pq, 4);
        assertThat(done(pq, new Command.BatchDeleteMessages(SubQueue.MAIN, 50, f.nowMs + 1))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(f.counts(pq).active()).isEqualTo(4);
    }
}
