package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.checkpoint.CheckpointSource;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the log and the stores of a node in order. Once a second it checks the stores, and removes old log files and
 * checkpoints. When the log is too large, the stores write table files, because a store that changes rarely would keep the
 * whole log otherwise (CL-41).
 *
 * <p>One thread calls it; any thread may read whether there is room.
 */
final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The size beyond the size to keep at which stores have to write table files: a few files of the log. */
    private static final long BEYOND_BYTES = 16L << 20;

    private final ClusterSettings settings;
    private final List<StoreReplica> replicas;
    private final CheckpointSource checkpoints;
    private final NodeDisks disks;
    private final Peers peers;
    private final Runnable whenInSync;
    private final AtomicBoolean flushing = new AtomicBoolean();
    private final ExecutorService flusher;
    private long tidiedNanos = System.nanoTime() - TIDY_NANOS;
    private volatile boolean room = true;
    private volatile boolean aloneWithoutRoom;
    private volatile boolean majorityHasRoom = true;

    /** @param whenInSync deletes what a node in sync does not need, and does nothing while this node is not in sync */
    Upkeep(
            ClusterSettings settings,
            List<StoreReplica> replicas,
            CheckpointSource checkpoints,
            NodeDisks disks,
            Peers peers,
            Runnable whenInSync) {
        this.whenInSync = whenInSync;
        this.settings = settings;
        this.replicas = replicas;
        this.checkpoints = checkpoints;
        this.disks = disks;
        this.peers = peers;
        flusher = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "cluster-flush-" + settings.name());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Returns whether the stores and the log of this node have room for more messages (CL-43). */
    boolean hasRoom() {
        return room;
    }

    /**
     * Returns whether this node, as the leader, and so many followers have room that they are a majority (CL-43). The stores of
     * the leader are not included, because each of them refuses by itself.
     */
    boolean majorityHasRoom() {
        return majorityHasRoom;
    }

    /**
     * Returns whether this node, as the leader, keeps the cluster from taking messages, because it has no room and enough other nodes
     * have (CL-43).
     */
    boolean isShortOfRoomAlone() {
        return aloneWithoutRoom;
    }

    /**
     * Does what is due.
     *
     * @throws StoreException if a store does not work any more
     */
    void run(RatisServer server, ConsensusState state) throws StoreException {
        boolean all = true;
        for (StoreReplica replica : replicas) {
            all &= replica.store().acceptsGrowth();
        }
        boolean log = disks.logHasRoom();
        room = all && log;
        majorityHasRoom = log && peers.haveRoom(state, 2L * settings.electionMs());
        aloneWithoutRoom = !room && peers.othersHaveRoom(state, 2L * settings.electionMs());
        long now = System.nanoTime();
        if (now - tidiedNanos < TIDY_NANOS) {
            return;
        }
        tidiedNanos = now;
        for (StoreReplica replica : replicas) {
            replica.store().check();
        }
        whenInSync.run();
        try {
            checkpoints.removeIdle();
            server.tidy(checkpoints.keepFrom());
            if (server.logBytes() > server.logBytesMax() + server.logBytesMax() / 2 + BEYOND_BYTES) {
                flush();
            }
        } catch (IOException e) {
            LOG.warn(
                    "Could not remove log files of node {}; the next attempt follows: {}",
                    settings.name(),
                    e.getMessage());
        }
    }

    private void flush() {
        if (!flushing.compareAndSet(false, true)) {
            return;
        }
        try {
            flusher.execute(this::flushAll);
        } catch (RejectedExecutionException e) {
            LOG.debug("The node stops.");
        }
    }

    private void flushAll() {
        try {
            for (StoreReplica replica : replicas) {
                if (replica.store().flushedIndex() < replica.store().position().index()) {
                    replica.store().flush();
                }
            }
        } catch (StoreException | RuntimeException e) {
            LOG.warn(
                    "Could not write table files on node {}; the next attempt follows: {}",
                    settings.name(),
                    e.getMessage());
        } finally {
            flushing.set(false);
        }
    }

    @Override
    public void close() {
        flusher.shutdown();
    }
}
