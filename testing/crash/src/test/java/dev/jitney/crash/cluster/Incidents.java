package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.mixed.Kills;
import dev.jitney.crash.mixed.MixedClients;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Interposed;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterView;
import dev.jitney.testing.process.NodeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The way each {@link Incident} happens to a cluster. Used by one thread. */
final class Incidents {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The time for which a frozen or dead majority is watched: longer than an election, which begins after 1.6 s at most. */
    private static final int WATCH_MS = 2_500;

    /** The longest time without service while one follower is slow. */
    private static final long PAUSE_MS_MAX = 5_000;

    private static final int MOVES_MAX = 10;

    private final ClusterProcesses cluster;
    private final FailoverProbe probe;
    private final Kills kills;
    private final Supplier<MixedClients> clients;
    private final List<LogDisk> disks;
    private final List<Interposed> systems;
    private final FailoverTimes times;
    private final Random random;

    /**
     * @param clients the current clients
     * @param disks the disk for the log of each node, or none
     * @param systems the library between each node and its system, or none
     */
    Incidents(
            ClusterProcesses cluster,
            FailoverProbe probe,
            Kills kills,
            Supplier<MixedClients> clients,
            List<LogDisk> disks,
            List<Interposed> systems,
            FailoverTimes times,
            Random random) {
        this.cluster = cluster;
        this.probe = probe;
        this.kills = kills;
        this.clients = clients;
        this.disks = disks;
        this.systems = systems;
        this.times = times;
        this.random = random;
    }

    /** Lets an incident happen, and returns when clients are served again and all nodes run, not all of them in sync yet. */
    void perform(Incident incident) throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        NodeProcess follower = otherThan(List.of(leader));
        NodeProcess third = otherThan(List.of(leader, follower));
        // The probe waits at a node that stays well.
        probe.use(
                switch (incident) {
                    case KILL_FOLLOWER,
                            FREEZE_FOLLOWER,
                            WIPE_FOLLOWER,
                            DAMAGED_LOG,
                            FULL_LOG_DISK,
                            FULL_LOG_DISKS,
                            FULL_NEXT_LEADER_LOG_DISK,
                            SLOW_FOLLOWER_DISK,
                            SLOW_DISKS -> third.clientPort();
                    default -> follower.clientPort();
                });
        Eventually.until("the probe sends", PATIENCE, this::probeSends);
        switch (incident) {
            case KILL_LEADER -> {
                probe.measure();
                killLeader(leader);
                long endedNanos = System.nanoTime();
                if (random.nextInt(3) == 0) {
                    cluster.launch(leader);
                }
                times.add(incident, awaitService(endedNanos));
            }
            case KILL_FOLLOWER -> follower.kill();
            case FREEZE_FOLLOWER -> freezeFollower(follower);
            case WIPE_FOLLOWER -> {
                follower.kill();
                follower.wipe();
            }
            case DAMAGED_LOG -> damageLog(follower);
            case FULL_LOG_DISK -> fillLogDisk(follower);
            case FULL_LEADER_LOG_DISK -> fillLeaderLogDisk(leader);
            case FULL_LOG_DISKS -> fillLogDisks(leader, follower);
            case FULL_NEXT_LEADER_LOG_DISK -> fillNextLeaderLogDisk(leader, follower);
            case SLOW_LEADER_DISK -> slowDown(incident, List.of(leader));
            case SLOW_FOLLOWER_DISK -> slowDown(incident, List.of(follower));
            case SLOW_DISKS -> slowDown(incident, List.of(leader, follower));
            case KILL_TWO -> killTwo(leader);
            case KILL_ALL -> {
                killLeader(leader);
                follower.kill();
                third.kill();
                probe.majority(false);
                pause(random.nextInt(1_000));
                probe.majority(true);
            }
            case FREEZE_LEADER -> freeze(leader);
            case STOP_LEADER -> {
                probe.measure();
                assertThat(leader.terminate()).as("exit status after SIGTERM").isZero();
                times.add(incident, awaitService(System.nanoTime()));
            }
            case MOVE_LEADER -> {
                probe.measure();
                moveTo(follower);
                times.add(incident, awaitService(System.nanoTime()));
            }
        }
        cluster.launchAll();
    }

    /** Kills a node that leads. Its locks end with it. */
    void killLeader(NodeProcess leader) throws InterruptedException {
        ClusterView view = leader.view();
        boolean leads = view != null && leader.name().equals(view.leader());
        leader.kill();
        if (leads) {
            kills.leaderLost();
        }
        clients.get().endHolds();
    }

    private void killTwo(NodeProcess leader) throws Exception {
        killLeader(leader);
        NodeProcess next = cluster.awaitLeader(PATIENCE);
        pause(random.nextInt(1_000));
        next.kill();
        // A response may still be on its way to the probe.
        pause(500);
        probe.majority(false);
        pause(WATCH_MS);
        probe.majority(true);
    }

    private void freeze(NodeProcess leader) throws Exception {
        probe.measure();
        leader.freeze();
        long frozenMs = System.currentTimeMillis();
        Eventually.until("another node leads", PATIENCE, () -> {
            ClusterView view = cluster.view();
            return view != null && !leader.name().equals(view.leader());
        });
        kills.leaderLostAt(frozenMs);
        times.add(Incident.FREEZE_LEADER, awaitService(System.nanoTime()));
        pause(random.nextInt(WATCH_MS));
        leader.thaw();
    }

    private void freezeFollower(NodeProcess follower) throws Exception {
        follower.freeze();
        long frozenNanos = System.nanoTime();
        pause(random.nextInt(2 * WATCH_MS));
        awaitService(frozenNanos);
        follower.thaw();
    }

    /** Damages the log of a follower, which then takes no part and removes nothing, until an operator empties its disk. */
    private void damageLog(NodeProcess follower) throws Exception {
        follower.kill();
        LogDamage damage = LogDamage.to(follower, random);
        cluster.launch(follower);
        Eventually.until(
                follower.name() + " says that it takes no part because of its log", PATIENCE, () -> refuses(follower));
        awaitService(System.nanoTime());
        assertThat(refuses(follower)).as(follower.health() + follower.errors()).isTrue();
        assertThat(damage.isThere())
                .as("the damaged log file is there, unchanged: " + damage.file())
                .isTrue();
        follower.kill();
        follower.wipe();
    }

    private static boolean refuses(NodeProcess node) {
        return node.isAlive() && !node.isServing() && node.health().contains("takes no part");
    }

    private LogDisk disk(NodeProcess node) {
        return disks.get(cluster.nodes().indexOf(node));
    }

    /** Fills the disk of the log of a follower, which then takes no part, and makes room again. */
    private void fillLogDisk(NodeProcess follower) throws Exception {
        LogDisk disk = disk(follower);
        disk.fill();
        try {
            Eventually.until(
                    follower.name() + " says that it takes no part because its disk is full",
                    PATIENCE,
                    () -> refuses(follower));
            awaitService(System.nanoTime());
            pause(random.nextInt(1_000));
        } finally {
            disk.free();
        }
    }

    /** Fills the disk of the log of the leader. The others have room, so another node leads and takes messages. */
    private void fillLeaderLogDisk(NodeProcess leader) throws Exception {
        LogDisk disk = disk(leader);
        clients.get().errors().mayBeFull(true);
        probe.measure();
        disk.fill();
        long fullMs = System.currentTimeMillis();
        try {
            Eventually.until("another node leads", PATIENCE, () -> {
                ClusterView view = cluster.view();
                return view != null && !leader.name().equals(view.leader());
            });
            kills.leaderLostAt(fullMs);
            times.add(Incident.FULL_LEADER_LOG_DISK, awaitService(System.nanoTime()));
            pause(random.nextInt(1_000));
        } finally {
            disk.free();
            clients.get().errors().mayBeFull(false);
        }
    }

    /** Fills the disks of two logs, so that the cluster may refuse messages until there is room. */
    private void fillLogDisks(NodeProcess leader, NodeProcess follower) throws Exception {
        clients.get().errors().mayBeFull(true);
        disk(leader).fill();
        disk(follower).fill();
        try {
            pause(WATCH_MS + random.nextInt(2 * WATCH_MS));
        } finally {
            disk(leader).free();
            disk(follower).free();
        }
        awaitService(System.nanoTime());
        clients.get().errors().mayBeFull(false);
    }

    /** Fills the disk of the log of a follower, and moves the leadership to it before it notices. */
    private void fillNextLeaderLogDisk(NodeProcess leader, NodeProcess follower) throws Exception {
        clients.get().errors().mayBeFull(true);
        disk(follower).fill();
        long fullMs = System.currentTimeMillis();
        ClusterView before = leader.view();
        String refusal = leader.lead(follower.name());
        System.out.println("     the leadership was " + (refusal.isEmpty() ? "moved" : "not moved: " + refusal));
        try {
            pause(random.nextInt(WATCH_MS));
        } finally {
            disk(follower).free();
        }
        awaitService(System.nanoTime());
        ClusterView after = cluster.view();
        if (before != null && after != null && after.term() > before.term()) {
            kills.leaderLostAt(fullMs);
        }
        clients.get().errors().mayBeFull(false);
    }

    /** Lets each sync of some nodes take long for some seconds. */
    private void slowDown(Incident incident, List<NodeProcess> nodes) throws Exception {
        List<Interposed> slow = nodes.stream()
                .map(node -> systems.get(cluster.nodes().indexOf(node)))
                .toList();
        Duration each = Duration.ofMillis(200L + random.nextInt(800));
        probe.measure();
        slow.forEach(system -> system.syncsTake(each));
        try {
            pause(WATCH_MS + random.nextInt(WATCH_MS));
            long pauseNanos = awaitService(System.nanoTime());
            times.add(incident, pauseNanos);
            if (incident == Incident.SLOW_FOLLOWER_DISK) {
                assertThat(TimeUnit.NANOSECONDS.toMillis(pauseNanos))
                        .as("milliseconds without service beside a follower whose syncs take %s (CL-44)", each)
                        .isLessThan(PAUSE_MS_MAX);
            } else if (random.nextInt(3) == 0) {
                killLeader(nodes.get(0));
            }
        } finally {
            slow.forEach(system -> system.syncsTake(Duration.ZERO));
        }
        awaitService(System.nanoTime());
    }

    /** Moves the leadership like an operator, who tries again when the node is not at the same position as the leader. */
    private void moveTo(NodeProcess follower) throws Exception {
        for (int attempt = 1; attempt <= MOVES_MAX && !leads(follower); attempt++) {
            String refusal = cluster.awaitLeader(PATIENCE).lead(follower.name());
            if (!refusal.isEmpty()) {
                System.out.println("     the leadership was not moved: " + refusal);
            }
        }
        Eventually.until(follower.name() + " leads", PATIENCE, () -> leads(follower));
    }

    private boolean leads(NodeProcess node) {
        ClusterView view = cluster.view();
        return view != null && node.name().equals(view.leader());
    }

    private boolean probeSends() {
        return System.nanoTime() - probe.lastAcceptedNanos() < TimeUnit.MILLISECONDS.toNanos(200);
    }

    /**
     * Waits for an accepted send of the probe.
     *
     * @param sinceNanos a time after which the old leader accepts nothing
     * @return the longest time between two accepted sends, which includes the failover
     */
    private long awaitService(long sinceNanos) throws Exception {
        // A send that was accepted just before the end of a leader may be recorded just after it.
        long graceNanos = TimeUnit.MILLISECONDS.toNanos(100);
        Eventually.until("the probe sends again", PATIENCE, () -> probe.lastAcceptedNanos() - sinceNanos > graceNanos);
        return probe.longestPauseNanos();
    }

    private NodeProcess otherThan(List<NodeProcess> taken) {
        List<NodeProcess> rest =
                cluster.nodes().stream().filter(node -> !taken.contains(node)).toList();
        return rest.get(random.nextInt(rest.size()));
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
