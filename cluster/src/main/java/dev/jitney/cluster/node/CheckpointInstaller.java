package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.checkpoint.CheckpointFetcher;
import dev.jitney.cluster.checkpoint.CheckpointFiles;
import dev.jitney.cluster.checkpoint.CheckpointManifest;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replaces the stores of this node by a checkpoint of the leader, in the background (CL-40, CL-45). */
final class CheckpointInstaller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointInstaller.class);

    /**
     * The number of attempts in a row without a request for a checkpoint, because there is still no room for the last one. The next
     * one sends a request again: the stores of the leader may have become smaller.
     */
    private static final int WITHOUT_REQUEST_MAX = 10;

    private final ClusterSettings settings;
    private final Members members;
    private final List<StoreReplica> replicas;
    private final NodeLink link;
    private final LevelCheck levelCheck;
    private final CheckpointFetcher fetcher;
    private final ExecutorService executor;
    private final AtomicLong installed = new AtomicLong();
    /** True if there may be parts of a checkpoint on disk: those of an earlier process, or of an attempt that failed. */
    private final AtomicBoolean leftovers = new AtomicBoolean(true);

    private volatile boolean busy;
    private volatile boolean closed;
    private final InstallPause pause = new InstallPause();
    private int withoutRequest;
    private int repeated;
    private LogPoint last = LogPoint.START;

    /** Checks that this node supports the level of another one (CL-61). */
    @FunctionalInterface
    interface LevelCheck {
        void requireSupported(ClusterMember leader) throws IOException;
    }

    CheckpointInstaller(
            ClusterSettings settings,
            Members members,
            List<StoreReplica> replicas,
            IntFunction<Path> workDirectory,
            NodeLink link,
            LevelCheck levelCheck) {
        this.levelCheck = levelCheck;
        this.settings = settings;
        this.members = members;
        this.replicas = replicas;
        this.link = link;
        fetcher = new CheckpointFetcher(settings.stores(), workDirectory, () -> closed);
        executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "cluster-checkpoint-" + settings.name());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Fetches and installs a checkpoint.
     *
     * @param server  the server of this node
     * @param cluster the id of the cluster
     * @param leader  the identity of the leader
     * @return a stage with the place up to which it contains everything
     */
    CompletableFuture<LogPoint> install(RatisServer server, UUID cluster, String leader) {
        CompletableFuture<LogPoint> result = new CompletableFuture<>();
        executor.execute(() -> {
            busy = true;
            try {
                LogPoint point = fetchAndReplace(server, cluster, leader);
                pause.succeeded();
                result.complete(point);
            } catch (IOException | StoreException | RuntimeException e) {
                leftovers.set(true);
                // The leader repeats its request at once otherwise.
                long pauseMs = pause.failed(leader);
                LOG.warn(
                        "Could not install a checkpoint of {}; the next attempt follows in {} s: {}",
                        leader,
                        TimeUnit.MILLISECONDS.toSeconds(pauseMs),
                        e.getMessage());
                Executor later = CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS);
                later.execute(() -> result.completeExceptionally(e));
            } finally {
                busy = false;
            }
        });
        return result;
    }

    private LogPoint fetchAndReplace(RatisServer server, UUID cluster, String leader)
            throws IOException, StoreException {
        String name = Membership.nameOf(leader);
        ClusterMember member = members.named(name);
        if (member == null) {
            throw new IOException("Expected a leader with a known address, but got '" + name + "'.");
        }
        levelCheck.requireSupported(member);
        requireRoom();
        LOG.info("Node {} fetches a checkpoint of {}.", settings.name(), name);
        CheckpointFiles remote =
                new RemoteCheckpoint(link, member, cluster.toString(), settings.stores(), settings.levels());
        CheckpointManifest manifest = remote.make();
        try {
            fetcher.fetch(remote, manifest);
            server.install(manifest.point(), this::replaceStores);
        } finally {
            release(remote, manifest.id());
        }
        installed.incrementAndGet();
        note(manifest.point());
        LOG.info(
                "Node {} has installed a checkpoint of {} bytes up to entry {}.",
                settings.name(),
                manifest.bytes(),
                manifest.point().index());
        return manifest.point();
    }

    private void requireRoom() throws IOException {
        if (withoutRequest < WITHOUT_REQUEST_MAX) {
            withoutRequest++;
            fetcher.requireRoomAsBefore();
        }
        withoutRequest = 0;
    }

    /** Several checkpoints of the same place mean that Ratis does not use them (RATIS-2500). */
    private void note(LogPoint point) {
        repeated = point.equals(last) ? repeated + 1 : 0;
        last = point;
        if (repeated > 0) {
            LOG.warn("Node {} has installed the checkpoint up to entry {} again.", settings.name(), point.index());
        }
    }

    /**
     * Replaces the stores, one after the other, except those that are further than the checkpoint. A process may have been killed
     * between the stores of a later checkpoint, and its sender may be gone.
     *
     * <p>A store that is further than its part of the checkpoint contains everything up to the point of the checkpoint: only
     * agreed entries are applied, in order. The log begins behind the point then, so the store gets some entries again, which
     * it knows (CL-4). Its rows are written to table files first, because the log does not have their entries any more.
     */
    private long[] replaceStores() throws IOException, StoreException {
        long[] flushed = new long[replicas.size()];
        for (int i = 0; i < flushed.length; i++) {
            ReplicaStore store = replicas.get(i).store();
            if (!store.replaceBy(fetcher.incoming(i))) {
                store.flush();
                fetcher.delete(i);
            }
            flushed[i] = store.flushedIndex();
        }
        return flushed;
    }

    private static void release(CheckpointFiles remote, String id) {
        try {
            remote.release(id);
        } catch (IOException e) {
            LOG.debug("The member removes the checkpoint by itself later.", e);
        }
    }

    /**
     * Deletes what was fetched of a checkpoint that was never put in place. Call it while this node is in sync, and therefore needs no
     * checkpoint; call it again from time to time.
     */
    void removeLeftovers() {
        if (busy || closed || !leftovers.compareAndSet(true, false)) {
            return;
        }
        try {
            executor.execute(this::deleteFetched);
        } catch (RejectedExecutionException e) {
            LOG.debug("The node stops.");
        }
    }

    private void deleteFetched() {
        try {
            for (int i = 0; i < replicas.size(); i++) {
                fetcher.delete(i);
            }
        } catch (IOException e) {
            leftovers.set(true);
            LOG.warn(
                    "Could not delete an old part of a checkpoint on node {}; the next attempt follows: {}",
                    settings.name(),
                    e.getMessage());
        }
    }

    /** Returns the number of checkpoints that were put in place since the start. */
    long installed() {
        return installed.get();
    }

    boolean isBusy() {
        return busy;
    }

    int percent() {
        return fetcher.percent();
    }

    @Override
    public void close() {
        closed = true;
        executor.shutdownNow();
    }
}
