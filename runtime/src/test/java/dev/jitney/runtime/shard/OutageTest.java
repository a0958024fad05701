package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.Command;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException.Reason;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PART-55, PART-56, PART-58: one of two stores is unavailable, by its disk or an operator, and comes back")
class OutageTest {
    private BrokerFixture f;

    /** A queue in the store that becomes unavailable, number 1. */
    private Entity down;

    private Entity up;

    @BeforeEach
    void open() throws Exception {
        f = new BrokerFixture(
                BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        up = on(0);
        down = on(1);
        f.send(down, "a", "b");
        f.send(up, "x");
        f.settle();
    }

    private Entity on(int shard) {
        for (int i = 0; i < 100; i++) {
            Entity queue = f.create("q" + shard + "-" + i);
            if (ShardEntities.shardOf(((ServedEntity) queue).id()) == shard) {
                return queue;
            }
        }
        throw new AssertionError("Expected a hundred queues to be spread over both stores.");
    }

    private InMemoryMessagingStore disk() {
        return f.stores.get(1);
    }

    private void stop() {
        CompletionStage<Void> stopped = f.broker.stopStore(1);
        f.settle();
        get(stopped);
    }

    private void start() {
        CompletionStage<Void> started = f.broker.startStore(1);
        f.settle();
        get(started);
    }

    private void assertRetryable(Answer answer) {
        assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(answer.rejection().code().retryable()).isTrue();
        assertThat(answer.rejection().description()).contains("Messaging store 1");
    }

    /**
     * Checks that all requests to an entity of the store are refused as retryable, and that the other store is not
     * affected.
     */
    private void assertOnlyItsEntitiesSuffer() {
        Answer send = f.send(down, "c");
        Answer peek = f.submit(down, new Command.PeekMessages(SubQueue.MAIN, 0, 10, null));
        Listening listening = f.listen(down, 1);
        CompletionStage<Entity> update = f.namespace()
                .updateQueue(
                        QueueDescription.named(down.path()).maxDeliveryCount(3).build());
        CompletionStage<Void> delete = f.namespace().deleteEntity(down.path());
        Answer other = f.send(up, "y");
        CompletionStage<Entity> otherUpdate = f.namespace()
                .updateQueue(
                        QueueDescription.named(up.path()).maxDeliveryCount(3).build());
        f.settle();
        assertRetryable(send);
        assertRetryable(peek);
        assertRetryable(listening.attached);
        assertThat(failure(update)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(failure(delete)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(other.isDone()).isTrue();
        get(otherUpdate);
        // Reads of data in memory still work.
        assertThat(f.entity(down.path())).isSameAs(down);
        assertThat(down.counts().active()).isEqualTo(2);
        assertThat(down.availability()).isEqualTo(EntityAvailability.LIMITED);
        assertThat(BrokerFixture.describe(down).maxDeliveryCount()).isEqualTo(10);
        assertThat(up.availability()).isEqualTo(EntityAvailability.AVAILABLE);
        assertThat(f.broker.trouble()).contains("Messaging store 1").doesNotContain("Messaging store 0");
        assertThat(f.broker.shards()).extracting(ShardFigures::serving).containsExactly(true, false);
    }

    private void assertAllIsThereAgain() {
        assertThat(f.broker.trouble()).isNull();
        assertThat(down.availability()).isEqualTo(EntityAvailability.AVAILABLE);
        Listening listening = f.listen(down, 10);
        f.settle();
        assertThat(listening.messages).extracting(MessageView::sequenceNumber).containsExactly(1L, 2L);
        Answer sent = f.send(down, "d");
        f.settle();
        assertThat(sent.isDone()).isTrue();
        assertThat(f.counts(down).active()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "a store that an operator stops makes only its entities unavailable, and has all data when it is started")
    void stoppedAndStarted() {
        stop();
        assertThat(disk().isSuspended()).isTrue();
        assertThat(f.broker.trouble()).contains("stopped by an administrator");
        assertThat(f.broker.shards().get(1).stopped()).isTrue();
        assertOnlyItsEntitiesSuffer();
        f.letPass(10_000);
        assertThat(disk().reopens()).as("no retries of a stopped store").isZero();
        start();
        assertThat(f.broker.shards().get(1).stopped()).isFalse();
        assertAllIsThereAgain();
    }

    @Test
    @DisplayName(
            "the failure of a store's disk is detected without a request, retried every 250 ms, and service resumes")
    void diskGone() {
        disk().setGone(true);
        f.turn();
        assertThat(f.broker.trouble()).contains("Messaging store 1 failed");
        assertOnlyItsEntitiesSuffer();
        int tried = disk().reopens();
        f.nowMs += 249;
        assertOnlyItsEntitiesSuffer();
        assertThat(disk().reopens()).as("requests cause no additional retries").isEqualTo(tried);
        f.nowMs += 1;
        f.settle();
        assertThat(disk().reopens()).isEqualTo(tried + 1);
        f.letPass(10_000);
        assertThat(disk().reopens()).isEqualTo(tried + 41);
        disk().setGone(false);
        f.letPass(250);
        assertAllIsThereAgain();
    }

    @Test
    @DisplayName("a clock that was set back does not prevent retries of a store")
    void clockSetBack() {
        disk().setGone(true);
        f.settle();
        disk().setGone(false);
        f.nowMs -= 3_600_000;
        f.settle();
        assertThat(f.broker.trouble()).isNull();
    }

    @Test
    @DisplayName("a store that fails while stopped, or is stopped while failing, comes back when both are over")
    void stoppedWhileFailing() {
        disk().setGone(true);
        f.settle();
        stop();
        assertThat(disk().isSuspended()).isTrue();
        assertOnlyItsEntitiesSuffer();
        start();
        assertThat(f.broker.trouble()).contains("does not work yet");
        assertOnlyItsEntitiesSuffer();
        disk().setGone(false);
        f.letPass(250);
        assertAllIsThereAgain();
    }

    @Test
    @DisplayName(
            "stopping twice and starting twice have the same effect as once; the last of several quick requests is applied")
    void twice() {
        stop();
        stop();
        start();
        start();
        CompletionStage<Void> stopped = f.broker.stopStore(1);
        CompletionStage<Void> started = f.broker.startStore(1);
        f.settle();
        get(stopped);
        get(started);
        assertAllIsThereAgain();
        assertThatThrownBy(() -> f.broker.stopStore(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> f.broker.startStore(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName(
            "receivers of a stopped store are closed so that clients attach again; their locks end with the store's memory")
    void receivers() {
        Listening before = f.listen(down, 10);
        Listening other = f.listen(up, 10);
        f.settle();
        assertThat(before.messages).hasSize(2);
        stop();
        assertThat(Objects.requireNonNull(before.closed).code()).isEqualTo(ErrorCode.DETACH_FORCED);
        assertThat(other.closed).isNull();
        Answer settled = f.submit(
                down,
                new Command.CompleteMessages(
                        List.of(Objects.requireNonNull(before.messages.get(0).lockToken()))));
        f.settle();
        assertRetryable(settled);
        start();
        assertAllIsThereAgain();
    }

    @Test
    @DisplayName("data acknowledged before the outage is there after a crash during the outage")
    void crashDuringTheOutage() throws Exception {
        stop();
        f.crash();
        down = f.entity(down.path());
        up = f.entity(up.path());
        assertAllIsThereAgain();
    }

    @Test
    @DisplayName("a store that fails in the middle of a commit behaves like one that fails between commits")
    void failsInACommit() {
        disk().failNextCommit(Reason.IO, false);
        disk().refuseReopens(2);
        Answer lost = f.send(down, "c");
        f.settle();
        assertThat(lost.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertOnlyItsEntitiesSuffer();
        f.letPass(500);
        assertAllIsThereAgain();
    }

    @Test
    @DisplayName("a server that closes with a stopped store ends all requests, and refuses to stop or start stores")
    void closing() {
        BrokerFixture.start(f.broker);
        f.broker.stopStore(1).toCompletableFuture().join();
        f.broker.close();
        assertThat(failure(f.broker.startStore(1))).isEqualTo(ErrorCode.SERVER_BUSY);
        Answer send = f.send(down, "c");
        assertThat(send.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
    }
}
