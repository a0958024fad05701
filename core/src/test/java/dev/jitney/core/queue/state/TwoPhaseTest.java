package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Command.TwoPhase.Step;
import dev.jitney.core.Reply;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("LOCK-13, SCHED-4: a queue's share of a command that several queues execute together")
class TwoPhaseTest {
    private final QueueFixture q = given(queue().lockDurationMs(5_000).maxDeliveryCount(10));

    private static Command hold(Command.Shareable share) {
        return new Command.TwoPhase(Step.PREPARE, share, 77);
    }

    private static Command carryOut(Command.Shareable share) {
        return new Command.TwoPhase(Step.COMMIT, share, 77);
    }

    private static Command letGo(Command.Shareable share) {
        return new Command.TwoPhase(Step.ABORT, share, 77);
    }

    private Command.Shareable completeOne() {
        q.send("a");
        return new Command.CompleteMessages(token(q.receiveOne()));
    }

    private Command.Shareable cancelOne(long dueInMs) {
        long number = q.sendAll(message("later").scheduledAt(dueInMs).build())[0];
        return new Command.CancelScheduledMessages(List.of(number));
    }

    @Test
    @DisplayName("LOCK-13: a prepared settlement is executed, however long the others take")
    void settles() {
        Command.Shareable complete = completeOne();
        q.accepted(hold(complete));
        assertThat(q.refusedAs(complete)).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        q.at(30_000);
        assertThat(q.receive()).isNull();
        q.accepted(carryOut(complete));
        q.thenCounts(0, 0, 0);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("LOCK-13, LOCK-7: an aborted settlement leaves the lock unchanged, or ends it if its time has passed")
    void doesNotSettle() {
        Command.Shareable complete = completeOne();
        q.accepted(hold(complete));
        q.accepted(letGo(complete));
        q.accepted(hold(complete));
        q.at(30_000);
        q.accepted(letGo(complete));
        assertThat(q.refusedAs(complete)).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.receiveOne().deliveryCount()).isEqualTo(1);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("LOCK-13: a refused share holds nothing, and only a held share is executed")
    void refused() {
        Command.Shareable complete = completeOne();
        q.at(6_000);
        assertThat(q.refusedAs(hold(complete))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        Command.Shareable again = new Command.CompleteMessages(token(q.receiveOne()));
        assertThat(q.refusedAs(carryOut(again))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        q.accepted(letGo(again));
        q.accepted(again);
    }

    @Test
    @DisplayName("LOCK-13, LOCK-5: held locks are renewed from the current time")
    void renews() {
        q.send("a");
        MessageView message = q.receiveOne();
        Command.Shareable renew = new Command.RenewLocks(token(message));
        q.accepted(hold(renew));
        q.at(6_000);
        Reply.LocksRenewed renewed = (Reply.LocksRenewed) q.accepted(carryOut(renew));
        assertThat(renewed.lockedUntilMs()).containsExactly(QueueFixture.START_MS + 11_000);
        assertThat(q.receive()).isNull();
        q.at(11_000);
        assertThat(q.receiveOne().deliveryCount()).isEqualTo(1);
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("LOCK-13, TX-21: a lock that a transaction holds is also renewed, and stays with the transaction")
    void renewsInTransactions() {
        q.send("a");
        MessageView message = q.receiveOne();
        OpenTransaction tx = q.begin();
        q.acceptedIn(tx, new Command.CompleteMessages(token(message)));
        Command.Shareable renew = new Command.RenewLocks(token(message));
        q.accepted(hold(renew));
        q.at(4_000);
        q.accepted(carryOut(renew));
        q.rollback(tx);
        q.at(8_000);
        q.complete(message);
    }

    @Test
    @DisplayName("SCHED-4: a prepared cancellation is executed, although the message has become due meanwhile")
    void cancels() {
        Command.Shareable cancel = cancelOne(1_000);
        q.accepted(hold(cancel));
        q.at(5_000);
        assertThat(q.receive()).isNull();
        assertThat(q.peek(SubQueue.MAIN)).hasSize(1);
        q.accepted(carryOut(cancel));
        assertThat(q.counts().scheduled()).isZero();
        assertThat(q.receive()).isNull();
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("SCHED-4: a message whose cancellation is aborted becomes due at its time, or immediately if that"
            + " has passed")
    void doesNotCancel() {
        Command.Shareable cancel = cancelOne(1_000);
        q.accepted(hold(cancel));
        q.accepted(letGo(cancel));
        q.accepted(hold(cancel));
        q.at(5_000);
        q.send("other");
        assertThat(QueueFixture.bodies(List.of(q.receiveOne()))).containsExactly("other");
        q.accepted(letGo(cancel));
        assertThat(QueueFixture.bodies(List.of(q.receiveOne()))).containsExactly("later");
        q.replayEqualsLive();
    }

    @Test
    @DisplayName(
            "SCHED-4: while one request may cancel a message, another one must retry; other messages are not affected")
    void cancelledByOne() {
        Command.Shareable cancel = cancelOne(1_000);
        cancelOne(2_000);
        q.accepted(hold(cancel));
        assertThat(q.refusedAs(cancel)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(q.refusedAs(new Command.TwoPhase(Step.PREPARE, cancel, 78))).isEqualTo(ErrorCode.SERVER_BUSY);
        q.accepted(new Command.TwoPhase(Step.ABORT, cancel, 78));
        assertThat(q.refusedAs(cancel)).isEqualTo(ErrorCode.SERVER_BUSY);
        q.at(3_000);
        assertThat(q.receiveOne().sequenceNumber()).isEqualTo(3);
        q.accepted(carryOut(cancel));
        assertThat(q.refusedAs(cancel)).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }
}
