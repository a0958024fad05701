package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Semantics chapter 16: transactions on one queue")
class TransactionsTest {
    private final QueueFixture q = given(queue().lockDurationMs(5_000).maxDeliveryCount(10));
    private final OpenTransaction tx = q.begin();

    private static Command.SendMessages send(IncomingMessage... messages) {
        return new Command.SendMessages(List.of(messages));
    }

    private Command complete(MessageView message) {
        return new Command.CompleteMessages(token(message));
    }

    private void committed() {
        assertThat(q.commit(tx)).as("refusal of the commit").isNull();
    }

    private ErrorCode refusedCommit() {
        return Objects.requireNonNull(q.commit(tx), "Expected a refusal.").code();
    }

    @Test
    @DisplayName("TX-13, TX-1: messages and settlements become visible with the commit")
    void commitShowsEverything() {
        q.send("a");
        MessageView a = q.receiveOne();
        q.acceptedIn(tx, send(message("b").build()));
        q.acceptedIn(tx, complete(a));
        assertThat(q.peek(SubQueue.MAIN)).hasSize(1);
        q.thenCounts(1, 0, 0);
        committed();
        assertThat(QueueFixture.bodies(q.peek(SubQueue.MAIN))).containsExactly("b");
        assertThat(q.receiveOne().sequenceNumber()).isEqualTo(2);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("TX-14, T-34, SEQ-1: a rollback discards sends and restores the lock")
    void rollbackTakesBack() {
        q.send("a");
        MessageView a = q.receiveOne();
        q.acceptedIn(tx, send(message("b").build()));
        q.acceptedIn(tx, complete(a));
        q.rollback(tx);
        assertThat(q.peek(SubQueue.MAIN)).hasSize(1);
        q.complete(a);
        assertThat(q.send("c")).isEqualTo(2);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("TX-1: every kind of settlement waits for the commit")
    void settlements() {
        q.sendAll(
                message("abandon").build(),
                message("defer").build(),
                message("dead-letter").build(),
                message("release").build());
        List<MessageView> all = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 4);
        q.acceptedIn(tx, new Command.AbandonMessages(token(all.get(0)), Map.of()));
        q.acceptedIn(tx, new Command.DeferMessages(token(all.get(1)), Map.of()));
        q.acceptedIn(tx, new Command.DeadLetterMessages(token(all.get(2)), "why", "so", Map.of()));
        q.acceptedIn(tx, new Command.ReleaseMessages(token(all.get(3))));
        assertThat(q.receive()).isNull();
        q.thenCounts(4, 0, 0);
        committed();
        q.thenCounts(3, 1, 0);
        assertThat(q.counts().deferred()).isEqualTo(1);
        assertThat(QueueFixture.reason(q.receiveDeadLetter())).isEqualTo("why");
        List<MessageView> left = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 4);
        assertThat(QueueFixture.bodies(left)).containsExactly("abandon", "release");
        assertThat(left.get(0).deliveryCount()).isEqualTo(1);
        assertThat(left.get(1).deliveryCount()).isZero();
    }

    @Test
    @DisplayName("TX-13, T-33, STATE-8: a message that a transaction has settled cannot be settled again, even by"
            + " the transaction")
    void settledOnce() {
        q.send("a");
        MessageView a = q.receiveOne();
        q.acceptedIn(tx, complete(a));
        assertThat(q.refusedAs(complete(a))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.refusedIn(q.begin(), complete(a))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        committed();
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("TX-15: the lock is checked at the settlement, and lasts until the outcome")
    void lockOutlivesItsTime() {
        q.send("a");
        q.acceptedIn(tx, complete(q.receiveOne()));
        q.at(30_000);
        assertThat(q.receive()).isNull();
        committed();
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("TX-15: after a rollback past its end the lock ends and the delivery has failed")
    void rollbackAfterTheLock() {
        q.send("a");
        MessageView a = q.receiveOne();
        q.acceptedIn(tx, complete(a));
        q.at(30_000);
        q.rollback(tx);
        assertThat(q.refusedAs(complete(a))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.receiveOne().deliveryCount()).isEqualTo(1);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("TX-21: a renewal takes effect immediately, also for a settled message, and a rollback does not"
            + " undo it")
    void renewal() {
        q.send("a");
        MessageView a = q.receiveOne();
        q.acceptedIn(tx, complete(a));
        q.at(4_000);
        Reply renewed = q.acceptedIn(tx, new Command.RenewLocks(token(a)));
        assertThat(((Reply.LocksRenewed) renewed).lockedUntilMs()).containsExactly(QueueFixture.START_MS + 9_000);
        q.rollback(tx);
        q.at(8_000);
        q.complete(a);
    }

    @Test
    @DisplayName("TX-23: expiry does not remove messages that a transaction has settled")
    void sweepSkips() {
        q.send(message("a").timeToLiveMs(1_000).build());
        q.acceptedIn(tx, complete(q.receiveOne()));
        q.receiver(10);
        q.at(60_000);
        q.thenCounts(1, 0, 0);
        committed();
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("TX-8: 100 messages, and the 101st is refused")
    void hundredMessages() {
        for (int i = 0; i < 100; i++) {
            q.acceptedIn(tx, send(message("m" + i).build()));
        }
        assertThat(q.refusedIn(tx, send(message("x").build()))).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(refusedCommit()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("TX-8, SEQ-1: 100 messages of 200 KB are one commit with consecutive numbers")
    void largeCommit() {
        int size = 200_000;
        for (int i = 0; i < 100; i++) {
            q.acceptedIn(tx, send(message("m").encodedSizeBytes(size).build()));
        }
        committed();
        assertThat(q.durableRecords()).hasSize(100);
        assertThat(QueueFixture.numbers(q.peek(SubQueue.MAIN)))
                .isEqualTo(IntStream.rangeClosed(1, 100).mapToObj(i -> (long) i).toList());
    }

    @Test
    @DisplayName("TX-16: after a refused operation nothing can be committed")
    void refusedOperationSpoils() {
        q.send("a");
        MessageView a = q.receiveOne();
        q.acceptedIn(tx, complete(a));
        q.acceptedIn(tx, send(message("b").build()));
        assertThat(q.refusedIn(tx, send(message("c").encodedSizeBytes(300_000).build())))
                .isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        assertThat(refusedCommit()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        q.thenCounts(1, 0, 0);
        q.complete(a);
    }

    @Test
    @DisplayName("TX-2: receive-and-delete is refused; receiving by number with a lock is not part of the transaction")
    void receiving() {
        q.send("a");
        q.defer(q.receiveOne());
        Reply received = q.acceptedIn(
                tx, new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK));
        assertThat(QueueFixture.messages(received)).hasSize(1);
        q.rollback(tx);
        q.complete(QueueFixture.messages(received).get(0));
        q.send("b");
        q.defer(q.receiveOne());
        assertThat(q.refusedIn(
                        q.begin(),
                        new Command.ReceiveDeferredMessages(
                                SubQueue.MAIN, List.of(2L), ReceiveMode.RECEIVE_AND_DELETE)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("SCHED-5: a schedule returns its number immediately, takes effect at the commit, and can be"
            + " canceled by it")
    void schedule() {
        long[] numbers = q.scheduleIn(tx, message("later").scheduledAt(60_000).build());
        assertThat(numbers).containsExactly(1);
        assertThat(q.send("now")).isEqualTo(2);
        q.thenCounts(1, 0, 0);
        committed();
        q.thenCounts(1, 0, 1);
        q.accepted(new Command.CancelScheduledMessages(List.of(1L)));
        q.thenCounts(1, 0, 0);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("SCHED-5: a rolled back schedule never appears and leaves a gap")
    void scheduleRolledBack() {
        q.scheduleIn(tx, message("later").scheduledAt(60_000).build());
        q.rollback(tx);
        q.at(120_000);
        q.thenCounts(0, 0, 0);
        assertThat(q.send("now")).isEqualTo(2);
    }

    @Test
    @DisplayName("SCHED-2: a message that became due during the transaction appears with its commit")
    void dueBeforeTheCommit() {
        q.scheduleIn(tx, message("soon").scheduledAt(1_000).build());
        q.send("now");
        q.at(2_000);
        committed();
        assertThat(QueueFixture.bodies(q.peek(SubQueue.MAIN))).containsExactly("now", "soon");
        q.thenCounts(2, 0, 0);
    }

    @Test
    @DisplayName("SCHED-5, TX-16: a cancellation is checked again at the commit, which fails if the message was"
            + " activated")
    void cancel() {
        long number = q.send(message("later").scheduledAt(1_000).build());
        long other = q.send(message("much later").scheduledAt(60_000).build());
        q.acceptedIn(tx, new Command.CancelScheduledMessages(List.of(number)));
        q.acceptedIn(tx, new Command.CancelScheduledMessages(List.of(other)));
        q.thenCounts(0, 0, 2);
        q.at(1_000);
        Rejection refusal = Objects.requireNonNull(q.commit(tx));
        assertThat(refusal.code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
        q.thenCounts(1, 0, 1);
    }

    @Test
    @DisplayName("SCHED-4: the same message cannot be canceled twice in a transaction")
    void cancelTwice() {
        long number = q.send(message("later").scheduledAt(1_000).build());
        q.acceptedIn(tx, new Command.CancelScheduledMessages(List.of(number)));
        assertThat(q.refusedIn(tx, new Command.CancelScheduledMessages(List.of(number))))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @Test
    @DisplayName("DUP-8: two equal ids in one transaction are one message, and a rollback leaves no history")
    void duplicates() {
        QueueFixture d = given(queue().requiresDuplicateDetection(true));
        OpenTransaction rolledBack = d.begin();
        d.acceptedIn(rolledBack, send(message("never").id("x").build()));
        d.rollback(rolledBack);
        OpenTransaction committed = d.begin();
        d.acceptedIn(committed, send(message("a").id("x").build()));
        d.acceptedIn(committed, send(message("b").id("x").build()));
        d.acceptedIn(committed, send(message("c").id("y").build()));
        assertThat(d.commit(committed)).isNull();
        assertThat(QueueFixture.bodies(d.peek(SubQueue.MAIN))).containsExactly("a", "c");
        assertThat(d.send(message("again").id("y").build())).isEqualTo(2);
        d.thenCounts(2, 0, 0);
    }

    @Test
    @DisplayName("DLQ-9: transactions work on a dead-letter queue")
    void deadLetterQueue() {
        q.send("a");
        q.deadLetter(q.receiveOne());
        MessageView dead = q.receiveDeadLetter();
        q.acceptedIn(tx, complete(dead));
        q.acceptedIn(tx, send(message("a").build()));
        committed();
        q.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName("STATE-4: a restart drops open transactions")
    void restart() {
        q.send("a");
        q.acceptedIn(tx, complete(q.receiveOne()));
        q.acceptedIn(tx, send(message("b").build()));
        q.scheduleIn(tx, message("c").scheduledAt(60_000).build());
        q.restart();
        q.thenCounts(1, 0, 0);
        assertThat(q.receiveOne().deliveryCount()).isZero();
        assertThat(q.send("d")).isEqualTo(3);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("TTL-6: reserved numbers do not prevent the expiry of messages in the previous block")
    void reservedNumbersAcrossBlocks() {
        q.send(message("expires").timeToLiveMs(1_000).build());
        List<IncomingMessage> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(message("later").scheduledAt(600_000).build());
        }
        for (int i = 0; i < 11; i++) {
            q.scheduleIn(q.begin(), many.toArray(IncomingMessage[]::new));
        }
        q.restart();
        q.at(2_000);
        q.receiver(1);
        q.thenCounts(0, 0, 0);
        assertThat(q.durableRecords().stream().filter(Record.MessageRemoved.class::isInstance))
                .hasSize(1);
    }
}
