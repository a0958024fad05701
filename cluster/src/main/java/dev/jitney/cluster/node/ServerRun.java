package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.ratis.ClosedLog;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.RatisEvents;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.cluster.ratis.RatisSettings;
import dev.jitney.cluster.ratis.VoteFile;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Ratis server of a node: one after the other, with a pause after each fault (CL-42).
 *
 * <p>One thread starts and closes servers; any thread may ask for the current one.
 */
final class ServerRun {
    private static final Logger LOG = LoggerFactory.getLogger(ServerRun.class);

    /** The time for passing leadership on before a server ends because of a fault. */
    private static final long PASS_ON_MS = 10_000;

    private final ClusterSettings settings;
    private final List<StoreReplica> replicas;
    private final NodeDisks disks;
    private final LeaderTerms terms;
    private final Supplier<Membership> membership;
    private final Installing installing;
    private final NodeVerification verification;
    private final Runnable wake;
    private final SpareSpace spare;

    /** The term when the last server of the identity ended, or -1. */
    private long endedTerm = -1;

    private String endedIdentity = "";
    private volatile @Nullable RatisServer server;
    private volatile @Nullable Events events;
    private volatile @Nullable String fault;
    /** The last fault while a server starts, which takes seconds if the log is long. */
    private volatile @Nullable String faultBeforeStart;

    /** Replaces the stores by a checkpoint of the leader. */
    @FunctionalInterface
    interface Installing {
        CompletableFuture<LogPoint> install(RatisServer server, UUID cluster, String leader);
    }

    /**
     * @param membership returns the part of this node in the cluster
     * @param verification receives the marks of the log
     * @param wake       wakes the thread that starts and closes servers
     */
    ServerRun(
            ClusterSettings settings,
            List<StoreReplica> replicas,
            NodeDisks disks,
            LeaderTerms terms,
            Supplier<Membership> membership,
            Installing installing,
            NodeVerification verification,
            Runnable wake) {
        this.settings = settings;
        this.replicas = replicas;
        this.disks = disks;
        this.terms = terms;
        this.membership = membership;
        this.installing = installing;
        this.verification = verification;
        this.wake = wake;
        spare = new SpareSpace(settings.directory());
    }

    /** Returns the current server, or null while this node takes no part. */
    @Nullable
    RatisServer server() {
        return server;
    }

    /** Returns the state of the current server, or null. */
    @Nullable
    ConsensusState state() {
        RatisServer current = server;
        return current == null ? null : current.state();
    }

    /** Returns a sentence about the fault of the current server, or of the last one, or null. */
    @Nullable
    String fault() {
        return fault;
    }

    /**
     * Returns a sentence that says why there is no server that works: the fault, while another attempt to start is under way the one
     * before it, or null if the node is closed.
     */
    @Nullable
    String whyStopped() {
        String now = fault;
        String before = faultBeforeStart;
        if (now != null || before != null) {
            return now != null ? now : before;
        }
        return server == null ? null : "It is starting.";
    }

    /** Notes that a disk is nearly full. */
    void useSpareSpace() {
        spare.release();
    }

    /** Notes why this node takes no part. */
    void noteFault(String reason) {
        fault = reason;
        faultBeforeStart = null;
    }

    /** Refuses to start a server whose log has lost entries that it had acknowledged (CL-50). */
    static final class LostEntriesException extends IOException {
        private static final long serialVersionUID = 1L;

        LostEntriesException(String leader, long index) {
            super("The leader " + leader + " has an acknowledgment of entry " + index + ". " + Membership.LOST);
        }
    }

    /**
     * Starts a server.
     *
     * @param leader the answer of the leader before the start, or null if there is none
     * @throws LostEntriesException if the log of this node ends before an entry that it has acknowledged to the leader
     * @throws IOException if it cannot start; it must be closed then
     */
    void start(@Nullable NodeHello leader) throws IOException {
        Membership own = membership.get();
        UUID cluster = own.cluster();
        if (cluster == null) {
            throw new IOException("Expected a member of a cluster.");
        }
        restoreVote(own);
        spare.hold();
        Events news = new Events();
        events = news;
        RatisServer made =
                new RatisServer(ratisSettings(), cluster, own.identity(), own.membersAtStart(), replicas, news);
        server = made;
        if (leader != null && made.hadLost(leader.term(), leader.acknowledged(own.identity()))) {
            throw new LostEntriesException(leader.name(), leader.acknowledged(own.identity()));
        }
        faultBeforeStart = fault;
        fault = null;
        made.start();
        faultBeforeStart = null;
    }

    /** Removes log files that no store needs, because the disk of a closed server has no room. Returns whether there were any. */
    boolean tidyClosed() throws IOException {
        UUID cluster = membership.get().cluster();
        return cluster != null && ClosedLog.tidy(raftDirectory(), cluster, disks.logBytesMax(settings.logBytesMax()));
    }

    /** Returns whether the term and the vote of this node are lost, because its disk was full. */
    boolean isVoteLost() {
        UUID cluster = membership.get().cluster();
        return cluster != null && new VoteFile(raftDirectory(), cluster).isLost();
    }

    private void restoreVote(Membership own) throws IOException {
        UUID cluster = own.cluster();
        if (cluster == null || endedTerm < 0 || !own.identity().equals(endedIdentity)) {
            return;
        }
        VoteFile file = new VoteFile(raftDirectory(), cluster);
        if (file.isLost()) {
            file.restore(endedTerm, endedIdentity);
            LOG.info("Node {} has written its vote again, in term {}.", settings.name(), endedTerm);
        }
    }

    private Path raftDirectory() {
        return settings.directory().resolve("raft");
    }

    private RatisSettings ratisSettings() {
        ClusterMember self = settings.self();
        return new RatisSettings(
                raftDirectory(),
                self.listenHost(settings.members()),
                self.raftPort(),
                settings.electionMs(),
                disks.logBytesMax(settings.logBytesMax()),
                settings.tls());
    }

    /** Closes the current server, if there is one. */
    void close() {
        RatisServer current = server;
        Events news = events;
        server = null;
        events = null;
        if (news != null) {
            news.ending.countDown();
        }
        if (current != null) {
            try {
                current.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("Could not close the Ratis server of node {}: {}", settings.name(), e.getMessage());
            }
            keepVote(current);
        }
    }

    /** Writes the vote of a closed server again if it is lost. If the disk is still full, the next start does it. */
    private void keepVote(RatisServer closed) {
        Membership own = membership.get();
        if (closed.term() < 0) {
            return;
        }
        endedTerm = closed.term();
        endedIdentity = own.identity();
        try {
            restoreVote(own);
        } catch (IOException e) {
            LOG.debug("Could not write the vote of node {} yet.", settings.name(), e);
        }
    }

    /** The news of one Ratis server. Late news of a server that was closed changes nothing. */
    private final class Events implements RatisEvents {
        private final CountDownLatch ending = new CountDownLatch(1);

        @Override
        public void leaderReady(long term) {
            if (events == this) {
                terms.ready(term);
            }
        }

        @Override
        public void notLeader() {
            if (events == this) {
                terms.end("Another node leads, or a majority of the nodes does not answer.");
            }
            wake.run();
        }

        @Override
        public void leaderChanged() {
            wake.run(); // clients wait for the new leader
        }

        @Override
        public void fault(String what, Throwable cause) {
            if (events != this) {
                return;
            }
            spare.release(); // the disk may be full
            fault = what + " " + cause.getMessage();
            wake.run();
        }

        @Override
        public void beforeEnd() {
            try {
                if (!ending.await(PASS_ON_MS, TimeUnit.MILLISECONDS)) {
                    LOG.warn("Node {} could not pass leadership on in time.", settings.name());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void ended() {
            wake.run();
        }

        @Override
        public void mark(UUID id, long index) {
            if (events == this) {
                verification.mark(id, index);
            }
        }

        @Override
        public CompletableFuture<LogPoint> install(String leader, long firstIndex) {
            RatisServer current = server;
            UUID cluster = membership.get().cluster();
            if (events != this || current == null || cluster == null) {
                return CompletableFuture.failedFuture(new IOException("This server is closed."));
            }
            return installing.install(current, cluster, leader).whenComplete((point, failure) -> {
                if (failure instanceof StoreException) {
                    fault("A checkpoint cannot be put in place.", failure);
                }
            });
        }
    }
}
