package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("TX-15, TX-20: transactions on a queue with sessions")
class SessionTransactionsTest {
    private static final long LOCK_MS = 60_000;

    private final QueueFixture q = given(queue().requiresSession(true).lockDurationMs(LOCK_MS));
    private final OpenTransaction tx = q.begin();
    private SessionHold hold = new SessionHold(0, "");
    private List<MessageView> received = List.of();

    @BeforeEach
    void receiveTwoOfThree() {
        for (String body : List.of("1", "2", "3")) {
            q.send(message(body).sessionId("a").build());
        }
        hold = accept(1_001);
        q.accepted(new Command.SetCredit(hold.receiverId(), 2, false));
        received = q.delivered(hold.receiverId());
        assertThat(received).hasSize(2);
    }

    @AfterEach
    void replay() {
        q.replayEqualsLive();
    }

    private SessionHold accept(long receiverId) {
        q.accepted(new Command.AcceptSession(receiverId, "a", ReceiveMode.PEEK_LOCK, 0));
        return new SessionHold(receiverId, "a");
    }

    private ErrorCode refusedAccept() {
        return q.refusedAs(new Command.AcceptSession(7, "a", ReceiveMode.PEEK_LOCK, 0));
    }

    private Command complete(int index) {
        return new Command.CompleteMessages(token(received.get(index)));
    }

    private Command set(@Nullable String state) {
        return new Command.SetSessionState(hold, state == null ? null : state.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable String stateIn(OpenTransaction transaction) {
        return text(q.acceptedIn(transaction, new Command.GetSessionState(hold.sessionId())));
    }

    private @Nullable String state() {
        return text(q.accepted(new Command.GetSessionState(hold.sessionId())));
    }

    private static @Nullable String text(Reply reply) {
        byte[] state = ((Reply.SessionState) reply).state();
        return state == null ? null : new String(state, StandardCharsets.UTF_8);
    }

    private List<String> left() {
        return bodies(q.peek(SubQueue.MAIN));
    }

    @Test
    @DisplayName("TX-20: settlement and state take effect at the commit; the transaction sees its own state")
    void commit() {
        q.accepted(set("before"));
        q.acceptedIn(tx, complete(0));
        q.acceptedIn(tx, set("after"));
        assertThat(stateIn(tx)).isEqualTo("after");
        assertThat(state()).isEqualTo("before");
        assertThat(q.commit(tx)).isNull();
        assertThat(state()).isEqualTo("after");
        assertThat(left()).containsExactly("2", "3");
        q.accepted(complete(1));
    }

    @Test
    @DisplayName("TX-20: a rollback undoes the state and leaves the session with its holder")
    void rollback() {
        q.accepted(set("before"));
        q.acceptedIn(tx, complete(0));
        q.acceptedIn(tx, set("after"));
        q.rollback(tx);
        assertThat(state()).isEqualTo("before");
        q.accepted(complete(0));
        assertThat(left()).containsExactly("2", "3");
    }

    @Test
    @DisplayName("TX-15: the hold on the session lasts until the outcome, regardless of the time of its lock, and"
            + " then ends")
    void lockOverItsTime() {
        q.acceptedIn(tx, complete(0));
        q.acceptedIn(tx, set("after"));
        q.at(LOCK_MS + 1);
        assertThat(refusedAccept()).isEqualTo(ErrorCode.SESSION_CANNOT_BE_LOCKED);
        assertThat(q.refusedAs(new Command.RenewSessionLock(hold))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(q.commit(tx)).isNull();
        hold = accept(1_002);
        assertThat(state()).isEqualTo("after");
        q.accepted(new Command.SetCredit(1_002, 5, false));
        List<MessageView> again = q.delivered(1_002);
        assertThat(bodies(again)).containsExactly("2", "3");
        assertThat(again.get(0).deliveryCount()).as("SESS-11").isEqualTo(1);
    }

    @Test
    @DisplayName("TX-15: after a rollback past the end of the lock the session's deliveries have failed")
    void rollbackOverItsTime() {
        q.acceptedIn(tx, complete(0));
        q.at(LOCK_MS + 1);
        q.rollback(tx);
        hold = accept(1_002);
        q.accepted(new Command.SetCredit(1_002, 5, false));
        List<MessageView> again = q.delivered(1_002);
        assertThat(bodies(again)).containsExactly("1", "2", "3");
        assertThat(again.stream().map(MessageView::deliveryCount)).containsExactly(1, 1, 0);
    }

    @Test
    @DisplayName("SESS-12: a receiver that detaches releases its session at the outcome, without counting")
    void receiverGoes() {
        q.acceptedIn(tx, complete(0));
        q.accepted(new Command.DetachReceiver(hold.receiverId()));
        assertThat(refusedAccept()).isEqualTo(ErrorCode.SESSION_CANNOT_BE_LOCKED);
        q.rollback(tx);
        hold = accept(1_002);
        q.accepted(new Command.SetCredit(1_002, 5, false));
        List<MessageView> again = q.delivered(1_002);
        assertThat(bodies(again)).containsExactly("1", "2", "3");
        assertThat(again.stream().map(MessageView::deliveryCount)).containsExactly(0, 0, 0);
    }

    @Test
    @DisplayName("SESS-12, TX-12: a commit after the receiver has detached is still executed")
    void commitAfterReceiverGone() {
        q.acceptedIn(tx, complete(0));
        q.acceptedIn(tx, set("after"));
        q.accepted(new Command.DetachReceiver(hold.receiverId()));
        assertThat(q.commit(tx)).isNull();
        assertThat(left()).containsExactly("2", "3");
        hold = accept(1_002);
        assertThat(state()).isEqualTo("after");
    }

    @Test
    @DisplayName("SESS-10: only the holder of a session can set its state in a transaction")
    void notTheHolder() {
        hold = new SessionHold(5, "a");
        Decision refused = q.in(tx, set("x"), false);
        assertThat(Objects.requireNonNull(refused.rejection()).code()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(q.commit(tx)).isNotNull();
    }

    @Test
    @DisplayName("STATE-4: a restart ends holds and transactions together")
    void restart() {
        q.acceptedIn(tx, complete(0));
        q.acceptedIn(tx, set("after"));
        q.restart();
        hold = accept(1_002);
        assertThat(state()).isNull();
        assertThat(left()).containsExactly("1", "2", "3");
    }

    @Test
    @DisplayName("an operator cannot unlock or clear a session that an open transaction uses")
    void changedByOperator() {
        q.acceptedIn(tx, set("s"));

        assertThat(q.refused(new Command.ChangeSession("a", true, true)).description())
                .contains("open transaction");
        assertThat(q.refusedIn(q.begin(), new Command.ChangeSession("a", true, false)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);

        q.commit(tx);
        assertThat(state()).isEqualTo("s");
        q.accepted(new Command.ChangeSession("a", true, true));
        assertThat(state()).isNull();
    }
}
