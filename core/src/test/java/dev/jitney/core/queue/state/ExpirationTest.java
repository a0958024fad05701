package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.START_MS;
import static dev.jitney.core.queue.state.QueueFixture.body;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.largeMemory;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.reason;
import static dev.jitney.core.queue.state.QueueFixture.tinyMemory;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.queue.ExpiryBlocks;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 6: expiration")
class ExpirationTest {
    private static final long HOUR_MS = 3_600_000;

    private QueueFixture q = given(deadLettering());

    private static QueueDescription.Builder deadLettering() {
        return queue().deadLetteringOnMessageExpiration(true);
    }

    private static IncomingMessage shortLived(String body) {
        return message(body).timeToLiveMs(10_000).build();
    }

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("TTL-1, TTL-7: a message is received one millisecond before the deadline, but not at the deadline")
    void boundary() {
        q.sendAll(shortLived("a"), shortLived("b"));
        q.at(9_999);
        assertThat(body(q.receiveOne())).isEqualTo("a");
        q.at(10_000);
        assertThat(q.receive()).isNull();
        assertThat(q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 1)).isEmpty();
    }

    @Test
    @DisplayName(
            "TTL-6: with a message that waits for long, the memory for expiries does not grow with the traffic behind it")
    void emptyBlocks() {
        q.send(message("waits").timeToLiveMs(HOUR_MS).build());
        q.defer(q.receiveOne());
        q.send(message("expires").timeToLiveMs(HOUR_MS).build());
        q.receiveOne();
        IncomingMessage[] traffic = Stream.generate(
                        () -> message("x").timeToLiveMs(HOUR_MS).build())
                .limit(ExpiryBlocks.firstOf(1))
                .toArray(IncomingMessage[]::new);
        int blocksMax = 0;
        for (int i = 0; i < 5 * ExpiryIndex.SURPLUS; i++) {
            q.sendAll(traffic);
            q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, traffic.length);
            blocksMax = Math.max(blocksMax, q.state.expiry.size());
        }
        assertThat(blocksMax).isBetween(ExpiryIndex.SURPLUS, 2 * ExpiryIndex.SURPLUS);
        q.restart();
        assertThat(q.state.expiry.size()).isLessThan(2 * ExpiryIndex.SURPLUS);
        q.at(HOUR_MS);
        assertThat(q.receive()).isNull();
        q.thenCounts(1, 1, 0);
    }

    @Test
    @DisplayName("TTL-2: a time to live of zero or less is refused")
    void positiveOnly() {
        for (long ttl : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(q.refusedAs(new Command.SendMessages(
                            List.of(message("a").timeToLiveMs(ttl).build()))))
                    .isEqualTo(ErrorCode.ARGUMENT);
        }
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("TTL-3, TTL-17: the expiry is fixed when stored and saturates")
    void expiryIsAbsolute() {
        q.sendAll(
                shortLived("a"),
                message("b").build(),
                message("c").timeToLiveMs(Long.MAX_VALUE - 5).build());
        List<MessageView> messages = q.peek(SubQueue.MAIN);
        assertThat(messages.get(0).expiresAtMs()).isEqualTo(START_MS + 10_000);
        assertThat(messages.get(1).expiresAtMs()).isEqualTo(MessageView.NEVER);
        assertThat(messages.get(2).expiresAtMs()).isEqualTo(MessageView.NEVER);
    }

    @Test
    @DisplayName("TTL-4, RECV-3, SCN-2: without a receiver nothing expires; a zero-wait receive removes expired"
            + " messages")
    void onReceiverOnly() {
        q.send(shortLived("a"));
        q.at(HOUR_MS);
        q.thenCounts(1, 0, 0);
        assertThat(q.peek(SubQueue.MAIN)).hasSize(1);
        q.thenCounts(1, 0, 0);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, 1, 0);
    }

    @Test
    @DisplayName("TTL-4: with expiry.enforcement=BACKGROUND the clock alone removes expired messages")
    void inTheBackground() {
        q = given(deadLettering(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.BACKGROUND, largeMemory());
        q.send(shortLived("a"));
        q.at(10_000);
        q.thenCounts(0, 1, 0);
    }

    @Test
    @DisplayName("TTL-5, PEEK-6, DLQ-24: peeks, senders and dead-letter receivers are not active receivers")
    void whoIsActive() {
        q.send(shortLived("a"));
        q.at(10_000);
        q.peek(SubQueue.MAIN);
        q.send("b");
        q.receive(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1);
        long idle = q.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK);
        q.thenCounts(2, 0, 0);
        q.accepted(new Command.SetCredit(idle, 1, false));
        q.thenCounts(1, 1, 0);
    }

    @Test
    @DisplayName("TTL-5: a waiting receiver makes messages expire at their instant")
    void waitingReceiverSweeps() {
        q.send(shortLived("a"));
        MessageView locked = q.receiveOne();
        q.send(message("b").timeToLiveMs(20_000).scheduledAt(5_000).build());
        long receiver = q.receiver(0);
        q.release(locked);
        q.accepted(new Command.SetCredit(receiver, 1, false));
        assertThat(q.delivered(receiver)).hasSize(1);
        q.accepted(new Command.SetCredit(receiver, 2, false));
        q.at(5_000);
        assertThat(q.delivered(receiver)).hasSize(1);
    }

    @Test
    @DisplayName("TTL-6: 1,000 expired and 1 live: the first receive returns the live one, and all others are removed")
    void strandedMessagesAreCollected() {
        List<IncomingMessage> expired = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            expired.add(shortLived("old" + i));
        }
        q.sendAll(expired.toArray(IncomingMessage[]::new));
        q.send("live");
        q.at(10_000);
        MessageView message = q.receiveOne();
        assertThat(body(message)).isEqualTo("live");
        q.complete(message);
        q.thenCounts(0, 1_000, 0);
    }

    @Test
    @DisplayName("TTL-6: over many blocks, after the window, with live messages in between")
    void sweepOverManyBlocks() {
        q = given(queue(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER, tinyMemory(16));
        for (int i = 0; i < 5_000; i++) {
            q.send(i % 500 == 0 ? message("live").build() : shortLived("old"));
        }
        q.restart();
        q.at(10_000);
        for (int i = 0; i < 10; i++) {
            assertThat(q.receiveOne().sequenceNumber()).isEqualTo(1 + i * 500L);
        }
        assertThat(q.receive()).isNull();
        q.thenCounts(10, 0, 0);
    }

    @Test
    @DisplayName("TTL-1, TTL-6, STATE-4: messages expire after a restart, even if a dead-lettered copy began their next"
            + " block")
    void deadLetteredCopyBeginsBlock() {
        IncomingMessage[] messages = new IncomingMessage[1_023];
        Arrays.fill(messages, shortLived("a"));
        q.sendAll(messages);
        IncomingMessage copy = message("without a session id").build();
        q.happened(new Record.CopyDeadLettered(Admission.stored(copy, 1_024, START_MS, MessageView.NEVER)));
        q.restart();
        q.at(10_000);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, 1_024, 0);
    }

    @Test
    @DisplayName("TTL-8, TTL-10, TTL-25: a lock protects: renew and complete work after the expiry")
    void lockProtects() {
        q.send(shortLived("a"));
        MessageView message = q.receiveOne();
        q.at(50_000);
        q.accepted(new Command.RenewLocks(token(message)));
        assertThat(q.receive()).isNull();
        q.at(100_000);
        q.complete(message);
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("TTL-8, DEFER-6: an expired locked message may be deferred and dead-lettered")
    void lockProtectsDeferAndDeadLetter() {
        q.sendAll(shortLived("a"), shortLived("b"));
        MessageView first = q.receiveOne();
        MessageView second = q.receiveOne();
        q.at(20_000);
        q.defer(first);
        q.deadLetter(second);
        q.thenCounts(1, 1, 0);
        assertThat(reason(q.peek(SubQueue.DEAD_LETTER).get(0))).isEqualTo("because");
    }

    @Test
    @DisplayName("TTL-9, LOCK-14: abandon and release of an expired message make it expire in the same step")
    void expiryInTheSameStep() {
        q.sendAll(shortLived("a"), shortLived("b"));
        MessageView first = q.receiveOne();
        MessageView second = q.receiveOne();
        q.at(10_000);
        q.abandon(first);
        q.thenCounts(1, 1, 0);
        q.release(second);
        q.thenCounts(0, 2, 0);
        assertThat(q.peek(SubQueue.DEAD_LETTER).stream().map(MessageView::deliveryCount))
                .containsExactly(1, 0);
    }

    @Test
    @DisplayName("TTL-11: a time to live of 1 ms is accepted and never received")
    void aMillisecond() {
        q.send(message("a").timeToLiveMs(1).build());
        q.after(1);
        assertThat(q.receive()).isNull();
    }

    @Test
    @DisplayName("TTL-12, TTL-13, SCN-4: the time to live of a scheduled message starts at its activation")
    void scheduledMessage() {
        q.send(message("a").scheduledAt(300_000).timeToLiveMs(600_000).build());
        q.at(299_999);
        assertThat(q.receive()).isNull();
        q.at(300_000);
        MessageView message = q.receiveOne();
        assertThat(message.expiresAtMs()).isEqualTo(START_MS + 900_000);
        q.release(message);
        q.at(900_000);
        assertThat(q.receive()).isNull();
    }

    @Test
    @DisplayName("TTL-12: a scheduled message never expires before its activation")
    void longScheduled() {
        q.send(message("a").scheduledAt(HOUR_MS).timeToLiveMs(60_000).build());
        q.at(HOUR_MS - 1);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, 0, 1);
        q.at(HOUR_MS + 59_999);
        assertThat(q.receive()).isNotNull();
    }

    @Test
    @DisplayName("TTL-16, TTL-12, SCHED-3: the default time to live at the activation counts for a scheduled message")
    void changedDefaultBeforeActivation() {
        q = given(queue().defaultMessageTimeToLiveMs(HOUR_MS));
        q.sendAll(
                message("none").scheduledAt(1_000).build(),
                message("short").timeToLiveMs(30_000).scheduledAt(1_001).build());
        q.send(message("raised").scheduledAt(HOUR_MS).build());
        q.send(message("long")
                .timeToLiveMs(3 * HOUR_MS)
                .scheduledAt(HOUR_MS + 1)
                .build());

        q.update(queue().defaultMessageTimeToLiveMs(60_000));

        assertThat(q.peek(SubQueue.MAIN).stream().map(MessageView::expiresAtMs))
                .as("TTL-15: shown as lowered")
                .startsWith(START_MS + 61_000, START_MS + 31_001);
        q.at(1_001);
        assertThat(q.peek(SubQueue.MAIN).stream()
                        .filter(message -> message.state() == MessageState.ACTIVE)
                        .map(MessageView::expiresAtMs))
                .containsExactlyInAnyOrder(START_MS + 61_001, START_MS + 31_001);

        q.update(queue().defaultMessageTimeToLiveMs(2 * HOUR_MS));
        q.at(HOUR_MS + 1);

        assertThat(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 10).stream()
                        .map(message -> body(message) + " " + (message.expiresAtMs() - message.enqueuedTimeMs())))
                .as("a raised default, up to the time to live that the sender has set")
                .containsExactly("raised " + 2 * HOUR_MS, "long " + 2 * HOUR_MS);
    }

    @Test
    @DisplayName("TTL-14, TTL-15, TTL-16: the entity's time to live is default and maximum for later messages")
    void defaultAndCeiling() {
        q.send("before");
        q.update(queue().defaultMessageTimeToLiveMs(60_000));
        q.sendAll(message("none").build(), message("long").timeToLiveMs(HOUR_MS).build(), shortLived("short"));
        assertThat(q.peek(SubQueue.MAIN).stream().map(MessageView::expiresAtMs))
                .containsExactly(MessageView.NEVER, START_MS + 60_000, START_MS + 60_000, START_MS + 10_000);
    }

    @Test
    @DisplayName("TTL-19: BASIC limits it to 14 days")
    void basicCeiling() {
        q = given(queue(), Limits.of(TierProfile.BASIC));
        long day = 24 * HOUR_MS;
        q.send(message("a").timeToLiveMs(30 * day).build());
        assertThat(q.peek(SubQueue.MAIN).get(0).expiresAtMs()).isEqualTo(START_MS + 14 * day);
    }

    @Test
    @DisplayName("TTL-22: without dead-lettering expired messages are dropped")
    void dropped() {
        q = given(queue());
        q.send(shortLived("a"));
        q.at(10_000);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, 0, 0);
        assertThat(q.counts().sizeBytes()).isZero();
    }

    @Test
    @DisplayName("TTL-22, TTL-23, DLQ-16: with dead-lettering they have the reason")
    void deadLettered() {
        q.send(shortLived("a"));
        q.at(10_000);
        q.receive();
        MessageView message = q.peek(SubQueue.DEAD_LETTER).get(0);
        assertThat(reason(message)).isEqualTo("TTLExpiredException");
        assertThat(QueueFixture.description(message)).isEqualTo("The message expired and was dead lettered.");
    }

    @Test
    @DisplayName("TTL-24, SCN-1: a locked message moves when the lock ends, with its count")
    void movedWhenTheLockEnds() {
        q.send(message("a").timeToLiveMs(30_000).build());
        q.at(10_000);
        q.receiveOne();
        q.at(69_999);
        q.thenCounts(1, 0, 0);
        q.at(70_000);
        q.thenCounts(0, 1, 0);
        assertThat(q.peek(SubQueue.DEAD_LETTER).get(0).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("TTL-28, DLQ-6: nothing expires in a dead-letter queue")
    void neverInTheDeadLetterQueue() {
        q.send(shortLived("a"));
        q.deadLetter(q.receiveOne());
        q.after(365 * 24 * HOUR_MS);
        q.abandon(q.receiveDeadLetter());
        assertThat(body(q.receiveDeadLetter())).isEqualTo("a");
    }

    @Test
    @DisplayName("TTL-32: deferred messages are not removed, but other messages of the block are")
    void deferredStay() {
        q.sendAll(shortLived("a"), shortLived("b"), shortLived("c"));
        q.defer(q.receiveOne());
        MessageView locked = q.receiveOne();
        q.at(10_000);
        assertThat(q.receive()).isNull();
        q.thenCounts(2, 1, 0);
        q.complete(locked);
        q.thenCounts(1, 1, 0);
    }

    @Test
    @DisplayName("TTL-6: a restart finds expired messages of the open block")
    void restartInTheOpenBlock() {
        q.sendAll(shortLived("a"), message("b").build());
        q.restart();
        q.at(10_000);
        assertThat(body(q.receiveOne())).isEqualTo("b");
        q.thenCounts(1, 1, 0);
    }

    @Test
    @DisplayName("TTL-1: a lock that protected a message of the open block from removal is void after a restart")
    void lockedDuringSweepOfTheOpenBlock() {
        q.sendAll(shortLived("locked"), message("b").build());
        MessageView locked = q.receiveOne();
        q.at(10_000);
        q.receiveOne();
        assertThat(body(locked)).isEqualTo("locked");
        for (int i = 0; i < 1_100; i++) {
            q.send("next block");
        }
        q.restart();
        assertThat(body(q.receiveOne())).isEqualTo("b");
        q.thenCounts(1_101, 1, 0);
    }

    @Test
    @DisplayName("TTL-1: messages whose block ended with scheduled messages expire after a restart")
    void blockThatEndedWithScheduledMessages() {
        q.send(shortLived("a"));
        for (int i = 0; i < 1_100; i++) {
            q.send(message("later").scheduledAt(HOUR_MS).build());
        }
        q.restart();
        q.at(10_000);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, 1, 1_100);
    }

    @Test
    @DisplayName("TTL-6: completely consumed blocks leave no rows")
    void consumedBlocksAreForgotten() {
        for (int i = 0; i < 10_000; i++) {
            q.send(shortLived("a"));
            q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 1);
        }
        assertThat(q.rows.expiryBlocks).hasSizeLessThan(10);
        assertThat(q.rows.messages(Lane.MAIN)).isEmpty();
    }
}
