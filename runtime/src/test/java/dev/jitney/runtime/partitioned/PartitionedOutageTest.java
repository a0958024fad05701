package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.describe;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The events of a partitioned queue's receiver when the only store of all partitions fails. */
class PartitionedOutageTest extends PartitionedScenario {
    @Override
    @BeforeEach
    void open() throws StoreException {
        open(1);
    }

    private void failNextCommit() {
        f.stores.get(0).failNextCommit(StoreException.Reason.IO, false);
    }

    @Test
    @DisplayName("PART-55: a receiver survives a failure of the store, and gets messages when the store works again")
    void outlivesTheFailure() {
        Listening listening = attach(pq, 10);
        // when the store fails and comes back
        failNextCommit();
        f.submit(pq, new Command.SendMessages(List.of(message("lost"))));
        f.letPass(60_000);
        f.submit(pq, new Command.SendMessages(List.of(message("a"))));
        f.settle();
        // then the receiver is served
        assertThat(listening.closed).isNull();
        assertThat(listening.messages).extracting(PartitionedScenario::body).containsExactly("a");
    }

    @Test
    @DisplayName("SUSP-1, PART-55: a receiver is closed when its partitions turn out to be disabled once their"
            + " store works again")
    void hearsOfTheDisabling() {
        Listening listening = attach(pq, 10);
        // given a change that is stored, but that the partitions have not followed when the store fails
        f.namespace()
                .updateQueue(describe(pq).toBuilder()
                        .status(EntityStatus.RECEIVE_DISABLED)
                        .build());
        f.turn();
        assertThat(listening.closed).isNull();
        failNextCommit();
        // when the store works again
        f.letPass(60_000);
        // then the receiver has ended
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }

    @Test
    @DisplayName("SUSP-1, RECV-1: attaching to disabled partitions is refused as disabled, not with the error of"
            + " unavailable ones")
    void disabledWhileAttaching() throws StoreException {
        // given partitions in two stores, of which the second one fails
        open(2);
        int home = ((ServedEntity) pq).shard().index();
        // when the first ones have agreed, and then are disabled for a while before the others answer
        Listening listening = new Listening();
        pq.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        turn(home);
        becomes(EntityStatus.RECEIVE_DISABLED, home);
        becomes(EntityStatus.ACTIVE, home);
        f.stores.get(1 - home).failNextCommit(StoreException.Reason.IO, false);
        f.letPass(60_000);
        // then it was refused, and does not wait for messages that would never come
        assertThat(listening.attached.rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }

    private void turn(int store) {
        while (f.shard(store).step()) {
            // until no task is left
        }
    }

    private void becomes(EntityStatus status, int home) {
        f.namespace().updateQueue(describe(pq).toBuilder().status(status).build());
        turn(home);
    }

    @Test
    @DisplayName("CL-9, PART-13: a node without its lease delivers no message that it has locked in advance")
    void deliversNothingKept() {
        f.submit(pq, new Command.SendMessages(List.of(message("a"))));
        f.submit(pq, new Command.SendMessages(List.of(message("b"))));
        f.settle();
        Listening listening = attach(pq, 1);
        assertThat(listening.messages).hasSize(1);
        // when the receiver needs the kept message, whose lock is new
        f.stores.get(0).refuseConfirmation(true);
        listening.receiver.setCredit(2, false);
        f.settle();
        // then it gets the message only from a node that leads
        assertThat(listening.messages).hasSize(1);
        f.stores.get(0).refuseConfirmation(false);
        f.letPass(60_000);
        assertThat(listening.messages).hasSize(2);
        assertThat(listening.messages.get(1).deliveryCount()).isZero();
    }

    @Test
    @DisplayName("CL-9, PART-13: nor a message that waits behind the renewal of another lock, when that fails")
    void deliversNothingHeld() {
        Queue<Runnable> connection = new ArrayDeque<>();
        Listening listening = new Listening();
        listening.receiver =
                pq.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, connection::add, listening, listening.attached);
        f.settle();
        runAll(connection);
        listening.receiver.setCredit(40, false);
        // given a kept message with an older lock, and a new one of the same partition behind it
        send(pq, keyed("a", null, "key"));
        send(pq, keyed("b", null, "key"));
        listening.receiver.setCredit(0, false);
        connection.remove().run();
        f.nowMs += 1_000;
        listening.receiver.setCredit(40, false);
        runAll(connection);
        // when the renewal of the older lock fails
        f.stores.get(0).refuseConfirmation(true);
        f.settle();
        runAll(connection);
        // then nothing is delivered, until the store works again
        assertThat(listening.messages).isEmpty();
        f.stores.get(0).refuseConfirmation(false);
        for (int i = 0; i < 60; i++) {
            f.letPass(1_000);
            runAll(connection);
        }
        assertThat(listening.messages).extracting(PartitionedScenario::body).containsExactly("a", "b");
    }

    private static void runAll(Queue<Runnable> connection) {
        while (!connection.isEmpty()) {
            connection.remove().run();
        }
    }

    @Test
    @DisplayName("PART-60, STATE-4: a restart of the store drops the list of kept messages together with their locks")
    void forgetsWhatWasKept() {
        ServedEntity part = ((ServedEntity) pq).fragments().part(0);
        UUID token = new UUID(1, 2);
        part.keep(token);
        // when the store fails and works again
        failNextCommit();
        f.submit(pq, new Command.SendMessages(List.of(message("lost"))));
        f.letPass(60_000);
        // then the list no longer contains the message
        assertThat(part.unclaimed().isKept(token)).isFalse();
    }
}
