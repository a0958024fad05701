package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.SessionSummary;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                    new Command.SendMessages(List.of(IncomingMessage.of(plain.content())
                            .sizes(plain.encodedSizeBytes(), 0, 0)
                            .sent(session, 0)
                            .build())));
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
    @DisplayName("SESS-5, SESS-7: a waiting receiver gets the first available session and its messages in order")
    void waits() {
        Listening waiting = accept(q, null, 0);
        assertThat(waiting.attached.isThere()).isFalse();
        send(q, "a", "1", "2");
        assertThat(session(waiting)).isEqualTo("a");
        waiting.receiver.setCredit(10, false);
        f.settle();
        assertThat(bodies(waiting)).containsExactly("1", "2");
    }

    private void status(EntityStatus status) {
        f.namespace()
                .updateQueue(
                        BrokerFixture.describe(q).toBuilder().status(status).build());
        f.settle();
    }

    private Answer of(Command command) {
        Answer answer = f.submit(q, command);
        f.settle();
        return answer;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "SUSP-5, LOCK-15: a disabled entity keeps held sessions for the rest of their locks, and delivers nothing")
    void disabledKeepsSessions(boolean partitioned) {
        q = f.create(QueueDescription.named("suspended")
                .requiresSession(true)
                .enablePartitioning(partitioned)
                .lockDurationMs(60_000)
                .build());
        send(q, "a", "1", "2", "3");
        Listening held = accept(q, "a", 2);
        SessionHold hold = new SessionHold(held.receiver.id(), "a");

        status(EntityStatus.DISABLED);
        status(EntityStatus.RECEIVE_DISABLED);

        assertThat(held.closed).isNull();
        assertThat(Objects.requireNonNull(held.suspended).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        f.nowMs += 40_000;
        assertThat(of(new Command.RenewSessionLock(hold)).reply()).isInstanceOf(Reply.LocksRenewed.class);
        f.nowMs += 40_000;
        assertThat(of(new Command.SetSessionState(hold, new byte[] {7})).reply())
                .isEqualTo(Reply.Done.INSTANCE);
        assertThat(((Reply.SessionState) of(new Command.GetSessionState(hold.sessionId()))
                                .reply())
                        .state())
                .containsExactly(7);
        UUID first = Objects.requireNonNull(held.messages.get(0).lockToken());
        assertThat(of(new Command.CompleteMessages(List.of(first))).reply()).isEqualTo(Reply.Done.INSTANCE);
        assertThat(accept(q, "a", 0).attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);

        status(EntityStatus.ACTIVE);

        assertThat(bodies(held)).as("no credit left").containsExactly("1", "2");
        assertThat(accept(q, "a", 0).attached.rejection().code()).isEqualTo(ErrorCode.SESSION_CANNOT_BE_LOCKED);
        f.nowMs += 20_000; // the rest of the lock
        f.settle();
        assertThat(Objects.requireNonNull(held.closed).code()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(of(new Command.RenewSessionLock(hold)).rejection().code()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(bodies(accept(q, "a", 5))).containsExactly("2", "3");
    }

    @Test
    @DisplayName("SUSP-5, SESS-12: a holder that detaches while its entity is disabled frees its session at once")
    void suspendedHolderGoes() {
        send(q, "a", "1");
        Listening held = accept(q, "a", 1);
        status(EntityStatus.DISABLED);
        held.receiver.detach();
        f.settle();
        status(EntityStatus.ACTIVE);
        assertThat(bodies(accept(q, "a", 1))).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("SESS-5: sessions take turns, also the sessions of the fragments of a partitioned queue")
    void rotation(boolean partitioned) {
        q = f.create(QueueDescription.named("rotating")
                .requiresSession(true)
                .enablePartitioning(partitioned)
                .build());
        List<String> names = List.of("poison", "a", "b", "c", "d", "e");
        names.forEach(name -> send(q, name, "1", "2"));
        Map<String, Integer> times = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            Listening listening = accept(q, null, 1);
            times.merge(session(listening), 1, Integer::sum);
            listening.receiver.detach();
            f.settle();
        }
        assertThat(times.keySet()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(times.values()).allMatch(count -> count >= (partitioned ? 5 : 10));
    }

    @Test
    @DisplayName("SESS-5: a wait ends with a timeout, and a receiver that detaches ends its wait")
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
    @DisplayName("SESS-10: when the lock of its session expires, the receiver is closed and the session is free")
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
    @DisplayName("SESS-16, STATE-4: session state and messages survive a crash, session locks do not")
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
        Answer get = f.submit(q, new Command.GetSessionState("a"));
        f.settle();
        assertThat(((Reply.SessionState) get.reply()).state()).containsExactly(1, 2);
        assertThat(f.counts(q).sizeBytes()).isEqualTo(message("1").content().sizeBytes() + 2);
    }

    @Test
    @DisplayName("All rows of a session are deleted with its last message and its state, or with the entity")
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
    @DisplayName("A failed commit ends session locks and waits; the sessions are as stored")
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
        Answer get = f.submit(q, new Command.GetSessionState("a"));
        f.settle();
        assertThat(((Reply.SessionState) get.reply()).state()).isNull();
    }

    @Test
    @DisplayName("SESS-10: a receiver that loses its session in the turn in which the store fails is closed once")
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
    @DisplayName("SESS-5: a request for a session in the turn in which the store fails gets one answer")
    void failedWhileLooking() throws StoreException {
        send(q, "a", "1");
        for (String session : new String[] {null, "a", "b"}) {
            f.crash(); // available sessions must be looked up in the store
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
    @DisplayName("STATE-4: a deleted entity leaves nothing in the memory of its shard, even if its sessions were held")
    void deletedWhileHeld() throws StoreException {
        long trackedBefore = f.shard(0).figures().trackedMessages();
        for (boolean failing : new boolean[] {true, false}) {
            send(q, "a", "1", "2");
            Listening held = accept(q, "a", 1);
            assertThat(held.messages).hasSize(1);
            if (failing) {
                f.store.failNextCommit(StoreException.Reason.IO, false);
            }
            CompletionStage<Void> deletion = f.namespace().deleteEntity("q");
            f.settle();
            assertThat(Objects.requireNonNull(held.closed).code())
                    .isEqualTo(failing ? ErrorCode.DETACH_FORCED : ErrorCode.ENTITY_NOT_FOUND);
            if (failing) {
                assertThat(BrokerFixture.failure(deletion)).isEqualTo(ErrorCode.SERVER_BUSY);
                f.letPass(60_000);
                assertThat(bodies(accept(q, "a", 5))).containsExactly("1", "2");
                f.crash();
                q = f.entity("q");
            }
        }
        assertThat(f.shard(0).figures().trackedMessages()).isEqualTo(trackedBefore);
    }

    @Test
    @DisplayName("A queue that is disabled ends the waits of receivers")
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
    @DisplayName("A subscription has its own sessions, and releases bodies with its messages")
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "SESS-15, QUOTA-2, QUOTA-3: session state on a subscription has the limits of its topic and counts there")
    void stateOnSubscription(boolean partitioned) throws StoreException {
        f = new BrokerFixture(premium(partitioned ? 2 : 1), new InMemoryMessagingStore());
        f.namespace()
                .createTopic(TopicDescription.named("t")
                        .maxSizeInMegabytes(partitioned ? 6 : 3)
                        .maxMessageSizeInKilobytes(1_500L)
                        .build());
        f.settle();
        f.namespace()
                .createSubscription(
                        SubscriptionDescription.of("t", "s")
                                .requiresSession(true)
                                .build(),
                        RuleDescription.takeEverything());
        f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "other").build(), RuleDescription.takeEverything());
        f.settle();
        q = f.entity("t/subscriptions/s");
        SessionHold hold = new SessionHold(accept(q, "a", 0).receiver.id(), "a");

        assertThat(of(new Command.SetSessionState(hold, new byte[1_536_001]))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        assertThat(of(new Command.SetSessionState(hold, new byte[1_536_000])).isDone())
                .isTrue();
        f.namespace()
                .updateTopic(((TopicDescription) f.entity("t").description())
                        .toBuilder().maxMessageSizeInKilobytes(2_000L).build());
        f.settle();
        assertThat(of(new Command.SetSessionState(hold, new byte[1_900_000])).isDone())
                .isTrue();

        send(f.entity("t"), "a", "x".repeat(1_400_000));
        assertThat(q.counts().sizeBytes()).isLessThan(3 << 20);
        Rejection full =
                of(new Command.SetSessionState(hold, new byte[1_900_001])).rejection();
        assertThat(full.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(full.description()).contains("max entity size in bytes: " + (3 << 20));
        assertThat(of(new Command.SetSessionState(hold, new byte[1])).isDone()).isTrue();
    }

    private static BrokerOptions premium(int partitions) {
        return BrokerOptions.of(List.of(new NamespaceOptions(
                "ns",
                List.of(AccessRule.root("key")),
                smallEntities(),
                ExpiryEnforcement.ON_RECEIVER,
                0,
                TransferFailureTarget.TRANSFER_DLQ,
                false,
                new Partitioning(false, partitions))));
    }

    private static Limits smallEntities() {
        Limits l = Limits.of(TierProfile.PREMIUM);
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                10,
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
                l.maxReceivers(),
                l.maxLocks(),
                l.maxPeekCount(),
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a session that an operator unlocks is lost for its receiver at once, and free for the next one")
    void unlockedByOperator(boolean partitioned) {
        q = f.create(QueueDescription.named("unlocked")
                .requiresSession(true)
                .enablePartitioning(partitioned)
                .build());
        send(q, "a", "1", "2");
        Listening held = accept(q, "a", 1);
        SessionSummary before = summary("a");
        assertThat(before.holder()).isEqualTo("a test");
        assertThat(before.lockedUntilMs()).isGreaterThan(f.nowMs);

        assertThat(of(new Command.ChangeSession("a", true, false)).reply()).isEqualTo(Reply.Done.INSTANCE);

        assertThat(Objects.requireNonNull(held.closed).code()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
        assertThat(summary("a").isHeld()).isFalse();
        assertThat(bodies(accept(q, "a", 5))).containsExactly("1", "2");
    }

    private SessionSummary summary(String session) {
        return Objects.requireNonNull(((Reply.SessionFound)
                        of(new Command.ReadSession(session, false)).reply())
                .session());
    }
}
