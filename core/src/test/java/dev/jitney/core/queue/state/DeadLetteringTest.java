package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.body;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.reason;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.namespace.EntityRules;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 8: messages enter and leave a dead-letter queue")
class DeadLetteringTest {
    private static final long YEAR_MS = 365L * 24 * 60 * 60 * 1000;

    private QueueFixture q = given(queue());

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    @Test
    @DisplayName(
            "DLQ-1: a queue has its dead-letter queue from the start, and a receiver can wait there before the first"
                    + " message")
    void thereFromTheStart() {
        long waiting = q.attach(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK);
        q.accepted(new Command.SetCredit(waiting, 1, false));
        q.send("a");
        q.deadLetter(q.receiveOne());
        assertThat(bodies(q.delivered(waiting))).containsExactly("a");
    }

    @Test
    @DisplayName("DLQ-3: its messages can be peeked and received")
    void inspectedAndTakenOut() {
        q.send("a");
        q.deadLetter(q.receiveOne());
        assertThat(bodies(q.peek(SubQueue.DEAD_LETTER))).containsExactly("a");
        assertThat(q.receive()).isNull();
        MessageView dead = q.receiveDeadLetter();
        assertThat(body(dead)).isEqualTo("a");
        q.complete(dead);
        assertThat(q.peek(SubQueue.DEAD_LETTER)).isEmpty();
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("DLQ-10: only completing or receive-and-delete removes a message from it, even after five years")
    void noCleanup() {
        q = given(queue().defaultMessageTimeToLiveMs(60_000).maxDeliveryCount(1));
        q.send("a");
        q.send("b");
        q.deadLetter(q.receiveOne());
        q.deadLetter(q.receiveOne());
        q.after(5 * YEAR_MS);
        q.restart();
        q.abandon(q.receiveDeadLetter());
        q.after(YEAR_MS);
        q.thenCounts(0, 2, 0);
        q.complete(q.receiveDeadLetter());
        assertThat(bodies(q.receive(SubQueue.DEAD_LETTER, ReceiveMode.RECEIVE_AND_DELETE, 1)))
                .containsExactly("b");
        q.thenCounts(0, 0, 0);
        assertThat(q.counts().sizeBytes()).isZero();
    }

    @Test
    @DisplayName("DLQ-11: both the broker and the application add messages")
    void twoWaysIn() {
        q = given(queue().deadLetteringOnMessageExpiration(true).maxDeliveryCount(1));
        q.send(message("late").timeToLiveMs(1_000).build());
        q.send("poison");
        q.send("refused");
        q.at(1_000);
        q.abandon(q.receiveOne());
        q.deadLetter(q.receiveOne());
        assertThat(q.peek(SubQueue.DEAD_LETTER))
                .extracting(QueueFixture::reason)
                .containsExactly("TTLExpiredException", "MaxDeliveryCountExceeded", "because");
    }

    @Test
    @DisplayName("DLQ-19: MaxDeliveryCount is 10 by default, and can be 1 to the largest int")
    void maxDeliveryCount() {
        assertThat(queue().build().maxDeliveryCount()).isEqualTo(10);
        for (int allowed : new int[] {1, Integer.MAX_VALUE}) {
            assertThat(refusal(allowed)).isNull();
        }
        for (int refused : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThat(refusal(refused)).extracting(Rejection::code).isEqualTo(ErrorCode.OUT_OF_RANGE);
        }
        q = given(queue().maxDeliveryCount(1));
        q.send("a");
        q.abandon(q.receiveOne());
        q.thenCounts(0, 1, 0);
    }

    private static @Nullable Rejection refusal(int maxDeliveryCount) {
        return EntityRules.refuseCreation(
                queue().maxDeliveryCount(maxDeliveryCount).build(), Limits.of(TierProfile.STANDARD));
    }

    @Test
    @DisplayName("DLQ-23: off by default; if on, expired messages move, regardless of their history")
    void everyExpiredMessageMoves() {
        assertThat(queue().build().deadLetteringOnMessageExpiration()).isFalse();
        q = given(queue().deadLetteringOnMessageExpiration(true).lockDurationMs(5_000));
        q.send(message("abandoned").timeToLiveMs(20_000).build());
        q.send(message("lapsed").timeToLiveMs(20_000).build());
        q.send(message("released").timeToLiveMs(20_000).build());
        q.send(message("untouched").timeToLiveMs(20_000).build());
        q.send(message("scheduled").scheduledAt(5_000).timeToLiveMs(15_000).build());
        List<MessageView> received = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 3);
        q.abandon(received.get(0));
        q.release(received.get(2));
        q.at(5_000);
        q.at(19_000);
        assertThat(body(q.receiveOne())).isEqualTo("abandoned");
        q.at(20_000);
        assertThat(q.receive()).isNull();
        q.thenCounts(1, 4, 0);
        q.at(24_000);
        q.thenCounts(0, 5, 0);
        assertThat(q.peek(SubQueue.DEAD_LETTER))
                .extracting(QueueFixture::reason)
                .containsOnly("TTLExpiredException");
    }

    @Test
    @DisplayName("DLQ-26: an application's own reasons distinguish its dead letters")
    void reasonsOfTheApplication() {
        List<String> reasons = List.of("SystemTrouble", "MalformedPayload", "AuthenticationFailed");
        for (String why : reasons) {
            q.send("job " + why);
            q.accepted(new Command.DeadLetterMessages(token(q.receiveOne()), why, "details", Map.of()));
        }
        for (String why : reasons) {
            assertThat(q.peek(SubQueue.DEAD_LETTER).stream().filter(m -> why.equals(reason(m))))
                    .extracting(QueueFixture::body)
                    .containsExactly("job " + why);
        }
    }
}
