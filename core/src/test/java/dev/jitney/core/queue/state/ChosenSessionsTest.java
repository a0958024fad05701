package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command.AcceptSession;
import dev.jitney.core.Command.BrowseSessions;
import dev.jitney.core.Command.ChangeSession;
import dev.jitney.core.Command.CompleteMessages;
import dev.jitney.core.Command.DeferMessages;
import dev.jitney.core.Command.ReadSession;
import dev.jitney.core.Command.RenewSessionLock;
import dev.jitney.core.Command.SetCredit;
import dev.jitney.core.Command.SetSessionState;
import dev.jitney.core.Output;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.SessionPlace;
import dev.jitney.core.SessionSummary;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A session that an operator has chosen")
class ChosenSessionsTest {
    private static final long LOCK_MS = 60_000;
    private static final byte[] STATE = "step 3".getBytes(StandardCharsets.UTF_8);

    private QueueFixture q = given(queue().requiresSession(true).lockDurationMs(LOCK_MS));

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private long send(String session, String body) {
        return q.send(message(body).sessionId(session).build());
    }

    private SessionHold accept(long receiverId, String session) {
        q.accepted(new AcceptSession(receiverId, session, ReceiveMode.PEEK_LOCK, 0));
        return new SessionHold(receiverId, session);
    }

    private List<MessageView> receive(SessionHold hold, int credit) {
        q.accepted(new SetCredit(hold.receiverId(), credit, false));
        return q.delivered(hold.receiverId());
    }

    private Reply.SessionFound read(String session) {
        return (Reply.SessionFound) q.accepted(new ReadSession(session, true));
    }

    private SessionSummary summary(String session) {
        return Objects.requireNonNull(read(session).session());
    }

    private Reply.SessionPage page(SessionPlace from, String contains, int max) {
        return (Reply.SessionPage) q.accepted(new BrowseSessions(from, contains, max));
    }

    private static List<String> ids(Reply.SessionPage page) {
        return page.sessions().stream().map(SessionSummary::sessionId).toList();
    }

    @Test
    @DisplayName("is shown with its messages, its state and its holder")
    void shown() {
        long first = send("a", "1");
        long second = send("a", "2");
        send("a", "3");
        send("b", "other");
        SessionHold hold = accept(7, "a");
        q.accepted(new DeferMessages(List.of(receive(hold, 1).get(0).lockToken()), Map.of()));
        q.accepted(new SetSessionState(hold, STATE));

        SessionSummary session = summary("a");

        assertThat(first).isLessThan(second);
        assertThat(session)
                .isEqualTo(new SessionSummary(
                        "a",
                        2,
                        1,
                        second,
                        QueueFixture.START_MS,
                        STATE.length,
                        QueueFixture.START_MS,
                        7,
                        QueueFixture.START_MS + LOCK_MS,
                        ""));
        assertThat(read("a").state()).isEqualTo(STATE);
        assertThat(page(SessionPlace.START, "", 10).sessions()).contains(session);
        assertThat(summary("b").isHeld()).isFalse();
    }

    @Test
    @DisplayName("is shown without messages while it is held, and then it does not exist")
    void heldOnly() {
        SessionHold hold = accept(7, "empty");

        assertThat(summary("empty").isHeld()).isTrue();
        q.after(LOCK_MS);
        assertThat(read(hold.sessionId()).session()).isNull();
    }

    @Test
    @DisplayName(
            "is found page by page, also behind sessions whose ids do not match, with few sessions for each command")
    void pages() {
        for (int i = 0; i < 1_100; i++) {
            send(String.format("s%04d", i), "m");
        }

        Reply.SessionPage first = page(SessionPlace.START, "", 1_000);
        assertThat(first.sessions()).hasSize(32);
        assertThat(first.next()).isEqualTo(new SessionPlace(0, "s0031"));
        assertThat(ids(page(SessionPlace.after("s0031"), "", 2))).containsExactly("s0032", "s0033");

        List<String> found = new ArrayList<>();
        SessionPlace place = SessionPlace.START;
        int commands = 0;
        while (place != null) {
            Reply.SessionPage page = page(place, "09", 1_000);
            assertThat(page.scanned()).isLessThanOrEqualTo(512);
            found.addAll(ids(page));
            place = page.next();
            commands++;
        }
        assertThat(found)
                .hasSize(130)
                .startsWith("s0009")
                .contains("s0999")
                .endsWith("s1099")
                .doesNotHaveDuplicates();
        assertThat(commands).isLessThan(10);
    }

    @Test
    @DisplayName("is left to the next command after a mebibyte of messages")
    void boundedReads() {
        for (int i = 0; i < 8; i++) {
            send("large" + i, "x".repeat(200_000));
        }
        Reply.SessionPage page = page(SessionPlace.START, "", 32);
        assertThat(page.sessions()).hasSize(6);
        assertThat(page.next()).isEqualTo(new SessionPlace(0, "large5"));
    }

    @Test
    @DisplayName("is unlocked as if its time had passed: its receiver loses it, and a delivery counts as failed")
    void unlocked() {
        send("a", "1");
        SessionHold hold = accept(7, "a");
        MessageView message = receive(hold, 10).get(0);

        q.accepted(new ChangeSession("a", true, false));

        assertThat(q.outputs()).containsExactly(new Output.SessionLost(7));
        assertThat(summary("a").isHeld()).isFalse();
        assertThat(q.refusedAs(new RenewSessionLock(hold))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(q.refusedAs(new CompleteMessages(List.of(message.lockToken()))))
                .isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        MessageView again = receive(accept(8, "a"), 10).get(0);
        assertThat(again.deliveryCount()).isEqualTo(message.deliveryCount() + 1);
    }

    @Test
    @DisplayName("keeps its messages when its state is cleared")
    void cleared() {
        send("a", "1");
        SessionHold hold = accept(7, "a");
        q.accepted(new SetSessionState(hold, STATE));
        q.after(LOCK_MS);
        long before = q.counts().sizeBytes();

        q.accepted(new ChangeSession("a", false, true));

        assertThat(read("a").state()).isNull();
        assertThat(summary("a").stateSizeBytes()).isEqualTo(-1);
        assertThat(q.counts().sizeBytes()).isEqualTo(before - STATE.length);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("1");
    }

    @Test
    @DisplayName("with a state and no messages ends when its state is cleared")
    void clearedLast() {
        SessionHold hold = accept(7, "a");
        q.accepted(new SetSessionState(hold, STATE));
        q.after(LOCK_MS);

        q.accepted(new ChangeSession("a", false, true));

        assertThat(read("a").session()).isNull();
        assertThat(q.refusedAs(new ChangeSession("a", false, true))).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @Test
    @DisplayName("keeps its state while it is held, unless the same command unlocks it")
    void clearedWhileHeld() {
        SessionHold hold = accept(7, "a");
        q.accepted(new SetSessionState(hold, STATE));

        Rejection refusal = q.refused(new ChangeSession("a", false, true));
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(refusal.description()).contains("is locked until").contains("unlock it in the same request");
        assertThat(read("a").state()).isEqualTo(STATE);

        q.accepted(new ChangeSession("a", true, true));
        assertThat(q.outputs()).containsExactly(new Output.SessionLost(7));
        assertThat(read("a").session()).isNull();
        assertThat(q.refusedAs(new SetSessionState(hold, STATE))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
    }

    @Test
    @DisplayName("is refused if there is nothing to unlock or to clear")
    void nothing() {
        send("a", "1");

        assertThat(q.refused(new ChangeSession("a", true, false)).description()).contains("is not locked");
        assertThat(q.refused(new ChangeSession("a", false, true)).description()).contains("has no state");
        assertThat(q.refused(new ChangeSession("a", true, true)).description()).contains("has no state");
        assertThat(q.refusedAs(new ChangeSession("b", true, false))).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("is changed while the entity is disabled")
    void disabled(boolean clears) {
        SessionHold hold = accept(7, "a");
        q.accepted(new SetSessionState(hold, STATE));
        q.update(queue().requiresSession(true).lockDurationMs(LOCK_MS).status(EntityStatus.DISABLED));

        assertThat(page(SessionPlace.START, "", 10).sessions()).hasSize(1);
        q.accepted(new ChangeSession("a", true, clears));

        assertThat(q.outputs()).containsExactly(new Output.SessionLost(7));
        assertThat(read("a").state()).isEqualTo(clears ? null : STATE);
    }

    @Test
    @DisplayName("is no session in an entity without sessions")
    void withoutSessions() {
        q = given(queue());

        assertThat(q.refused(new BrowseSessions(SessionPlace.START, "", 1)).description())
                .contains("does not require sessions");
        assertThat(q.refusedAs(new ReadSession("a", false))).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(q.refusedAs(new ChangeSession("a", true, true))).isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("is listed only with a positive count")
    void count() {
        assertThat(q.refusedAs(new BrowseSessions(SessionPlace.START, "", 0))).isEqualTo(ErrorCode.OUT_OF_RANGE);
    }
}
