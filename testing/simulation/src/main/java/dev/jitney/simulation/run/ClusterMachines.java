package dev.jitney.simulation.run;

import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.cluster.ClusterWatcher;
import dev.jitney.simulation.cluster.Leadership;
import dev.jitney.simulation.cluster.Plan;
import dev.jitney.simulation.cluster.SimulatedCluster;
import dev.jitney.simulation.disk.SimulatedCrash;
import dev.jitney.simulation.disk.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Three nodes that agree on one log. Clients use the broker of the newest leader. */
final class ClusterMachines implements Machines {
    private static final int NODES = 3;

    private final World world;
    private final SimulatedCluster cluster;
    private final OldLeaders old;
    private boolean started;
    private boolean orderly;

    /** True while a leader is elected. */
    private boolean changing;

    private final List<Late> late = new ArrayList<>();

    ClusterMachines(World world, int stores, SeededRandom random) {
        this.world = world;
        this.old = new OldLeaders(world);
        cluster = new SimulatedCluster(
                stores, new SeededRandom(random.nextLong()), world.time(), world.time()::pass, new Watcher());
    }

    private final class Watcher implements ClusterWatcher {
        @Override
        public void durable(int store, List<Write> writes) {
            if (started && !changing && world.process().stalled[store]) {
                late.add(new Late(store, writes));
            } else {
                world.durable(store, writes);
            }
        }

        @Override
        public void written(Leadership by, int store) {
            if (started && by == cluster.current()) {
                world.ledger().written(store);
            }
        }

        @Override
        public void fault(Leadership of) {
            if (started && of == cluster.current()) {
                world.ledger().disturb();
                for (int store = 0; store < world.stores(); store++) {
                    if (world.isTroubled(store)) {
                        world.ledger().storeIsNotBack(store);
                    }
                }
            }
        }

        @Override
        public void opened(Leadership by, int store) {
            if (by == cluster.current()) {
                world.ledger().storeIsBack(store);
            }
        }

        @Override
        public void stalls(Leadership by, int store) {
            if (by == cluster.current()) {
                try {
                    world.stalls(store);
                } finally {
                    reportLate(one -> one == store);
                }
            }
        }
    }

    private void reportLate(IntPredicate stores) {
        List<Late> reports = late.stream().filter(one -> stores.test(one.store)).toList();
        late.removeAll(reports);
        reports.forEach(one -> world.durable(one.store, one.writes));
    }

    /** A batch of a stalled commit that was agreed on together with later entries of another store. */
    private record Late(int store, List<Write> writes) {}

    @Override
    public Environment start() {
        if (started) {
            old.add(world.process(), cluster.current());
        }
        reportLate(store -> true);
        changing = true;
        Leadership leader = cluster.change(orderly);
        changing = false;
        started = true;
        orderly = false;
        world.ledger().setLease(() -> cluster.holdsLease(leader));
        return new Environment(leader.stores(), leader.clock());
    }

    @Override
    public void kill() {
        cluster.kill(cluster.current().nodeNumber());
    }

    @Override
    public void makeRoom() {
        cluster.heal();
    }

    @Override
    public void tick(SeededRandom random) {
        if (!cluster.isLeading() && random.perMille(60)) {
            world.replace();
        }
    }

    @Override
    public boolean isRunning() {
        return cluster.current().isRunning();
    }

    @Override
    public Object perform(Event event, SeededRandom random, int store) {
        int node = random.below(NODES);
        boolean follower = cluster.isFollower(node) && !old.isStalled(node);
        switch (event) {
            case KILL -> throw new SimulatedCrash();
            case KILL_IN_COMMIT -> {
                return plan(random.oneOf(Plan.KILL_UNSENT, Plan.KILL_SENT, Plan.KILL_AGREED));
            }
            case KILL_IN_READ -> cluster.failNextRead(store, true);
            case READ_FAILS -> cluster.failNextRead(store, false);
            case COMMIT_FAILS -> {
                return plan(random.oneOf(
                        Plan.REFUSE,
                        Plan.FREEZE,
                        Plan.CUT_OFF,
                        Plan.LOSE_ANSWER,
                        Plan.COME_BACK,
                        Plan.TWICE,
                        Plan.PART_WAY,
                        Plan.PART_LOST,
                        Plan.APPLY_FAILS));
            }
            case STALL -> {
                return plan(Plan.STALL);
            }
            case FILL_DISK -> cluster.fill(node, true);
            case MAKE_ROOM -> cluster.fill(node, false);
            case TURN_BACK_CLOCK, SET_CLOCK -> cluster.setClock(node);
            case KILL_NODE -> {
                if (follower) {
                    old.killed(node);
                    cluster.kill(node);
                }
            }
            case FREEZE -> cluster.freeze(node);
            case CUT_OFF -> cluster.cutOff(node);
            case WIPE -> {
                if (follower) {
                    old.killed(node);
                    cluster.wipe(node);
                }
            }
            case REMOVE_MEMBER -> {
                if (follower && !world.isStalled() && cluster.remove(node)) {
                    old.killed(node);
                    cluster.discard(node);
                }
            }
            case ADD_MEMBER -> {
                if (!world.isStalled()) {
                    cluster.add(node);
                }
            }
            case REPAIR -> {
                cluster.repair(node);
                cluster.join(node);
            }
            case HAND_OVER -> {
                if (cluster.isLeading() && !world.isStalled()) {
                    orderly = true;
                    world.replace();
                }
            }
            case FOLLOW -> cluster.follow();
            case MAINTAIN -> cluster.maintain(node);
            case VERIFY -> cluster.verify();
            case OLD_LEADER -> {
                return old.perform(random);
            }
            default -> {
                return "";
            }
        }
        return "node " + node + ", " + cluster.current() + ", " + world.clock();
    }

    private Plan plan(Plan plan) {
        cluster.plan(plan);
        return plan;
    }

    @Override
    public void heal() {
        cluster.heal();
        old.end();
        world.replace();
    }

    @Override
    public void verify() {
        for (int node = 0; node < NODES; node++) {
            cluster.add(node);
        }
        cluster.verify();
    }
}
