package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.numbers;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.namespace.EntityRules;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapters 2, 11 to 13, 18.4, 19 and 23: sending, scheduling, deferral, peek, quotas, batch delete")
class BrowsingTest {
    private QueueFixture q = given(queue());

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private ErrorCode refusedSend(IncomingMessage... messages) {
        return q.refusedAs(new Command.SendMessages(List.of(messages)));
    }

    @Test
    @DisplayName("MSG-3, QUOTA-6: ids of 128 characters, properties of 32 and 64 KB, not more")
    void bounds() {
        q.send(message("a").id("x".repeat(128)).headerSizeBytes(65_536).build());
        assertThat(refusedSend(message("a").id("x".repeat(129)).build())).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(refusedSend(message("a").sessionId("x".repeat(129)).build())).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(refusedSend(message("a").partitionKey("x".repeat(129)).build()))
                .isEqualTo(ErrorCode.ARGUMENT);
        IncomingMessage plain = message("a").build();
        for (IncomingMessage.Builder key : List.of(
                plain.toBuilder().viaPartitionKey("x".repeat(129)),
                plain.toBuilder().replyToSessionId("x".repeat(129)))) {
            assertThat(refusedSend(key.build())).isEqualTo(ErrorCode.ARGUMENT);
        }
        q.send(plain.toBuilder()
                .viaPartitionKey("x".repeat(128))
                .replyToSessionId("x".repeat(128))
                .build());
        assertThat(refusedSend(message("a").headerSizeBytes(65_537).build())).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(refusedSend(message("a").largestPropertySizeBytes(32_769).build()))
                .isEqualTo(ErrorCode.ARGUMENT);
    }

    @Test
    @DisplayName("MSG-8, QUOTA-5: a batch is stored all or none, up to the size limit")
    void batches() {
        int limit = 256 * 1024;
        assertThat(refusedSend(
                        message("a").build(),
                        message("b").encodedSizeBytes(limit).build()))
                .isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        q.thenCounts(0, 0, 0);
        q.send(message("c").encodedSizeBytes(limit).build());
        assertThat(refusedSend()).isEqualTo(ErrorCode.ARGUMENT);
    }

    @Test
    @DisplayName("QUOTA-5, DLQ-14: a forwarded message may exceed the size limit, but not the header limit")
    void forwardedIsNotMeasured() {
        IncomingMessage large = message("a").encodedSizeBytes(100 << 20).build();
        MessageEnvelope forwarded = large.envelope().handedOn(1, 7, null);
        assertThat(refusedSend(large)).isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        q.send(large.with(forwarded));
        IncomingMessage largeHeader = message("b").headerSizeBytes(65_537).build();
        assertThat(refusedSend(largeHeader.with(forwarded))).isEqualTo(ErrorCode.ARGUMENT);
        q.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName("QUOTA-2, QUOTA-3, QUOTA-12, DLQ-37: a full queue refuses sends and pings, and accepts them again"
            + " when there is space")
    void fullEntity() {
        q = given(queue().maxSizeInMegabytes(1));
        String body = "x".repeat(200_000);
        for (int i = 0; i < 6; i++) {
            q.send(body);
        }
        assertThat(refusedSend(message("a").build())).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(refusedSend(message("a").ping().build())).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        q.deadLetter(q.receiveOne());
        assertThat(refusedSend(message("a").build())).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        q.complete(q.receiveOne());
        q.send("a");
    }

    @Test
    @DisplayName("PAIR-32, PAIR-33: a ping is accepted and leaves nothing behind")
    void ping() {
        q.send(message("").ping().build());
        assertThat(q.records()).isEmpty();
        assertThat(q.receive()).isNull();
        assertThat(q.peek(SubQueue.MAIN)).isEmpty();
        assertThat(q.send("a")).isEqualTo(1);
    }

    @Test
    @DisplayName("SCHED-1, SCHED-2, SCHED-3: due messages arrive by time, then by number; a time in the past means now")
    void schedule() {
        q.send(message("late").scheduledAt(2_000).build());
        q.send(message("early1").scheduledAt(1_000).build());
        q.send(message("early2").scheduledAt(1_000).build());
        q.send(message("past").scheduledAt(-5).build());
        q.at(999);
        assertThat(bodies(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 9))).containsExactly("past");
        q.restart();
        q.at(2_000);
        assertThat(bodies(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 9)))
                .containsExactly("past", "early1", "early2", "late");
    }

    @Test
    @DisplayName("SCHED-3: thousands of scheduled messages, more than in memory, keep their order")
    void manyScheduled() {
        for (int i = 0; i < 3_000; i++) {
            q.send(message("" + (3_000 - i)).scheduledAt(3_000 - i).build());
        }
        q.at(3_000);
        List<MessageView> all = q.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 3_000);
        for (int i = 0; i < 3_000; i++) {
            assertThat(QueueFixture.body(all.get(i))).isEqualTo("" + (i + 1));
        }
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("SCHED-4, SCHED-8: cancel all or none; scheduled numbers are not received")
    void cancel() {
        long a = q.send(message("a").scheduledAt(1_000).build());
        for (List<Long> numbers : List.of(List.of(a, 99L), List.of(a, a))) {
            assertThat(q.refusedAs(new Command.CancelScheduledMessages(numbers)))
                    .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        }
        assertThat(q.refusedAs(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(a), ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        q.at(1_000);
        assertThat(q.refusedAs(new Command.CancelScheduledMessages(List.of(a)))).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @Test
    @DisplayName("DEFER-4, DEFER-6, DEFER-9: one invalid number locks nothing; deferring counts; it works in the DLQ")
    void deferral() {
        q = given(queue().maxDeliveryCount(1));
        q.send("a");
        q.send("b");
        q.defer(q.receiveOne());
        assertThat(q.refusedAs(
                        new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L, 2L), ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        assertThat(q.receiveDeferred()).isEmpty();
        MessageView deferred = q.receiveDeferred(1L).get(0);
        assertThat(deferred.deliveryCount()).isEqualTo(1);
        q.abandon(deferred);
        q.thenCounts(1, 1, 0);
        q.defer(q.receiveDeadLetter());
        assertThat(q.receive(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1)).isEmpty();
        q.restart();
        q.accepted(
                new Command.ReceiveDeferredMessages(SubQueue.DEAD_LETTER, List.of(1L), ReceiveMode.RECEIVE_AND_DELETE));
        q.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName("DEFER-4, QUOTA-8: a request that exceeds one answer is refused before anything is locked or removed")
    void largeAnswers() {
        for (String body : List.of("a".repeat(600), "b".repeat(600), "c".repeat(600))) {
            q.send(body);
            q.defer(q.receiveOne());
        }
        int size = q.peek(SubQueue.MAIN, 1, 1).get(0).content().sizeBytes();
        for (ReceiveMode mode : ReceiveMode.values()) {
            assertThat(q.refusedAs(new Command.ReceiveDeferredMessages(
                            SubQueue.MAIN, List.of(1L, 2L, 3L), mode, null, 3L * size - 1)))
                    .isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        }
        q.thenCounts(3, 0, 0);
        q.accepted(new Command.ReceiveDeferredMessages(
                SubQueue.MAIN, List.of(3L), ReceiveMode.RECEIVE_AND_DELETE, null, 1));
        q.accepted(new Command.ReceiveDeferredMessages(
                SubQueue.MAIN, List.of(1L, 2L), ReceiveMode.RECEIVE_AND_DELETE, null, 2L * size));
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("PEEK-2, PEEK-3, PEEK-4: all states in the order of numbers, from a number on, empty at the end")
    void peek() {
        q.send("a");
        q.send(message("s").scheduledAt(1_000).build());
        q.send("b");
        q.defer(q.receiveOne());
        q.receiveOne();
        assertThat(numbers(q.peek(SubQueue.MAIN))).containsExactly(1L, 2L, 3L);
        assertThat(numbers(q.peek(SubQueue.MAIN, 2, 1))).containsExactly(2L);
        assertThat(q.peek(SubQueue.MAIN, 4, 1)).isEmpty();
        assertThat(q.peek(SubQueue.DEAD_LETTER)).isEmpty();
        assertThat(q.peek(SubQueue.MAIN).get(2).lockToken()).isNull();
    }

    @Test
    @DisplayName("PEEK-7, PEEK-10: with 10 x 60 KB, peek(10) returns 4; a single message that is too large is"
            + " returned alone")
    void peekSizes() {
        for (int i = 0; i < 10; i++) {
            q.send("x".repeat(60 * 1024));
        }
        assertThat(q.peek(SubQueue.MAIN, 0, 10)).hasSize(4);
        q.send(message("x".repeat(300 * 1024)).encodedSizeBytes(100).build());
        assertThat(q.peek(SubQueue.MAIN, 11, 10)).hasSize(1);
    }

    @Test
    @DisplayName("PURGE-1, PURGE-2, PURGE-3: 600 messages: 500, then 100; locked and deferred ones stay")
    void batchDelete() {
        for (int i = 0; i < 602; i++) {
            q.send("m");
        }
        q.receiveOne();
        q.defer(q.receiveOne());
        assertThat(deleted(500, q.nowMs)).isZero();
        q.after(1);
        assertThat(deleted(4_000, q.nowMs)).isEqualTo(500);
        assertThat(deleted(4_000, q.nowMs)).isEqualTo(100);
        q.thenCounts(2, 0, 0);
        assertThat(q.refusedAs(new Command.BatchDeleteMessages(SubQueue.MAIN, 0, q.nowMs)))
                .isEqualTo(ErrorCode.OUT_OF_RANGE);
    }

    @Test
    @DisplayName("PEEK-8: a peek by session looks at a thousand messages at a time until it finds one")
    void peekInParts() {
        for (int i = 0; i < 2_500; i++) {
            q.send(message("other").scheduledAt(i % 2 == 0 ? 1_000_000 : 0).build());
        }
        q.send(message("scheduled").sessionId("s").scheduledAt(1_000_000).build());
        q.send(message("active").sessionId("s").build());
        q.send("other");
        Command.PeekMessages peek = new Command.PeekMessages(SubQueue.MAIN, 0, 10, "s");
        assertThat(q.when(peek).reply()).isEqualTo(new Reply.Unfinished(peek.from(2_000)));
        assertThat(bodies(QueueFixture.messages(q.accepted(peek)))).containsExactly("scheduled", "active");
        assertThat(QueueFixture.messages(q.accepted(new Command.PeekMessages(SubQueue.MAIN, 0, 10, "none"))))
                .isEmpty();
    }

    @Test
    @DisplayName(
            "PURGE-3: a batch delete passes thousands of deferred messages, in parts, and counts all that it removes")
    void batchDeleteInParts() {
        for (int i = 0; i < 2_500; i++) {
            q.send("deferred");
            q.defer(q.receiveOne());
        }
        q.send("last");
        q.after(1);
        Command.BatchDeleteMessages all = new Command.BatchDeleteMessages(SubQueue.MAIN, 10, q.nowMs);
        assertThat(q.when(all).reply()).isInstanceOf(Reply.Unfinished.class);
        assertThat(deleted(10, q.nowMs)).isEqualTo(1);
        assertThat(deleted(10, q.nowMs)).isZero();
    }

    @Test
    @DisplayName("PURGE-3: a batch delete reads a megabyte at a time, and counts all that it removes")
    void batchDeleteOfLargeMessages() {
        for (int i = 0; i < 20; i++) {
            q.send("x".repeat(200 * 1024));
        }
        q.after(1);
        Reply reply = q.when(new Command.BatchDeleteMessages(SubQueue.MAIN, 100, q.nowMs))
                .reply();
        assertThat(reply)
                .isEqualTo(
                        new Reply.Unfinished(new Command.BatchDeleteMessages(SubQueue.MAIN, 100, q.nowMs, null, 7, 6)));
        assertThat(q.accepted(((Reply.Unfinished) reply).rest())).isEqualTo(new Reply.Deleted(20));
        q.thenCounts(0, 0, 0);
    }

    private int deleted(int count, long before) {
        return ((Reply.Deleted) q.accepted(new Command.BatchDeleteMessages(SubQueue.MAIN, count, before))).count();
    }

    @Test
    @DisplayName("SCHED-6: scheduled messages are counted separately and count towards the size of the queue")
    void scheduledCounts() {
        q.send("a");
        long plain = q.counts().sizeBytes();
        long number = q.send(message("b").scheduledAt(1_000).build());
        q.send(message("c").scheduledAt(2_000).build());
        q.thenCounts(1, 0, 2);
        assertThat(q.counts().sizeBytes()).isEqualTo(3 * plain);
        q.accepted(new Command.CancelScheduledMessages(List.of(number)));
        q.thenCounts(1, 0, 1);
        assertThat(q.counts().sizeBytes()).isEqualTo(2 * plain);
        q.at(2_000);
        q.thenCounts(2, 0, 0);
        assertThat(q.counts().sizeBytes()).isEqualTo(2 * plain);
        q = given(queue().maxSizeInMegabytes(1));
        for (int i = 0; i < 6; i++) {
            q.send(message("x".repeat(200_000)).scheduledAt(1_000).build());
        }
        assertThat(refusedSend(message("d").build())).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
    }

    @Test
    @DisplayName("CNT-1: the message count is the sum of the five counters")
    void sumOfCounters() {
        q.sendAll(
                message("a").build(),
                message("b").build(),
                message("c").build(),
                message("d").build(),
                message("s").scheduledAt(1_000).build());
        q.deadLetter(q.receiveOne());
        q.defer(q.receiveOne());
        q.receiveOne();
        MessageCounts counts = q.counts();
        assertThat(List.of(
                        counts.active(),
                        counts.deadLetter(),
                        counts.scheduled(),
                        counts.transfer(),
                        counts.transferDeadLetter()))
                .containsExactly(3L, 1L, 1L, 0L, 0L);
        assertThat(counts.total()).isEqualTo(5);
    }

    @Test
    @DisplayName("CNT-4, QUOTA-2: the size changes with every transition, and an empty queue has size 0")
    void sizeFollows() {
        q.send("body");
        long sent = q.counts().sizeBytes();
        assertThat(sent).isGreaterThanOrEqualTo(4);
        MessageView locked = q.receiveOne();
        assertThat(q.counts().sizeBytes()).as("locked").isEqualTo(sent);
        q.accepted(new Command.AbandonMessages(token(locked), Map.of("k", EncodedValue.ofString("value"))));
        long changed = q.counts().sizeBytes();
        assertThat(changed).as("abandoned with a property").isGreaterThan(sent);
        q.defer(q.receiveOne());
        assertThat(q.counts().sizeBytes()).as("deferred").isEqualTo(changed);
        q.deadLetter(q.receiveDeferred(1L).get(0));
        long dead = q.counts().sizeBytes();
        assertThat(dead).as("dead-lettered, with the reason").isGreaterThan(changed);
        q.restart();
        assertThat(q.counts().sizeBytes()).as("after a restart").isEqualTo(dead);
        q.complete(q.receiveDeadLetter());
        assertThat(q.counts().sizeBytes()).as("completed").isZero();
    }

    @Test
    @DisplayName("ENT-1, LOCK-1, TTL-19, QUOTA-1, QUOTA-10, MSG-9: ranges, gates, names")
    void rules() {
        Limits standard = Limits.of(TierProfile.STANDARD);
        Limits basic = Limits.of(TierProfile.BASIC);
        assertThat(EntityRules.refuseCreation(queue().build(), standard)).isNull();
        assertThat(code(queue().lockDurationMs(4_900), standard)).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(code(queue().lockDurationMs(301_000), standard)).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(code(queue().maxDeliveryCount(0), standard)).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(code(queue().maxSizeInMegabytes(16_384), standard)).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(code(queue().defaultMessageTimeToLiveMs(0), standard)).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(code(queue().defaultMessageTimeToLiveMs(15L * 86_400_000), basic))
                .isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(code(queue().requiresSession(true), basic)).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(EntityNames.refusePath("x".repeat(260))).isNull();
        for (String bad : List.of("", "x".repeat(261), "a@b", "a?b", "a#b", "a*b", "/a", "a/", "a//b")) {
            assertThat(EntityNames.refusePath(bad)).as(bad).isNotNull();
        }
    }

    private static ErrorCode code(QueueDescription.Builder queue, Limits limits) {
        var rejection = EntityRules.refuseCreation(queue.build(), limits);
        assertThat(rejection).isNotNull();
        return rejection == null ? ErrorCode.INTERNAL : rejection.code();
    }
}
