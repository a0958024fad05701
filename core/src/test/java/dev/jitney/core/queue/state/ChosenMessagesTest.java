package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.numbers;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Command.ChangeMessage;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageAct;
import dev.jitney.core.Record;
import dev.jitney.core.Transfer;
import dev.jitney.core.transaction.decide.Destination;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A message that an operator has chosen by its number")
class ChosenMessagesTest {
    private static final Destination ELSEWHERE = new Destination(99, 1_000_000, Limits.of(TierProfile.STANDARD), false);

    private QueueFixture q = given(queue());

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private static ChangeMessage change(MessageAct act, SubQueue subQueue, long number) {
        return new ChangeMessage(subQueue, number, act, null, null);
    }

    private long deadLetter(String body) {
        q.send(body);
        MessageView message = q.receiveOne();
        q.deadLetter(message);
        return message.sequenceNumber();
    }

    @Test
    @DisplayName("is deleted in any state except locked, and the others stay")
    void deletes() {
        long first = q.send("first");
        long active = q.send("active");
        long scheduled = q.send(message("scheduled").scheduledAt(60_000).build());
        long dead = deadLetter("dead"); // receives "first"

        q.send("deferred");
        for (long number : new long[] {active, scheduled}) {
            q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, number));
        }
        MessageView deferred = q.receiveOne();
        q.defer(deferred);
        q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, deferred.sequenceNumber()));
        q.accepted(change(MessageAct.DELETE, SubQueue.DEAD_LETTER, first));

        assertThat(dead).isEqualTo(first);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("deferred");
        assertThat(q.counts().active()).isEqualTo(1);
        assertThat(q.counts().scheduled()).isZero();
        assertThat(q.counts().deferred()).isZero();
        assertThat(q.counts().deadLetter()).isZero();
        q.after(60_000);
        assertThat(q.counts().active()).isEqualTo(1);
    }

    @Test
    @DisplayName("is deleted also far behind the messages in memory")
    void deletesInStore() {
        q = given(queue(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER, QueueFixture.tinyMemory(3));
        for (int i = 0; i < 20; i++) {
            q.send("m" + i);
        }

        q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, 15));
        q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, 2));

        assertThat(numbers(q.peek(SubQueue.MAIN))).hasSize(18).doesNotContain(2L, 15L);
        assertThat(numbers(q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 20)))
                .hasSize(18)
                .doesNotContain(2L, 15L);
    }

    @ParameterizedTest
    @EnumSource(
            value = MessageAct.class,
            names = {"DELETE", "DEAD_LETTER"})
    @DisplayName("is not changed while a receiver has its lock")
    void locked(MessageAct act) {
        q.send("m");
        MessageView locked = q.receiveOne();

        Rejection refusal = q.refused(change(act, SubQueue.MAIN, locked.sequenceNumber()));

        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(refusal.description()).contains("is locked until").contains("unlock it first");
        q.complete(locked);
    }

    @Test
    @DisplayName("is refused as not found if it is not there, or in another queue")
    void missing() {
        long dead = deadLetter("dead");

        for (MessageAct act : MessageAct.values()) {
            assertThat(q.refusedAs(change(act, SubQueue.MAIN, dead))).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
            assertThat(q.refusedAs(change(act, SubQueue.MAIN, 77))).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
            assertThat(q.refusedAs(change(act, SubQueue.MAIN, -1))).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        }
    }

    @Test
    @DisplayName("is dead-lettered with the operator's reason, active or deferred")
    void deadLetters() {
        q.send("active");
        q.send("deferred");
        MessageView active = q.receiveOne();
        q.defer(q.receiveOne());
        q.abandon(active);

        for (long number : new long[] {1, 2}) {
            q.accepted(new ChangeMessage(SubQueue.MAIN, number, MessageAct.DEAD_LETTER, "Poison", "by hand"));
        }

        List<MessageView> dead = q.peek(SubQueue.DEAD_LETTER);
        assertThat(bodies(dead)).containsExactly("active", "deferred");
        assertThat(dead).allSatisfy(message -> {
            assertThat(QueueFixture.reason(message)).isEqualTo("Poison");
            assertThat(QueueFixture.description(message)).isEqualTo("by hand");
        });
        assertThat(numbers(q.receive(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 5)))
                .containsExactly(1L, 2L);
        assertThat(q.counts().active()).isZero();
        assertThat(q.counts().deferred()).isZero();
    }

    @Test
    @DisplayName("is not dead-lettered if it is scheduled or dead already")
    void notDeadLettered() {
        long dead = deadLetter("dead");
        long scheduled = q.send(message("later").scheduledAt(60_000).build());

        assertThat(q.refusedAs(change(MessageAct.DEAD_LETTER, SubQueue.DEAD_LETTER, dead)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(q.refusedAs(change(MessageAct.DEAD_LETTER, SubQueue.MAIN, scheduled)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("is unlocked without counting a delivery, and its receiver has lost the lock")
    void unlocks() {
        q.send("m");
        MessageView locked = q.receiveOne();

        q.accepted(change(MessageAct.UNLOCK, SubQueue.MAIN, locked.sequenceNumber()));

        assertThat(q.refusedAs(new Command.CompleteMessages(QueueFixture.token(locked))))
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.receiveOne().deliveryCount()).isEqualTo(locked.deliveryCount());
        assertThat(q.refusedAs(change(MessageAct.UNLOCK, SubQueue.MAIN, q.send("n"))))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("is not unlocked while a transaction has settled it")
    void inTransaction() {
        q.send("m");
        MessageView locked = q.receiveOne();
        OpenTransaction transaction = q.begin();
        q.acceptedIn(transaction, new Command.CompleteMessages(QueueFixture.token(locked)));

        assertThat(q.refused(change(MessageAct.UNLOCK, SubQueue.MAIN, 1)).description())
                .contains("open transaction");

        q.rollback(transaction);
        q.accepted(change(MessageAct.UNLOCK, SubQueue.MAIN, 1));
    }

    @Test
    @DisplayName("is changed also while the queue is disabled, because operators disable a queue to repair it")
    void disabled() {
        q.send("m");
        q.send("n");
        q.update(queue().status(EntityStatus.DISABLED));

        q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, 1));
        q.accepted(change(MessageAct.DEAD_LETTER, SubQueue.MAIN, 2));

        assertThat(q.counts().active()).isZero();
    }

    @Test
    @DisplayName("is replaced by another one, which is new in the queue")
    void replaces() {
        long dead = deadLetter("dead");

        long number = q.replace(SubQueue.DEAD_LETTER, dead, message("again").build());

        assertThat(number).isGreaterThan(dead);
        assertThat(q.counts().deadLetter()).isZero();
        MessageView again = q.receiveOne();
        assertThat(QueueFixture.body(again)).isEqualTo("again");
        assertThat(again.sequenceNumber()).isEqualTo(number);
        assertThat(again.deliveryCount()).isZero();
        q.complete(again);
    }

    @Test
    @DisplayName("is delivered now, if a message without a scheduled time replaces it")
    void replacesScheduled() {
        long scheduled = q.send(message("later").scheduledAt(60_000).build());

        q.replace(SubQueue.MAIN, scheduled, message("now").build());

        assertThat(q.counts().scheduled()).isZero();
        assertThat(QueueFixture.body(q.receiveOne())).isEqualTo("now");
    }

    @Test
    @DisplayName("stays if the other one is refused")
    void keepsOnRefusal() {
        long dead = deadLetter("dead");
        q.update(queue().status(EntityStatus.SEND_DISABLED));

        TransactionDecider.Commit commit =
                q.replacement(SubQueue.DEAD_LETTER, dead, message("again").build());

        assertThat(Objects.requireNonNull(commit.rejection()).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        assertThat(q.counts().deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("stays if the queue would drop the other one as a duplicate")
    void keepsOnDuplicate() {
        q = given(queue().requiresDuplicateDetection(true));
        q.send(message("m").id("a").build());
        q.deadLetter(q.receiveOne());

        TransactionDecider.Commit same =
                q.replacement(SubQueue.DEAD_LETTER, 1, message("m").id("a").build());
        assertThat(Objects.requireNonNull(same.rejection()).description()).contains("Give it a new MessageId");
        assertThat(q.counts().deadLetter()).isEqualTo(1);

        q.replace(SubQueue.DEAD_LETTER, 1, message("m").id("b").build());
        assertThat(q.counts().deadLetter()).isZero();
    }

    @Test
    @DisplayName("goes to another store through the outbox, which can restore it")
    void replacesElsewhere() {
        long dead = deadLetter("dead");

        TransactionDecider.Commit commit = q.replacementElsewhere(
                SubQueue.DEAD_LETTER, dead, ELSEWHERE, message("there").build());

        assertThat(commit.rejection()).isNull();
        assertThat(q.counts().deadLetter()).isZero();
        assertThat(q.counts().transfer()).isEqualTo(1);
        Transfer transfer = q.records().stream()
                .filter(Record.TransferQueued.class::isInstance)
                .map(record -> ((Record.TransferQueued) record).transfer())
                .findFirst()
                .orElseThrow();
        assertThat(transfer.destinationId()).isEqualTo(99);
        assertThat(transfer.number()).isGreaterThan(dead);
        assertThat(Objects.requireNonNull(transfer.origin()).lane()).isEqualTo(Lane.DEAD_LETTER);
    }

    @Test
    @DisplayName("does not leave while the disk is full, or if the other entity would refuse the other one")
    void keepsElsewhere() {
        long dead = deadLetter("dead");
        Destination small = new Destination(99, 10, Limits.of(TierProfile.STANDARD), false);

        assertThat(Objects.requireNonNull(q.replacementElsewhere(
                                        SubQueue.DEAD_LETTER,
                                        dead,
                                        small,
                                        message("there is no room for this").build())
                                .rejection())
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        q.storeAcceptsGrowth = false;
        assertThat(Objects.requireNonNull(q.replacementElsewhere(
                                        SubQueue.DEAD_LETTER,
                                        dead,
                                        ELSEWHERE,
                                        message("there").build())
                                .rejection())
                        .code())
                .isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(q.counts().deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("cannot be changed as a part of a transaction")
    void notInTransaction() {
        q.send("m");
        OpenTransaction transaction = q.begin();

        assertThat(q.refusedIn(transaction, change(MessageAct.DELETE, SubQueue.MAIN, 1)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(q.counts().active()).isEqualTo(1);
    }

    @Test
    @DisplayName("is deleted from its session, and not unlocked without it (SESS-8)")
    void inSession() {
        q = given(queue().requiresSession(true));
        q.send(message("a").sessionId("s").build());
        q.send(message("b").sessionId("s").build());
        q.send(message("c").sessionId("s").build());

        q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, 2));
        long receiver = 500;
        q.accepted(new Command.AcceptSession(receiver, "s", ReceiveMode.PEEK_LOCK, 0));
        q.accepted(new Command.SetCredit(receiver, 1, false));

        assertThat(q.refused(change(MessageAct.UNLOCK, SubQueue.MAIN, 1)).description())
                .contains("Unlock the session instead");
        q.accepted(change(MessageAct.DELETE, SubQueue.MAIN, 3));
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("a");
    }
}
