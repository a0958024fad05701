package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.messages;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.jitney.core.Command;
import dev.jitney.core.Output;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 10: sessions")
final class SessionsTest {
    private static final long LOCK_MS = 60_000;
    private final QueueFixture q = given(queue().requiresSession(true).lockDurationMs(LOCK_MS));
    private long receiverIds = 1_000;

    @AfterEach
    void replay() {
        q.replayEqualsLive();
    }

    private void send(String session, String... bodies) {
        for (String body : bodies) {
            q.send(message(body).sessionId(session).build());
        }
    }

    /** Attaches a receiver with credit to a session, named or the next one. */
    private SessionHold accept(@Nullable String session) {
        long id = ++receiverIds;
        Reply reply = q.when(new Command.AcceptSession(id, session, ReceiveMode.PEEK_LOCK, 1_000))
                .reply();
        if (reply instanceof Reply.SessionAccepted accepted) {
            return new SessionHold(id, accepted.sessionId());
        }
        return new SessionHold(id, ((Output.SessionGranted) q.outputs().get(0)).sessionId());
    }

    private List<MessageView> receive(SessionHold hold, int credit) {
        q.accepted(new Command.SetCredit(hold.receiverId(), credit, false));
        return q.delivered(hold.receiverId());
    }

    private void close(SessionHold hold) {
        q.accepted(new Command.DetachReceiver(hold.receiverId()));
    }

    private @Nullable String state(SessionHold hold) {
        byte[] state = ((Reply.SessionState) q.accepted(new Command.GetSessionState(hold.sessionId()))).state();
        return state == null ? null : new String(state, StandardCharsets.UTF_8);
    }

    private void state(SessionHold hold, @Nullable String text) {
        q.accepted(new Command.SetSessionState(hold, text == null ? null : text.getBytes(StandardCharsets.UTF_8)));
    }

    private List<Integer> deliveryCounts() {
        return q.peek(SubQueue.MAIN).stream().map(MessageView::deliveryCount).toList();
    }

    @Test
    @DisplayName("SESS-3: a message needs a session id, which can be empty")
    void needsAnId() {
        assertThat(q.refusedAs(new Command.SendMessages(List.of(message("m").build()))))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        send("", "m");
        assertThat(accept("").sessionId()).isEmpty();
    }

    @Test
    @DisplayName("SESS-2: an id with half of a surrogate pair is refused; a character outside the basic plane is valid")
    void wholeCharacters() {
        assertThat(q.refusedAs(new Command.SendMessages(
                        List.of(message("m").sessionId("a\ud83d").build()))))
                .isEqualTo(ErrorCode.ARGUMENT);
        assertThat(q.refusedAs(new Command.AcceptSession(1, "\udca9", ReceiveMode.PEEK_LOCK, 0)))
                .isEqualTo(ErrorCode.ARGUMENT);
        send("\ud83d\udca9", "m");
        assertThat(accept(null).sessionId()).isEqualTo("\ud83d\udca9");
    }

    @Test
    @DisplayName("SESS-4: a named session is granted even without messages, to one receiver at a time")
    void named() {
        SessionHold first = accept("a");
        assertThat(q.refusedAs(new Command.AcceptSession(1, "a", ReceiveMode.PEEK_LOCK, 0)))
                .isEqualTo(ErrorCode.SESSION_CANNOT_BE_LOCKED);
        close(first);
        accept("a");
    }

    @Test
    @DisplayName("SESS-5: the next session is the one with the oldest first message; without one the accept times out")
    void next() {
        send("b", "b1");
        send("a", "a1");
        send("b", "b2");
        assertThat(accept(null).sessionId()).isEqualTo("b");
        assertThat(accept(null).sessionId()).isEqualTo("a");
        q.when(new Command.AcceptSession(7, null, ReceiveMode.PEEK_LOCK, 5_000));
        q.after(4_999);
        assertThat(q.outputs()).isEmpty();
        q.after(1);
        assertThat(q.outputs()).containsExactly(new Output.AcceptTimedOut(7));
        assertThat(q.refusedAs(new Command.AcceptSession(8, null, ReceiveMode.PEEK_LOCK, 0)))
                .isEqualTo(ErrorCode.TIMEOUT);
    }

    private String acceptAndClose() {
        SessionHold hold = accept(null);
        receive(hold, 10);
        close(hold);
        return hold.sessionId();
    }

    @Test
    @DisplayName("SESS-5: a closed session goes behind all other waiting sessions, so that they take turns")
    void rotation() {
        send("poison", "p1", "p2");
        send("a", "a1");
        send("b", "b1");
        assertThat(acceptAndClose()).isEqualTo("poison");
        assertThat(acceptAndClose()).isEqualTo("a");
        send("poison", "p3");
        send("new", "n1");
        assertThat(List.of(
                        acceptAndClose(),
                        acceptAndClose(),
                        acceptAndClose(),
                        acceptAndClose(),
                        acceptAndClose(),
                        acceptAndClose()))
                .as("no session is left out")
                .startsWith("b")
                .containsOnly("b", "poison", "a", "new")
                .containsAll(List.of("poison", "a", "new"));
    }

    @Test
    @DisplayName("SESS-5, SESS-11: a session whose lock is lost repeatedly does not starve the others")
    void lostLocksRotate() {
        QueueFixture many =
                given(queue().requiresSession(true).lockDurationMs(LOCK_MS).maxDeliveryCount(1_000));
        for (String session : List.of("poison", "a", "b", "c")) {
            many.send(message("m").sessionId(session).build());
        }
        Map<String, Integer> times = new TreeMap<>();
        for (long id = 1; id <= 40; id++) {
            Reply reply = many.accepted(new Command.AcceptSession(id, null, ReceiveMode.PEEK_LOCK, 0));
            times.merge(((Reply.SessionAccepted) reply).sessionId(), 1, Integer::sum);
            many.accepted(new Command.SetCredit(id, 1, false));
            many.after(LOCK_MS);
        }
        assertThat(times).containsOnly(entry("poison", 10), entry("a", 10), entry("b", 10), entry("c", 10));
        many.replayEqualsLive();
    }

    @Test
    @DisplayName(
            "SESS-5: sessions that were never held come in the order of their oldest messages, before released ones")
    void neverHeldFirst() {
        send("held", "h1", "h2");
        SessionHold held = accept(null);
        send("b", "b1");
        send("a", "a1");
        close(held);
        assertThat(accept(null).sessionId()).isEqualTo("b");
        assertThat(accept(null).sessionId()).isEqualTo("a");
        assertThat(accept(null).sessionId()).isEqualTo("held");
    }

    @Test
    @DisplayName("SESS-5: the order of released sessions survives a restart")
    void rotationAfterRestart() {
        for (String session : List.of("a", "b", "c", "d")) {
            send(session, "1");
        }
        for (int i = 0; i < 11; i++) {
            acceptAndClose();
        }
        q.restart();
        assertThat(List.of(acceptAndClose(), acceptAndClose(), acceptAndClose(), acceptAndClose(), acceptAndClose()))
                .containsExactly("d", "a", "b", "c", "d");
    }

    @Test
    @DisplayName("SESS-5: a session that no client received keeps its place")
    void givenBack() {
        send("a", "1");
        send("b", "1");
        SessionHold a = accept(null);
        q.accepted(new Command.DetachReceiver(a.receiverId(), true));
        assertThat(acceptAndClose()).isEqualTo("a");
        SessionHold b = accept(null);
        close(b);
        a = accept(null);
        q.accepted(new Command.DetachReceiver(a.receiverId(), true));
        assertThat(acceptAndClose()).isEqualTo("a");
        assertThat(acceptAndClose()).isEqualTo("b");
    }

    @Test
    @DisplayName("SESS-5: more sessions than fit in memory take turns, and the one that waits longest is still first")
    void rotationOfMany() {
        int count = 400;
        QueueFixture many = given(
                queue().requiresSession(true).lockDurationMs(LOCK_MS),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER,
                new MemoryBudget(1_000, 32, 16));
        for (int i = 0; i < count; i++) {
            many.send(message("m").sessionId("s" + i).build());
        }
        Objects.requireNonNull(many.state.sessions).trim(16);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < count; i++) {
                long id = 1_000_000 + round * count + i;
                Reply reply = many.accepted(new Command.AcceptSession(id, null, ReceiveMode.PEEK_LOCK, 0));
                assertThat(((Reply.SessionAccepted) reply).sessionId()).isEqualTo("s" + i);
                many.accepted(new Command.DetachReceiver(id));
                if (i % 50 == 0) {
                    many.state.sessions.trim(16);
                    assertThat(many.state.sessions.smallestNumber()).isLessThanOrEqualTo(1);
                }
            }
        }
        many.restart();
        many.when(new Command.AcceptSession(1, null, ReceiveMode.PEEK_LOCK, 1_000));
        assertThat(((Output.SessionGranted) many.outputs().get(0)).sessionId()).isEqualTo("s0");
    }

    @Test
    @DisplayName("SESS-5: waiting receivers get sessions in the order of their requests")
    void fairness() {
        q.when(new Command.AcceptSession(7, null, ReceiveMode.PEEK_LOCK, 5_000));
        q.when(new Command.AcceptSession(8, null, ReceiveMode.PEEK_LOCK, 5_000));
        send("a", "a1");
        assertThat(q.outputs()).extracting(Output::receiverId).containsExactly(7L);
        q.accepted(new Command.DetachReceiver(8));
        send("b", "b1");
        assertThat(q.outputs()).isEmpty();
        assertThat(accept(null).sessionId()).isEqualTo("b");
    }

    @Test
    @DisplayName("SESS-6: receivers without a session are refused; peeks without a session read all sessions (PEEK-5)")
    void plain() {
        send("b", "b1");
        send("a", "a1");
        assertThat(q.refusedAs(new Command.AttachReceiver(1, SubQueue.MAIN, ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("b1", "a1");
        assertThat(bodies(messages(q.accepted(new Command.PeekMessages(SubQueue.MAIN, 0, 10, "a")))))
                .containsExactly("a1");
        QueueFixture plain = given(queue());
        assertThat(plain.refusedAs(new Command.AcceptSession(1, "a", ReceiveMode.PEEK_LOCK, 0)))
                .isEqualTo(ErrorCode.INVALID_OPERATION);
    }

    @Test
    @DisplayName("SESS-7: the holder gets its messages in order, including later ones, and abandoned ones first")
    void order() {
        send("a", "1", "2");
        send("b", "x");
        SessionHold a = accept("a");
        List<MessageView> got = receive(a, 10);
        assertThat(bodies(got)).containsExactly("1", "2");
        send("a", "3");
        assertThat(bodies(q.delivered(a.receiverId()))).containsExactly("3");
        q.abandon(got.get(0));
        List<MessageView> again = q.delivered(a.receiverId());
        assertThat(bodies(again)).containsExactly("1");
        assertThat(again.get(0).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("SESS-8, SESS-9: messages are locked as long as their session, which is renewed as a whole")
    void renewal() {
        send("a", "1");
        SessionHold a = accept("a");
        MessageView first = receive(a, 1).get(0);
        assertThat(first.lockedUntilMs()).isEqualTo(QueueFixture.START_MS + LOCK_MS);
        assertThat(q.refusedAs(new Command.RenewLocks(token(first)))).isEqualTo(ErrorCode.INVALID_OPERATION);
        q.at(50_000);
        Reply.LocksRenewed renewed = (Reply.LocksRenewed) q.accepted(new Command.RenewSessionLock(a));
        assertThat(renewed.lockedUntilMs()).containsExactly(QueueFixture.START_MS + 110_000);
        q.at(109_999);
        q.complete(first);
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName(
            "SESS-10, SESS-11, T-31: when the lock ends, delivered messages have failed and others have not, and all"
                    + " calls fail")
    void expiry() {
        send("a", "1", "2", "3", "4", "5");
        SessionHold a = accept("a");
        List<MessageView> got = receive(a, 3);
        q.at(LOCK_MS);
        assertThat(q.outputs()).containsExactly(new Output.SessionLost(a.receiverId()));
        assertThat(deliveryCounts()).containsExactly(1, 1, 1, 0, 0);
        assertThat(q.refusedAs(new Command.CompleteMessages(token(got.get(0))))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        for (Command command : List.of(
                new Command.RenewSessionLock(a),
                new Command.SetSessionState(a, null),
                new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK, a))) {
            assertThat(q.refusedAs(command)).as(command.toString()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        }
        assertThat(q.refusedAs(new Command.SetCredit(a.receiverId(), 9, false))).isEqualTo(ErrorCode.INVALID_OPERATION);
        SessionHold next = accept(null);
        assertThat(bodies(receive(next, 10))).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    @DisplayName("SESS-15: the state of a session can be read without its lock, and set only by its holder")
    void readsTheStateWithoutTheLock() {
        assertThat(q.accepted(new Command.GetSessionState("a"))).isEqualTo(new Reply.SessionState(null));
        SessionHold holder = accept("a");
        q.accepted(new Command.SetSessionState(holder, new byte[] {1, 2}));
        assertThat(((Reply.SessionState) q.accepted(new Command.GetSessionState("a"))).state())
                .containsExactly(1, 2);
        q.at(LOCK_MS);
        assertThat(q.refusedAs(new Command.SetSessionState(holder, null))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(((Reply.SessionState) q.accepted(new Command.GetSessionState("a"))).state())
                .containsExactly(1, 2);
    }

    @Test
    @DisplayName("SESS-12, LOCK-10, T-32: a closed receiver releases its session immediately, without counting")
    void close() {
        send("a", "1", "2");
        for (int i = 0; i < 20; i++) {
            SessionHold a = accept("a");
            assertThat(bodies(receive(a, 1))).containsExactly("1");
            close(a);
        }
        assertThat(deliveryCounts()).containsExactly(0, 0);
        q.thenCounts(2, 0, 0);
    }

    @Test
    @DisplayName("SESS-13: a poison message goes to the dead-letter queue and the others follow; DLQ-28: receivers"
            + " without a session read it")
    void poison() {
        send("a", "1", "2", "3");
        SessionHold a = accept("a");
        List<MessageView> got = receive(a, 1);
        q.deadLetter(got.get(0));
        assertThat(bodies(receive(a, 3))).containsExactly("2", "3");
        MessageView dead = q.receiveDeadLetter();
        assertThat(QueueFixture.body(dead)).isEqualTo("1");
        q.complete(dead);
        q.thenCounts(2, 0, 0);
    }

    @Test
    @DisplayName("SESS-14: deferred messages are skipped, and received by number only inside their session")
    void deferral() {
        send("a", "1", "2");
        SessionHold a = accept("a");
        MessageView one = receive(a, 1).get(0);
        q.defer(one);
        assertThat(bodies(receive(a, 2))).containsExactly("2");
        SessionHold b = accept("b");
        assertThat(q.refusedAs(
                        new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK, b)))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        MessageView again = messages(q.accepted(
                        new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK, a)))
                .get(0);
        close(a);
        assertThat(q.refusedAs(new Command.CompleteMessages(token(again)))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        SessionHold next = accept(null);
        assertThat(bodies(receive(next, 2))).containsExactly("2");
        MessageView third = messages(q.accepted(
                        new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK, next)))
                .get(0);
        q.complete(third);
        q.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName("SESS-5: a session with only deferred messages is not granted")
    void onlyDeferred() {
        send("a", "1");
        SessionHold a = accept(null);
        q.defer(receive(a, 1).get(0));
        close(a);
        assertThat(q.refusedAs(new Command.AcceptSession(1, null, ReceiveMode.PEEK_LOCK, 0)))
                .isEqualTo(ErrorCode.TIMEOUT);
        q.restart();
        assertThat(q.refusedAs(new Command.AcceptSession(1, null, ReceiveMode.PEEK_LOCK, 0)))
                .isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    @DisplayName(
            "SESS-15, SESS-16, QUOTA-2: state is kept without messages and after restarts, counts towards the size,"
                    + " and can be cleared")
    void state() {
        SessionHold a = accept("a");
        assertThat(state(a)).isNull();
        state(a, "");
        assertThat(state(a)).isEmpty();
        state(a, "step 1");
        assertThat(q.counts().sizeBytes()).isEqualTo(6);
        q.restart();
        a = accept("a");
        assertThat(state(a)).isEqualTo("step 1");
        assertThat(q.refusedAs(new Command.SetSessionState(a, new byte[256 * 1024 + 1])))
                .isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        state(a, null);
        assertThat(state(a)).isNull();
        assertThat(q.counts().sizeBytes()).isZero();
        assertThat(q.rows.sessions).isEmpty();
    }

    @Test
    @DisplayName(
            "SESS-17, SESS-18: lists contain sessions with active messages in pages, or sessions whose state was set"
                    + " recently")
    void lists() {
        for (int i = 0; i < 25; i++) {
            send("s%02d".formatted(i), "m");
        }
        Reply.Sessions first = list(MessageView.NEVER, null, 0, 10);
        assertThat(first.sessionIds()).hasSize(10).startsWith("s00");
        assertThat(list(MessageView.NEVER, null, first.skip(), 10).sessionIds()).startsWith("s10");
        assertThat(list(MessageView.NEVER, "s19", 0, 10).sessionIds())
                .containsExactly("s20", "s21", "s22", "s23", "s24");
        SessionHold a = accept("s03");
        q.complete(receive(a, 1).get(0));
        assertThat(list(MessageView.NEVER, "s02", 0, 1).sessionIds()).containsExactly("s04");
        q.after(1_000);
        state(a, "x");
        assertThat(list(QueueFixture.START_MS, null, 0, 10).sessionIds()).containsExactly("s03");
        assertThat(list(QueueFixture.START_MS + 1_000, null, 0, 10).sessionIds())
                .isEmpty();
    }

    private Reply.Sessions list(long after, @Nullable String afterId, int skip, int top) {
        return (Reply.Sessions) q.accepted(new Command.ListSessions(after, afterId, skip, top));
    }

    @Test
    @DisplayName(
            "PURGE-1, PURGE-2: a batch delete removes the messages of a session, if it names one, except locked ones")
    void batchDelete() {
        send("a", "1", "2", "3");
        send("b", "x");
        q.after(1_000);
        receive(accept("a"), 1);
        Command delete = new Command.BatchDeleteMessages(SubQueue.MAIN, 10, q.nowMs, "a");
        assertThat(((Reply.Deleted) q.accepted(delete)).count()).isEqualTo(2);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("1", "x");
        assertThat(((Reply.Deleted) q.accepted(new Command.BatchDeleteMessages(SubQueue.MAIN, 10, q.nowMs))).count())
                .isEqualTo(1);
        assertThat(accept("b").sessionId()).isEqualTo("b");
    }

    @Test
    @DisplayName("SESS-24: receive-and-delete inside a session takes messages in order")
    void receiveAndDelete() {
        send("a", "1", "2", "3");
        q.accepted(new Command.AcceptSession(5, "a", ReceiveMode.RECEIVE_AND_DELETE, 0));
        q.accepted(new Command.SetCredit(5, 2, false));
        assertThat(bodies(q.delivered(5))).containsExactly("1", "2");
        q.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName(
            "SCN-3, T-20, TTL-29, TTL-30: with one expired message all of its session expire, and locked ones follow"
                    + " when the lock ends")
    void sessionExpires() {
        q.send(message("A1").sessionId("A").timeToLiveMs(60_000).build());
        q.send(message("A2").sessionId("A").timeToLiveMs(3_600_000).build());
        q.send(message("A3").sessionId("A").timeToLiveMs(3_600_000).build());
        q.send(message("B1").sessionId("B").build());
        q.at(30_000);
        SessionHold a = accept("A");
        List<MessageView> got = receive(a, 2);
        q.at(60_000);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("A1", "A2", "B1");
        q.complete(got.get(0));
        q.at(90_000);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("B1");
        assertThat(accept(null).sessionId()).isEqualTo("B");
    }

    @Test
    @DisplayName("TTL-29, TTL-30: messages that arrive after the expiry of a held session stay, and so do deferred"
            + " messages")
    void laterArrivals() {
        q.send(message("A1").sessionId("A").timeToLiveMs(10_000).build());
        send("A", "A2", "A3");
        SessionHold a = accept("A");
        List<MessageView> got = receive(a, 3);
        q.defer(got.get(1));
        q.at(10_000);
        send("A", "A4");
        MessageView a4 = receive(a, 4).get(0);
        q.release(a4);
        MessageView a2 = messages(q.accepted(
                        new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(2L), ReceiveMode.PEEK_LOCK, a)))
                .get(0);
        q.release(a2);
        close(a);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("A2", "A4");
    }

    @Test
    @DisplayName("TTL-29: a delivered message that expires makes the others expire too, also if it was read before")
    void deliveredMessageExpires() {
        q.send(message("B1").sessionId("B").timeToLiveMs(5_000).build());
        q.send(message("A1").sessionId("A").timeToLiveMs(10_000).build());
        send("A", "A2");
        SessionHold a = accept("A");
        receive(a, 1);
        q.at(5_000);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("A1", "A2");
        q.at(10_000);
        assertThat(bodies(q.peek(SubQueue.MAIN))).containsExactly("A1");
    }

    @Test
    @DisplayName("SESS-10, STATE-8: the token of a message that expired at the close of its session is lost with the"
            + " session")
    void expiredAtClose() {
        q.send(message("A1").sessionId("A").timeToLiveMs(5_000).build());
        SessionHold a = accept("A");
        MessageView a1 = receive(a, 1).get(0);
        q.at(5_000);
        close(a);
        q.thenCounts(0, 0, 0);
        assertThat(q.refusedAs(new Command.CompleteMessages(token(a1)))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
    }

    @Test
    @DisplayName("Sessions that were accepted and never written do not stay in memory")
    void emptySessionsAreForgotten() {
        for (int i = 0; i < 40_000; i++) {
            close(accept("s" + i));
        }
        assertThat(q.memoryEntries()).isLessThan(20_000);
    }

    @Test
    @DisplayName("TTL-31: without a listener nothing expires")
    void nobodyListens() {
        q.send(message("A1").sessionId("A").timeToLiveMs(1_000).build());
        q.at(10_000);
        q.thenCounts(1, 0, 0);
        q.when(new Command.AcceptSession(1, null, ReceiveMode.PEEK_LOCK, 1_000));
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("SCHED-10: a scheduled message is delivered to the holder of its session when it is due")
    void scheduled() {
        SessionHold a = accept("a");
        receive(a, 10);
        q.send(message("later").sessionId("a").scheduledAt(1_000).build());
        q.after(1_000);
        assertThat(bodies(q.delivered(a.receiverId()))).containsExactly("later");
    }

    @Test
    @DisplayName("STATE-4: a restart voids holds; sessions, order and counts are as before")
    void restart() {
        send("b", "b1");
        send("a", "a1", "a2");
        SessionHold b = accept(null);
        MessageView b1 = receive(b, 1).get(0);
        q.restart();
        assertThat(q.refusedAs(new Command.CompleteMessages(token(b1)))).isNotNull();
        SessionHold again = accept(null);
        assertThat(again.sessionId()).isEqualTo("b");
        assertThat(receive(again, 1).get(0).deliveryCount()).isZero();
        assertThat(accept(null).sessionId()).isEqualTo("a");
    }

    @Test
    @DisplayName(
            "More sessions than fit in memory are all granted, oldest first, also when they are read from the store")
    void manySessions() {
        for (int i = 0; i < 20_000; i++) {
            send("s" + i, "m");
        }
        q.restart();
        for (int i = 0; i < 20_000; i++) {
            SessionHold hold = accept(null);
            assertThat(hold.sessionId()).isEqualTo("s" + i);
            q.complete(receive(hold, 1).get(0));
            close(hold);
        }
        q.thenCounts(0, 0, 0);
        assertThat(q.rows.sessions).isEmpty();
        assertThat(q.rows.sessionHeads).isEmpty();
    }

    @Test
    @DisplayName("SESS-7: an abandoned message at its limit is dead-lettered and the next one is delivered")
    void maxDeliveryCount() {
        q.update(queue().requiresSession(true).lockDurationMs(LOCK_MS).maxDeliveryCount(1));
        send("a", "1", "2");
        SessionHold a = accept("a");
        q.accepted(new Command.AbandonMessages(token(receive(a, 1).get(0)), Map.of()));
        assertThat(bodies(receive(a, 2))).containsExactly("2");
        q.thenCounts(1, 1, 0);
        assertThat(Objects.requireNonNull(q.receiveDeadLetter().lockToken())).isNotNull();
    }
}
