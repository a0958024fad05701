package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MeterReading;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two stores, which stand for replicated ones: the next leader finds the rows that were agreed on, and nothing else. */
@DisplayName("The broker of the next term")
class NextTermTest {
    private static final int CREDITS = 100;

    private BrokerFixture f;
    private int names;

    @BeforeEach
    void open() throws StoreException {
        NamespaceOptions namespace = new NamespaceOptions(
                "ns",
                List.of(AccessRule.root("key")),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER,
                CREDITS);
        f = new BrokerFixture(
                BrokerOptions.of(List.of(namespace)),
                List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
    }

    /** Ends the term as when the node has lost its leadership, and begins the next one on the same rows. */
    private void changeLeaders() throws StoreException {
        f.broker.abandon();
        f.broker.close();
        f.crash();
        f.settle();
    }

    /** Creates queues until one is in the store, and returns it. */
    private Entity inStore(int store, UnaryOperator<QueueDescription.Builder> options) {
        for (int i = 0; i < 100; i++) {
            f.nowMs += 1_000; // the creation takes throttling credits
            Entity queue = f.create(
                    options.apply(QueueDescription.named("q" + names++)).build());
            if (ShardEntities.shardOf(((ServedEntity) queue).id()) == store) {
                return queue;
            }
        }
        throw new AssertionError("Expected a hundred queues to be spread over both stores.");
    }

    private Entity inStore(int store) {
        return inStore(store, q -> q);
    }

    /** Returns the entity of the present term. */
    private Entity now(Entity former) {
        return Objects.requireNonNull(f.namespace().entity(former.path()));
    }

    private Reply ask(Entity entity, Command command) {
        Answer answer = f.submit(entity, command);
        f.settle();
        return answer.reply();
    }

    private static UUID token(MessageView message) {
        return Objects.requireNonNull(message.lockToken());
    }

    @Test
    @DisplayName(
            "has void locks and unchanged delivery counts, and deferred, dead-lettered and scheduled messages and counts as"
                    + " they were, in all stores (CL-24, CL-33)")
    void messages() throws StoreException {
        List<Entity> queues = List.of(inStore(0), inStore(1));
        for (Entity queue : queues) {
            f.send(queue, "deferred", "dead", "abandoned", "locked");
            IncomingMessage plain = BrokerFixture.message("scheduled");
            ask(
                    queue,
                    new Command.SendMessages(List.of(IncomingMessage.of(plain.content())
                            .sent(null, f.nowMs + 60_000)
                            .build())));
            Listening listening = f.listen(queue, 3);
            f.settle();
            List<MessageView> received = listening.messages;
            ask(queue, new Command.DeferMessages(List.of(token(received.get(0))), Map.of()));
            ask(queue, new Command.DeadLetterMessages(List.of(token(received.get(1))), "reason", null, Map.of()));
            ask(queue, new Command.AbandonMessages(List.of(token(received.get(2))), Map.of()));
            listening.receiver.setCredit(5, false);
            f.settle();
        }
        MessageCounts before = f.counts(queues.get(0));
        assertThat(before.locked()).isEqualTo(2);

        changeLeaders();

        for (Entity former : queues) {
            Entity queue = now(former);
            MessageCounts now = f.counts(queue);
            assertThat(now.locked()).isZero();
            assertThat(List.of(now.active(), now.deadLetter(), now.scheduled(), now.deferred(), now.sizeBytes()))
                    .isEqualTo(List.of(
                            before.active(),
                            before.deadLetter(),
                            before.scheduled(),
                            before.deferred(),
                            before.sizeBytes()));
            Listening listening = f.listen(queue, 10);
            f.settle();
            assertThat(listening.messages)
                    .extracting(MessageView::sequenceNumber)
                    .containsExactly(3L, 4L);
            assertThat(listening.messages)
                    .extracting(MessageView::deliveryCount)
                    .containsExactly(1, 0);
            Reply deferred =
                    ask(queue, new Command.ReceiveDeferredMessages(SubQueue.MAIN, List.of(1L), ReceiveMode.PEEK_LOCK));
            assertThat(((Reply.Messages) deferred).messages()).hasSize(1);
        }
        f.letPass(61_000);
        assertThat(f.counts(now(queues.get(0))).scheduled()).isZero();
    }

    @Test
    @DisplayName("delivers what was in an outbox, and has a store that was stopped by order (CL-24, CL-33, CL-34)")
    void outbox() throws StoreException {
        Entity target = inStore(1);
        Entity source = inStore(0, q -> q.forwardTo(target.path()));
        CompletionStage<Void> stopped = f.broker.stopStore(1);
        f.settle();
        get(stopped);
        f.send(source, "forwarded");
        f.settle();
        assertThat(f.counts(source).transfer()).isEqualTo(1);
        assertThat(target.availability()).isEqualTo(EntityAvailability.LIMITED);

        changeLeaders();
        f.letPass(10_000);

        assertThat(now(target).availability()).isEqualTo(EntityAvailability.AVAILABLE);
        assertThat(f.counts(now(source)).transfer()).isZero();
        assertThat(f.counts(now(target)).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("continues the numbers of messages and entities, and may reuse those of a batch that was not agreed on"
            + " (CL-25)")
    void numbers() throws StoreException {
        Entity queue = inStore(0);
        f.send(queue, "1", "2");
        f.settle();
        long id = ((ServedEntity) queue).id();
        f.store.refuseCommits(true);
        Answer lost = f.send(queue, "not agreed on");
        f.settle();
        assertThat(lost.rejection().code().retryable()).isTrue();
        f.store.refuseCommits(false);

        changeLeaders();

        Reply sent = ask(now(queue), new Command.SendMessages(List.of(BrokerFixture.message("3"))));
        assertThat(((Reply.Sent) sent).sequenceNumbers()).containsExactly(3);
        Entity next = inStore(0);
        assertThat(((ServedEntity) next).id()).isGreaterThan(id);
    }

    @Test
    @DisplayName(
            "has entities, access rules of the namespace and duplicate histories that the last one changed (CL-30)")
    void entities() throws StoreException {
        Entity queue = inStore(1, q -> q.requiresDuplicateDetection(true).maxDeliveryCount(7));
        IncomingMessage plain = BrokerFixture.message("m");
        IncomingMessage known =
                IncomingMessage.of(plain.content()).messageId("known").build();
        ask(now(queue), new Command.SendMessages(List.of(known)));
        List<AccessRule> rules = List.of(AccessRule.root("another key"));
        CompletionStage<?> replaced = f.namespace().setAccessRules(rules);
        f.settle();
        get(replaced);

        changeLeaders();

        assertThat(BrokerFixture.describe(now(queue)).maxDeliveryCount()).isEqualTo(7);
        assertThat(f.namespace().accessRules()).isEqualTo(rules);
        Reply again = ask(now(queue), new Command.SendMessages(List.of(known)));
        assertThat(((Reply.Sent) again).duplicates()).hasSize(1);
        assertThat(f.counts(now(queue)).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("begins with empty meters and all throttling credits (CL-35)")
    void meters() throws StoreException {
        Entity queue = inStore(0);
        f.nowMs += 1_000;
        Answer last;
        do {
            last = f.send(queue, "m");
            f.settle();
        } while (last.isDone());
        assertThat(last.rejection().code()).isEqualTo(ErrorCode.THROTTLED);
        assertThat(queue.meter().read(f.nowMs).sends()).isPositive();

        changeLeaders();

        MeterReading fresh = now(queue).meter().read(f.nowMs);
        assertThat(fresh.operations()).isZero();
        Answer sent = f.send(now(queue), "m");
        f.settle();
        assertThat(sent.isDone()).isTrue();
    }

    @Test
    @DisplayName(
            "has the messages that a receiver in receive-and-delete mode did not get, because their removal was not agreed"
                    + " on (CL-27)")
    void receiveAndDelete() throws StoreException {
        Entity queue = inStore(0);
        f.send(queue, "m");
        f.settle();
        f.store.refuseCommits(true);
        Listening listening = new Listening();
        listening.receiver = queue.attach(
                SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(10, false);
        f.settle();
        assertThat(listening.messages).isEmpty();
        f.store.refuseCommits(false);

        changeLeaders();

        assertThat(listening.messages).isEmpty();
        assertThat(f.counts(now(queue)).active()).isEqualTo(1);
    }
}
