package dev.jitney.cluster.ratis;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/**
 * The Ratis server of this node from one start to one end. After a fault it is closed and a new one takes its place.
 *
 * <p>Any thread may call it.
 */
public final class RatisServer implements AutoCloseable {
    /** The bytes of entries that may be under way, in KiB: less than Ratis' limit, behind which it would refuse entries. */
    private static final int UNDER_WAY_KIB = 48 << 10;

    /** The order to the operator of a node with a damaged log. */
    static final String REPAIR =
            "Repair it, or empty the data directory, and the node joins the cluster as a new member.";

    private static final long OWN_END_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The shaded gRPC and Netty report to the JDK's log, which has no level for them. The field keeps the logger alive. */
    private static final java.util.logging.Logger SHADED =
            java.util.logging.Logger.getLogger("org.apache.ratis.thirdparty");

    private final RaftGroupId group;
    private final RaftPeerId identity;
    private final Path directory;
    private final LogFiles files;
    private final SyncedMark synced;
    private final RatisSettings settings;

    /** Known to this process only, so that no other process can make requests in its name (CL-71). */
    private final ClientId self = ClientId.randomId();

    private final AtomicLong calls = new AtomicLong();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final Semaphore underWay = new Semaphore(UNDER_WAY_KIB, true);
    private final AgreementFigures figures = new AgreementFigures();
    private final LongConsumer syncs = figures::synced;
    private final String member;
    private final StoresStateMachine machine;
    private final RaftServer server;

    private volatile RaftServer.@Nullable Division started;

    /** The term of this node, and the last entry of its log, before it takes part. */
    private final LogPoint found;

    /**
     * @param settings the settings
     * @param cluster  the id of the cluster
     * @param identity the identity of this node
     * @param members  the members if the files of Ratis have none: all of them at the foundation, none for a node that joins. Later
     *     the log has them, or the file {@code raft-meta.conf}, which Ratis 3.3.0 leaves empty if the disk is full.
     * @param replicas the stores of this node
     * @param events   receives the news; threads of Ratis call it
     * @throws WrongOptionException if the number of stores is not that of an earlier start
     * @throws IOException if the log is damaged, or the log or the stores have less than they had before
     */
    public RatisServer(
            RatisSettings settings,
            UUID cluster,
            String identity,
            List<RaftMember> members,
            List<StoreReplica> replicas,
            RatisEvents events)
            throws IOException {
        // A port in use must not end the process.
        ExitUtils.disableSystemExit();
        if (SHADED.getLevel() == null) {
            SHADED.setLevel(java.util.logging.Level.WARNING);
        }
        this.settings = settings;
        this.group = RaftGroupId.valueOf(cluster);
        this.identity = RaftPeerId.valueOf(identity);
        directory = settings.directory();
        Path current = directory.resolve(cluster.toString()).resolve("current");
        files = new LogFiles(current);
        Files.createDirectories(directory);
        files.requireEntries();
        synced = new SyncedMark(directory);
        files.removeTornTail(synced);
        files.sync();
        long last = files.last();
        synced.note(last);
        long term = new VoteFile(directory, cluster).term();
        LogPoint start = startOf(replicas);
        found = new LogPoint(term, Math.max(start.index(), last));
        machine = new StoresStateMachine(replicas, self, start, figures::agreed, events);
        member = RaftGroupMemberId.valueOf(this.identity, group).toString();
        SyncTimes.receive(member, syncs);
        server = RaftServer.newBuilder()
                .setServerId(this.identity)
                .setGroup(RaftGroup.valueOf(
                        group, members.stream().map(RaftMember::peer).toList()))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .setStateMachineRegistry(id -> machine)
                .setProperties(settings.properties())
                .setParameters(settings.parameters(identity, this::syncedIndex))
                .build();
    }

    private LogPoint startOf(List<StoreReplica> replicas) throws IOException {
        ReplayPoint known = ReplayPoint.read(directory);
        LogPoint start = known == null ? LogPoint.START : known.point();
        long first = files.first();
        if (first > start.index() + 1) {
            throw new IOException("Expected a log that begins at entry " + (start.index() + 1)
                    + " or before, but it begins at " + first
                    + ". Empty the data directory, and the node joins the cluster as a new member.");
        }
        if (known != null) {
            if (known.flushed().length != replicas.size()) {
                throw new WrongOptionException(
                        "Expected " + known.flushed().length + " stores, but got " + replicas.size()
                                + ". Start the node with the number of stores it had before.",
                        null);
            }
            for (int i = 0; i < replicas.size(); i++) {
                long position = replicas.get(i).store().position().index();
                if (position < known.flushed()[i]) {
                    throw new IOException(
                            "Expected store " + i + " to have entry " + known.flushed()[i]
                                    + ", but it ends at entry " + position
                                    + ". It has lost data. Empty the data directory, and the node joins the cluster as a new member.");
                }
            }
        }
        return start;
    }

    /**
     * Returns whether this node lacked an entry before its start that it had acknowledged (CL-50).
     *
     * @param term  the term of the leader
     * @param index the last entry that this node has acknowledged to that leader, as the leader answered before the start
     */
    public boolean hadLost(long term, long index) {
        // A leader of a later term may have replaced entries that were not agreed on.
        return found.term() <= term && found.index() < index;
    }

    /**
     * Returns whether this node lacks an entry that it has acknowledged (CL-50). Call it after the start.
     *
     * @param term  the term of the leader, or an earlier one
     * @param index the last entry that this node has acknowledged to that leader
     */
    public boolean hasLost(long term, long index) {
        if (index < 0) {
            return false;
        }
        try {
            RaftServer.Division division = division();
            TermIndex logged = division.getRaftLog().getLastEntryTermIndex();
            // In this order: a checkpoint removes entries after it is in place, and a later leader after the term has
            // changed.
            long last = Math.max(
                    logged == null ? -1 : logged.getIndex(),
                    machine.replayPoint().index());
            return last < index && division.getInfo().getCurrentTerm() <= term;
        } catch (IOException | IllegalStateException e) {
            return false; // closing
        }
    }

    /**
     * Starts to take part.
     *
     * @throws WrongOptionException if the port cannot be used. The server must be closed then.
     * @throws IOException if the log cannot be opened. The server must be closed then.
     */
    public void start() throws IOException {
        try {
            started = division();
            server.start();
        } catch (IOException | RuntimeException e) {
            String reason = rootOf(e).getMessage();
            if (isAboutThePort(e)) {
                throw new WrongOptionException(
                        "Cannot listen on replication port " + settings.port() + ": " + reason, e);
            }
            throw new IOException(
                    "The replicated log in " + directory + " cannot be opened (" + reason + "). " + REPAIR, e);
        }
    }

    private static boolean isAboutThePort(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof BindException || String.valueOf(at.getMessage()).startsWith("Failed to bind")) {
                return true;
            }
        }
        return false;
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    // Requests

    /**
     * Proposes an entry. Waits while too many bytes are under way. The stage has the effect of the entry, or fails if the
     * outcome is unknown.
     */
    CompletableFuture<StoreReplica.Result> append(byte[] entry) {
        int kib = 1 + entry.length / 1024;
        try {
            if (!underWay.tryAcquire(kib, 2L * settings.electionMaxMs(), TimeUnit.MILLISECONDS)) {
                return CompletableFuture.failedFuture(
                        new IOException("Too many bytes wait to be agreed on. Is a majority of the nodes there?"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(e);
        }
        return propose(entry).whenComplete((result, failure) -> underWay.release(kib));
    }

    private CompletableFuture<StoreReplica.Result> propose(byte[] entry) {
        return submit(RaftClientRequest.writeRequestType(), Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                .thenCompose(reply -> {
                    try {
                        return CompletableFuture.completedFuture(Results.of(reply.getMessage()));
                    } catch (IOException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                });
    }

    /**
     * Puts a mark in the log, on the leader, and waits until it is agreed on (CL-85).
     *
     * @param id     the id of the mark
     * @param timeMs the time of the leader
     * @throws IOException if this node does not lead, or the outcome is unknown
     */
    public void mark(UUID id, long timeMs) throws IOException {
        long timeoutMs = 4L * settings.electionMaxMs();
        try {
            long term = division().getInfo().getCurrentTerm();
            StoreReplica.Result result = append(Entry.mark(id, term, timeMs)).get(timeoutMs, TimeUnit.MILLISECONDS);
            if (result != StoreReplica.Result.APPLIED) {
                throw new IOException("Another node leads.");
            }
        } catch (ExecutionException e) {
            throw new IOException(rootOf(e).getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException("A majority of the nodes did not answer within " + timeoutMs + " ms.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the nodes agreed on a mark.", e);
        }
    }

    /** Confirms with a majority, or by Ratis' lease, that this node leads. */
    CompletableFuture<RaftClientReply> confirm() {
        return submit(RaftClientRequest.readRequestType(), Message.EMPTY);
    }

    private CompletableFuture<RaftClientReply> submit(RaftClientRequest.Type type, Message message) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(self)
                .setServerId(identity)
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setType(type)
                .setMessage(message)
                .build();
        try {
            return server.submitClientRequestAsync(request).thenCompose(RatisServer::checked);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<RaftClientReply> checked(RaftClientReply reply) {
        if (reply.isSuccess()) {
            return CompletableFuture.completedFuture(reply);
        }
        Exception why = reply.getException();
        return CompletableFuture.failedFuture(
                why == null ? new IOException("The Ratis server refused a request.") : why);
    }

    /** Returns the last entry of the log that is synced to disk; -1 before the start and after the end. */
    long syncedIndex() {
        try {
            return division().getRaftLog().getFlushIndex();
        } catch (IOException | IllegalStateException e) {
            return -1; // closing
        }
    }

    /** Returns the last entry in the log, whether it was agreed on or not; {@link LogPoint#START} if there is none. */
    public LogPoint lastEntry() {
        try {
            TermIndex last = division().getRaftLog().getLastEntryTermIndex();
            return last == null ? LogPoint.START : LogPoint.of(last);
        } catch (IOException | IllegalStateException e) {
            return LogPoint.START; // closing
        }
    }

    /**
     * Makes this node a candidate at once, as a leader does that passes leadership on. Call it only if the process of the leader has
     * ended, because the others wait for no timeout before they vote.
     *
     * @param leader the identity of the leader that this node follows
     * @return whether it is a candidate now; false if it does not follow that leader, or has no entry of its term
     */
    public boolean replace(String leader) throws IOException {
        LogPoint last = lastEntry();
        RaftRpcRequestProto.Builder from = RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf(leader).toByteString())
                .setReplyId(identity.toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group))
                .setCallId(calls.incrementAndGet());
        StartLeaderElectionReplyProto reply = server.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(from)
                .setLeaderLastEntry(last.termIndex().toProto())
                .build());
        return reply.getServerReply().getSuccess();
    }

    /** Ends the leadership of this node without choosing another one. */
    public void stepDown() throws IOException {
        admin(
                server.transferLeadershipAsync(new TransferLeadershipRequest(
                        self, identity, group, calls.incrementAndGet(), null, settings.electionMaxMs())),
                settings.electionMaxMs());
    }

    /**
     * Passes leadership on.
     *
     * @throws IOException if the member has not become leader within the time
     */
    public void transfer(String to, long timeoutMs) throws IOException {
        admin(
                server.transferLeadershipAsync(new TransferLeadershipRequest(
                        self, identity, group, calls.incrementAndGet(), RaftPeerId.valueOf(to), timeoutMs)),
                timeoutMs + settings.electionMaxMs());
    }

    /**
     * Changes the members, on the leader. A new one first gets everything it lacks; until then it does not vote (CL-51).
     *
     * @param expected the members now; the change fails if there are others
     * @param members  the members from then on
     */
    public void changeMembers(List<RaftMember> expected, List<RaftMember> members, long timeoutMs) throws IOException {
        SetConfigurationRequest.Arguments arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInCurrentConf(peers(expected))
                .setServersInNewConf(peers(members))
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .build();
        admin(
                server.setConfigurationAsync(
                        new SetConfigurationRequest(self, identity, group, calls.incrementAndGet(), arguments)),
                timeoutMs);
    }

    private static List<RaftPeer> peers(List<RaftMember> members) {
        return members.stream().map(RaftMember::peer).toList();
    }

    private void admin(CompletableFuture<RaftClientReply> request, long timeoutMs) throws IOException {
        try {
            RaftClientReply reply = request.get(timeoutMs, TimeUnit.MILLISECONDS);
            if (!reply.isSuccess()) {
                Exception why = reply.getException();
                throw new IOException(why == null ? "The Ratis server refused a request." : firstLine(why), why);
            }
        } catch (ExecutionException e) {
            throw new IOException(firstLine(rootOf(e)), e);
        } catch (TimeoutException e) {
            throw new IOException("The Ratis server did not answer within " + timeoutMs + " ms.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the Ratis server worked on a request.", e);
        }
    }

    /** Returns the message of an exception of Ratis without the stack trace that some of them contain. */
    private static String firstLine(Throwable thrown) {
        return String.valueOf(thrown.getMessage()).lines().findFirst().orElse("no reason");
    }

    // Log and stores

    /**
     * Writes down where a restart begins, and removes log files that are not needed and exceed a size (CL-41). Call it from time
     * to time, by one thread.
     *
     * @param keepFrom the log is kept behind this index, because a checkpoint is on its way that ends there
     */
    public void tidy(long keepFrom) throws IOException, StoreException {
        synced.note(syncedIndex());
        machine.advanceReplayPoint(flushed -> flushed.write(directory));
        long last = files.removable(Math.min(keepFrom, machine.replayPoint().index()), settings.logBytesMax());
        if (last >= 0) {
            division().getRaftLog().purge(last);
        }
    }

    /** Returns the last place that a checkpoint made from now on certainly contains. */
    public LogPoint safePoint() {
        return machine.safePoint();
    }

    /**
     * Replaces all stores by a checkpoint, while no entry is applied.
     *
     * @param point   the place up to which it contains everything
     * @param replace puts the stores in place
     * @throws IOException if this server is closed: a later one may use the stores
     */
    public void install(LogPoint point, Replacement replace) throws IOException, StoreException {
        machine.replace(point, () -> {
            long[] flushed = replace.run();
            new ReplayPoint(point, flushed).write(directory);
        });
    }

    /** Puts the stores of a checkpoint in place. */
    @FunctionalInterface
    public interface Replacement {
        /** Returns the index up to which each store has everything in table files. */
        long[] run() throws IOException, StoreException;
    }

    /** Returns the size of the log to keep for members that lag, in bytes (CL-41). */
    public long logBytesMax() {
        return settings.logBytesMax();
    }

    /** Returns the size of the log in bytes. */
    public long logBytes() throws IOException {
        return files.bytes();
    }

    // State

    /** Returns whether this node leads in a term and has applied everything before it. */
    public boolean isLeaderReady(long term) {
        try {
            DivisionInfo info = division().getInfo();
            return info.isLeaderReady() && info.getCurrentTerm() == term;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the state of consensus on this node, or null if the server has ended. */
    public @Nullable ConsensusState state() {
        try {
            RaftServer.Division division = division();
            DivisionInfo info = division.getInfo();
            if (!info.isAlive()) {
                return null;
            }
            RaftPeerId leader = info.getLeaderId();
            List<RaftMember> members = new ArrayList<>();
            division.getRaftConf().getAllPeers().forEach(peer -> members.add(RaftMember.of(peer)));
            return new ConsensusState(
                    info.getCurrentTerm(),
                    info.isLeaderReady(),
                    info.isFollower(),
                    leader == null ? null : leader.toString(),
                    info.isFollower() ? leaderContactMs(info) : 0,
                    members,
                    info.getLastAppliedIndex(),
                    division.getRaftLog().getLastCommittedIndex(),
                    leader == null || !info.isFollower()
                            ? -1
                            : committed(division).getOrDefault(leader.toString(), -1L),
                    info.isLeader() ? followers(division) : Map.of());
        } catch (IOException | IllegalStateException e) {
            return null; // closing
        }
    }

    private static long leaderContactMs(DivisionInfo info) {
        return info.getRoleInfoProto().getFollowerInfo().getLeaderInfo().getLastRpcElapsedTimeMs();
    }

    /**
     * Returns by identity how far followers are, on the leader. A follower may have an entry without a confirmation, if it ended before
     * its answer: heartbeats after its restart confirm no entries. But they contain the last entry that it knows as committed, and it has that entry.
     */
    private static Map<String, ConsensusState.Follower> followers(RaftServer.Division division) {
        DivisionInfo info = division.getInfo();
        Map<String, Long> committed = committed(division);
        List<String> before = identities(followerInfos(info));
        long[] matches = info.getFollowerMatchIndices();
        List<ServerRpcProto> infos = followerInfos(info);
        Map<String, ConsensusState.Follower> found = new HashMap<>();
        if (matches == null || matches.length != infos.size() || !before.equals(identities(infos))) {
            return found; // the members change, so a number could belong to another one
        }
        for (int i = 0; i < matches.length; i++) {
            ServerRpcProto follower = infos.get(i);
            String identity = RaftPeerId.valueOf(follower.getId().getId()).toString();
            long match = Math.max(matches[i], committed.getOrDefault(identity, -1L));
            found.put(identity, new ConsensusState.Follower(match, follower.getLastRpcElapsedTimeMs()));
        }
        return found;
    }

    /** Returns by identity the last entry that each member knew as committed. A follower has it from the messages of its leader. */
    private static Map<String, Long> committed(RaftServer.Division division) {
        Map<String, Long> committed = new HashMap<>();
        for (CommitInfoProto of : division.getCommitInfos()) {
            committed.put(RaftPeerId.valueOf(of.getServer().getId()).toString(), of.getCommitIndex());
        }
        return committed;
    }

    private static List<ServerRpcProto> followerInfos(DivisionInfo info) {
        return info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
    }

    private static List<String> identities(List<ServerRpcProto> infos) {
        return infos.stream()
                .map(info -> RaftPeerId.valueOf(info.getId().getId()).toString())
                .toList();
    }

    /** Returns the figures of commits since the start. */
    public AgreementFigures figures() {
        return figures;
    }

    /** Returns the term of this node, also after the end of this server; -1 if it was not started. */
    public long term() {
        RaftServer.Division division = started;
        return division == null ? -1 : division.getInfo().getCurrentTerm();
    }

    private RaftServer.Division division() throws IOException {
        return server.getDivision(group);
    }

    /** Returns the number of entries that were skipped (CL-3). Without a change of leaders it stays as it is. */
    public long skipped() {
        return machine.skipped();
    }

    /** Returns the number of entries that were applied since the start. */
    public long applied() {
        return machine.applied();
    }

    /** Returns the bytes of entries that were applied since the start. */
    public long appliedBytes() {
        return machine.appliedBytes();
    }

    /**
     * Lets the next request to each other member connect at once. A connection that could not be made is refused for up to two
     * minutes otherwise, also when the member is back, and with it the votes of an election. Call it while this node takes part
     * in no election.
     */
    public void refreshConnections() {
        ConsensusState state = state();
        if (state == null || !refreshing.compareAndSet(false, true)) {
            return;
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        for (RaftMember member : state.members()) {
                            if (!member.identity().equals(identity.toString())) {
                                server.getServerRpc()
                                        .handleException(
                                                RaftPeerId.valueOf(member.identity()),
                                                new IOException("The connection is not used."),
                                                true);
                            }
                        }
                    } finally {
                        refreshing.set(false);
                    }
                },
                "cluster-connections-" + identity);
        thread.setDaemon(true);
        thread.start();
    }

    RatisSettings settings() {
        return settings;
    }

    @Override
    public void close() throws IOException {
        machine.endReplacements();
        synced.note(syncedIndex());
        if (!machine.mayClose()) {
            awaitOwnEnd();
        }
        StuckClose watch = new StuckClose(identity.toString());
        watch.begun();
        try {
            server.close();
        } finally {
            SyncTimes.end(member, syncs);
            watch.ended();
        }
    }

    /** Waits until Ratis has begun to close the server after a fault. */
    private void awaitOwnEnd() {
        long end = System.nanoTime() + OWN_END_NANOS;
        while (System.nanoTime() - end < 0) {
            try {
                if (division().getInfo().getLifeCycleState().isClosingOrClosed()) {
                    return;
                }
            } catch (IOException e) {
                return; // Ratis has closed and removed it
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
