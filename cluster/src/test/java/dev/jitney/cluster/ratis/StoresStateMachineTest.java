package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The state machine of the stores")
class StoresStateMachineTest {
    private final InMemoryReplicaStore store = new InMemoryReplicaStore();
    private final InMemoryReplicaStore other = new InMemoryReplicaStore();
    private final List<String> faults = new ArrayList<>();
    private final List<String> marks = new ArrayList<>();
    private final ClientId self = ClientId.randomId();
    private final StoresStateMachine machine = new StoresStateMachine(
            List.of(new StoreReplica(store), new StoreReplica(other)), self, LogPoint.START, nanos -> {}, new News());

    private final class News extends NoEvents {
        @Override
        public void fault(String what, Throwable cause) {
            faults.add(what);
        }

        @Override
        public void mark(UUID id, long index) {
            marks.add(
                    id + " at " + index + " with store 1 at " + other.position().index());
        }
    }

    private static byte[] entry(int store, long term, long number) {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, new byte[] {1}, new byte[] {(byte) number});
        return Entry.encode(batch, store, term, number, 1).get(0);
    }

    @Test
    @DisplayName("reports a mark of the term between the entries around it, and changes no store by it (CL-3, CL-85)")
    void marks() throws Exception {
        UUID id = UUID.randomUUID();
        apply(entry(1, 3, 1), 3, 5);
        assertThat(apply(Entry.mark(id, 3, 1), 3, 6)).isEqualTo(StoreReplica.Result.APPLIED);
        apply(entry(1, 3, 2), 3, 7);
        assertThat(apply(Entry.mark(id, 3, 1), 4, 8)).isEqualTo(StoreReplica.Result.SKIPPED);
        assertThat(marks).containsExactly(id + " at 6 with store 1 at 5");
        assertThat(other.position().index()).isEqualTo(7);
        assertThat(machine.skipped()).isZero();
        assertThat(machine.getLastAppliedTermIndex().getIndex()).isEqualTo(8);
    }

    private StoreReplica.Result apply(byte[] entry, long term, long index) throws Exception {
        LogEntryProto logged = LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(entry)))
                .build();
        TransactionContext context = TransactionContext.newBuilder()
                .setStateMachine(machine)
                .setServerRole(RaftPeerRole.FOLLOWER)
                .setLogEntry(logged)
                .build();
        return Results.of(machine.applyTransaction(context).get());
    }

    @Test
    @DisplayName("skips and counts entries of a deposed leader (CL-3)")
    void skips() throws Exception {
        assertThat(apply(entry(0, 1, 1), 1, 1)).isEqualTo(StoreReplica.Result.APPLIED);
        assertThat(apply(entry(0, 1, 2), 2, 3)).isEqualTo(StoreReplica.Result.SKIPPED);
        assertThat(apply(entry(0, 2, 1), 2, 4)).isEqualTo(StoreReplica.Result.APPLIED);
        assertThat(machine.skipped()).isEqualTo(1);
        assertThat(machine.getLastAppliedTermIndex().getIndex()).isEqualTo(4);
        assertThat(faults).isEmpty();
    }

    @Test
    @DisplayName("stops at an entry with a wrong checksum (CL-6, CL-42)")
    void stopsAtDamage() {
        byte[] damaged = entry(0, 1, 1);
        damaged[0] ^= 1;
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> apply(damaged, 1, 1));
        assertThat(faults).hasSize(1);
        assertThat(store.batches()).isEmpty();
    }

    @Test
    @DisplayName("stops at an entry of a store that this node does not have (CL-31)")
    void stopsAtUnknownStores() {
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> apply(entry(2, 1, 1), 1, 1));
        assertThat(faults).hasSize(1);
    }

    @Test
    @DisplayName("refuses requests that do not come from this process (CL-71)")
    void refusesOthers() throws Exception {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(ClientId.randomId())
                .setServerId(RaftPeerId.valueOf("a.1"))
                .setGroupId(RaftGroupId.randomId())
                .setCallId(1)
                .setType(RaftClientRequest.writeRequestType())
                .setMessage(Message.valueOf(ByteString.copyFrom(entry(0, 1, 1))))
                .build();
        assertThat(machine.startTransaction(request).getException()).hasMessageContaining("comes from the network");
    }

    @Test
    @DisplayName("lets a restart begin behind the entries that all stores have in table files, also if one is idle")
    void findsTheReplayPoint() throws Exception {
        apply(entry(1, 1, 1), 1, 1);
        apply(entry(0, 1, 1), 1, 2);
        assertThat(machine.flushed().point()).isEqualTo(LogPoint.START);
        other.flush();
        apply(entry(0, 1, 2), 1, 3);
        store.flush();
        ReplayPoint flushed = machine.flushed();
        assertThat(flushed.point()).isEqualTo(new LogPoint(1, 3));
        assertThat(flushed.flushed()).containsExactly(3, 1);
    }

    @Test
    @DisplayName("lets no restart begin between the parts of a batch (CL-7)")
    void keepsPartsTogether() throws Exception {
        RowBatch large = new RowBatch();
        large.put(Table.META, new byte[] {1}, new byte[3 << 20]);
        List<byte[]> parts = Entry.encode(large, 0, 1, 1, 1);
        machine.notifyTermIndexUpdated(1, 0);
        assertThat(apply(parts.get(0), 1, 1)).isEqualTo(StoreReplica.Result.PART);
        apply(entry(1, 1, 1), 1, 2);
        other.flush();
        assertThat(machine.flushed().point()).isEqualTo(new LogPoint(1, 0));
        assertThat(machine.safePoint()).isEqualTo(new LogPoint(1, 0));
        assertThat(apply(parts.get(1), 1, 3)).isEqualTo(StoreReplica.Result.APPLIED);
        store.flush();
        assertThat(machine.flushed().point()).isEqualTo(new LogPoint(1, 3));
    }

    @Test
    @DisplayName("drops the parts of a batch when their term has ended, so that they do not keep the log (CL-7, CL-41)")
    void dropsPartsOfAnEndedTerm() throws Exception {
        RowBatch large = new RowBatch();
        large.put(Table.META, new byte[] {1}, new byte[3 << 20]);
        List<byte[]> parts = Entry.encode(large, 0, 1, 1, 1);
        machine.notifyTermIndexUpdated(1, 0);
        apply(parts.get(0), 1, 1);
        machine.notifyTermIndexUpdated(2, 2);
        assertThat(machine.safePoint()).isEqualTo(new LogPoint(2, 2));
        apply(entry(1, 2, 1), 2, 3);
        other.flush();
        assertThat(machine.flushed().point()).isEqualTo(new LogPoint(2, 3));
        assertThat(apply(parts.get(1), 2, 4)).isEqualTo(StoreReplica.Result.SKIPPED);
        assertThat(store.batches()).isEmpty();
    }

    @Test
    @DisplayName("keeps the parts of a batch when the members change within their term (CL-7, CL-55)")
    void keepsPartsOfTheTerm() throws Exception {
        RowBatch large = new RowBatch();
        large.put(Table.META, new byte[] {1}, new byte[3 << 20]);
        List<byte[]> parts = Entry.encode(large, 0, 1, 1, 1);
        machine.notifyTermIndexUpdated(1, 0);
        apply(parts.get(0), 1, 1);
        machine.notifyTermIndexUpdated(1, 2);
        assertThat(machine.safePoint()).isEqualTo(new LogPoint(1, 0));
        assertThat(apply(parts.get(1), 1, 3)).isEqualTo(StoreReplica.Result.APPLIED);
        assertThat(machine.safePoint()).isEqualTo(new LogPoint(1, 3));
    }

    @Test
    @DisplayName("never moves the replay point back while a checkpoint is put in place (CL-4, CL-42, CL-45)")
    void keepsTheReplayPointOfACheckpoint() throws Exception {
        apply(entry(0, 1, 1), 1, 100);
        store.flush();
        LogPoint checkpoint = new LogPoint(1, 500);
        List<LogPoint> written = new CopyOnWriteArrayList<>();
        CountDownLatch replacing = new CountDownLatch(1);
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread watch = new Thread(() -> {
            try {
                replacing.await();
                machine.advanceReplayPoint(flushed -> written.add(flushed.point()));
            } catch (Exception e) {
                failure.set(e);
            }
        });
        watch.start();
        machine.replace(checkpoint, () -> {
            replacing.countDown();
            while (watch.getState() != Thread.State.BLOCKED && watch.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
            written.add(checkpoint);
        });
        watch.join();
        assertThat(failure).hasNullValue();
        assertThat(written).containsExactly(checkpoint);
        assertThat(machine.replayPoint()).isEqualTo(checkpoint);
    }

    @Test
    @DisplayName("moves the replay point only forward, and after its file is written (CL-42)")
    void movesTheReplayPoint() throws Exception {
        apply(entry(0, 1, 1), 1, 1);
        store.flush();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> machine.advanceReplayPoint(flushed -> {
                    throw new IOException("No space left");
                }));
        assertThat(machine.replayPoint()).isEqualTo(LogPoint.START);
        List<LogPoint> written = new ArrayList<>();
        machine.advanceReplayPoint(flushed -> written.add(flushed.point()));
        machine.advanceReplayPoint(flushed -> written.add(flushed.point()));
        assertThat(written).containsExactly(new LogPoint(1, 1));
        assertThat(machine.replayPoint()).isEqualTo(new LogPoint(1, 1));
    }

    @Test
    @DisplayName("takes no checkpoint when its server is closed, because a later one uses the stores (CL-45)")
    void refusesACheckpointAfterTheEnd() {
        machine.endReplacements();
        AtomicBoolean replaced = new AtomicBoolean();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> machine.replace(new LogPoint(1, 500), () -> replaced.set(true)))
                .withMessageContaining("closed");
        assertThat(replaced).isFalse();
        assertThat(machine.replayPoint()).isEqualTo(LogPoint.START);
    }

    @Test
    @DisplayName("stops when a store fails (CL-42)")
    void stopsAtFaults() throws StoreException {
        store.fail();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> apply(entry(0, 1, 1), 1, 1));
        assertThat(faults).hasSize(1);
    }

    @Test
    @DisplayName("lets Ratis end by itself after a fault, and is not closed before that (CL-42)")
    void endsAfterFaults() throws StoreException {
        store.fail();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> apply(entry(0, 1, 1), 1, 1));
        assertThat(machine.mayClose()).isFalse();
    }

    @Test
    @DisplayName("throws nothing that Ratis would wait for when a store fails while the server is being closed (CL-42)")
    void failsWhileClosing() throws StoreException {
        assertThat(machine.mayClose()).isTrue();
        store.fail();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> apply(entry(0, 1, 1), 1, 1));
        // and applies nothing behind the entry that it left out
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> apply(entry(1, 1, 1), 1, 2));
        assertThat(other.batches()).isEmpty();
        assertThat(machine.mayClose()).isTrue();
    }
}
