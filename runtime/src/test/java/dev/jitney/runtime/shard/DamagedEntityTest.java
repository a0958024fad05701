package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("MSG-1, ADR 20: a corrupt row takes only its own entity out of service")
class DamagedEntityTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        f.create("sound");
        send("sound", 3);
    }

    private void send(String path, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(sends(path).isDone()).as(path).isTrue();
        }
    }

    private Answer sends(String path) {
        Answer answer = f.send(f.entity(path), "m");
        f.settle();
        return answer;
    }

    private Listening listen(String path) {
        Listening listening = f.listen(f.entity(path), 100);
        f.settle();
        return listening;
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private void topic() {
        settled(f.namespace().createTopic(TopicDescription.named("t").build()));
        subscribe("a");
        subscribe("b");
    }

    private void subscribe(String name) {
        settled(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", name).build(), RuleDescription.takeEverything()));
    }

    /** Restarts the process, with nothing in memory. */
    private void restart() throws StoreException {
        f.crash();
        f.settle();
    }

    private void damage(Table table, String path, Predicate<ByteBuffer> which) {
        int id = (int) ((ServedEntity) f.entity(path)).id();
        f.store.damage(table, key -> {
            ByteBuffer row = ByteBuffer.wrap(key);
            return row.getInt(0) == id && which.test(row);
        });
    }

    /** Makes the row of the second message unreadable. The row's key ends with the sequence number. */
    private void damageSecondMessage(String path) {
        damage(Table.MESSAGES, path, key -> key.getLong(key.limit() - 8) == 2);
    }

    private boolean isOfNobody(byte[] key) {
        return f.namespace().entities().stream()
                .noneMatch(entity ->
                        ((ServedEntity) entity).id() == ByteBuffer.wrap(key).getInt(0));
    }

    private void mendAndTryAgain() {
        f.store.mend();
        CompletionStage<Void> stopped = f.broker.stopStore(0);
        f.settle();
        get(stopped);
        CompletionStage<Void> started = f.broker.startStore(0);
        f.settle();
        get(started);
        assertThat(f.broker.damage()).isNull();
    }

    private void assertOutOfService(String path) {
        assertThat(f.broker.trouble()).isNull();
        assertThat(f.broker.damage()).contains("'" + path + "'", "checksum");
        assertThat(f.entity(path).availability()).isEqualTo(EntityAvailability.LIMITED);
        int reopens = f.store.reopens();
        Listening here = listen("sound");
        for (int i = 0; i < 5; i++) {
            Answer answer = f.submit(f.entity(path), new Command.PeekMessages(SubQueue.MAIN, 0, 10, null));
            f.letPass(5_000);
            assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
            assertThat(answer.rejection().description()).contains(path, "corrupt");
            send("sound", 1);
        }
        assertThat(f.store.reopens()).as("no effect on other entities").isEqualTo(reopens);
        assertThat(here.closed).isNull();
        assertThat(here.messages).isNotEmpty();
        here.receiver.detach();
        f.settle();
    }

    @Test
    @DisplayName(
            "reading the row makes the shard reload its store once; then the queue refuses everything, the others still work")
    void queue() throws StoreException {
        f.create("q");
        send("q", 3);
        restart();
        damageSecondMessage("q");
        Listening first = listen("q");
        f.letPass(1_000);
        assertThat(Objects.requireNonNull(first.closed).code()).isEqualTo(ErrorCode.DETACH_FORCED);
        assertThat(f.store.reopens()).isEqualTo(1);
        assertOutOfService("q");
        assertThat(sends("q").rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(listen("q").attached.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.broker.shards().get(0).serving()).isTrue();
        assertThat(f.broker.shards().get(0).trouble()).contains("'q'");
    }

    @Test
    @DisplayName("once the row is readable again, stopping and starting the store brings back all messages")
    void mended() throws StoreException {
        f.create("q");
        send("q", 3);
        restart();
        damageSecondMessage("q");
        listen("q");
        f.letPass(1_000);
        assertOutOfService("q");
        mendAndTryAgain();
        assertThat(f.entity("q").availability()).isEqualTo(EntityAvailability.AVAILABLE);
        send("q", 1);
        assertThat(listen("q").messages).hasSize(4);
    }

    @Test
    @DisplayName("after a restart of the process the queue is served until the row is read again")
    void restarted() throws StoreException {
        f.create("q");
        send("q", 3);
        restart();
        damageSecondMessage("q");
        listen("q");
        f.letPass(1_000);
        restart();
        listen("q");
        f.letPass(1_000);
        assertOutOfService("q");
    }

    @Test
    @DisplayName("a corrupt row that is read at startup does not prevent the server from starting")
    void atTheStart() throws StoreException {
        f.create("q");
        send("q", 3);
        damage(Table.FRAGMENTS, "q", key -> true);
        restart();
        assertOutOfService("q");
        mendAndTryAgain();
        assertThat(listen("q").messages).hasSize(3);
    }

    @Test
    @DisplayName(
            "the queue can be deleted and created again; its rows stay, so that the engine does not rewrite corrupt files")
    void deleted() throws StoreException {
        f.create("q");
        send("q", 3);
        restart();
        damageSecondMessage("q");
        listen("q");
        f.letPass(1_000);
        assertOutOfService("q");
        settled(f.namespace().deleteEntity("q"));
        assertThat(f.broker.damage()).isNull();
        assertThat(f.store.keys(Table.MESSAGES).stream().filter(this::isOfNobody))
                .hasSize(3);
        f.create("q");
        send("q", 1);
        restart();
        assertThat(f.broker.damage()).isNull();
        assertThat(listen("q").messages).hasSize(1);
        assertThat(f.store.reopens()).isZero();
    }

    @Test
    @DisplayName("a topic goes out of service with its subscriptions, so that every message reaches all of them")
    void topics() throws StoreException {
        topic();
        send("t", 3);
        restart();
        damageSecondMessage("t/subscriptions/a");
        listen("t/subscriptions/a");
        f.letPass(1_000);
        assertOutOfService("t");
        assertThat(sends("t").rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.entity("t/subscriptions/b").availability()).isEqualTo(EntityAvailability.LIMITED);
        CompletionStage<Entity> another = f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "c").build(), RuleDescription.takeEverything());
        CompletionStage<Void> deleted = f.namespace().deleteEntity("t/subscriptions/a");
        f.settle();
        assertThat(failure(another)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(failure(deleted)).isEqualTo(ErrorCode.SERVER_BUSY);
        mendAndTryAgain();
        send("t", 1);
        assertThat(listen("t/subscriptions/a").messages).hasSize(4);
        assertThat(listen("t/subscriptions/b").messages).hasSize(4);
        settled(f.namespace().deleteEntity("t/subscriptions/a"));
        assertThat(f.store.size(Table.MESSAGES)).isGreaterThan(0);
    }

    @Test
    @DisplayName("a corrupt shared body takes the topic out of service, and the topic can be deleted")
    void sharedBody() throws StoreException {
        topic();
        send("t", 1);
        restart();
        damage(Table.BODIES, "t", key -> true);
        listen("t/subscriptions/b");
        f.letPass(1_000);
        assertOutOfService("t");
        restart();
        listen("t/subscriptions/a");
        f.letPass(1_000);
        assertOutOfService("t");
        settled(f.namespace().deleteEntity("t"));
        assertThat(f.broker.damage()).isNull();
        topic();
        send("t", 1);
        restart();
        assertThat(f.broker.damage()).isNull();
        assertThat(listen("t/subscriptions/a").messages).hasSize(1);
    }

    @Test
    @DisplayName("unreadable messages of a deleted subscription stay in the store")
    void remains() throws StoreException {
        topic();
        send("t", 3);
        restart();
        damageSecondMessage("t/subscriptions/a");
        settled(f.namespace().deleteEntity("t/subscriptions/a"));
        f.letPass(1_000);
        assertThat(f.broker.damage()).isNull();
        assertThat(f.broker.trouble()).isNull();
        assertThat(f.store.reopens()).isEqualTo(1);
        assertThat(listen("t/subscriptions/b").messages).hasSize(3);
        assertThat(f.store.size(Table.REMAINS)).isEqualTo(1);
        mendAndTryAgain();
        assertThat(f.store.size(Table.REMAINS)).isZero();
    }

    @Test
    @DisplayName("FWD-8: messages forwarded to the queue wait and are not dead-lettered")
    void forwardedTo() throws StoreException {
        f.create("q");
        send("q", 3);
        f.create(QueueDescription.named("source").forwardTo("q").build());
        restart();
        damageSecondMessage("q");
        listen("q");
        f.letPass(1_000);
        send("source", 2);
        assertOutOfService("q");
        assertThat(f.counts(f.entity("source")).transferDeadLetter()).isZero();
        assertThat(f.counts(f.entity("source")).transfer()).isEqualTo(2);
        mendAndTryAgain();
        f.letPass(60_000);
        assertThat(f.counts(f.entity("q")).active()).isEqualTo(5);
    }

    @Test
    @DisplayName("FWD-8: an unreadable transfer takes its source out of service")
    void damagedTransfer() throws StoreException {
        f.create("q");
        f.create(QueueDescription.named("source").forwardTo("q").build());
        damageSecondMessage("q");
        send("q", 3);
        restart();
        listen("q");
        f.letPass(1_000);
        send("source", 2);
        damage(Table.TRANSFERS, "source", key -> true);
        restart();
        f.letPass(1_000);
        assertOutOfService("source");
        mendAndTryAgain();
        f.letPass(60_000);
        assertThat(f.counts(f.entity("q")).active()).isEqualTo(5);
    }

    @Test
    @DisplayName("FWD-8: transfers in the outbox of a deleted source are not delivered")
    void deletedSource() throws StoreException {
        f.create("q");
        f.create(QueueDescription.named("source").forwardTo("q").build());
        send("q", 3);
        damageSecondMessage("q");
        restart();
        listen("q");
        f.letPass(1_000);
        send("source", 2);
        damage(Table.TRANSFERS, "source", key -> true);
        restart();
        f.letPass(1_000);
        settled(f.namespace().deleteEntity("source"));
        assertThat(f.broker.damage()).doesNotContain("source");
        mendAndTryAgain();
        restart();
        f.letPass(60_000);
        assertThat(f.store.size(Table.TRANSFERS)).isEqualTo(2);
        assertThat(f.counts(f.entity("q")).active()).isEqualTo(3);
    }

    @Test
    @DisplayName("a fault other than corruption affects the whole store")
    void otherFaults() throws StoreException {
        f.create("q");
        send("q", 3);
        restart();
        Listening listening = f.listen(f.entity("q"), 100);
        f.store.failNextRead();
        f.settle();
        f.letPass(1_000);
        assertThat(listening.closed).isNotNull();
        assertThat(f.broker.damage()).isNull();
        assertThat(listen("q").messages).hasSize(3);
    }

    @Test
    @DisplayName("PART-3: only one partition of a partitioned queue goes out of service")
    void partition() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        f.create("sound");
        send("sound", 1);
        f.create(QueueDescription.named("pq").enablePartitioning(true).build());
        send("pq", 48);
        f.crash();
        f.settle();
        Partitions fragments = Objects.requireNonNull(((ServedEntity) f.entity("pq")).fragments());
        int id = (int) fragments.part(2).id();
        InMemoryMessagingStore store = f.stores.get(fragments.part(2).shard().index());
        store.damage(Table.MESSAGES, key -> ByteBuffer.wrap(key).getInt(0) == id);
        Listening listening = listen("pq");
        f.letPass(1_000);
        assertThat(f.broker.damage()).contains("'pq'", "partition 2");
        assertThat(f.entity("pq").availability()).isEqualTo(EntityAvailability.LIMITED);
        assertThat(listening.closed).isNull();
        assertThat(listening.messages.stream()
                        .map(message -> Objects.requireNonNull(message.lockToken()))
                        .distinct())
                .hasSizeGreaterThanOrEqualTo(45);
        int before = listening.messages.size();
        send("pq", 16);
        f.letPass(60_000);
        assertThat(listening.messages.size()).isGreaterThanOrEqualTo(before + 16);
        assertThat(store.reopens()).isEqualTo(1);
        store.mend();
        f.broker.stopStore(fragments.part(2).shard().index());
        f.settle();
        f.broker.startStore(fragments.part(2).shard().index());
        f.letPass(60_000);
        assertThat(f.broker.damage()).isNull();
        listening.receiver.detach();
        f.letPass(60_000);
        assertThat(f.counts(f.entity("pq")).active()).isEqualTo(64);
        assertThat(listen("pq").messages).hasSize(64);
    }
}
