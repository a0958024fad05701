package dev.jitney.cluster.ratis;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.EntryException;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Applies the entries of the replicated log to the stores of this node, for Ratis.
 *
 * <p>One thread of Ratis applies entries, in the order of the log. An entry is applied when {@link #applyTransaction} returns,
 * so the state machine never has entries under way. Any fault ends the server: Ratis calls nothing more, and {@link
 * RatisEvents#fault} reports it (CL-42).
 *
 * <p>A snapshot in the sense of Ratis is what the table files of the stores contain. So none is ever taken.
 */
final class StoresStateMachine extends BaseStateMachine {
    private final List<StoreReplica> replicas;
    private final ClientId self;
    private final LongConsumer agreed;
    private final RatisEvents events;
    private final SafePoints safePoints;

    /** Held while entries or a checkpoint change the stores. */
    private final Object changing = new Object();

    /**
     * Held while the replay point changes in memory and in its file. A file is written meanwhile, for which no entry should wait, so
     * {@link #changing} is not enough; it is taken after this one.
     */
    private final Object replayPointChanging = new Object();

    /** Guarded by {@link #replayPointChanging}. */
    private boolean replacementsEnded;

    private final AtomicLong applied = new AtomicLong();
    private final AtomicLong appliedBytes = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();

    private final AtomicReference<Ending> ending = new AtomicReference<>(Ending.NONE);

    private volatile LogPoint replayPoint;
    private volatile @Nullable RaftServer server;
    private volatile @Nullable RaftGroupId group;

    /** The term of the last configuration that was applied. A leader is ready when that is the first one of its own term. */
    private volatile long configurationTerm;

    /** The first reason for which no more entries are applied. */
    private enum Ending {
        NONE,
        /** An entry could not be applied. Ratis closes the server by itself. */
        FAULT,
        /** The server is being closed. */
        CLOSED,
        /** The server is being closed, and then an entry could not be applied. */
        FAULT_AFTER_CLOSE
    }

    /**
     * @param replicas the copies of the stores, by number
     * @param self     a secret of this process, the client of all its requests
     * @param start    where to begin to apply the log
     * @param agreed   receives, for each entry that this node proposed, the time until a majority had it, in nanoseconds
     * @param events   receives the news
     */
    StoresStateMachine(
            List<StoreReplica> replicas, ClientId self, LogPoint start, LongConsumer agreed, RatisEvents events) {
        this.replicas = List.copyOf(replicas);
        this.self = self;
        this.agreed = agreed;
        this.events = events;
        replayPoint = start;
        safePoints = new SafePoints(start);
    }

    @Override
    public void initialize(RaftServer raftServer, RaftGroupId groupId, RaftStorage storage) throws IOException {
        super.initialize(raftServer, groupId, storage);
        server = raftServer;
        group = groupId;
        getLifeCycle().startAndTransition(() -> restartAt(replayPoint));
    }

    private void restartAt(LogPoint point) {
        if (point.index() >= 0) {
            setLastAppliedTermIndex(point.termIndex());
        }
    }

    // Requests

    /**
     * Refuses requests that do not come from this process (CL-71), and entries that were decided in another term, before the log
     * has them (CL-3).
     */
    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext.Builder context = TransactionContext.newBuilder()
                .setStateMachine(this)
                .setServerRole(RaftPeerRole.LEADER)
                .setClientRequest(request);
        if (!self.equals(request.getClientId())) {
            return refused(context, "Expected a request of this process, but it comes from the network.");
        }
        try {
            Entry entry = Entry.decode(EntryBytes.of(request.getMessage().getContent()));
            long term = currentTerm();
            if (entry.term() != term) {
                return refused(
                        context, "Expected an entry of term " + term + ", but got one of term " + entry.term() + ".");
            }
            return context.setStateMachineContext(new Proposal(entry, System.nanoTime()))
                    .build();
        } catch (EntryException e) {
            return refused(context, String.valueOf(e.getMessage()));
        }
    }

    /** An entry that this node has proposed as the leader, and when, in {@link System#nanoTime}. */
    private record Proposal(Entry entry, long nanos) {}

    private static TransactionContext refused(TransactionContext.Builder context, String reason) {
        return context.build().setException(new IOException(reason));
    }

    private long currentTerm() throws IOException {
        RaftServer at = server;
        RaftGroupId of = group;
        if (at == null || of == null) {
            throw new IOException("Expected a started server.");
        }
        return at.getDivision(of).getInfo().getCurrentTerm();
    }

    /** Answers reads, whose only purpose is to confirm the lease (CL-9). */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    // Entries

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext context) {
        LogEntryProto logged = context.getLogEntry();
        if (ending.get() == Ending.FAULT_AFTER_CLOSE) {
            return CompletableFuture.failedFuture(new IOException("An earlier entry could not be applied."));
        }
        try {
            // On the leader the entry as it was decided; otherwise its bytes.
            ByteString bytes = logged.getStateMachineLogEntry().getLogData();
            Entry entry;
            if (context.getStateMachineContext() instanceof Proposal proposal) {
                agreed.accept(System.nanoTime() - proposal.nanos());
                entry = proposal.entry();
            } else {
                entry = Entry.decode(EntryBytes.of(bytes));
            }
            StoreReplica.Result result = apply(entry, logged.getTerm(), logged.getIndex());
            applied.incrementAndGet();
            appliedBytes.addAndGet(bytes.size());
            return CompletableFuture.completedFuture(Results.message(result));
        } catch (EntryException | StoreException | RuntimeException e) {
            events.fault("The entry " + logged.getIndex() + " of term " + logged.getTerm() + " cannot be applied.", e);
            events.beforeEnd();
            IllegalStateException fault =
                    new IllegalStateException("The entry " + logged.getIndex() + " cannot be applied.", e);
            if (ending.compareAndSet(Ending.NONE, Ending.FAULT)) {
                // Only an exception from here ends the server: Ratis logs a failed future and applies the next entry.
                throw fault;
            }
            ending.set(Ending.FAULT_AFTER_CLOSE);
            return CompletableFuture.failedFuture(fault);
        }
    }

    /**
     * Prepares for the end of the server. Ratis 3.3.0 never ends if another thread closes it between an exception of {@link
     * #applyTransaction} and its own reaction to it: each of the two waits for the other.
     *
     * @return whether the server may be closed now; if not, Ratis is about to close it by itself, and must begin first
     */
    boolean mayClose() {
        return ending.compareAndSet(Ending.NONE, Ending.CLOSED) || ending.get() != Ending.FAULT;
    }

    private StoreReplica.Result apply(Entry entry, long term, long index) throws EntryException, StoreException {
        if (entry.store() >= replicas.size()) {
            throw new EntryException("Expected an entry of " + replicas.size() + " stores, but got one of store "
                    + entry.store() + ". Run all nodes with the same number of stores.");
        }
        if (entry.kind() == Entry.Kind.MARK) {
            return mark(entry, term, index);
        }
        synchronized (changing) {
            StoreReplica.Result result = replicas.get(entry.store()).apply(entry, term, index);
            if (result == StoreReplica.Result.SKIPPED) {
                skipped.incrementAndGet();
            }
            passed(term, index);
            return result;
        }
    }

    /** Reports a mark, unless it was proposed in another term (CL-85). */
    private StoreReplica.Result mark(Entry entry, long term, long index) {
        synchronized (changing) {
            boolean current = entry.term() == term;
            if (current) {
                events.mark(entry.markId(), index);
            }
            passed(term, index);
            return current ? StoreReplica.Result.APPLIED : StoreReplica.Result.SKIPPED;
        }
    }

    /** Notes that everything up to an entry is applied. */
    private void passed(long term, long index) {
        synchronized (changing) {
            updateLastAppliedTermIndex(term, index);
            for (StoreReplica replica : replicas) {
                if (replica.hasOpenParts()) {
                    return;
                }
            }
            safePoints.add(new LogPoint(term, index));
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Each term begins with an entry of Ratis. Parts of an earlier term would otherwise keep the whole log until their store
     * commits again (CL-7, CL-41).
     */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        synchronized (changing) {
            for (StoreReplica replica : replicas) {
                replica.dropPartsBefore(term);
            }
            passed(term, index);
        }
    }

    // News

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configurationTerm = term;
    }

    @Override
    public void notifyLeaderReady() {
        events.leaderReady(configurationTerm);
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.notLeader();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
        events.leaderChanged();
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto entry) {
        events.fault("The replicated log cannot be written or read.", cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean all) {
        events.ended();
    }

    // Checkpoints

    /**
     * Fetches a checkpoint. Ratis calls this on every member that joins, also when the leader's log has everything.
     */
    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(RoleInfoProto role, TermIndex first) {
        ByteString leader = role.getFollowerInfo().getLeaderInfo().getId().getId();
        return events.install(RaftPeerId.valueOf(leader).toString(), first.getIndex())
                .thenApply(LogPoint::termIndex);
    }

    /**
     * Replaces stores by a checkpoint. No entry is applied meanwhile.
     *
     * @throws IOException if the checkpoint ends before the place where a restart begins: the log may not have the entries in
     *     between any more; or if the server is closed
     */
    void replace(LogPoint point, Replacement replacement) throws IOException, StoreException {
        synchronized (replayPointChanging) {
            if (replacementsEnded) {
                throw new IOException("Expected a running server for a checkpoint, but it is closed.");
            }
            if (point.index() < replayPoint.index()) {
                throw new IOException("Expected a checkpoint up to entry " + replayPoint.index()
                        + " or further, but it ends at entry " + point.index() + ".");
            }
            synchronized (changing) {
                for (StoreReplica replica : replicas) {
                    replica.dropParts();
                }
                replacement.run();
                replayPoint = point;
            }
        }
    }

    /** Lets no checkpoint be put in place any more, and waits until one that has begun is in place. The server is being closed. */
    void endReplacements() {
        synchronized (replayPointChanging) {
            replacementsEnded = true;
        }
    }

    /** Puts the stores of a checkpoint in place. */
    @FunctionalInterface
    interface Replacement {
        void run() throws IOException, StoreException;
    }

    /** Ratis pauses the state machine when a checkpoint is installed. */
    @Override
    public void pause() {
        LifeCycle lifeCycle = getLifeCycle();
        if (lifeCycle.getCurrentState() == LifeCycle.State.RUNNING) {
            lifeCycle.transition(LifeCycle.State.PAUSING);
            lifeCycle.transition(LifeCycle.State.PAUSED);
        }
    }

    /** Continues behind an installed checkpoint. */
    @Override
    public void reinitialize() {
        synchronized (changing) {
            LogPoint point = replayPoint;
            setLastAppliedTermIndex(point.termIndex());
            safePoints.restart(point);
        }
        LifeCycle lifeCycle = getLifeCycle();
        if (lifeCycle.getCurrentState() == LifeCycle.State.PAUSED) {
            lifeCycle.transition(LifeCycle.State.STARTING);
            lifeCycle.transition(LifeCycle.State.RUNNING);
        }
    }

    /**
     * Returns the place up to which table files contain everything and at which a restart may begin, and what each store has
     * in them.
     */
    ReplayPoint flushed() throws StoreException {
        long appliedIndex = getLastAppliedTermIndex().getIndex();
        long[] flushed = new long[replicas.size()];
        long smallest = appliedIndex;
        for (int i = 0; i < flushed.length; i++) {
            ReplicaStore store = replicas.get(i).store();
            // In this order: whatever is applied in between is behind the index that was read first.
            long position = store.position().index();
            flushed[i] = store.flushedIndex();
            if (flushed[i] < position) {
                smallest = Math.min(smallest, flushed[i]);
            }
        }
        return new ReplayPoint(safePoints.floor(smallest), flushed);
    }

    /** Returns the last place that a checkpoint made from now on certainly contains. */
    LogPoint safePoint() {
        return safePoints.latest();
    }

    /**
     * Lets a restart begin behind everything that is in table files by now. A checkpoint that is being put in place goes first: the
     * log begins behind it then, so an earlier place would be a gap (CL-4, CL-45).
     *
     * @param writing writes the file with the place, if it is further than the one before
     */
    void advanceReplayPoint(ReplayPointWriting writing) throws IOException, StoreException {
        synchronized (replayPointChanging) {
            ReplayPoint flushed = flushed();
            if (flushed.point().index() > replayPoint.index()) {
                writing.write(flushed);
                replayPoint = flushed.point();
            }
        }
    }

    /** Writes the file with the place where a restart begins. */
    @FunctionalInterface
    interface ReplayPointWriting {
        void write(ReplayPoint flushed) throws IOException;
    }

    LogPoint replayPoint() {
        return replayPoint;
    }

    /** Does nothing: {@link RatisServer#tidy} decides which files of the log may go, by their size and not by entries. */
    @Override
    public long takeSnapshot() {
        return -1;
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        LogPoint point = replayPoint;
        return point.index() < 0 ? null : new TableFiles(point.termIndex());
    }

    /** A snapshot in the sense of Ratis: the table files up to an entry. */
    private record TableFiles(TermIndex termIndex) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return termIndex;
        }

        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }

    // Figures

    long applied() {
        return applied.get();
    }

    long appliedBytes() {
        return appliedBytes.get();
    }

    long skipped() {
        return skipped.get();
    }

    @Override
    public void close() {
        LifeCycle lifeCycle = getLifeCycle();
        lifeCycle.checkStateAndClose(() -> {});
    }
}
