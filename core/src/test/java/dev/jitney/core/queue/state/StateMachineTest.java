package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.reason;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 1: message state machine")
class StateMachineTest {
    private QueueFixture q = given(queue().deadLetteringOnMessageExpiration(true));

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("T-1: an accepted send is stored as active with delivery count 0")
    void sendStores() {
        q.send("a");
        assertThat(q.records()).hasSize(1).first().isInstanceOf(Record.MessageEnqueued.class);
        q.thenCounts(1, 0, 0);
        assertThat(q.rows.messages(Lane.MAIN)).containsOnlyKeys(1L);
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isZero();
        assertThat(q.peek(SubQueue.MAIN).get(0).state()).isEqualTo(MessageState.ACTIVE);
    }

    @Test
    @DisplayName("T-2, T-8: a message for later is scheduled, and cancelling removes it")
    void scheduleAndCancel() {
        long number = q.send(message("a").scheduledAt(60_000).build());
        q.thenCounts(0, 0, 1);
        assertThat(q.peek(SubQueue.MAIN).get(0).state()).isEqualTo(MessageState.SCHEDULED);
        q.accepted(new Command.CancelScheduledMessages(List.of(number)));
        q.thenCounts(0, 0, 0);
        assertThat(q.rows.messages(Lane.SCHEDULED)).isEmpty();
        assertThat(q.rows.timers).isEmpty();
    }

    @Test
    @DisplayName("T-7: at its time a scheduled message becomes active with a new number")
    void activation() {
        long number = q.send(message("a").scheduledAt(60_000).build());
        q.at(60_000);
        q.thenCounts(1, 0, 0);
        MessageView message = q.receiveOne();
        assertThat(message.sequenceNumber()).isGreaterThan(number);
        assertThat(message.enqueuedSequenceNumber()).isEqualTo(number);
        assertThat(message.enqueuedTimeMs()).isEqualTo(QueueFixture.START_MS + 60_000);
    }

    @Test
    @DisplayName("T-9, T-11: a delivery locks without a row; completing removes")
    void lockAndComplete() {
        q.send("a");
        MessageView message = q.receiveOne();
        assertThat(q.durableRecords()).isEmpty();
        q.thenCounts(1, 0, 0);
        assertThat(q.counts().locked()).isEqualTo(1);
        q.complete(message);
        q.thenCounts(0, 0, 0);
        assertThat(q.rows.messages(Lane.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("T-10: receive-and-delete removes with the delivery")
    void receiveAndDelete() {
        q.send("a");
        List<MessageView> messages = q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 1);
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0).lockToken()).isNull();
        assertThat(messages.get(0).lockedUntilMs()).isZero();
        q.thenCounts(0, 0, 0);
        assertThat(q.rows.messages(Lane.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("T-12, STATE-6: abandoning counts; a peek shows what is stored")
    void abandonCounts() {
        q.send("a");
        assertThat(q.receiveOne().deliveryCount()).isZero();
        q.after(60_000);
        MessageView second = q.receiveOne();
        assertThat(second.deliveryCount()).isEqualTo(1);
        q.abandon(second);
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isEqualTo(2);
    }

    @Test
    @DisplayName("T-13: lock expiry counts, stored before the redelivery")
    void lockExpiryCounts() {
        q.send("a");
        q.receiveOne();
        q.after(60_000);
        assertThat(q.durableRecords()).hasSize(1);
        assertThat(((Record.DeliveryFailed) q.durableRecords().get(0)).cause())
                .isEqualTo(Record.FailureCause.LOCK_EXPIRED);
        assertThat(q.rows.changes(Lane.MAIN).get(1L).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("T-14, STATE-4: release and restart unlock without counting; old tokens are dead")
    void releaseAndRestart() {
        q.send("a");
        q.release(q.receiveOne());
        MessageView message = q.receiveOne();
        assertThat(message.deliveryCount()).isZero();
        q.restart();
        assertThat(q.refusedAs(new Command.CompleteMessages(token(message)))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.receiveOne().deliveryCount()).isZero();
    }

    @Test
    @DisplayName("T-15, T-21, T-22, T-23, T-24: the ways of a deferred message")
    void deferral() {
        q.send("a");
        q.defer(q.receiveOne());
        q.thenCounts(1, 0, 0);
        assertThat(q.receive()).isNull();
        assertThat(q.peek(SubQueue.MAIN).get(0).state()).isEqualTo(MessageState.DEFERRED);

        MessageView locked = q.receiveDeferred(1L).get(0);
        assertThat(q.durableRecords()).isEmpty();
        assertThat(locked.deliveryCount()).isEqualTo(1);
        q.abandon(locked);
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isEqualTo(2);
        q.defer(q.receiveDeferred(1L).get(0));
        assertThat(q.counts().deferred()).isEqualTo(1);
        q.release(q.receiveDeferred(1L).get(0));
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isEqualTo(3);
        q.receiveDeferred(1L);
        q.after(60_000);
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isEqualTo(4);
        assertThat(q.peek(SubQueue.MAIN).get(0).state()).isEqualTo(MessageState.DEFERRED);
        assertThat(q.receive()).isNull();

        q.accepted(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.RECEIVE_AND_DELETE));
        q.thenCounts(0, 0, 0);
        assertThat(q.counts().deferred()).isZero();
        assertThat(q.rows.changes(Lane.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("T-16, STATE-10: dead-lettering keeps all but adds the reason")
    void deadLettering() {
        q.send(message("a").sessionId("s").timeToLiveMs(100_000).build());
        q.abandon(q.receiveOne());
        MessageView before = q.peek(SubQueue.MAIN).get(0);
        q.deadLetter(q.receiveOne());
        q.thenCounts(0, 1, 0);
        MessageView after = q.peek(SubQueue.DEAD_LETTER).get(0);
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("envelope.propertyOverrides")
                .isEqualTo(before);
        assertThat(after.propertyOverrides()).containsOnlyKeys("DeadLetterReason", "DeadLetterErrorDescription");
        assertThat(q.rows.messages(Lane.DEAD_LETTER).get(1L).sessionId()).isEqualTo("s");
        assertThat(q.rows.messages(Lane.MAIN)).isEmpty();
        assertThat(q.rows.changes(Lane.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("STATE-10: a property already named DeadLetterReason is overwritten")
    void reasonOverwrites() {
        q.send("a");
        q.accepted(new Command.AbandonMessages(
                token(q.receiveOne()), Map.of("DeadLetterReason", EncodedValue.ofString("mine"))));
        q.deadLetter(q.receiveOne());
        assertThat(reason(q.peek(SubQueue.DEAD_LETTER).get(0))).isEqualTo("because");
    }

    @Test
    @DisplayName("T-17: the failure that reaches the limit dead-letters")
    void limitReached() {
        q = given(queue().maxDeliveryCount(2));
        q.send("a");
        q.abandon(q.receiveOne());
        q.receiveOne();
        q.after(60_000);
        q.thenCounts(0, 1, 0);
        assertThat(q.peek(SubQueue.DEAD_LETTER).get(0).deliveryCount()).isEqualTo(2);
    }

    @Test
    @DisplayName("T-18, T-19: expired messages go when their lock ends or when a receiver comes")
    void expiry() {
        q.sendAll(
                message("a").timeToLiveMs(1_000).build(),
                message("b").timeToLiveMs(1_000).build());
        MessageView message = q.receiveOne();
        q.after(1_000);
        q.thenCounts(2, 0, 0);
        q.abandon(message);
        q.thenCounts(1, 1, 0);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, 2, 0);
    }

    @Test
    @DisplayName("T-25: asking for an expired deferred message makes it expire")
    void deferredExpires() {
        q.send(message("a").timeToLiveMs(1_000).build());
        q.defer(q.receiveOne());
        q.after(1_000);
        assertThat(q.refusedAs(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        q.thenCounts(0, 1, 0);
        assertThat(q.counts().deferred()).isZero();
    }

    @Test
    @DisplayName("T-28, T-29, DLQ-39: a dead-letter queue locks and completes, and counts nothing")
    void deadLetterQueue() {
        q = given(queue().maxDeliveryCount(1));
        q.send("a");
        q.abandon(q.receiveOne());
        for (int i = 1; i <= 50; i++) {
            MessageView message = q.receiveDeadLetter();
            assertThat(message.deliveryCount()).isEqualTo(1);
            if (i % 2 == 0) {
                q.abandon(message);
            } else {
                q.after(60_000);
            }
        }
        q.thenCounts(0, 1, 0);
        q.complete(q.receiveDeadLetter());
        q.thenCounts(0, 0, 0);
        assertThat(q.rows.changes(Lane.DEAD_LETTER)).isEmpty();
    }

    @Test
    @DisplayName("T-35: batch delete removes unlocked messages")
    void batchDelete() {
        q.send("a");
        q.after(1);
        q.accepted(new Command.BatchDeleteMessages(SubQueue.MAIN, 1, q.nowMs));
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("STATE-5: release, peek, renew and restart do not count")
    void whatDoesNotCount() {
        q.send("a");
        for (int i = 0; i < 20; i++) {
            MessageView message = q.receiveOne();
            q.accepted(new Command.RenewLocks(token(message)));
            q.peek(SubQueue.MAIN);
            q.release(message);
            q.restart();
        }
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isZero();
        q.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName("STATE-7: expiry is judged before the delivery limit")
    void expiryBeforeLimit() {
        q = given(queue().maxDeliveryCount(1).deadLetteringOnMessageExpiration(true));
        q.send(message("a").timeToLiveMs(30_000).build());
        MessageView message = q.receiveOne();
        q.at(31_000);
        q.abandon(message);
        assertThat(reason(q.peek(SubQueue.DEAD_LETTER).get(0))).isEqualTo("TTLExpiredException");
        assertThat(q.peek(SubQueue.DEAD_LETTER).get(0).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("STATE-8: exactly one settlement wins")
    void secondSettlementFails() {
        q.send("a");
        MessageView message = q.receiveOne();
        q.complete(message);
        assertThat(q.refusedAs(new Command.CompleteMessages(token(message)))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("STATE-9: locked and dead-lettered messages report active unless deferred")
    void wireStates() {
        assertThat(MessageState.ACTIVE.wireValue()).isZero();
        assertThat(MessageState.DEFERRED.wireValue()).isEqualTo(1);
        assertThat(MessageState.SCHEDULED.wireValue()).isEqualTo(2);
        q.send("a");
        MessageView locked = q.receiveOne();
        assertThat(q.peek(SubQueue.MAIN).get(0).state()).isEqualTo(MessageState.ACTIVE);
        q.deadLetter(locked);
        assertThat(q.peek(SubQueue.DEAD_LETTER).get(0).state()).isEqualTo(MessageState.ACTIVE);
        q.defer(q.receiveDeadLetter());
        assertThat(q.peek(SubQueue.DEAD_LETTER).get(0).state()).isEqualTo(MessageState.DEFERRED);
    }
}
