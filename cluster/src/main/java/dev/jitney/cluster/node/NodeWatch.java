package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Joining;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that watches over the server of a node: it begins and ends terms, and after a fault opens everything again with
 * pauses (CL-42). It decides by the state and not by events, which only wake it, so no order of events can mislead it.
 */
final class NodeWatch {
    private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);
    private static final long LOOK_AGAIN_MS = 100;
    /**
     * The time for which the disk of a leader is full before it passes leadership on. The new term must be written to the disk, so a
     * program that fills the disk should have come to its end, and a part of the reserved file be given up.
     */
    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * The time for which a leader has no room for more messages before it passes leadership on. In the meantime it may remove old log
     * files.
     */
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The time between two parts of the reserved file. */
    private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(80);

    private static final long CLOSE_TIMEOUT_MS = 30_000;

    /** The time for which a loss of entries must last before the node stops taking part. */
    private static final long LOSS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ClusterSettings settings;
    private final List<StoreReplica> replicas;
    private final NodeDisks disks;
    private final Joining joining;
    private final Peers peers;
    private final ClusterLevel level;
    private final ServerRun run;
    private final LeaderTerms terms;
    private final Succession succession;
    private final Following following;
    private final Upkeep upkeep;
    private final FollowerLags lags;
    private final Semaphore signal;
    private final Thread thread;
    private final RestartPause pause;
    /** The time since which a disk is full, or 0. */
    private long fullNanos;
    /** The time since which this leader alone has no room for more messages, or 0. */
    private long shortNanos;
    /** The time at which a part of the reserved file was given up. */
    private long spareNanos = System.nanoTime() - SPARE_NANOS;

    private volatile boolean closing;
    private volatile long restarts;
    private final TakenOut takenOut = new TakenOut();
    private boolean lossSeen;
    private long lossSinceNanos;

    NodeWatch(
            ClusterSettings settings,
            List<StoreReplica> replicas,
            NodeDisks disks,
            Joining joining,
            Peers peers,
            ClusterLevel level,
            ServerRun run,
            LeaderTerms terms,
            Succession succession,
            Following following,
            Upkeep upkeep,
            FollowerLags lags,
            Semaphore signal) {
        this.settings = settings;
        this.replicas = replicas;
        this.disks = disks;
        this.joining = joining;
        this.peers = peers;
        this.level = level;
        this.run = run;
        this.terms = terms;
        this.succession = succession;
        this.following = following;
        this.upkeep = upkeep;
        this.lags = lags;
        this.signal = signal;
        pause = new RestartPause(nowMs());
        thread = new Thread(this::watch, "cluster-node-" + settings.name());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns the number of restarts after faults (CL-42). Any thread may call it. */
    long restarts() {
        return restarts;
    }

    /** Ends the thread, and waits for it. */
    void close() {
        closing = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() {
        while (!closing) {
            try {
                step();
                if (signal.tryAcquire(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)) {
                    signal.drainPermits();
                }
            } catch (InterruptedException e) {
                return; // closing
            } catch (RuntimeException e) {
                stopTakingPart("An internal error.", e);
            }
        }
    }

    private void step() {
        RatisServer current = run.server();
        if (joining.refusal() != null) {
            return;
        }
        if (current == null) {
            if (joining.membership().cluster() == null) {
                found();
            } else if (pause.isOver(nowMs())) {
                restart();
            }
            return;
        }
        ConsensusState state = current.state();
        String broken = run.fault();
        if (broken != null || state == null) {
            stopTakingPart(broken == null ? "The Ratis server has ended." : broken, null);
            return;
        }
        if (run.isVoteLost()) {
            stopTakingPart("Its disk was full when it had to write its term and its vote.", null);
            return;
        }
        if (refusesAfterLoss(current)) {
            return;
        }
        terms.check(current, state);
        joining.join(state);
        if (takenOut.isSeen(joining.membership(), state, peers.leader(), System.nanoTime())) {
            stopAsTakenOut();
            return;
        }
        // Everything up to the state is applied, so no leader begins a term at a level that it does not know.
        String unsupported = level.refusal(peers.leader());
        if (unsupported != null) {
            stopTakingPart(unsupported, null);
            return;
        }
        terms.begin(current, state);
        following.follow(current, state);
        lags.note(state, System.nanoTime());
        keepUp(current, state);
    }

    /**
     * Returns whether this node has ended its part, because its log lacks entries that it has acknowledged (CL-50). A loss lasts: the
     * leader never sends these entries again. So a loss that is seen for a moment only is none.
     */
    private boolean refusesAfterLoss(RatisServer current) {
        String identity = joining.membership().identity();
        NodeHello leader = peers.knowsLoss(current, identity);
        if (leader == null) {
            lossSeen = false;
            return false;
        }
        long now = System.nanoTime();
        if (!lossSeen) {
            lossSeen = true;
            lossSinceNanos = now;
            LOG.info(
                    "Node {} has entries up to {}, but the leader {} of term {} has an acknowledgment of entry {}.",
                    settings.name(),
                    current.lastEntry().index(),
                    leader.name(),
                    leader.term(),
                    leader.acknowledged(identity));
        }
        if (now - lossSinceNanos < LOSS_NANOS) {
            return false;
        }
        refuse(new ServerRun.LostEntriesException(leader.name(), leader.acknowledged(identity)));
        return true;
    }

    private void found() {
        try {
            if (joining.find()) {
                Membership found = joining.membership();
                run.start(null);
                LOG.info(
                        "Node {} {} cluster {} as {}.",
                        settings.name(),
                        found.founders().isEmpty() ? "joins" : "founds",
                        found.cluster(),
                        found.identity());
            }
        } catch (IOException | RuntimeException e) {
            stopTakingPart("It cannot start to take part.", e);
        }
    }

    private void keepUp(RatisServer current, ConsensusState state) {
        try {
            upkeep.run(current, state);
        } catch (StoreException e) {
            stopTakingPart("A store has failed.", e);
            return;
        }
        long now = System.nanoTime();
        String full = disks.full();
        if (full == null) {
            fullNanos = 0;
            leaveToNodesWithRoom(current, now);
            return;
        }
        fullNanos = fullNanos == 0 ? now : fullNanos;
        if (now - spareNanos >= SPARE_NANOS) {
            spareNanos = now;
            run.useSpareSpace();
        }
        LeaderTerm term = terms.leading();
        if (term == null && !state.leaderReady()) {
            stopTakingPart(full, null);
        } else if (term != null && now - fullNanos >= FULL_NANOS) {
            succession.isYieldedFor(current, full);
        }
    }

    /** Passes leadership on if this node leads and is the one that keeps the cluster from taking messages (CL-43). */
    private void leaveToNodesWithRoom(RatisServer current, long now) {
        if (terms.leading() == null || !upkeep.isShortOfRoomAlone()) {
            shortNanos = 0;
            return;
        }
        shortNanos = shortNanos == 0 ? now : shortNanos;
        if (now - shortNanos >= SHORT_NANOS) {
            succession.leaveForRoom(current);
        }
    }

    private void stopTakingPart(String what, @Nullable Throwable cause) {
        String why = cause == null ? what : what + " " + cause.getMessage();
        run.noteFault(why);
        LOG.warn("Node {} stops taking part in the cluster and tries again: {}", settings.name(), why, cause);
        boolean led = terms.leading() != null;
        terms.end(what);
        if (led && succession.passOn(run.server(), false, 1)) {
            LOG.info("Node {} has passed leadership on.", settings.name());
        }
        run.close();
        pause.failed(nowMs());
        following.followNone();
    }

    /** Ends the part of this identity for good, because its log has lost entries that it had acknowledged (CL-50). */
    void refuse(ServerRun.LostEntriesException loss) {
        joining.recordLoss();
        run.noteFault(String.valueOf(loss.getMessage()));
        LOG.error("Node {} takes no part in the cluster any more. {}", settings.name(), loss.getMessage());
        terms.end(Membership.LOST);
        run.close();
        following.followNone();
    }

    /** Ends the part of this identity for good, because the cluster has taken it out (CL-52). */
    private void stopAsTakenOut() {
        joining.recordRemoval();
        run.noteFault(Membership.REMOVED);
        LOG.error("Node {} takes no part in the cluster any more. {}", settings.name(), Membership.REMOVED);
        terms.end(Membership.REMOVED);
        run.close();
        following.followNone();
    }

    /** Removes old log files, which may have filled the disk themselves. Returns whether there were any. */
    private boolean hasMadeRoom() {
        try {
            boolean removed = run.tidyClosed();
            if (removed) {
                LOG.info("Node {} has removed old files of its log, because its disk is nearly full.", settings.name());
            }
            return removed;
        } catch (IOException e) {
            LOG.warn("Node {} could not remove old files of its log: {}", settings.name(), e.getMessage());
            return false;
        }
    }

    private void restart() {
        String full = disks.stillFull();
        if (full != null && hasMadeRoom()) {
            full = disks.stillFull();
        }
        if (full != null) {
            run.noteFault(full);
            pause.failed(nowMs());
            return;
        }
        restarts++;
        NodeHello leader = joining.leader();
        if (joining.isTakenOut(leader)) {
            stopAsTakenOut();
            return;
        }
        try {
            for (StoreReplica replica : replicas) {
                replica.dropParts();
                replica.store().reopen();
            }
            level.requireSupported(leader);
            succession.mended();
            run.start(leader);
            LOG.info("Node {} takes part in the cluster again.", settings.name());
        } catch (ServerRun.LostEntriesException e) {
            refuse(e);
        } catch (IOException | StoreException | RuntimeException e) {
            cannotStart(e);
        }
    }

    /** Closes a server that cannot start. The next attempt follows after a pause (CL-42). */
    void cannotStart(Exception cause) {
        run.noteFault(String.valueOf(cause.getMessage()));
        LOG.warn("Node {} cannot take part in the cluster yet, and tries again: {}", settings.name(), run.fault());
        run.close();
        pause.failed(nowMs());
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /**
     * Decides when a node that has stopped taking part tries again (CL-42): the first times at once, then after pauses that grow
     * up to {@value #PAUSE_MAX_MS} ms, because a fault may stay. Not thread-safe.
     */
    static final class RestartPause {
        static final long PAUSE_MS = 250;
        static final long PAUSE_MAX_MS = 8_000;

        private static final int TRIES_AT_ONCE = 3;
        private static final long WINDOW_MS = 10_000;

        private long windowStartMs;
        private int failures;
        private long pauseMs;
        private long nextMs;

        /** @param nowMs the time, on a clock that does not run back */
        RestartPause(long nowMs) {
            windowStartMs = nowMs;
            nextMs = nowMs;
        }

        /** Notes that the node has stopped, or could not start. */
        void failed(long nowMs) {
            if (nowMs - windowStartMs >= WINDOW_MS + pauseMs) {
                windowStartMs = nowMs;
                failures = 0;
                pauseMs = 0;
            }
            failures++;
            if (failures > TRIES_AT_ONCE) {
                pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, 2 * pauseMs));
                windowStartMs = nowMs;
            }
            nextMs = nowMs + pauseMs;
        }

        /** Returns whether the node should try again. */
        boolean isOver(long nowMs) {
            return nowMs - nextMs >= 0;
        }
    }
}
