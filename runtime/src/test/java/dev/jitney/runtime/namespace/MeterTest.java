package dev.jitney.runtime.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Meter;
import dev.jitney.runtime.MeterReading;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 21.1: what is metered")
class MeterTest {
    private static final int UNIT_BYTES = 64 * 1024;

    private BrokerFixture f;
    private Entity q;

    @BeforeEach
    void createQueue() throws StoreException {
        f = new BrokerFixture();
        q = f.create("q");
    }

    /** What a call adds to the count of operations. */
    private void costs(long operations, String call, Runnable action) {
        long before = q.meter().operations();
        action.run();
        f.settle();
        assertThat(q.meter().operations() - before).as(call).isEqualTo(operations);
    }

    private void submit(Command command) {
        f.submit(q, command);
    }

    private static List<UUID> token(MessageView message) {
        return List.of(Objects.requireNonNull(message.lockToken()));
    }

    private IncomingMessage scheduled(String body) {
        IncomingMessage m = BrokerFixture.message(body);
        return IncomingMessage.of(m.content())
                .sizes(m.encodedSizeBytes(), 0, 0)
                .sent(null, f.nowMs + 60_000)
                .build();
    }

    private static IncomingMessage ping(int sizeBytes) {
        return IncomingMessage.of(BrokerFixture.message("").content())
                .timeToLiveMs(1_000)
                .ping(true)
                .sizes(sizeBytes, 0, 0)
                .build();
    }

    private static IncomingMessage ofSize(int encodedSizeBytes) {
        return IncomingMessage.of(BrokerFixture.message("").content())
                .sizes(encodedSizeBytes, 0, 0)
                .build();
    }

    @Test
    @DisplayName("MET-1: the exact count of a script of twenty calls")
    void script() {
        Listening receiver = new Listening();
        receiver.receiver = q.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, receiver, receiver.attached);
        costs(1, "receive that ends empty", () -> receiver.receiver.setCredit(1, true));
        costs(1, "send", () -> f.send(q, "1"));
        costs(3, "send a batch of three", () -> f.send(q, "2", "3", "4"));
        costs(2, "peek that shows two messages", () -> submit(new Command.PeekMessages(SubQueue.MAIN, 1, 2, null)));
        costs(1, "peek that shows none", () -> submit(new Command.PeekMessages(SubQueue.MAIN, 9, 2, null)));
        costs(4, "receive that gets four", () -> receiver.receiver.setCredit(5, false));
        costs(1, "renew two locks", () -> {
            List<UUID> both = List.of(
                    token(receiver.messages.get(0)).get(0),
                    token(receiver.messages.get(1)).get(0));
            submit(new Command.RenewLocks(both));
        });
        costs(0, "complete", () -> submit(new Command.CompleteMessages(token(receiver.messages.get(0)))));
        costs(0, "defer", () -> submit(new Command.DeferMessages(token(receiver.messages.get(1)), Map.of())));
        costs(
                1,
                "receive by number",
                () -> submit(new Command.ReceiveDeferredMessages(
                        SubQueue.MAIN, List.of(2L), ReceiveMode.RECEIVE_AND_DELETE)));
        costs(
                0,
                "dead-letter",
                () -> submit(new Command.DeadLetterMessages(token(receiver.messages.get(2)), "r", null, Map.of())));
        costs(0, "abandon", () -> submit(new Command.AbandonMessages(token(receiver.messages.get(3)), Map.of())));
        costs(1, "receive it again", () -> receiver.receiver.setCredit(6, true));
        costs(1, "receive that ends empty", () -> receiver.receiver.setCredit(8, true));
        costs(1, "schedule", () -> submit(new Command.SendMessages(List.of(scheduled("5")))));
        costs(1, "cancel", () -> submit(new Command.CancelScheduledMessages(List.of(5L))));
        costs(1, "ping", () -> submit(new Command.SendMessages(List.of(ping(20)))));
        costs(1, "send 64 KB", () -> submit(new Command.SendMessages(List.of(ofSize(UNIT_BYTES)))));
        costs(2, "send 64 KB and an octet", () -> submit(new Command.SendMessages(List.of(ofSize(UNIT_BYTES + 1)))));
        costs(1, "batch delete", () -> {
            f.nowMs++;
            submit(new Command.BatchDeleteMessages(SubQueue.MAIN, 10, f.nowMs));
        });
        assertThat(q.meter().operations()).isEqualTo(23);
        MeterReading reading = q.meter().read(f.nowMs);
        assertThat(List.of(
                        reading.sends(),
                        reading.deliveries(),
                        reading.emptyReceives(),
                        reading.calls(),
                        reading.transfers()))
                .containsExactly(9L, 8L, 3L, 3L, 0L);
    }

    @Test
    @DisplayName("MET-1: a receive that ends with fewer messages than asked for has not ended empty")
    void partialReceive() {
        Listening receiver = new Listening();
        receiver.receiver =
                q.attach(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, receiver, receiver.attached);
        costs(0, "credit", () -> receiver.receiver.setCredit(5, false));
        costs(2, "a message sent and delivered", () -> f.send(q, "1"));
        costs(0, "end of that receive", () -> receiver.receiver.setCredit(5, true));
        assertThat(receiver.drained).containsExactly(5L);
        costs(0, "credit", () -> receiver.receiver.setCredit(6, false));
        costs(2, "a message that uses up the credit", () -> f.send(q, "2"));
        costs(1, "the next receive ends empty", () -> receiver.receiver.setCredit(7, true));
    }

    @Test
    @DisplayName("MET-1: what the broker does by itself is free: activation, lock expiry, sweeps")
    void ownWorkIsFree() {
        submit(new Command.SendMessages(List.of(scheduled("a"))));
        f.settle();
        costs(0, "activation", () -> f.nowMs += 60_000);
        assertThat(f.counts(q).active()).isEqualTo(1);
        f.listen(q, 1);
        f.settle();
        costs(0, "lock expiry", () -> f.nowMs += 60_000);
    }

    @Test
    @DisplayName("MET-2: every queue of every namespace has a meter of its own, which begins at zero")
    void perEntity() throws StoreException {
        f = new BrokerFixture(BrokerFixture.options("one", "two"), new InMemoryMessagingStore());
        q = f.create("q");
        Entity other = f.create("other");
        var second = f.broker.namespace("two").createQueue(BrokerFixture.describe(q));
        f.settle();
        f.send(q, "a");
        f.settle();
        assertThat(q.meter().operations()).isEqualTo(1);
        assertThat(other.meter().operations()).isZero();
        assertThat(BrokerFixture.get(second).meter().operations()).isZero();
    }

    @Test
    @DisplayName("MET-3: bytes in and out are counted, those of pings too")
    void bandwidth() {
        submit(new Command.SendMessages(List.of(ping(123))));
        f.settle();
        assertThat(q.meter().bytesIn()).isEqualTo(123);
        assertThat(q.meter().bytesOut()).isZero();
        int size = BrokerFixture.message("body").encodedSizeBytes();
        f.send(q, "body", "body");
        f.settle();
        assertThat(q.meter().bytesIn()).isEqualTo(123 + 2 * size);
        f.listen(q, 1);
        f.settle();
        assertThat(q.meter().bytesOut()).isEqualTo(size);
        submit(new Command.PeekMessages(SubQueue.MAIN, 1, 1, null));
        f.settle();
        assertThat(q.meter().bytesOut()).isEqualTo(2 * size);
    }

    @Test
    @DisplayName(
            "MET-1: a call of administration is one operation, of what it is about and of the namespace; refused ones,"
                    + " and what the server does by itself, are free")
    void administration() {
        Meter all = f.namespace().meter();
        assertThat(all.operations()).as("the queue was created").isEqualTo(1);
        Namespace ns = f.namespace();
        assertThat(called(ns.updateQueue(BrokerFixture.describe(q).toBuilder()
                        .maxDeliveryCount(3)
                        .build())))
                .containsExactly(1L, 1L);
        ns.countCall(q);
        assertThat(called(ns.createTopic(TopicDescription.named("t").build()))).containsExactly(0L, 1L);
        assertThat(called(ns.createSubscription(
                        SubscriptionDescription.of("t", "s").build(), null)))
                .containsExactly(0L, 1L);
        Entity subscription = f.entity("t/Subscriptions/s");
        RuleDescription rule = RuleDescription.takeEverything();
        assertThat(called(ns.createRule(subscription.path(), rule))).containsExactly(0L, 1L);
        assertThat(called(ns.updateRule(subscription.path(), rule))).containsExactly(0L, 1L);
        assertThat(called(ns.deleteRule(subscription.path(), rule.name()))).containsExactly(0L, 1L);
        ns.countCall(subscription);
        assertThat(subscription.meter().read(f.nowMs).calls()).isEqualTo(4);
        assertThat(called(ns.setAccessRules(ns.accessRules()))).containsExactly(0L, 1L);
        assertThat(called(ns.createQueue(QueueDescription.named("q").build()))).containsExactly(0L, 0L);
        assertThat(called(ns.deleteRule(subscription.path(), "none"))).containsExactly(0L, 0L);
        assertThat(called(ns.unthrottled()
                        .createQueue(QueueDescription.named("own").build())))
                .containsExactly(0L, 0L);
        ns.unthrottled().countCall(q);
        assertThat(called(ns.deleteEntity("t/Subscriptions/s"))).containsExactly(0L, 1L);
        assertThat(called(ns.deleteEntity("q"))).containsExactly(0L, 1L);
        assertThat(all.operations()).isEqualTo(12);
        assertThat(q.meter().operations()).isEqualTo(2);
    }

    /** What a change adds to the operations of the queue and of the namespace. */
    private List<Long> called(CompletionStage<?> change) {
        long own = q.meter().operations();
        long all = f.namespace().meter().operations();
        f.settle();
        assertThat(change.toCompletableFuture()).isDone();
        return List.of(q.meter().operations() - own, f.namespace().meter().operations() - all);
    }

    @Test
    @DisplayName("MET-1: calls about sessions are one operation each, also those for which none came")
    void sessions() {
        q = f.create(QueueDescription.named("sessions").requiresSession(true).build());
        Listening waiting = new Listening();
        costs(0, "wait for a session", () -> accept(waiting, null, 10_000));
        costs(2, "send, and be granted the session", () -> f.submit(q, sending("s1")));
        assertThat(waiting.attached.reply()).isInstanceOf(Reply.SessionAccepted.class);
        SessionHold hold = new SessionHold(waiting.receiver.id(), "s1");
        costs(1, "renew the session lock", () -> submit(new Command.RenewSessionLock(hold)));
        costs(1, "set its state", () -> submit(new Command.SetSessionState(hold, new byte[1_000])));
        costs(1, "get its state", () -> submit(new Command.GetSessionState(hold.sessionId())));
        costs(1, "list sessions", () -> submit(new Command.ListSessions(Long.MIN_VALUE, null, 0, 10)));
        costs(0, "ask for a session that another has", () -> accept(new Listening(), "s1", 0));
        costs(1, "ask for a session by name", () -> accept(new Listening(), "s2", 0));
        costs(1, "find no session", () -> accept(new Listening(), null, 0));
        Listening late = new Listening();
        costs(0, "wait for a session", () -> accept(late, null, 10_000));
        costs(1, "find none in time", () -> f.nowMs += 10_000);
        assertThat(late.attached.rejection().code()).isEqualTo(ErrorCode.TIMEOUT);
        MeterReading reading = q.meter().read(f.nowMs);
        assertThat(reading.emptyReceives()).isEqualTo(2);
        assertThat(reading.bytesIn()).isEqualTo(1_000 + size("s1"));
        assertThat(reading.bytesOut()).isEqualTo(1_000);
    }

    private void accept(Listening listening, @Nullable String sessionId, long waitMs) {
        listening.receiver =
                q.acceptSession(sessionId, ReceiveMode.PEEK_LOCK, waitMs, Runnable::run, listening, listening.attached);
    }

    private static Command sending(String sessionId) {
        IncomingMessage m = BrokerFixture.message(sessionId);
        return new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                .sizes(m.encodedSizeBytes(), 0, 0)
                .sent(sessionId, 0)
                .build()));
    }

    private static int size(String body) {
        return BrokerFixture.message(body).encodedSizeBytes();
    }

    @Test
    @DisplayName("MET-1: fan-out is free: a topic takes a message once, each subscription hands out its own")
    void fanOut() throws Exception {
        Namespace ns = f.namespace();
        ns.createTopic(TopicDescription.named("t").build());
        f.settle();
        for (String name : List.of("a", "b", "c")) {
            ns.createSubscription(SubscriptionDescription.of("t", name).build(), RuleDescription.takeEverything());
        }
        f.settle();
        q = f.entity("t");
        Entity a = f.entity("t/Subscriptions/a");
        ns.meter().reset(f.nowMs);
        costs(2, "send two", () -> f.send(q, "one", "two"));
        f.listen(a, 5);
        f.settle();
        assertThat(a.meter().read(f.nowMs).deliveries()).isEqualTo(2);
        assertThat(f.entity("t/Subscriptions/b").meter().operations()).isZero();
        assertThat(ns.meter().read(f.nowMs).operations()).isEqualTo(4);
        assertThat(ns.meter().read(f.nowMs).bytesIn()).isEqualTo(size("one") + size("two"));
    }

    @Test
    @DisplayName("MET-1, FWD-16: a forward is one operation of the source per started 64 KB, and no bandwidth")
    void transfers() {
        ServedEntity source = (ServedEntity) q;
        costs(1, "a transfer", () -> source.countTransfer(10));
        costs(1, "of 64 KB", () -> source.countTransfer(UNIT_BYTES));
        costs(2, "of more", () -> source.countTransfer(UNIT_BYTES + 1));
        assertThat(q.meter().read(f.nowMs).transfers()).isEqualTo(4);
        assertThat(f.namespace().meter().read(f.nowMs).transfers()).isEqualTo(4);
        assertThat(q.meter().bytesIn() + q.meter().bytesOut()).isZero();
    }

    @Test
    @DisplayName("MET-1, FWD-16: of a forward to a queue and on to a topic each source pays its transfer, the"
            + " destinations nothing")
    void chain() {
        Namespace ns = f.namespace();
        ns.createTopic(TopicDescription.named("t").build());
        f.settle();
        ns.createSubscription(SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything());
        f.settle();
        Entity second = f.create(QueueDescription.named("second").forwardTo("t").build());
        Entity first =
                f.create(QueueDescription.named("first").forwardTo("second").build());
        q = f.create(QueueDescription.named("dying")
                .forwardDeadLetteredMessagesTo("second")
                .build());
        ns.meter().reset(f.nowMs);
        f.send(first, "a");
        f.settle();
        long size = size("a");
        assertThat(first.meter().read(f.nowMs)).isEqualTo(new MeterReading(f.nowMs, f.nowMs, 1, 0, 0, 0, 1, size, 0));
        assertThat(second.meter().read(f.nowMs)).isEqualTo(new MeterReading(f.nowMs, f.nowMs, 0, 0, 0, 0, 1, 0, 0));
        assertThat(f.entity("t").meter().operations()).isZero();
        assertThat(f.counts(f.entity("t/Subscriptions/s")).active()).isEqualTo(1);
        assertThat(ns.meter().read(f.nowMs).operations()).isEqualTo(3);

        f.send(q, "b");
        Listening receiver = f.listen(q, 1);
        f.settle();
        costs(
                1,
                "dead-letter, and forward the dead letter",
                () -> submit(new Command.DeadLetterMessages(token(receiver.messages.get(0)), "r", null, Map.of())));
        assertThat(second.meter().read(f.nowMs).transfers()).isEqualTo(2);
    }

    @Test
    @DisplayName("MET-1, FWD-16: a forward to another store is one operation too, of the source")
    void chainOverStores() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        Entity destination = f.create("destination");
        q = null;
        for (int i = 0; q == null; i++) {
            Entity candidate = f.create(QueueDescription.named("source-" + i)
                    .forwardTo("destination")
                    .build());
            q = ((ServedEntity) candidate).shard() == ((ServedEntity) destination).shard() ? null : candidate;
        }
        costs(4, "two sent, two forwarded", () -> f.send(q, "a", "b"));
        assertThat(f.counts(destination).active()).isEqualTo(2);
        assertThat(q.meter().read(f.nowMs).transfers()).isEqualTo(2);
        assertThat(destination.meter().operations()).isZero();
        assertThat(q.meter().bytesOut()).isZero();
    }

    @Test
    @DisplayName("MET-2: a meter tells since when it counts, by the broker's clock, and begins anew when it is reset")
    void clock() {
        long startMs = f.nowMs;
        f.nowMs += 3_600_000;
        Entity later = f.create("later");
        f.send(q, "a");
        f.send(later, "b");
        f.settle();
        f.nowMs += 60_000;
        assertThat(q.meter().read(f.nowMs)).isEqualTo(new MeterReading(startMs, f.nowMs, 1, 0, 0, 0, 0, size("a"), 0));
        assertThat(later.meter().read(f.nowMs).sinceMs()).isEqualTo(startMs + 3_600_000);
        assertThat(f.namespace().meter().read(f.nowMs).sinceMs()).isEqualTo(startMs);
        assertThat(f.namespace().meter().read(f.nowMs).operations()).isEqualTo(4);

        MeterReading before = q.meter().read(f.nowMs);
        assertThat(q.meter().reset(f.nowMs)).isEqualTo(before);
        long resetMs = f.nowMs;
        f.nowMs += 1_000;
        assertThat(q.meter().read(f.nowMs)).isEqualTo(new MeterReading(resetMs, f.nowMs, 0, 0, 0, 0, 0, 0, 0));
        f.send(q, "c");
        f.settle();
        assertThat(q.meter().read(f.nowMs).operations()).isEqualTo(1);
        assertThat(q.meter().operations()).as("since the process started").isEqualTo(2);
    }
}
