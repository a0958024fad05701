package dev.jitney.runtime.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Semantics chapter 20. The fixture's clock starts at the beginning of a second. */
class ThrottleTest {
    private static final Command PEEK = new Command.PeekMessages(SubQueue.MAIN, 1, 100, null);

    private long nowMs = 1_700_000_000_000L;

    private static NamespaceOptions namespace(TierProfile tier, int credits) {
        return new NamespaceOptions(
                "ns", List.of(AccessRule.root("key")), Limits.of(tier), ExpiryEnforcement.ON_RECEIVER, credits);
    }

    private static BrokerFixture broker(int credits) throws StoreException {
        return new BrokerFixture(
                BrokerOptions.of(List.of(namespace(TierProfile.STANDARD, credits))), new InMemoryMessagingStore());
    }

    private Throttle throttle(int credits) {
        return Throttle.of(namespace(TierProfile.STANDARD, credits), () -> nowMs);
    }

    private static Command send(int messages) {
        return new Command.SendMessages(Collections.nCopies(messages, BrokerFixture.message("m")));
    }

    /** Sends single messages until one is refused; returns the number of accepted ones. */
    private static int sendsLeft(Throttle throttle) {
        int sends = 0;
        while (throttle.refuse(send(1)) == null) {
            sends++;
        }
        return sends;
    }

    @Test
    @DisplayName("THR-1, THR-2: the 1,001st send in a second is refused and not stored; the next second accepts it")
    void refusesTheSendAfterTheLastCredit() throws StoreException {
        BrokerFixture f = broker(1_000);
        Entity q = f.create("q");
        f.nowMs += 1_000; // the creation took credits of its own
        List<Answer> sends = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            sends.add(f.send(q, "m"));
        }
        f.nowMs += 999;
        Answer refused = f.send(q, "one too many");
        f.settle();
        assertThat(sends).allSatisfy(sent -> assertThat(sent.reply()).isInstanceOf(Reply.Sent.class));
        assertThat(refused.rejection().code()).isEqualTo(ErrorCode.THROTTLED);
        assertThat(refused.rejection().description())
                .contains("namespace 'ns'", "Error code : 50009.", "Please wait 2 seconds and try again.");
        assertThat(f.counts(q).active()).isEqualTo(1_000);
        assertThat(q.meter().operations()).isEqualTo(1_000);
        f.nowMs += 1;
        Answer later = f.send(q, "again");
        f.settle();
        assertThat(later.reply()).isInstanceOf(Reply.Sent.class);
        assertThat(f.counts(q).active()).isEqualTo(1_001);
    }

    @Test
    @DisplayName("THR-7: without the setting, 10,000 sends in one second are not refused")
    void offByDefault() throws StoreException {
        BrokerFixture f = new BrokerFixture();
        Entity q = f.create("q");
        for (int i = 0; i < 100; i++) {
            Answer sent = f.submit(q, send(100));
            f.settle();
            assertThat(sent.reply()).isInstanceOf(Reply.Sent.class);
        }
        assertThat(f.counts(q).active()).isEqualTo(10_000);
    }

    @Test
    @DisplayName("THR-5: PREMIUM has no credits")
    void premiumHasNoCredits() {
        Throttle premium = Throttle.of(namespace(TierProfile.PREMIUM, 1), () -> nowMs);
        assertThat(premium.refuse(send(1_000))).isNull();
        assertThat(premium.refuse(send(1_000))).isNull();
        assertThat(premium.refuseManagement()).isNull();
    }

    @Test
    @DisplayName("THR-2: each message of a batch costs a credit, and a refused batch costs none")
    void countsMessages() {
        Throttle throttle = throttle(10);
        assertThat(throttle.refuse(send(7))).isNull();
        assertThat(throttle.refuse(send(4))).isNotNull();
        assertThat(sendsLeft(throttle)).isEqualTo(3);
    }

    @Test
    @DisplayName("THR-2: unused credits expire with their second")
    void creditsLapse() {
        Throttle throttle = throttle(10);
        nowMs += 5_000;
        assertThat(sendsLeft(throttle)).isEqualTo(10);
        nowMs += 1_000;
        assertThat(sendsLeft(throttle)).isEqualTo(10);
    }

    @Test
    @DisplayName("THR-2: a batch that no second has credits for passes at the start of one, and takes all of them")
    void oversizedBatch() {
        Throttle throttle = throttle(10);
        assertThat(throttle.refuse(send(25))).isNull();
        assertThat(throttle.refuse(send(1))).isNotNull();
        nowMs += 1_000;
        assertThat(throttle.refuse(send(1))).isNull();
        assertThat(throttle.refuse(send(25))).isNotNull();
    }

    @Test
    @DisplayName("THR-2: a clock that is set back does not keep the credits of its second")
    void clockSetBack() {
        Throttle throttle = throttle(10);
        assertThat(sendsLeft(throttle)).isEqualTo(10);
        nowMs -= 1_000; // a thread that was late
        assertThat(sendsLeft(throttle)).isZero();
        nowMs -= 3_600_000;
        assertThat(sendsLeft(throttle)).isEqualTo(10);
    }

    @Test
    @DisplayName("THR-1: without credits, requests that make room still work: settlements, renewals,"
            + " cancellations, releases")
    void neverRefusesWhatMakesRoom() {
        Throttle throttle = throttle(1);
        assertThat(sendsLeft(throttle)).isEqualTo(1);
        List<UUID> tokens = List.of(UUID.randomUUID());
        List<Command> commands = List.of(
                new Command.CompleteMessages(tokens),
                new Command.AbandonMessages(tokens, Map.of()),
                new Command.ReleaseMessages(tokens),
                new Command.DeferMessages(tokens, Map.of()),
                new Command.DeadLetterMessages(tokens, null, null, Map.of()),
                new Command.RenewLocks(tokens),
                new Command.CancelScheduledMessages(List.of(1L)),
                new Command.BatchDeleteMessages(SubQueue.MAIN, 1, nowMs),
                new Command.SetCredit(1, 1, false),
                new Command.DetachReceiver(1),
                new Command.GetCounts());
        assertThat(commands)
                .allSatisfy(command -> assertThat(throttle.refuse(command)).isNull());
        List<Command> receives = List.of(
                PEEK,
                new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK),
                new Command.AttachReceiver(1, SubQueue.MAIN, ReceiveMode.PEEK_LOCK));
        assertThat(receives)
                .allSatisfy(command -> assertThat(throttle.refuse(command)).isNotNull());
    }

    @Test
    @DisplayName("THR-2, MET-1: renewals cost 1 per call, settlements nothing, receives by number 1 per message")
    void costs() {
        Throttle throttle = throttle(100);
        List<UUID> tokens = List.of(UUID.randomUUID(), UUID.randomUUID());
        throttle.refuse(new Command.RenewLocks(tokens));
        throttle.refuse(new Command.CompleteMessages(tokens));
        throttle.refuse(new Command.AttachReceiver(1, SubQueue.MAIN, ReceiveMode.PEEK_LOCK));
        throttle.refuse(new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L, 2L, 3L), ReceiveMode.PEEK_LOCK));
        assertThat(throttle.refuseManagement()).isNull();
        assertThat(sendsLeft(throttle)).isEqualTo(100 - 1 - 3 - 10);
    }

    @Test
    @DisplayName("THR-2: deliveries and peeked messages cost 1 each; open receivers get their messages without credits")
    void deliveriesAndPeeks() throws StoreException {
        BrokerFixture f = broker(20);
        Entity q = f.create("q");
        f.nowMs += 1_000;
        f.submit(q, send(15));
        f.nowMs += 1_000;
        Listening listening = f.listen(q, 4);
        f.settle();
        Answer peek = f.submit(q, PEEK);
        f.settle();
        assertThat(((Reply.Messages) peek.reply()).messages()).hasSize(15);
        assertThat(f.submit(q, send(2)).rejection().code()).isEqualTo(ErrorCode.THROTTLED);
        assertThat(f.submit(q, send(1)).isThere()).isFalse(); // the last credit
        assertThat(f.send(q, "none left").rejection().code()).isEqualTo(ErrorCode.THROTTLED);
        listening.receiver.setCredit(10, false);
        Listening another = f.listen(q, 1);
        f.settle();
        assertThat(listening.messages).hasSize(10);
        assertThat(another.attached.rejection().code()).isEqualTo(ErrorCode.THROTTLED);
        another.receiver.detach();
        Answer complete = f.submit(
                q,
                new Command.CompleteMessages(
                        List.of(Objects.requireNonNull(listening.messages.get(0).lockToken()))));
        f.settle();
        assertThat(complete.reply()).isEqualTo(Reply.Done.INSTANCE);
        assertThat(f.counts(q).active()).isEqualTo(15);
    }

    @Test
    @DisplayName("THR-1, THR-2: an operation on an entity costs 10, and a refused one has no effect")
    void managementOperations() throws StoreException {
        BrokerFixture f = broker(25);
        f.create("a");
        f.create("b");
        CompletionStage<Entity> created =
                f.namespace().createQueue(QueueDescription.named("c").build());
        CompletionStage<Entity> updated = f.namespace()
                .updateQueue(QueueDescription.named("a").maxDeliveryCount(7).build());
        CompletionStage<Void> deleted = f.namespace().deleteEntity("b");
        f.settle();
        for (CompletionStage<?> refused : List.of(created, updated, deleted)) {
            assertThat(BrokerFixture.failure(refused)).isEqualTo(ErrorCode.THROTTLED);
        }
        assertThat(f.namespace().entity("c")).isNull();
        assertThat(BrokerFixture.describe(f.entity("a")).maxDeliveryCount()).isEqualTo(10);
        assertThat(f.namespace().entity("b")).isNotNull();
        f.nowMs += 1_000;
        CompletionStage<Void> again = f.namespace().deleteEntity("b");
        f.settle();
        BrokerFixture.get(again);
        assertThat(f.namespace().entity("b")).isNull();
    }

    @Test
    @DisplayName("MET-1: the server's own work on entities is free, and messages of the entity are not")
    void ownWorkIsFree() throws StoreException {
        BrokerFixture f = broker(10);
        for (int i = 0; i < 5; i++) {
            CompletionStage<Entity> created = f.namespace()
                    .unthrottled()
                    .createQueue(QueueDescription.named("q" + i).build());
            f.settle();
            BrokerFixture.get(created);
        }
        assertThat(f.submit(f.entity("q0"), send(10)).isThere()).isFalse();
        assertThat(f.send(f.entity("q1"), "m").rejection().code()).isEqualTo(ErrorCode.THROTTLED);
    }

    @Test
    @DisplayName("THR-2: threads that send at the same time get as many credits as there are")
    void threads() throws Exception {
        Throttle throttle = throttle(10_000);
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Integer>> sent = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sent.add(executor.submit(() -> {
                    start.await();
                    return sendsLeft(throttle);
                }));
            }
            start.countDown();
            int all = 0;
            for (Future<Integer> one : sent) {
                all += one.get();
            }
            assertThat(all).isEqualTo(10_000);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    @DisplayName("THR-3: a send refused because too many messages wait has the error code of the request rate")
    void requestRate() throws StoreException {
        BrokerOptions small = new BrokerOptions(BrokerFixture.options("ns").namespaces(), 1L << 20, 3, 1L << 20, 1_000);
        BrokerFixture f = new BrokerFixture(small, new InMemoryMessagingStore());
        Entity q = f.create("q");
        Rejection busy = null;
        for (int i = 0; i < 10 && busy == null; i++) {
            Answer answer = f.send(q, "m" + i);
            busy = answer.isThere() ? answer.rejection() : null;
        }
        assertThat(busy).isNotNull();
        assertThat(busy.description()).contains("Error code : 50002.", "Please wait 10 seconds and try again.");
    }
}
