package dev.jitney.cluster.change;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisEvents;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.cluster.ratis.RatisSettings;
import dev.jitney.cluster.ratis.SoleMember;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the whole replicated log of the only member of a cluster to its stores, and writes everything to table files. The
 * server listens on loopback, on any port, and no other node knows it.
 */
final class EndOfLog {
    private static final Logger LOG = LoggerFactory.getLogger(EndOfLog.class);
    private static final int ELECTION_MS = 200;
    private static final long READY_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path directory;
    private final Membership membership;
    private final UUID cluster;

    /**
     * @param directory the directory of the log and of {@value Membership#FILE}
     * @param cluster   the id of the cluster
     */
    EndOfLog(Path directory, Membership membership, UUID cluster) {
        this.directory = directory;
        this.membership = membership;
        this.cluster = cluster;
    }

    /**
     * Brings the stores to the end of the log. Nothing is open afterwards.
     *
     * @param alone whether to make this node the only member first (CL-56)
     * @throws IOException if the cluster has other members, or the log cannot be read; the message is for the operator
     */
    void reach(StoreKinds kinds, boolean alone) throws IOException, StoreException {
        Path log = directory.resolve("raft");
        if (alone) {
            SoleMember.force(log, cluster, self());
        }
        List<StoreReplica> replicas = new ArrayList<>();
        try {
            for (int i = 0; i < kinds.count(); i++) {
                replicas.add(new StoreReplica(kinds.open(i)));
            }
            Faults faults = new Faults();
            RatisSettings settings = new RatisSettings(log, "127.0.0.1", 0, ELECTION_MS, Long.MAX_VALUE);
            try (RatisServer server = new RatisServer(
                    settings, cluster, membership.identity(), membership.membersAtStart(), replicas, faults)) {
                server.start();
                await(server, faults);
                for (StoreReplica replica : replicas) {
                    replica.store().flush();
                }
            }
        } finally {
            replicas.forEach(replica -> replica.store().close());
        }
    }

    private RaftMember self() {
        return membership.known().stream()
                .filter(member -> member.identity().equals(membership.identity()))
                .findFirst()
                .orElse(new RaftMember(membership.identity(), "127.0.0.1:1"));
    }

    private void await(RatisServer server, Faults faults) throws IOException {
        long end = System.nanoTime() + READY_NANOS;
        while (System.nanoTime() - end < 0) {
            ConsensusState state = server.state();
            String fault = faults.fault;
            if (fault != null || state == null) {
                throw new IOException(fault == null ? "The Ratis server has ended." : fault);
            }
            List<String> others = state.members().stream()
                    .map(RaftMember::identity)
                    .filter(identity -> !identity.equals(membership.identity()))
                    .map(Membership::nameOf)
                    .toList();
            if (!others.isEmpty()) {
                throw new IOException("Expected the only member of a cluster, but the cluster has more: "
                        + String.join(", ", others)
                        + ". Remove them first: jitney cluster remove NAME. If they are gone for good, start this node with"
                        + " --cluster-abandon-others first.");
            }
            if (state.leaderReady() && state.applied() >= server.lastEntry().index()) {
                LOG.info("All entries up to {} are in the stores.", state.applied());
                return;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw new IOException("The replicated log in " + directory + " was not applied within ten minutes.");
    }

    /** The first fault of the server. */
    private static final class Faults implements RatisEvents {
        private volatile @Nullable String fault;

        @Override
        public void leaderReady(long term) {}

        @Override
        public void notLeader() {}

        @Override
        public void leaderChanged() {}

        @Override
        public void fault(String what, Throwable cause) {
            fault = what + " " + cause.getMessage();
        }

        @Override
        public void beforeEnd() {}

        @Override
        public void ended() {}

        @Override
        public void mark(UUID id, long index) {}

        @Override
        public CompletableFuture<LogPoint> install(String leader, long firstIndex) {
            return CompletableFuture.failedFuture(new IOException("There is no leader."));
        }
    }
}
