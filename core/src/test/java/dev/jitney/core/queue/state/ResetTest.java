package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command.AcceptSession;
import dev.jitney.core.Command.CompleteMessages;
import dev.jitney.core.Command.GetSessionState;
import dev.jitney.core.Command.SetCredit;
import dev.jitney.core.Command.SetSessionState;
import dev.jitney.core.Output;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A queue that a test resets")
class ResetTest {
    private static final long MINUTE = 60_000;

    private QueueFixture q = given(queue().maxDeliveryCount(2));

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    @Test
    @DisplayName("has no messages in any state, and numbers later messages behind the removed ones")
    void everyState() {
        q.send("active");
        q.send("locked");
        q.send("deferred");
        q.send("dead");
        q.send(message("scheduled").scheduledAt(QueueFixture.START_MS + MINUTE).build());
        q.deadLetter(q.receive());
        q.defer(q.receive());
        MessageView locked = q.receive();

        assertThat(q.reset()).isEqualTo(5);

        assertThat(q.counts().total()).isZero();
        assertThat(q.counts().sizeBytes()).isZero();
        assertThat(q.counts().locked()).isZero();
        assertThat(q.peek(SubQueue.MAIN)).isEmpty();
        assertThat(q.peek(SubQueue.DEAD_LETTER)).isEmpty();
        assertThat(q.refusedAs(new CompleteMessages(QueueFixture.token(locked))))
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        q.after(2 * MINUTE);
        assertThat(q.counts().total()).isZero();
        assertThat(q.send("later")).isGreaterThan(5);
        assertThat(QueueFixture.body(q.receive())).isEqualTo("later");
    }

    @Test
    @DisplayName("keeps its receivers and their credit")
    void keepsReceivers() {
        long receiver = q.receiver(2);
        q.send("before");
        assertThat(q.delivered(receiver)).hasSize(1);

        assertThat(q.reset()).isEqualTo(1);

        q.send("after");
        assertThat(QueueFixture.bodies(q.delivered(receiver))).containsExactly("after");
    }

    @Test
    @DisplayName("accepts ids again that it has seen before, also after a restart")
    void forgetsIds() {
        q = given(queue().requiresDuplicateDetection(true).duplicateDetectionHistoryTimeWindowMs(10 * MINUTE));
        q.send(message("1").id("a").build());
        q.reset();
        q.send(message("2").id("a").build());
        q.restart();

        assertThat(q.counts().active()).isEqualTo(1);
        q.send(message("3").id("a").build());
        assertThat(q.counts().active()).isEqualTo(1);
        q.reset();
        q.restart();
        q.send(message("4").id("a").build());
        assertThat(q.counts().active()).isEqualTo(1);
    }

    @Test
    @DisplayName("has no session states, and its receivers lose their sessions")
    void sessions() {
        q = given(queue().requiresSession(true).lockDurationMs(MINUTE));
        SessionHold hold = new SessionHold(5, "s");
        q.send(message("m").sessionId("s").build());
        q.accepted(new AcceptSession(5, "s", ReceiveMode.PEEK_LOCK, 0));
        q.accepted(new SetSessionState(hold, "step".getBytes(StandardCharsets.UTF_8)));
        q.accepted(new SetCredit(5, 1, false));

        assertThat(q.reset()).isEqualTo(1);

        assertThat(q.outputs()).contains(new Output.SessionLost(5));
        assertThat(q.refusedAs(new SetSessionState(hold, new byte[1]))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(((Reply.SessionState) q.accepted(new GetSessionState("s"))).state())
                .isNull();
        assertThat(q.counts().sizeBytes()).isZero();
        q.accepted(new AcceptSession(6, "s", ReceiveMode.PEEK_LOCK, 0));
    }

    @Test
    @DisplayName(
            "loses the locks of its messages as if their time was over: deliveries count, and the last one dead-letters")
    void losesLocks() {
        q.send("m");
        MessageView first = q.receive();
        q.loseLocks();
        assertThat(q.refusedAs(new CompleteMessages(QueueFixture.token(first)))).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        assertThat(q.receive().deliveryCount()).isEqualTo(1);
        q.loseLocks();

        assertThat(q.counts().deadLetter()).isEqualTo(1);
        assertThat(QueueFixture.reason(q.receiveDeadLetter())).isEqualTo("MaxDeliveryCountExceeded");
    }

    @Test
    @DisplayName("loses holds on sessions with their messages, but not what an open transaction uses")
    void losesSessions() {
        q = given(queue().requiresSession(true).lockDurationMs(MINUTE));
        q.send(message("a").sessionId("a").build());
        q.send(message("b").sessionId("b").build());
        q.accepted(new AcceptSession(1, "a", ReceiveMode.PEEK_LOCK, 0));
        q.accepted(new AcceptSession(2, "b", ReceiveMode.PEEK_LOCK, 0));
        q.accepted(new SetCredit(2, 1, false));
        MessageView held = q.delivered(2).get(0);
        OpenTransaction transaction = q.begin();
        q.acceptedIn(transaction, new CompleteMessages(List.of(held.lockToken())));

        q.loseLocks();

        assertThat(q.outputs()).contains(new Output.SessionLost(1)).doesNotContain(new Output.SessionLost(2));
        assertThat(q.commit(transaction)).isNull();
        assertThat(q.counts().active()).isEqualTo(1);
    }
}
