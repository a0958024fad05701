package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 17.2: messages that a connection has prefetched from a partitioned entity are available"
        + " to all its receivers")
class ConnectionReceiversTest {
    private BrokerFixture f;
    private Entity pq;
    private final ConnectionReceivers home = new ConnectionReceivers(Runnable::run);
    private final ConnectionReceivers other = new ConnectionReceivers(Runnable::run);

    @BeforeEach
    void open() throws StoreException {
        open(1); // so that all fragments answer before one receives the withdrawal of credit
    }

    private void open(int stores) throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(stores).toList());
        pq = create("pq");
    }

    private Entity create(String path) {
        return f.create(QueueDescription.named(path).enablePartitioning(true).build());
    }

    private void send(Entity entity, int count, String body) {
        for (int i = 0; i < count; i++) {
            f.send(entity, body + i);
        }
        f.settle();
    }

    private Listening attach(ConnectionReceivers at, Entity entity, ReceiveMode mode, int credit) {
        Listening listening = new Listening();
        listening.receiver = entity.attach(at, SubQueue.MAIN, mode, listening, listening.attached);
        f.settle();
        listening.receiver.setCredit(credit, false);
        f.settle();
        return listening;
    }

    private Listening attach(ConnectionReceivers at, int credit) {
        return attach(at, pq, ReceiveMode.PEEK_LOCK, credit);
    }

    /** Returns a receiver that has got one message of a queue while each fragment has locked another one. */
    private Listening withAllFetched(Entity entity) {
        send(entity, 16, "m");
        Listening first = attach(home, entity, ReceiveMode.PEEK_LOCK, 1);
        assertThat(first.messages).hasSize(1);
        assertThat(f.counts(entity).locked()).isEqualTo(16);
        return first;
    }

    private static Set<Long> numbers(Listening... all) {
        Set<Long> numbers = new HashSet<>();
        for (Listening one : all) {
            numbers.addAll(
                    one.messages.stream().map(MessageView::sequenceNumber).collect(Collectors.toList()));
        }
        return numbers;
    }

    @Test
    @DisplayName("PART-13, PART-59: another receiver of the connection gets a prefetched message without a query")
    void forTheOthersOfTheConnection() {
        Listening first = withAllFetched(pq);
        Listening second = new Listening();
        second.receiver = pq.attach(home, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, second, second.attached);
        assertThat(second.attached.isDone()).isTrue();
        second.receiver.setCredit(10, false); // and no shard has run
        assertThat(second.messages).hasSize(10);
        first.receiver.setCredit(6, false);
        assertThat(numbers(first, second)).hasSize(16);
    }

    @Test
    @DisplayName("PART-59: a prefetched message stays with the connection when its receiver detaches, for the next one")
    void outlivesItsReceiver() {
        Listening first = withAllFetched(pq);
        first.receiver.detach();
        f.settle();
        Listening next = attach(home, 15);
        assertThat(next.messages).hasSize(15).allMatch(m -> m.deliveryCount() == 0);
        assertThat(numbers(first, next)).hasSize(16);
    }

    @Test
    @DisplayName("PART-60: when the connection ends, undelivered messages are available to others immediately,"
            + " without a count")
    void givenBackWithTheConnection() {
        Listening first = withAllFetched(pq);
        first.receiver.detach();
        home.close();
        f.settle();
        assertThat(attach(other, 16).messages).hasSize(15).allMatch(m -> m.deliveryCount() == 0);
        Listening late = attach(home, 1); // a receiver that attaches late still finds the object in order
        assertThat(late.attached.isDone()).isTrue();
    }

    @Test
    @DisplayName("PART-60, LOCK-2: when the lock expires, the message is available to others, uncounted, and"
            + " not delivered here")
    void givenBackWithTheLock() {
        Listening first = withAllFetched(pq);
        first.receiver.detach();
        f.settle();
        f.nowMs += 60_000;
        Listening late = attach(home, 0);
        late.receiver.setCredit(16, false);
        assertThat(late.messages).isEmpty();
        late.receiver.detach();
        f.settle();
        home.close();
        f.settle();
        Listening stranger = attach(other, 16);
        assertThat(stranger.messages).hasSize(16);
        assertThat(stranger.messages.stream().filter(m -> m.deliveryCount() == 0))
                .hasSize(15);
    }

    @Test
    @DisplayName("RECV-2: prefetched messages serve receivers of both modes")
    void bothModes() {
        send(pq, 16, "m");
        Listening deleting = attach(home, pq, ReceiveMode.RECEIVE_AND_DELETE, 1);
        assertThat(deleting.messages).hasSize(1);
        assertThat(f.counts(pq).total()).isEqualTo(15);
        Listening locking = attach(home, 1);
        assertThat(locking.messages).hasSize(1);
        UUID token = Objects.requireNonNull(locking.messages.get(0).lockToken());
        f.submit(pq, new Command.CompleteMessages(List.of(token)));
        deleting.receiver.setCredit(15, false);
        f.settle();
        assertThat(numbers(deleting, locking)).hasSize(16);
        assertThat(f.counts(pq).total()).isZero();
    }

    @Test
    @DisplayName("PART-12: waiting receivers of one connection get messages round-robin, each message once")
    void inTurn() {
        List<Listening> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(attach(home, 8));
        }
        send(pq, 32, "m");
        assertThat(all).allMatch(one -> one.messages.size() == 8);
        assertThat(numbers(all.toArray(Listening[]::new))).hasSize(32);
    }

    @Test
    @DisplayName("RECV-3: one receiver drains while another one still waits")
    void drains() {
        Listening waiting = attach(home, 3);
        Listening draining = attach(home, 0);
        send(pq, 1, "m");
        assertThat(waiting.messages).hasSize(1);
        draining.receiver.setCredit(5, true);
        f.settle();
        assertThat(draining.drained).containsExactly(5L);
        assertThat(waiting.drained).isEmpty();
        send(pq, 4, "n");
        assertThat(waiting.messages).hasSize(3);
        assertThat(draining.messages).isEmpty();
        draining.receiver.setCredit(12, true); // two are left
        f.settle();
        assertThat(draining.messages).hasSize(2);
        assertThat(draining.drained).containsExactly(5L, 12L);
    }

    @Test
    @DisplayName("PART-13: at most one message per fragment is kept, regardless of the number of receivers")
    void atMostOnePerFragment() {
        send(pq, 200, "m");
        List<Listening> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(attach(home, 20));
            all.get(i).receiver.setCredit(all.get(i).messages.size(), false);
            f.settle();
        }
        int got = numbers(all.toArray(Listening[]::new)).size();
        assertThat(f.counts(pq).locked()).isBetween((long) got, (long) got + 16);
    }

    @Test
    @DisplayName("PART-13: kept messages have at most one mebibyte in total")
    void bytesAreBounded() {
        send(pq, 16, "x".repeat(100_000));
        Listening first = attach(home, 1);
        assertThat(first.messages).hasSize(1);
        assertThat(f.counts(pq).locked()).isEqualTo(1 + PrefetchBuffer.BYTES_MAX / 100_000);
    }

    @Test
    @DisplayName("Only the last eight entities without a receiver are kept; messages of the others are released")
    void entitiesAreBounded() {
        List<Entity> queues = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Entity queue = create("q" + i);
            queues.add(queue);
            withAllFetched(queue).receiver.detach();
            f.settle();
        }
        assertThat(f.counts(queues.get(0)).locked()).isEqualTo(1);
        assertThat(queues.subList(1, 9)).allMatch(queue -> f.counts(queue).locked() == 16);
    }

    @Test
    @DisplayName("SUSP-1: a disabled entity ends the receivers of a connection, refuses new ones and works again later")
    void disabled() {
        Listening first = withAllFetched(pq);
        QueueDescription description = BrokerFixture.describe(pq);
        update(description.toBuilder().status(EntityStatus.DISABLED).build());
        assertThat(Objects.requireNonNull(first.closed).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        Listening refused = new Listening();
        refused.receiver = pq.attach(home, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, refused, refused.attached);
        f.settle();
        assertThat(refused.attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        update(description);
        assertThat(attach(home, 16).messages).hasSize(15);
    }

    private void update(QueueDescription description) {
        var updated = f.namespace().updateQueue(description);
        f.settle();
        get(updated);
    }

    @Test
    @DisplayName("PART-3: when a store fails, kept messages of its fragments are dropped; the others are delivered")
    void storeFails() throws StoreException {
        open(4);
        send(pq, 16, "m");
        Listening first = attach(home, 1);
        Partitions fragments = Objects.requireNonNull(((ServedEntity) pq).fragments());
        int fetchedFrom = fragments
                .part(FragmentNumbers.fragment(first.messages.get(0).sequenceNumber()))
                .shard()
                .index();
        assertThat(f.counts(pq).locked()).isEqualTo(4);
        first.receiver.detach();
        f.settle();
        f.stores.get(fetchedFrom).setGone(true);
        f.letPass(3_000);
        Listening next = attach(home, 40);
        assertThat(next.messages)
                .hasSize(12)
                .noneMatch(m -> fragments
                                .part(FragmentNumbers.fragment(m.sequenceNumber()))
                                .shard()
                                .index()
                        == fetchedFrom);
        f.stores.get(fetchedFrom).setGone(false);
        f.letPass(3_000);
        assertThat(numbers(next)).hasSize(16);
        assertThat(next.messages).hasSize(16);
    }
}
