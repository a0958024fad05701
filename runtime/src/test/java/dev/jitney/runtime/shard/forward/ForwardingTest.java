package dev.jitney.runtime.shard.forward;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entities follow each other over the stores: with one store all are near, with two the next one never is. */
@DisplayName("Forwarding (semantics chapter 9)")
class ForwardingTest extends ForwardingScenario {
    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-1, FWD-9: a chain of four hands a message on at once; the message is in the last queue only")
    void chained(int stores) throws StoreException {
        open(stores);
        List<Entity> chain = chain(5);

        send(chain.get(0), "a", "b", "c");

        assertThat(peek(chain.get(4))).containsExactly("a", "b", "c");
        for (Entity source : chain.subList(0, 4)) {
            MessageCounts counts = f.counts(source);
            assertThat(counts.total()).isZero();
            assertThat(counts.sizeBytes()).isZero();
            assertThat(source.figures().forwarded()).isEqualTo(3);
        }
        assertThat(f.stores.stream().mapToInt(s -> s.size(Table.TRANSFERS)).sum())
                .isZero();
        assertThat(f.stores.stream().mapToInt(s -> s.size(Table.MESSAGES)).sum())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("FWD-8: within one store a chain is one commit, and nothing is written on the way")
    void oneCommit() throws StoreException {
        open(1);
        List<Entity> chain = chain(5);
        long before = f.store.commits();

        send(chain.get(0), "a");

        assertThat(f.store.commits()).isEqualTo(before + 1);
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-9: a client that sends the message again starts the count anew")
    void freshSend(int stores) throws StoreException {
        open(stores);
        List<Entity> chain = chain(5);
        send(chain.get(0), "a");
        Entity last = chain.get(4);
        Entity next = queue();

        update(describe(last).forwardTo(next.path()).build());

        assertThat(f.counts(last).transferDeadLetter()).isEqualTo(1); // the one that has come all the way
        send(last, "b");
        assertThat(peek(next)).containsExactly("b");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-1, T-27: messages that were there before go too, in order; without a destination they stay")
    void backlog(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = queue();
        String[] bodies = IntStream.range(0, 700).mapToObj(String::valueOf).toArray(String[]::new);
        send(from, bodies);

        update(describe(from).forwardTo(to.path()).build());
        send(from, "last");

        assertThat(f.counts(from).total()).isZero();
        assertThat(f.counts(to).active()).isEqualTo(701);
        assertThat(peek(to).get(0)).isEqualTo("0");
        assertThat(peek(to).get(249)).isEqualTo("249");
        update(describe(from).forwardTo(null).build());
        send(from, "stays");
        assertThat(peek(from)).containsExactly("stays");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-1, T-27: a backlog in the store is handed on after a restart, whatever memory knew")
    void backlogAfterRestart(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = f.create(QueueDescription.named(name("q"))
                .forwardTo(to.path())
                .status(EntityStatus.RECEIVE_DISABLED)
                .build());
        send(from, "a", "b");
        f.crash();
        f.settle();
        assertThat(f.counts(f.entity(from.path())).active()).isEqualTo(2);

        update(describe(f.entity(from.path())).status(EntityStatus.ACTIVE).build());

        assertThat(peek(f.entity(to.path()))).containsExactly("a", "b");
        assertThat(f.counts(f.entity(from.path())).active()).isZero();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-7: a source is not received from, peek and dead-letter queue stay open; receivers learn it")
    void noReceivers(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = queue();
        send(from, "held", "b");
        Listening before = attach(from, SubQueue.MAIN);
        Listening letters = attach(from, SubQueue.DEAD_LETTER);

        update(describe(from).forwardTo(to.path()).build());

        assertThat(Objects.requireNonNull(before.closed).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(letters.closed).isNull();
        assertThat(attach(from, SubQueue.MAIN).attached.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(attach(from, SubQueue.DEAD_LETTER).attached.isDone()).isTrue();
        done(from, new Command.CompleteMessages(List.of(token(before.messages.get(0))))); // LOCK-15
        f.nowMs += 61_000; // the lock of the other one ends
        f.settle();
        assertThat(peek(to)).containsExactly("b");
        assertThat(peek(from)).isEmpty();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-10, SEQ-5: enqueued anew: own number and time, delivery count 0, the first number kept")
    void enqueuedAnew(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = queue();
        send(from, "first", "second");
        Listening listening = attach(from, SubQueue.MAIN);
        done(from, new Command.CompleteMessages(List.of(token(listening.messages.get(0)))));
        done(
                from,
                new Command.AbandonMessages(
                        List.of(token(listening.messages.get(1))), Map.of("tried", EncodedValue.ofString("once"))));
        listening.receiver.detach();
        f.settle();
        f.nowMs += 120_000;

        update(describe(from).forwardTo(to.path()).build());

        MessageView there = only(to, SubQueue.MAIN);
        assertThat(there.sequenceNumber()).isEqualTo(1);
        assertThat(there.enqueuedSequenceNumber()).isEqualTo(2);
        assertThat(there.enqueuedTimeMs()).isEqualTo(f.nowMs);
        assertThat(there.deliveryCount()).isZero();
        assertThat(property(there, "tried")).isEqualTo("once");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-10, DUP-10: a destination that detects duplicates drops them, for good")
    void duplicates(int stores) throws StoreException {
        open(stores);
        Entity to = f.create(QueueDescription.named(name("d"))
                .requiresDuplicateDetection(true)
                .build());
        Entity from = forwarding(to);
        for (String body : List.of("a", "b")) {
            IncomingMessage m = message(body);
            done(
                    from,
                    new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                            .messageId("same")
                            .timeToLiveMs(m.timeToLiveMs())
                            .sizes(m.encodedSizeBytes(), 0, 0)
                            .build())));
        }
        assertThat(peek(to)).containsExactly("a");
        assertThat(f.counts(from).total()).isZero();
        assertThat(to.figures().duplicates()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-10: a scheduled message waits in the source and is handed on when it is due")
    void scheduled(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = forwarding(to);
        IncomingMessage m = message("later");
        long dueMs = f.nowMs + 60_000;
        done(
                from,
                new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                        .timeToLiveMs(10_000)
                        .sizes(m.encodedSizeBytes(), 0, 0)
                        .sent(null, dueMs)
                        .build())));
        assertThat(f.counts(from).scheduled()).isEqualTo(1);
        assertThat(f.counts(to).total()).isZero();
        f.nowMs = dueMs;
        f.settle();
        assertThat(f.counts(from).total()).isZero();
        MessageView there = only(to, SubQueue.MAIN);
        assertThat(there.scheduledEnqueueTimeMs()).isEqualTo(dueMs);
        assertThat(there.expiresAtMs()).isEqualTo(dueMs + 10_000);
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "TTL-33: the time to live starts anew, at most as long as the destination has it; expired ones stay behind")
    void timeToLive(int stores) throws StoreException {
        open(stores);
        Entity to = f.create(QueueDescription.named(name("d"))
                .defaultMessageTimeToLiveMs(30_000)
                .build());
        Entity from = f.create(QueueDescription.named(name("s"))
                .forwardTo(to.path())
                .status(EntityStatus.RECEIVE_DISABLED)
                .deadLetteringOnMessageExpiration(true)
                .build());
        for (long timeToLiveMs : new long[] {5_000, 20_000, 60_000}) {
            IncomingMessage m = message(String.valueOf(timeToLiveMs));
            done(
                    from,
                    new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                            .timeToLiveMs(timeToLiveMs)
                            .sizes(m.encodedSizeBytes(), 0, 0)
                            .build())));
        }
        f.nowMs += 10_000;
        f.settle();
        update(describe(from).status(EntityStatus.ACTIVE).build());

        assertThat(f.counts(from).deadLetter()).isEqualTo(1);
        assertThat(peekAll(to, SubQueue.MAIN))
                .extracting(MessageView::expiresAtMs)
                .containsExactly(f.nowMs + 20_000, f.nowMs + 30_000);
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-1, SEQ-5: a subscription forwards its copies, with what rules have set, also to a topic")
    void subscription(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity second = settled(
                f.namespace().createTopic(TopicDescription.named(name("t")).build()));
        settled(f.namespace()
                .createSubscription(
                        SubscriptionDescription.of(second.path(), "s")
                                .forwardTo(to.path())
                                .build(),
                        RuleDescription.takeEverything()));
        Entity first = settled(
                f.namespace().createTopic(TopicDescription.named(name("t")).build()));
        for (String name : List.of("direct", "kept", "onward")) {
            SubscriptionDescription.Builder s = SubscriptionDescription.of(first.path(), name);
            if (!name.equals("kept")) {
                s.forwardTo(name.equals("direct") ? to.path() : second.path());
            }
            settled(f.namespace().createSubscription(s.build(), RuleDescription.takeEverything()));
        }
        send(first, "one");
        send(first, "two");

        assertThat(peek(to)).containsExactlyInAnyOrder("one", "one", "two", "two");
        assertThat(peekAll(to, SubQueue.MAIN))
                .extracting(MessageView::enqueuedSequenceNumber)
                .containsExactlyInAnyOrder(1L, 1L, 2L, 2L);
        assertThat(peek(f.entity(first.path() + "/subscriptions/kept"))).containsExactly("one", "two");
        assertThat(f.counts(f.entity(first.path() + "/subscriptions/direct")).total())
                .isZero();
        assertThat(f.counts(first).sizeBytes())
                .isEqualTo(
                        f.counts(f.entity(first.path() + "/subscriptions/kept")).sizeBytes());
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("FWD-16, MET-1: a transfer is one operation of its source")
    void metered(int stores) throws StoreException {
        open(stores);
        Entity to = queue();
        Entity from = forwarding(to);
        long before = from.meter().operations();
        send(from, "a", "b");
        assertThat(from.meter().operations() - before).isEqualTo(4);
        assertThat(to.meter().operations()).isZero();
    }

    private void commit(Entity via, Entity destination, String body, Runnable beforeTheCommit) {
        Transaction transaction = f.namespace().beginTransaction();
        for (Entity entity : List.of(via, destination)) {
            Answer answer = new Answer();
            Command send = new Command.SendMessages(List.of(message(body)));
            transaction.submit(Transaction.Work.on(entity, send).across(true), Runnable::run, answer);
            f.settle();
            assertThat(answer.isDone()).isTrue();
        }
        beforeTheCommit.run();
        Answer answer = new Answer();
        transaction.commit(Runnable::run, answer);
        f.settle();
        assertThat(answer.isDone()).isTrue();
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("DLQ-29: sending via an entity is a transfer like the others")
    void sendViaCounts(int stores) throws StoreException {
        open(stores);
        Entity via = queue();
        List<Entity> chain = chain(5);

        commit(via, chain.get(0), "a", () -> {});

        assertThat(f.counts(chain.get(3)).transferDeadLetter()).isEqualTo(1);
        assertThat(f.counts(chain.get(4)).total()).isZero();
        assertThat(peek(via)).containsExactly("a");
    }

    @ParameterizedTest(name = "{0} stores")
    @ValueSource(ints = {1, 2})
    @DisplayName("TX-6, TX-24, DLQ-30: what a topic cannot transfer for a transaction is in a TDLQ of the topic")
    void topicVia(int stores) throws StoreException {
        open(stores);
        Entity topic = settled(
                f.namespace().createTopic(TopicDescription.named(name("t")).build()));
        settled(f.namespace()
                .createSubscription(
                        SubscriptionDescription.of(topic.path(), "s").build(), RuleDescription.takeEverything()));
        Entity to =
                f.create(QueueDescription.named(name("q")).maxSizeInMegabytes(1).build());

        commit(topic, to, "a", () -> fill(to));

        assertThat(f.counts(topic).transferDeadLetter()).isEqualTo(1);
        assertThat(f.counts(topic).transfer()).isZero();
        Listening listening = attach(topic, SubQueue.TRANSFER_DEAD_LETTER);
        assertThat(body(listening.messages.get(0))).isEqualTo("a");
        done(topic, new Command.CompleteMessages(List.of(token(listening.messages.get(0)))));
        assertThat(f.counts(topic).total()).isZero();
        assertThat(attach(topic, SubQueue.MAIN).attached.rejection().code()).isEqualTo(ErrorCode.INVALID_OPERATION);
    }
}
