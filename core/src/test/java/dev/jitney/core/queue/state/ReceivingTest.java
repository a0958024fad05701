package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.START_MS;
import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.body;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.largeMemory;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.numbers;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.reason;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapters 3 to 5, 8 and 22: receiving, locks, order, dead-lettering, status")
class ReceivingTest {
    private QueueFixture q = given(queue());

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private static Limits locksMax(int count) {
        Limits l = Limits.of(TierProfile.STANDARD);
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                l.maxQueueSizeInMegabytes(),
                l.maxTimeToLiveMs(),
                l.maxIdLength(),
                l.maxPropertySizeBytes(),
                l.maxHeaderSizeBytes(),
                l.maxEntities(),
                l.maxPartitionedEntities(),
                l.maxSubscriptions(),
                l.maxSqlFilters(),
                l.maxCorrelationFilters(),
                l.maxConnections(),
                2,
                count,
                l.maxPeekCount(),
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }

    @Test
    @DisplayName("RECV-3, RECV-10: a receive returns the available messages and never waits for more")
    void batchReceive() {
        assertThat(q.receive()).isNull();
        q.send("a");
        q.send("b");
        q.send("c");
        assertThat(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 10)).hasSize(3);
    }

    @Test
    @DisplayName("RECV-4: ten receivers get each message exactly once, evenly distributed")
    void fairness() {
        List<Long> receivers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            receivers.add(q.receiver(1_000));
        }
        List<Long> who = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            q.send("m");
            who.add(q.outputs().get(0).receiverId());
            assertThat(q.outputs()).hasSize(1);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(who.get(i)).isEqualTo(receivers.get(i % 10));
        }
    }

    @Test
    @DisplayName("RECV-5, LOCK-12: an abandoned message keeps its number and is delivered first, immediately")
    void abandonedComesFirst() {
        q.send("a");
        q.send("b");
        q.send("c");
        q.abandon(q.receiveOne());
        assertThat(bodies(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 3))).containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("RECV-7: properties of an abandon are merged before the redelivery")
    void abandonWithProperties() {
        q.send("a");
        EncodedValue one = EncodedValue.ofString("1");
        EncodedValue two = EncodedValue.ofString("2");
        q.accepted(new Command.AbandonMessages(token(q.receiveOne()), Map.of("a", one)));
        q.accepted(new Command.DeferMessages(token(q.receiveOne()), Map.of("b", two)));
        assertThat(q.receiveDeferred(1L).get(0).propertyOverrides()).isEqualTo(Map.of("a", one, "b", two));
    }

    @Test
    @DisplayName("QUOTA-8: a paused receiver gets nothing until it sets its credit again, and others continue")
    void pausedReceivers() {
        long paused = q.receiver(10);
        q.happened(new Record.ReceiverPaused(paused));
        long other = q.receiver(1);
        q.send("a");
        assertThat(q.outputs()).extracting(Output::receiverId).containsExactly(other);
        q.send("b");
        assertThat(q.outputs()).isEmpty();
        q.accepted(new Command.SetCredit(paused, 10, false));
        assertThat(q.outputs()).extracting(Output::receiverId).containsExactly(paused);
    }

    @Test
    @DisplayName("RECV-6: a receiver gets nothing without credit and no more than its credit, and a smaller credit"
            + " takes the rest back")
    void credit() {
        long receiver = q.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK);
        q.send("a");
        assertThat(q.delivered(receiver)).isEmpty();
        q.accepted(new Command.SetCredit(receiver, 2, false));
        assertThat(q.delivered(receiver)).hasSize(1);
        q.accepted(new Command.SetCredit(receiver, 1, false));
        q.send("b");
        assertThat(q.delivered(receiver)).isEmpty();
        q.accepted(new Command.SetCredit(receiver, 3, false));
        assertThat(q.delivered(receiver)).hasSize(1);
        q.accepted(new Command.DetachReceiver(receiver));
        q.send("c");
        assertThat(q.outputs()).isEmpty();
        assertThat(q.refusedAs(new Command.SetCredit(receiver, 9, false))).isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("RECV-3: a drain delivers the available messages, uses up the remaining credit and ends once")
    void drain() {
        q.send("a");
        long receiver = q.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK);
        q.accepted(new Command.SetCredit(receiver, 5, true));
        assertThat(q.delivered(receiver)).hasSize(1);
        assertThat(q.outputs().get(1)).isEqualTo(new Output.Drained(receiver, 5));
        q.send("b");
        assertThat(q.outputs()).isEmpty();
        q.accepted(new Command.SetCredit(receiver, 6, false));
        assertThat(q.delivered(receiver)).hasSize(1);
    }

    @Test
    @DisplayName(
            "DEFER-4, QUOTA-8: with too many locks a deferred message is not missing; without a lock it is received")
    void deferredAtLockLimit() {
        q = given(queue(), locksMax(2));
        q.sendAll(message("a").build(), message("b").build(), message("c").build());
        q.defer(q.receiveOne());
        q.defer(q.receiveOne());
        q.receiveOne();
        assertThat(q.refusedAs(
                        new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L, 2L), ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(q.receiveDeferred(1L)).hasSize(1);
        assertThat(q.refusedAs(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(2L), ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(q.refusedAs(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(9L), ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        q.accepted(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(2L), ReceiveMode.RECEIVE_AND_DELETE));
        q.thenCounts(2, 0, 0);
    }

    @Test
    @DisplayName("the limit of locks stops peek-lock receivers; a drain of another receiver still gets everything")
    void lockLimit() {
        q = given(queue(), locksMax(3));
        for (int i = 0; i < 500; i++) {
            q.send("m");
        }
        List<MessageView> locked = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 10);
        assertThat(locked).hasSize(3);
        assertThat(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 10)).isEmpty();
        assertThat(q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 490))
                .hasSize(490);
        q.complete(locked.get(0));
        assertThat(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 10)).hasSize(1);
    }

    @Test
    @DisplayName("QUOTA-8: the number of receivers is limited")
    void receiverLimit() {
        q = given(queue(), locksMax(3));
        q.receiver(1);
        q.receiver(1);
        assertThat(q.refusedAs(new Command.AttachReceiver(99, SubQueue.MAIN, ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.SERVER_BUSY);
    }

    @Test
    @DisplayName("LOCK-2, LOCK-3, LOCK-4: a lock lasts for its duration, hides the message, and has its own token")
    void locks() {
        q.send("a");
        MessageView first = q.receiveOne();
        assertThat(first.lockedUntilMs()).isEqualTo(START_MS + 60_000);
        assertThat(q.receive()).isNull();
        assertThat(q.peek(SubQueue.MAIN)).hasSize(1);
        q.abandon(first);
        assertThat(q.receiveOne().lockToken()).isNotEqualTo(first.lockToken());
    }

    @Test
    @DisplayName("LOCK-5: renewing every 50 s for an hour holds the message without counting")
    void renewal() {
        q.send("a");
        MessageView message = q.receiveOne();
        for (int i = 1; i <= 72; i++) {
            q.at(i * 50_000L);
            Reply reply = q.accepted(new Command.RenewLocks(token(message)));
            assertThat(((Reply.LocksRenewed) reply).lockedUntilMs()).containsExactly(q.nowMs + 60_000);
        }
        assertThat(q.peek(SubQueue.MAIN).get(0).deliveryCount()).isZero();
        q.after(60_000);
        assertThat(q.refusedAs(new Command.RenewLocks(token(message)))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
    }

    @Test
    @DisplayName("HTTP 3.1: a client with a token can read the message until the lock ends")
    void looksBehindLocks() {
        q.send("a");
        MessageView message = q.receiveOne();
        Command look = new Command.GetLockedMessage(token(message).get(0));
        assertThat(((Reply.Locked) q.accepted(look)).message()).isEqualTo(message);
        q.defer(message);
        assertThat(q.refusedAs(look)).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        q.send("b");
        MessageView other = q.receiveOne();
        q.after(60_000);
        assertThat(q.refusedAs(new Command.GetLockedMessage(token(other).get(0))))
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
    }

    @Test
    @DisplayName("LOCK-7, LOCK-9: a token is invalid from the end of the lock, and the lock outlives its receiver")
    void lockExpiry() {
        q.send("a");
        MessageView message = q.receiveOne();
        q.at(59_999);
        assertThat(q.receive()).isNull();
        q.at(60_000);
        for (Command command : List.of(
                new Command.CompleteMessages(token(message)),
                new Command.AbandonMessages(token(message), Map.of()),
                new Command.ReleaseMessages(token(message)),
                new Command.DeferMessages(token(message), Map.of()),
                new Command.DeadLetterMessages(token(message), null, null, Map.of()))) {
            assertThat(q.refusedAs(command)).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        }
        assertThat(q.receiveOne().deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("LOCK-8: a changed lock duration applies to locks created or renewed afterwards")
    void changedDuration() {
        q.send("a");
        q.send("b");
        MessageView old = q.receiveOne();
        q.update(queue().lockDurationMs(5_000));
        MessageView fresh = q.receiveOne();
        q.at(5_000);
        assertThat(q.refusedAs(new Command.CompleteMessages(token(fresh)))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        q.at(59_000);
        q.complete(old);
    }

    @Test
    @DisplayName("LOCK-13: several tokens are settled all or none")
    void allOrNone() {
        q.send("a");
        q.send("b");
        List<MessageView> two = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 2);
        UUID a = Objects.requireNonNull(two.get(0).lockToken());
        UUID b = Objects.requireNonNull(two.get(1).lockToken());
        assertThat(q.refusedAs(new Command.CompleteMessages(List.of(a, b, new UUID(1, 1)))))
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.refusedAs(new Command.CompleteMessages(List.of(a, a)))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.refusedAs(new Command.CompleteMessages(List.of()))).isEqualTo(ErrorCode.ARGUMENT);
        q.thenCounts(2, 0, 0);
        q.accepted(new Command.CompleteMessages(List.of(a, b)));
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("LOCK-14: released 20 times with a limit of 10: still active, count 0")
    void released() {
        q.send("a");
        for (int i = 0; i < 20; i++) {
            q.release(q.receiveOne());
        }
        assertThat(q.receiveOne().deliveryCount()).isZero();
    }

    @Test
    @DisplayName("SEQ-1, SEQ-4, SEQ-6: numbers have no gaps, and every move except activation keeps them")
    void numbersStay() {
        assertThat(q.sendAll(
                        message("a").build(),
                        message("p").ping().build(),
                        message("b").build()))
                .containsExactly(1, 0, 2);
        q.deadLetter(q.receiveOne());
        q.defer(q.receiveOne());
        q.restart();
        assertThat(q.send("c")).isEqualTo(3);
        assertThat(numbers(q.peek(SubQueue.DEAD_LETTER))).containsExactly(1L);
        assertThat(numbers(q.peek(SubQueue.MAIN))).containsExactly(2L, 3L);
    }

    @Test
    @DisplayName("DLQ-20, DLQ-22, DLQ-36, SCN-5: deliveries 1 to 10 show their count, then the message is"
            + " dead-lettered with the reason")
    void poison() {
        q.send("a");
        for (int i = 0; i < 10; i++) {
            MessageView message = q.receiveOne();
            assertThat(message.deliveryCount()).isEqualTo(i);
            q.abandon(message);
        }
        assertThat(q.receive()).isNull();
        MessageView dead = q.receiveDeadLetter();
        assertThat(dead.deliveryCount()).isEqualTo(10);
        assertThat(reason(dead)).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(QueueFixture.description(dead))
                .isEqualTo("Message could not be consumed after 10 delivery attempts.");
    }

    @Test
    @DisplayName("DLQ-22: a lower limit takes effect at the next failure of a message")
    void loweredLimit() {
        q.send("a");
        for (int i = 0; i < 5; i++) {
            q.abandon(q.receiveOne());
        }
        q.update(queue().maxDeliveryCount(2));
        q.thenCounts(1, 0, 0);
        q.abandon(q.receiveOne());
        q.thenCounts(0, 1, 0);
    }

    @Test
    @DisplayName("DLQ-13: reasons and descriptions above 4,096 characters are cut, without splitting a surrogate pair")
    void longReasons() {
        q.send("a");
        q.accepted(new Command.DeadLetterMessages(
                token(q.receiveOne()), "r".repeat(5_000), "d".repeat(4_095) + "\uD83D\uDE8Cbehind", Map.of()));
        MessageView dead = q.receiveDeadLetter();
        assertThat(reason(dead)).isEqualTo("r".repeat(4_096));
        assertThat(QueueFixture.description(dead)).isEqualTo("d".repeat(4_095));
        q.complete(dead);

        q.send("b");
        String whole = "d".repeat(4_094) + "\uD83D\uDE8C";
        q.accepted(new Command.DeadLetterMessages(token(q.receiveOne()), "r".repeat(4_096), whole + "e", Map.of()));
        dead = q.receiveDeadLetter();
        assertThat(reason(dead)).hasSize(4_096);
        assertThat(QueueFixture.description(dead)).isEqualTo(whole);
    }

    @Test
    @DisplayName("DLQ-39, STATE-5: nothing in a dead-letter queue increases the delivery count")
    void countStaysInDeadLetters() {
        q.send("a");
        q.abandon(q.receiveOne());
        q.deadLetter(q.receiveOne());
        for (int i = 0; i < 50; i++) {
            MessageView dead = q.receiveDeadLetter();
            assertThat(dead.deliveryCount()).isEqualTo(1);
            q.abandon(dead);
        }
        q.receiveDeadLetter();
        q.after(60_000); // the lock ends
        MessageView dead = q.receiveDeadLetter();
        assertThat(dead.deliveryCount()).isEqualTo(1);
        q.defer(dead);
        q.restart();
        assertThat(q.peek(SubQueue.DEAD_LETTER).get(0).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("FWD-7: a message deferred before its queue started to forward is received by its number and settled")
    void deferredOfAForwardingSource() {
        long first = q.send("a");
        long second = q.send("b");
        q.defer(q.receiveOne());
        q.defer(q.receiveOne());
        q.update(queue().forwardTo("elsewhere"));
        q.complete(q.receiveDeferred(first).get(0));
        q.abandon(q.receiveDeferred(second).get(0));
        assertThat(q.peek(SubQueue.MAIN))
                .extracting(MessageView::state)
                .as("deferred still")
                .containsExactly(MessageState.DEFERRED);
    }

    @Test
    @DisplayName("SESS-22, SESS-3: an empty SessionId is not compared with the PartitionKey; others are")
    void emptySessionId() {
        q.sendAll(keyed("", "p"));
        assertThat(q.peek(SubQueue.MAIN)).hasSize(1);
        assertThat(q.refusedAs(new Command.SendMessages(List.of(keyed("s", "p")))))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(q.refusedAs(new Command.SendMessages(List.of(keyed("s", "")))))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    private static IncomingMessage keyed(String sessionId, String partitionKey) {
        return message("m").sessionId(sessionId).partitionKey(partitionKey).build();
    }

    @Test
    @DisplayName("STATE-9: a message that was scheduled is delivered with state scheduled, but not when peeked or"
            + " dead-lettered")
    void deliveredAsScheduled() {
        q.send(message("past").scheduledAt(-1).build());
        q.send(message("later").timeToLiveMs(90_000).scheduledAt(10_000).build());
        q.after(10_000);
        assertThat(q.peek(SubQueue.MAIN)).extracting(MessageView::state).containsOnly(MessageState.ACTIVE);

        assertThat(q.receiveOne().state()).as("never waited").isEqualTo(MessageState.ACTIVE);
        MessageView waited = q.receiveOne();
        assertThat(waited.state()).isEqualTo(MessageState.SCHEDULED);
        assertThat(waited.expiresAtMs()).as("TTL-12").isEqualTo(START_MS + 100_000);
        q.restart();
        q.receiveOne();
        waited = q.receiveOne();
        assertThat(waited.state()).as("after a restart").isEqualTo(MessageState.SCHEDULED);
        q.defer(waited);
        waited = q.receiveDeferred(waited.sequenceNumber()).get(0);
        assertThat(waited.state()).isEqualTo(MessageState.DEFERRED);
        q.deadLetter(waited);
        assertThat(q.receiveDeadLetter().state()).isEqualTo(MessageState.ACTIVE);
    }

    @Test
    @DisplayName("DLQ-7: dead-lettering in a dead-letter queue is refused")
    void deadLetterRules() {
        q.send("a");
        MessageView message = q.receiveOne();
        q.accepted(new Command.DeadLetterMessages(token(message), null, null, Map.of()));
        MessageView dead = q.receiveDeadLetter();
        assertThat(dead.propertyOverrides()).isEmpty();
        assertThat(q.refusedAs(new Command.DeadLetterMessages(token(dead), "r", null, Map.of())))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        q.abandon(dead);
        q.thenCounts(0, 1, 0);
    }

    @Test
    @DisplayName("SUSP-1, SUSP-5: the operations that each status allows")
    void statusMatrix() {
        for (EntityStatus status : EntityStatus.values()) {
            q = given(queue());
            q.send("a");
            MessageView locked = q.receiveOne();
            long later = q.send(message("s").scheduledAt(60_000).build());
            q.update(queue().status(status));
            boolean send = status == EntityStatus.ACTIVE || status == EntityStatus.RECEIVE_DISABLED;
            boolean receive = status == EntityStatus.ACTIVE || status == EntityStatus.SEND_DISABLED;
            allowed(send, new Command.SendMessages(List.of(message("b").build())));
            allowed(send, new Command.SendMessages(List.of(message("b").ping().build())));
            allowed(send, new Command.CancelScheduledMessages(List.of(later)));
            allowed(receive, new Command.AttachReceiver(50, SubQueue.MAIN, ReceiveMode.PEEK_LOCK));
            allowed(receive, new Command.AttachReceiver(51, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK));
            allowed(receive, new Command.PeekMessages(SubQueue.MAIN, 0, 1, null));
            allowed(receive, new Command.BatchDeleteMessages(SubQueue.MAIN, 1, 0));
            allowed(true, new Command.RenewLocks(token(locked)));
            allowed(true, new Command.CompleteMessages(token(locked)));
        }
    }

    @Test
    @DisplayName(
            "SUSP-6: locks, schedule and expiry continue while receiving is disabled; the dead-letter queue is closed")
    void timersOfADisabledQueue() {
        for (EntityStatus status : List.of(EntityStatus.DISABLED, EntityStatus.RECEIVE_DISABLED)) {
            q = given(
                    queue().deadLetteringOnMessageExpiration(true),
                    Limits.of(TierProfile.STANDARD),
                    ExpiryEnforcement.BACKGROUND,
                    largeMemory());
            q.send("locked");
            q.receiveOne();
            q.send(message("short").timeToLiveMs(10_000).build());
            q.send(message("later").scheduledAt(20_000).build());
            q.update(queue().deadLetteringOnMessageExpiration(true).status(status));
            q.at(10_000);
            q.thenCounts(1, 1, 1);
            q.at(20_000);
            q.thenCounts(2, 1, 0);
            assertThat(q.counts().locked()).isEqualTo(1);
            q.at(60_000);
            assertThat(q.counts().locked()).isZero();
            allowed(false, new Command.AttachReceiver(60, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK));
            allowed(false, new Command.PeekMessages(SubQueue.DEAD_LETTER, 0, 1, null));
            q.update(queue().deadLetteringOnMessageExpiration(true));
            assertThat(q.receiveOne().deliveryCount()).isEqualTo(1);
            assertThat(bodies(q.receive(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1)))
                    .containsExactly("short");
        }
    }

    @Test
    @DisplayName("SEQ-7: one receiver without failures gets messages in the order of arrival, for any order of"
            + " completion")
    void arrivalOrder() {
        for (int i = 0; i < 50; i++) {
            q.send("m" + i);
        }
        List<MessageView> received = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            List<MessageView> five = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 5);
            received.addAll(five);
            for (int k = 4; k >= 0; k--) {
                q.complete(five.get(k));
            }
        }
        assertThat(numbers(received)).hasSize(50).isSorted();
        assertThat(body(received.get(49))).isEqualTo("m49");
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("PREF-3: a released message is delivered after the messages that were sent to the receiver before")
    void redeliveryAfterTheBuffer() {
        for (String body : List.of("1", "2", "3", "4", "5")) {
            q.send(body);
        }
        long receiver = q.receiver(5);
        List<MessageView> buffer = new ArrayList<>(q.delivered(receiver));
        MessageView first = buffer.remove(0);
        q.accepted(new Command.SetCredit(receiver, 6, false));
        q.abandon(first);
        buffer.addAll(q.delivered(receiver));
        assertThat(bodies(buffer)).containsExactly("2", "3", "4", "5", "1");
    }

    private void allowed(boolean expected, Command command) {
        if (expected) {
            q.accepted(command);
        } else {
            assertThat(q.refusedAs(command)).isEqualTo(ErrorCode.ENTITY_DISABLED);
        }
    }
}
