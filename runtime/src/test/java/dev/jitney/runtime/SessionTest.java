package dev.jitney.runtime;

import static dev.jitney.runtime.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.BrokerFixture.Answer;
import dev.jitney.runtime.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Sessions in a shard")
class SessionTest {
    private BrokerFixture f;
    private Entity q;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        q = f.create(QueueDescription.named("q").requiresSession(true).build());
    }

    private void send(Entity entity, String session, String... bodies) {
        for (String body : bodies) {
            IncomingMessage plain = message(body);
            Answer answer = f.submit(
                    entity,
                    new Command.SendMessages(List.of(new IncomingMessage(
                            null,
                            session,
                            null,
                            MessageView.NEVER,
                            0,
                            false,
                            plain.encodedSizeBytes(),
                            0,
                            0,
                            plain.content()))));
            f.settle();
            assertThat(answer.reply()).isInstanceOf(Reply.Sent.class);
        }
    }

    private Listening accept(Entity entity, @Nullable String session, int credit) {
        Listening listening = new Listening();
        listening.receiver = entity.acceptSession(
                session, ReceiveMode.PEEK_LOCK, 10_000, Runnable::run, listening, listening.attached);
        f.settle();
        if (credit > 0) {
            listening.receiver.setCredit(credit, false);
            f.settle();
        }
        return listening;
    }

    private static String session(Listening listening) {
        return ((Reply.SessionAccepted) listening.attached.reply()).sessionId();
    }

    private static List<String> bodies(Listening listening) {
        return listening.messages.stream()
                .map(message ->
                        StandardCharsets.UTF_8.decode(message.content().body()).toString())
                .toList();
    }

    @Test
    @DisplayName("SESS-5, SESS-7: a receiver that waits gets the first session that comes, and its messages in order")
    void waits() {
        Listening waiting = accept(q, null, 0);
        assertThat(waiting.attached.isThere()).isFalse();
        send(q, "a", "1", "2");
        assertThat(session(waiting)).isEqualTo("a");
        waiting.receiver.setCredit(10, false);
        f.settle();
        assertThat(bodies(waiting)).containsExactly("1", "2");
    }

    @Test
    @DisplayName("SESS-5: a wait ends with a timeout, and a receiver that goes ends its wait")
    void timesOut() {
        Listening late = accept(q, null, 0);
        Listening gone = accept(q, null, 0);
        gone.receiver.detach();
        f.settle();
        f.nowMs += 10_000;
        f.settle();
        assertThat(late.attached.rejection().code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(late.attached.rejection().description()).contains("00:00:10");
        assertThat(gone.attached.isThere()).isFalse();
        send(q, "a", "1");
        assertThat(session(accept(q, null, 0))).isEqualTo("a");
    }

    @Test
    @DisplayName("SESS-10: when its lock ends the receiver is closed and the session is free")
    void lockEnds() {
        send(q, "a", "1");
        Listening holder = accept(q, null, 1);
        f.nowMs += 60_000;
        f.settle();
        assertThat(Objects.requireNonNull(holder.closed).code()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        Listening next = accept(q, null, 1);
        assertThat(next.messages.get(0).deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("SESS-16, STATE-4: state and messages survive a crash, holds do not")
    void crash() throws StoreException {
        send(q, "a", "1");
        Listening holder = accept(q, "a", 1);
        SessionHold hold = new SessionHold(holder.receiver.id(), "a");
        Answer set = f.submit(q, new Command.SetSessionState(hold, new byte[] {1, 2}));
        f.settle();
        assertThat(set.reply()).isEqualTo(Reply.Done.INSTANCE);
        f.crash();
        q = f.entity("q");
        Listening again = accept(q, null, 1);
        assertThat(bodies(again)).containsExactly("1");
        assertThat(again.messages.get(0).deliveryCount()).isZero();
        Answer get = f.submit(q, new Command.GetSessionState(new SessionHold(again.receiver.id(), "a")));
        f.settle();
        assertThat(((Reply.SessionState) get.reply()).state()).containsExactly(1, 2);
        assertThat(f.counts(q).sizeBytes()).isEqualTo(message("1").content().sizeBytes() + 2);
    }

    @Test
    @DisplayName(
            "Everything about a session goes from the store with its last message and its state, or with the entity")
    void rowsGo() {
        send(q, "a", "1", "2");
        Listening holder = accept(q, null, 2);
        for (MessageView message : holder.messages) {
            f.submit(q, new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken()))));
        }
        f.settle();
        for (Table table : List.of(Table.SESSIONS, Table.SESSION_HEADS, Table.SESSION_MESSAGES, Table.SESSION_STATES)) {
            assertThat(f.store.size(table)).as(table.name()).isZero();
        }
        send(q, "a", "3");
        f.submit(q, new Command.SetSessionState(new SessionHold(holder.receiver.id(), "a"), new byte[1]));
        f.settle();
        f.namespace().deleteEntity("q");
        f.settle();
        for (Table table : List.of(Table.SESSIONS, Table.SESSION_HEADS, Table.SESSION_MESSAGES, Table.SESSION_STATES)) {
            assertThat(f.store.size(table)).as(table.name()).isZero();
        }
        assertThat(Objects.requireNonNull(holder.closed).code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }

    @Test
    @DisplayName("A failed commit ends holds and waits; the sessions are as the store has them")
    void failedCommit() {
        send(q, "a", "1");
        Listening holder = accept(q, null, 1);
        Listening waiting = accept(q, null, 0);
        f.store.failNextCommit(StoreException.Reason.IO, false);
        f.submit(q, new Command.SetSessionState(new SessionHold(holder.receiver.id(), "a"), new byte[9]));
        f.settle();
        assertThat(Objects.requireNonNull(holder.closed).code()).isEqualTo(ErrorCode.DETACH_FORCED);
        assertThat(waiting.attached.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        Listening again = accept(q, null, 1);
        assertThat(bodies(again)).containsExactly("1");
        Answer get = f.submit(q, new Command.GetSessionState(new SessionHold(again.receiver.id(), "a")));
        f.settle();
        assertThat(((Reply.SessionState) get.reply()).state()).isNull();
    }

    @Test
    @DisplayName("SESS-10: who loses a session in the turn in which the store fails hears of the end, once")
    void lostWithTheStore() {
        send(q, "a", "1");
        Listening holder = accept(q, null, 0);
        Entity other = f.create("other");
        f.store.failNextCommit(StoreException.Reason.IO, false);
        f.send(other, "x");
        f.nowMs += 60_000;
        f.settle();
        assertThat(Objects.requireNonNull(holder.closed).code()).isEqualTo(ErrorCode.DETACH_FORCED);
        assertThat(bodies(accept(q, null, 1))).containsExactly("1");
    }

    @Test
    @DisplayName("SESS-5: who asks for a session in the turn in which the store fails has one answer")
    void failedWhileLooking() throws StoreException {
        send(q, "a", "1");
        for (String session : new String[] {null, "a", "b"}) {
            f.crash(); // what is available has to be looked up in the store
            q = f.entity("q");
            f.store.failNextRead();
            Listening asking = accept(q, session, 0);
            assertThat(asking.attached.rejection().code().retryable())
                    .as(session)
                    .isTrue();
            f.letPass(1_000);
        }
    }

    @Test
    @DisplayName("A queue that is disabled lets waiting receivers go")
    void disabled() {
        Listening waiting = accept(q, null, 0);
        f.namespace()
                .updateQueue(QueueDescription.named("q")
                        .requiresSession(true)
                        .status(EntityStatus.DISABLED)
                        .build());
        f.settle();
        assertThat(waiting.attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }

    @Test
    @DisplayName("A subscription has sessions of its own, and gives bodies back with its messages")
    void subscription() throws StoreException {
        f.namespace().createTopic(TopicDescription.named("t").build());
        f.settle();
        for (String name : List.of("a", "b")) {
            f.namespace()
                    .createSubscription(
                            SubscriptionDescription.of("t", name)
                                    .requiresSession(true)
                                    .build(),
                            RuleDescription.takeEverything());
            f.settle();
        }
        send(f.entity("t"), "x", "1");
        f.crash();
        for (String name : List.of("a", "b")) {
            Entity subscription = f.entity("t/subscriptions/" + name);
            Listening holder = accept(subscription, null, 1);
            assertThat(session(holder)).isEqualTo("x");
            assertThat(f.store.size(Table.BODIES)).isEqualTo(1);
            f.submit(
                    subscription,
                    new Command.CompleteMessages(List.of(
                            Objects.requireNonNull(holder.messages.get(0).lockToken()))));
            f.settle();
        }
        assertThat(f.store.size(Table.BODIES)).isZero();
    }
}
