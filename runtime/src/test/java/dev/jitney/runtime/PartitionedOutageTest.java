package dev.jitney.runtime;

import static dev.jitney.runtime.BrokerFixture.describe;
import static dev.jitney.runtime.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a receiver of a partitioned queue hears when the one store of all partitions fails. */
class PartitionedOutageTest {
    private BrokerFixture f;
    private Entity queue;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore()));
        queue = f.create(QueueDescription.named("q").enablePartitioning(true).build());
    }

    private Listening attach() {
        Listening listening = new Listening();
        listening.receiver =
                queue.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        f.settle();
        listening.receiver.setCredit(10, false);
        f.settle();
        return listening;
    }

    private void failNextCommit() {
        f.stores.get(0).failNextCommit(StoreException.Reason.IO, false);
    }

    @Test
    @DisplayName("PART-55: a receiver outlives a failure of the store, and is served when that works again")
    void outlivesTheFailure() {
        Listening listening = attach();
        // when the store fails and comes back
        failNextCommit();
        f.submit(queue, new Command.SendMessages(List.of(message("lost"))));
        f.letPass(60_000);
        f.submit(queue, new Command.SendMessages(List.of(message("a"))));
        f.settle();
        // then the receiver is served
        assertThat(listening.closed).isNull();
        assertThat(listening.messages).extracting(PartitionedScenario::body).containsExactly("a");
    }

    @Test
    @DisplayName("SUSP-1, PART-55: a receiver is closed when its partitions are disabled once their store works again")
    void hearsOfTheDisabling() {
        Listening listening = attach();
        // given a change that is stored, but not followed by the partitions when the store fails
        f.namespace()
                .updateQueue(describe(queue).toBuilder()
                        .status(EntityStatus.RECEIVE_DISABLED)
                        .build());
        f.broker.turn();
        assertThat(listening.closed).isNull();
        failNextCommit();
        // when the store comes back
        f.letPass(60_000);
        // then the receiver has come to its end
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }

    @Test
    @DisplayName(
            "SUSP-1, RECV-1: who attaches while partitions are disabled hears that, and not of those that do not answer")
    void disabledWhileAttaching() throws StoreException {
        // given partitions in two stores, of which the other one fails
        f = new BrokerFixture(
                BrokerFixture.options("ns"), List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        queue = f.create(QueueDescription.named("q").enablePartitioning(true).build());
        int home = ((ServedEntity) queue).shard().index();
        // when those of the first have agreed, and then are disabled for a while before the others answer
        Listening listening = new Listening();
        queue.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        turn(home);
        becomes(EntityStatus.RECEIVE_DISABLED, home);
        becomes(EntityStatus.ACTIVE, home);
        f.stores.get(1 - home).failNextCommit(StoreException.Reason.IO, false);
        f.letPass(60_000);
        // then it was refused, and has not to wait for messages that would never come
        assertThat(listening.attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }

    private void turn(int store) {
        while (f.broker.shard(store).step()) {
            // until it has nothing to do
        }
    }

    private void becomes(EntityStatus status, int home) {
        f.namespace().updateQueue(describe(queue).toBuilder().status(status).build());
        turn(home);
    }
}
