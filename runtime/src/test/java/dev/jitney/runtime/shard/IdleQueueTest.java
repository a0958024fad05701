package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Semantics chapter 7: temporary queues are deleted when they are idle")
class IdleQueueTest {
    private IdleScenario s;

    @BeforeEach
    void open() throws StoreException {
        s = new IdleScenario();
    }

    /** An action on the queue of a scenario at 4:00, with the locks prepared at 0:00. */
    @FunctionalInterface
    private interface Deed {
        void on(IdleScenario s, Entity q, Prepared prepared);
    }

    /** Locks on two messages, and the number of a deferred message. */
    private record Prepared(List<UUID> locks, long deferred) {}

    private static Prepared prepare(IdleScenario s, Entity q) {
        Answer sent = s.send(q, "a", "b", "c", "d", "e");
        List<UUID> locks = s.lock(q, 4);
        s.command(q, new Command.DeferMessages(locks.subList(2, 3), Map.of()));
        s.command(q, new Command.DeadLetterMessages(locks.subList(3, 4), null, null, Map.of()));
        return new Prepared(locks.subList(0, 2), ((Reply.Sent) sent.reply()).sequenceNumbers()[2]);
    }

    private static void assertDone(Answer answer) {
        assertThat(answer.isDone()).as("done").isTrue();
    }

    private static Map<String, Deed> activities() {
        Map<String, Deed> all = new LinkedHashMap<>();
        all.put("a send", (s, q, p) -> assertDone(s.send(q, "m")));
        all.put(
                "a send that is dropped as a duplicate",
                (s, q, p) -> assertDone(s.send(q, "id", null, MessageView.NEVER, false)));
        all.put("a receive that deletes", (s, q, p) -> s.receiveAndLeave(q, SubQueue.MAIN));
        all.put("an empty receive", (s, q, p) -> s.receiveAndLeave(q, SubQueue.TRANSFER_DEAD_LETTER));
        all.put("a receive from the dead-letter queue", (s, q, p) -> s.receiveAndLeave(q, SubQueue.DEAD_LETTER));
        all.put(
                "a receiver that attaches",
                (s, q, p) ->
                        q.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, new Listening(), new Answer()));
        all.put("a complete", (s, q, p) -> assertDone(s.command(q, new Command.CompleteMessages(p.locks))));
        all.put("an abandon", (s, q, p) -> assertDone(s.command(q, new Command.AbandonMessages(p.locks, Map.of()))));
        all.put("a release", (s, q, p) -> assertDone(s.command(q, new Command.ReleaseMessages(p.locks))));
        all.put("a defer", (s, q, p) -> assertDone(s.command(q, new Command.DeferMessages(p.locks, Map.of()))));
        all.put(
                "a dead-letter",
                (s, q, p) -> assertDone(s.command(q, new Command.DeadLetterMessages(p.locks, null, null, Map.of()))));
        all.put("a lock renewal", (s, q, p) -> assertDone(s.command(q, new Command.RenewLocks(p.locks))));
        all.put(
                "a look at a locked message",
                (s, q, p) -> assertDone(s.command(q, new Command.GetLockedMessage(p.locks.get(0)))));
        all.put(
                "a receive by number",
                (s, q, p) -> assertDone(s.command(
                        q,
                        new Command.ReceiveDeferredMessages(
                                SubQueue.MAIN, List.of(p.deferred), ReceiveMode.PEEK_LOCK))));
        all.put("a peek", (s, q, p) -> s.peek(q));
        all.put(
                "a peek that finds nothing",
                (s, q, p) -> assertDone(s.command(q, new Command.PeekMessages(SubQueue.MAIN, 1_000, 1, null))));
        all.put(
                "a peek at the dead-letter queue",
                (s, q, p) -> assertDone(s.command(q, new Command.PeekMessages(SubQueue.DEAD_LETTER, 1, 1, null))));
        all.put(
                "a batch delete",
                (s, q, p) -> assertDone(s.command(q, new Command.BatchDeleteMessages(SubQueue.MAIN, 1, 1))));
        all.put(
                "a schedule and a cancel",
                (s, q, p) ->
                        assertDone(s.command(q, new Command.CancelScheduledMessages(List.of(s.schedule(q, "20:00"))))));
        all.put(
                "an update",
                (s, q, p) -> s.ask(s.f.namespace()
                        .updateQueue(BrokerFixture.describe(q).toBuilder()
                                .userMetadata("u")
                                .build())));
        all.put("a send in a transaction that is rolled back", (s, q, p) -> transact(s, q, false));
        all.put("a send in a transaction", (s, q, p) -> transact(s, q, true));
        return all;
    }

    private static void transact(IdleScenario s, Entity q, boolean commit) {
        Answer sent = new Answer();
        Answer ended = new Answer();
        try {
            Transaction tx = s.f.namespace().beginTransaction();
            tx.submit(Work.on(q, new Command.SendMessages(List.of(BrokerFixture.message("m")))), Runnable::run, sent);
            s.f.settle();
            if (commit) {
                tx.commit(Runnable::run, ended);
            } else {
                tx.rollback(Runnable::run, ended);
            }
        } catch (BrokerException e) {
            throw new AssertionError(e);
        }
        s.f.settle();
        assertDone(sent);
        assertDone(ended);
    }

    @TestFactory
    @DisplayName("IDLE-5, IDLE-7: activity at +4m -> exists at +8m, deleted at +9m, for every kind of activity")
    Stream<DynamicTest> everyKindOfActivity() {
        return activities().entrySet().stream()
                .map(activity -> DynamicTest.dynamicTest(activity.getKey(), () -> {
                    IdleScenario each = new IdleScenario();
                    Entity q = each.queue(
                            "q", b -> b.requiresDuplicateDetection(true).lockDurationMs(IdleScenario.IDLE_MS));
                    each.send(q, "id", null, MessageView.NEVER, false);
                    each.receiveAndLeave(q, SubQueue.MAIN);
                    Prepared prepared = prepare(each, q);
                    each.at("4:00");
                    activity.getValue().on(each, q, prepared);
                    each.f.settle();
                    assertThat(q.accessedAtMs()).as("CNT-4").isEqualTo(each.f.nowMs);
                    each.assertThere("8:00", "q");
                    each.assertGoesAt("9:00", "q");
                }));
    }

    private static Map<String, Deed> noActivities() {
        Map<String, Deed> all = new LinkedHashMap<>();
        List<UUID> unknown = List.of(new UUID(1, 2));
        all.put("a query of the counters", (s, q, p) -> s.f.counts(q));
        all.put("a ping (PAIR-32)", (s, q, p) -> assertDone(s.send(q, null, null, 1_000, true)));
        all.put(
                "a settlement that is refused",
                (s, q, p) -> assertThat(s.command(q, new Command.CompleteMessages(unknown))
                                .isDone())
                        .isFalse());
        all.put(
                "a renewal that is refused",
                (s, q, p) -> assertThat(
                                s.command(q, new Command.RenewLocks(unknown)).isDone())
                        .isFalse());
        all.put(
                "a cancel that is refused",
                (s, q, p) -> assertThat(s.command(q, new Command.CancelScheduledMessages(List.of(77L)))
                                .isDone())
                        .isFalse());
        all.put(
                "a session that cannot be accepted",
                (s, q, p) -> assertThat(s.accept(q, "s", 0).attached.isDone()).isFalse());
        all.put("a creation under its name", (s, q, p) -> {
            CompletionStage<Entity> again =
                    s.f.namespace().createQueue(QueueDescription.named("Q").build());
            s.f.settle();
            assertThat(failure(again)).isEqualTo(ErrorCode.ENTITY_EXISTS);
        });
        all.put("an update that is refused", (s, q, p) -> {
            CompletionStage<Entity> refused = s.f.namespace()
                    .updateQueue(BrokerFixture.describe(q).toBuilder()
                            .requiresSession(true)
                            .build());
            s.f.settle();
            assertThat(failure(refused)).isEqualTo(ErrorCode.ARGUMENT);
        });
        return all;
    }

    @TestFactory
    @DisplayName("IDLE-7: an action that is no activity does not restart the idle time")
    Stream<DynamicTest> noActivity() {
        return noActivities().entrySet().stream()
                .map(deed -> DynamicTest.dynamicTest(deed.getKey(), () -> {
                    IdleScenario each = new IdleScenario();
                    Entity q = each.queue("q");
                    Prepared prepared = prepare(each, q);
                    each.at("4:00");
                    deed.getValue().on(each, q, prepared);
                    each.assertGoesAt("5:00", "q");
                }));
    }

    @Test
    @DisplayName("IDLE-7: expiring locks, expiring messages and detaching receivers are no activity")
    void timeIsNoActivity() throws StoreException {
        NamespaceOptions sweeping = new NamespaceOptions(
                "ns", List.of(AccessRule.root("key")), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.BACKGROUND);
        s = new IdleScenario(BrokerOptions.of(List.of(sweeping)));
        Entity q = s.queue("q", b -> b.lockDurationMs(60_000).deadLetteringOnMessageExpiration(true));
        s.send(q, null, null, 180_000, false);
        s.send(q, "locked");
        Listening listening = s.receive(q, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 2);
        assertThat(listening.messages).hasSize(2);
        s.at("1:00");
        assertThat(q.counts().locked()).isZero();
        s.at("3:00");
        assertThat(q.counts().deadLetter()).isEqualTo(1);
        s.at("4:00");
        listening.receiver.detach();
        s.f.settle();
        assertThat(q.figures().receivers()).isZero();
        s.assertGoesAt("5:00", "q");
    }

    @Test
    @DisplayName(
            "IDLE-1, IDLE-3, IDLE-6: each queue is deleted after its own time since creation; without one it stays for years")
    void unused() {
        s.queue("five");
        s.queue("seven", q -> q.autoDeleteOnIdleMs(7 * IdleScenario.MINUTE_MS));
        s.queue("never", q -> q.autoDeleteOnIdleMs(MessageView.NEVER));
        s.assertGoesAt("5:00", "five");
        s.assertGoesAt("7:00", "seven");
        s.assertThere("87600:00:00", "never");
    }

    @Test
    @DisplayName(
            "SCN-13, IDLE-5, IDLE-7: peek at 4:00, schedule at 8:00 for 20:00, cancel at 10:00 -> deleted at 15:00")
    void scenario() {
        Entity q = s.queue("q");
        s.at("4:00");
        s.peek(q);
        s.at("8:00");
        long number = s.schedule(q, "20:00");
        s.at("10:00");
        assertDone(s.command(q, new Command.CancelScheduledMessages(List.of(number))));
        s.assertThere("14:59", "q");
        s.assertGoesAt("15:00", "q");
    }

    @Test
    @DisplayName("IDLE-5: waiting messages are no activity, and are deleted with the queue")
    void messagesAreNoActivity() {
        Entity q = s.queue("q");
        prepare(s, q);
        s.lock(q, 1);
        s.assertGoesAt("5:00", "q");
        for (Table table : List.of(Table.MESSAGES, Table.MESSAGE_STATES, Table.FRAGMENTS, Table.ENTITIES)) {
            assertThat(s.f.store.size(table)).as("%s", table).isZero();
        }
    }

    @Test
    @DisplayName("IDLE-7: a scheduled message keeps the queue until it becomes active, which restarts the idle time")
    void scheduledMessage() {
        Entity q = s.queue("q");
        s.schedule(q, "30:00");
        s.schedule(q, "2:00:00");
        s.assertThere("1:59:59", "q");
        assertThat(q.counts().scheduled()).isEqualTo(1);
        s.at("2:00:00");
        assertThat(q.counts().active()).isEqualTo(2);
        s.assertGoesAt("2:05:00", "q");
    }

    @Test
    @DisplayName("IDLE-7: a waiting receiver is a receive in progress; the idle time starts when it detaches")
    void pendingReceive() {
        Entity q = s.queue("q");
        Listening waiting = s.receive(q, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.assertThere("24:00:00", "q");
        waiting.receiver.detach();
        s.f.settle();
        s.assertGoesAt("24:05:00", "q");
    }

    @Test
    @DisplayName("IDLE-7: a receiver stops waiting once its credit is used up or taken back")
    void satisfiedReceive() {
        Entity a = s.queue("a");
        Entity b = s.queue("b");
        Listening satisfied = s.receive(a, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        Listening resigned = s.receive(b, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1);
        s.at("1:00:00");
        s.send(a, "m");
        assertThat(satisfied.messages).hasSize(1);
        resigned.receiver.setCredit(0, false);
        s.f.settle();
        s.assertGoesAt("1:05:00", "a");
        assertThat(s.f.namespace().entity("b")).isNull();
        for (Listening attached : List.of(satisfied, resigned)) {
            assertThat(Objects.requireNonNull(attached.closed).code())
                    .as("IDLE-13: attached links")
                    .isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        }
    }

    @Test
    @DisplayName("IDLE-7: a receiver that waits for a session keeps the queue until the wait times out")
    void pendingAccept() {
        Entity q = s.queue("q", b -> b.requiresSession(true));
        Listening waiting = s.accept(q, null, 20 * IdleScenario.MINUTE_MS);
        s.shortlyBefore("20:00");
        assertThat(waiting.attached.isThere()).isFalse();
        s.at("20:00");
        assertThat(waiting.attached.rejection().code()).isEqualTo(ErrorCode.TIMEOUT);
        s.assertGoesAt("25:00", "q");
    }

    @Test
    @DisplayName("IDLE-7: operations on a session are activity, the end of its lock is not")
    void sessions() {
        Entity q = s.queue("q", b -> b.requiresSession(true).lockDurationMs(IdleScenario.IDLE_MS));
        s.send(q, null, "a", MessageView.NEVER, false);
        s.at("4:00");
        Listening held = s.accept(q, "a", 0);
        SessionHold hold = new SessionHold(held.receiver.id(), "a");
        s.at("8:00");
        assertDone(s.command(q, new Command.RenewSessionLock(hold)));
        s.at("12:00");
        assertDone(s.command(q, new Command.SetSessionState(hold, new byte[] {1})));
        s.at("12:30");
        assertDone(s.command(q, new Command.GetSessionState(hold.sessionId())));
        s.at("13:00");
        assertThat(held.closed).as("lost").isNotNull();
        s.at("17:00");
        assertDone(s.command(q, new Command.ListSessions(MessageView.NEVER, null, 0, 10)));
        s.at("21:00");
        assertThat(s.accept(q, "a", 0).attached.isDone()).isTrue();
        s.at("25:00");
        assertThat(s.accept(q, "a", 0).attached.rejection().code()).isEqualTo(ErrorCode.SESSION_CANNOT_BE_LOCKED);
        s.assertGoesAt("26:00", "q");
    }

    @Test
    @DisplayName("IDLE-7: a wait for a session that ends at once without one is an empty receive")
    void emptyAccept() {
        Entity q = s.queue("q", b -> b.requiresSession(true));
        s.at("4:00");
        assertThat(s.accept(q, null, 0).attached.rejection().code()).isEqualTo(ErrorCode.TIMEOUT);
        s.assertGoesAt("9:00", "q");
    }

    @Test
    @DisplayName("IDLE-7: a session lost while its receiver waits ends a receive that was in progress until then")
    void lostSession() {
        Entity q = s.queue("q", b -> b.requiresSession(true).lockDurationMs(60_000));
        Listening held = s.accept(q, "a", 0);
        held.receiver.setCredit(5, false);
        s.at("1:00");
        assertThat(held.closed).isNotNull();
        s.assertGoesAt("6:00", "q");
    }

    @Test
    @DisplayName("IDLE-10: a queue that forwards is never idle; its idle time starts when forwarding is turned off")
    void forwarding() {
        s.f.create("target");
        Entity q = s.queue("q", b -> b.forwardTo("target"));
        s.assertThere("24:00:00", "q");
        s.ask(s.f.namespace()
                .updateQueue(
                        BrokerFixture.describe(q).toBuilder().forwardTo(null).build()));
        s.assertGoesAt("24:05:00", "q");
    }

    @Test
    @DisplayName("FWD-14: a queue that is a forwarding destination is deleted when idle, like any other")
    void destination() {
        s.queue("target");
        s.f.create(QueueDescription.named("source").forwardTo("target").build());
        s.assertGoesAt("5:00", "target");
        assertThat(s.f.namespace().entity("source")).isNotNull();
    }

    @Test
    @DisplayName(
            "FWD-14, IDLE-7: a message forwarded into a queue is a send to it; after the deletion of the queue DLQ-30 applies")
    void forwardedInto() {
        s.queue("target");
        Entity source =
                s.f.create(QueueDescription.named("source").forwardTo("target").build());
        s.at("4:00");
        s.send(source, "m");
        assertThat(s.f.entity("target").counts().active()).isEqualTo(1);
        s.assertGoesAt("9:00", "target");
        s.send(source, "n");
        assertThat(source.counts().transferDeadLetter()).isEqualTo(1);
        assertThat(source.counts().active()).isZero();
    }

    @Test
    @DisplayName("IDLE-12: the time can be changed, which is activity; longer and shorter times count from the change")
    void updates() {
        Entity longer = s.queue("longer");
        Entity shorter = s.queue("shorter", q -> q.autoDeleteOnIdleMs(60 * IdleScenario.MINUTE_MS));
        Entity never = s.queue("never");
        Entity now = s.f.create("now");
        s.at("3:00");
        update(longer, 10 * IdleScenario.MINUTE_MS);
        update(shorter, IdleScenario.IDLE_MS);
        update(never, MessageView.NEVER);
        update(now, IdleScenario.IDLE_MS);
        s.assertGoesAt("8:00", "shorter");
        assertThat(s.f.namespace().entity("now")).isNull();
        s.assertGoesAt("13:00", "longer");
        s.assertThere("24:00:00", "never");
    }

    private void update(Entity queue, long idleMs) {
        s.ask(s.f.namespace()
                .updateQueue(BrokerFixture.describe(queue).toBuilder()
                        .autoDeleteOnIdleMs(idleMs)
                        .build()));
    }

    @Test
    @DisplayName("IDLE-11: a delete lock stops clients, but not the deletion of an idle queue")
    void deletionLock() throws StoreException {
        NamespaceOptions locked = new NamespaceOptions(
                "ns",
                List.of(AccessRule.root("key")),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER,
                0,
                TransferFailureTarget.TRANSFER_DLQ,
                true);
        s = new IdleScenario(BrokerOptions.of(List.of(locked)));
        s.queue("q");
        s.at("1:00");
        CompletionStage<Void> deleted = s.f.namespace().deleteEntity("q");
        s.f.settle();
        assertThat(failure(deleted)).isEqualTo(ErrorCode.INVALID_OPERATION);
        CompletionStage<Void> missing = s.f.namespace().deleteEntity("other");
        s.f.settle();
        assertThat(failure(missing)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        s.assertGoesAt("5:00", "q");
    }

    @Test
    @DisplayName(
            "IDLE-13: the name is free at once, and the new queue has nothing of the old one, not even its idle time")
    void recreation() {
        Entity old = s.queue("q");
        s.send(old, "m");
        s.at("5:00");
        Entity young = s.queue("q");
        assertThat(young.counts().total()).isZero();
        assertThat(s.send(old, "m").rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        s.at("7:00");
        s.ask(s.f.namespace().deleteEntity("q"));
        s.queue("q");
        s.assertGoesAt("12:00", "q");
    }

    @Test
    @DisplayName("IDLE-2: a reply queue is deleted after the client that waited for its replies was killed")
    void replyQueue() {
        Entity q = s.queue("replies");
        Listening client = s.receive(q, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 100);
        s.at("2:30:00");
        client.receiver.detach(); // as the gateway does for a lost connection
        s.f.settle();
        s.assertGoesAt("2:35:00", "replies");
        assertThat(s.send(q, "late").rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }
}
