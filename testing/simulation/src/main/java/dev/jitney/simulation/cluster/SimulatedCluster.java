package dev.jitney.simulation.cluster;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.TermEndedException;
import dev.jitney.runtime.Clock;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes with a log that they agree on by the rules of Raft. Everything that takes several messages happens in one call:
 * an election, or the way of an entry to the other nodes. The simulator decides which messages arrive, who fails in the
 * middle, and when a node notices. For one thread.
 */
public final class SimulatedCluster {
    private static final int NODES = 3;

    /** The largest difference of a node's clock from the true time. */
    private static final long CLOCK_MS = 100_000;

    private final SeededRandom random;
    private final ClusterWatcher watcher;
    private final AgreedLog agreed;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    /** The nodes that were taken out, by number. */
    private final Set<Integer> out = new HashSet<>();

    private final Network network;
    private final Replication replication;
    private final Elections elections;
    private final Proposals proposals;
    private long identities;
    private @Nullable Leadership current;

    /**
     * @param time the true time, which never runs back
     * @param pass lets this number of milliseconds pass
     */
    public SimulatedCluster(int stores, SeededRandom random, Clock time, LongConsumer pass, ClusterWatcher watcher) {
        this.random = random;
        this.watcher = watcher;
        agreed = new AgreedLog(stores, (writes, store) -> watcher.durable(store, writes));
        Members founders = new Members(Set.of(1L, 2L, 3L), null);
        for (int i = 0; i < NODES; i++) {
            NodeClock clock = new NodeClock(time);
            clock.set(random.between(-CLOCK_MS, CLOCK_MS));
            nodes.add(new SimulatedNode(i, ++identities, stores, founders, clock, this::readFails));
        }
        network = new Network(nodes, random, time);
        replication = new Replication(network, random, agreed, this::opensAgain);
        elections = new Elections(network, replication, random, agreed, pass);
        proposals = new Proposals(network, elections, replication, random, watcher, from -> from == current);
    }

    private void readFails(SimulatedNode node) {
        Leadership leadership = current;
        if (leadership != null && leadership.node == node) {
            watcher.fault(leadership);
        }
    }

    private void opensAgain(SimulatedNode node) {
        Leadership leadership = current;
        if (leadership != null && leadership.node == node) {
            leadership.end();
        }
    }

    // --- leaders ---

    /** Returns the leadership of the newest broker. */
    public Leadership current() {
        if (current == null) {
            throw new IllegalStateException("Expected a leader, but none was elected.");
        }
        return current;
    }

    /** Returns whether the node of the newest broker leads, and is connected with a majority. */
    public boolean isLeading() {
        Leadership leadership = current();
        SimulatedNode node = leadership.node;
        return !leadership.hasFailed
                && node.leads == leadership.term()
                && node.isRunning()
                && network.reachesMajority(node);
    }

    /** Returns whether a node is not the one of the newest broker. */
    public boolean isFollower(int number) {
        return current().node.number != number;
    }

    /**
     * Elects another leader, or the same one again. All entries of earlier terms are applied when it returns (CL-11).
     *
     * @param orderly whether the leader hands over (CL-15), so that no time passes without one
     */
    public Leadership change(boolean orderly) {
        proposals.plan(Plan.NOTHING);
        network.touch();
        if (current != null && current.node.isRunning() && !current.node.cutOff) {
            current.node.leads = 0;
        }
        SimulatedNode leader = elections.electReady(orderly);
        Leadership next = new Leadership(this, leader, leader.leads);
        if (next.clock().steady().nowMs() < agreed.timeMs()) {
            throw new Violation("CL-13: Expected the time of " + next + " to start at " + agreed.timeMs()
                    + " or later, but it starts at " + next.clock().steady().nowMs() + ".");
        }
        current = next;
        return next;
    }

    /** Returns whether a leader may release outputs: no other node can lead yet (CL-9). */
    public boolean holdsLease(Leadership from) {
        return network.holdsLease(from.node, from.term());
    }

    // --- faults and repairs ---

    /** Sets the fault for the next commit of the newest broker. */
    public void plan(Plan next) {
        proposals.plan(next);
    }

    /** Kills the process of a node. It stays down until it is repaired. */
    public void kill(int number) {
        network.touch();
        nodes.get(number).kill(random);
    }

    /** Stops the process of a node, which does not notice it. */
    public void freeze(int number) {
        network.touch();
        if (nodes.get(number).isRunning()) {
            nodes.get(number).state = SimulatedNode.State.FROZEN;
        }
    }

    /** Disconnects a node from the others. */
    public void cutOff(int number) {
        network.touch();
        nodes.get(number).cutOff = true;
    }

    /** Restarts, continues or connects a node. */
    public void repair(int number) {
        network.touch();
        Network.repair(nodes.get(number));
    }

    /** Repairs all nodes and removes all planned faults. */
    public void heal() {
        proposals.plan(Plan.NOTHING);
        network.touch();
        for (SimulatedNode node : nodes) {
            while (!node.isRunning() || node.cutOff) {
                Network.repair(node);
            }
            node.heal();
        }
    }

    /** Sets the clock of a node. */
    public void setClock(int number) {
        nodes.get(number).clock.set(random.between(-CLOCK_MS, CLOCK_MS));
    }

    /** Fills the disk of a node, or gives it room. */
    public void fill(int number, boolean full) {
        SimulatedNode node = nodes.get(number);
        for (int store = 0; store < node.stores(); store++) {
            node.replica(store).fill(full);
        }
    }

    /** Makes the next read of the leader's copy fail, or kills the process during that read. */
    public void failNextRead(int store, boolean kill) {
        current().node.replica(store).failNextRead(kill);
    }

    // --- members ---

    /** Throws the disk of a node away, unless another node without a disk has not joined yet. */
    public void wipe(int number) {
        network.touch();
        SimulatedNode lost = nodes.get(number);
        if (nodes.stream().allMatch(node -> node == lost || isMember(node))) {
            lost.kill(random);
            lost.wipe(++identities);
        }
    }

    private boolean isMember(SimulatedNode node) {
        return Network.members(current().node).identities().contains(node.identity);
    }

    /**
     * Takes a follower out (CL-55), unless another node is no member either. Two members remain, and both of them are a majority.
     *
     * @return whether that is agreed on, so that the node may be discarded
     */
    public boolean remove(int number) {
        network.touch();
        SimulatedNode node = nodes.get(number);
        SimulatedNode leader = current().node;
        if (!isLeading() || node == leader || !nodes.stream().allMatch(this::isMember)) {
            return false;
        }
        Set<Long> before = Network.members(leader).identities();
        Set<Long> after = before.stream().filter(one -> one != node.identity).collect(Collectors.toSet());
        return changeMembers(leader, new Members(after, before)) && changeMembers(leader, new Members(after, null));
    }

    /** Throws the disk of a node away that was taken out. It stays out until it is added. */
    public void discard(int number) {
        SimulatedNode node = nodes.get(number);
        node.kill(random);
        node.wipe(++identities);
        out.add(number);
    }

    /** Lets a node that was taken out, or has lost its disk, take part as a new member (CL-51, CL-55). */
    public void add(int number) {
        out.remove(number);
        join(number);
    }

    /** Lets a node that has a new identity take part, if the leader can (CL-51). */
    public void join(int number) {
        network.touch();
        SimulatedNode node = nodes.get(number);
        SimulatedNode leader = current().node;
        if (!out.contains(number) && isLeading() && !isMember(node) && replication.replicate(leader, node)) {
            Set<Long> before = Network.members(leader).identities();
            Set<Long> after = nodes.stream().map(one -> one.identity).collect(Collectors.toSet());
            if (changeMembers(leader, new Members(after, before))) {
                changeMembers(leader, new Members(after, null));
            }
        }
    }

    /** Returns whether the change was agreed on. */
    private boolean changeMembers(SimulatedNode leader, Members members) {
        Replication.append(leader, Logged.members(leader.leads, members));
        nodes.forEach(node -> replication.replicate(leader, node));
        replication.advance(leader);
        return leader.commit == leader.log.last();
    }

    // --- logs and copies ---

    /** Brings followers up to date, some with the news about agreed entries. */
    public void follow() {
        network.touch();
        SimulatedNode leader = current().node;
        for (SimulatedNode node : nodes) {
            boolean sends = leader.leads != 0 && node != leader && random.perMille(700);
            if (sends && replication.replicate(leader, node)) {
                replication.learn(leader, node);
            }
        }
    }

    /** Writes recent rows of a node to table files, and removes entries of its log. */
    public void maintain(int number) {
        SimulatedNode node = nodes.get(number);
        if (node.isRunning()) {
            for (int store = 0; store < node.stores(); store++) {
                if (random.perMille(600)) {
                    node.flush(store);
                }
            }
            if (random.perMille(600)) {
                node.purge(random.between(node.log.start(), node.log.last()));
            }
        }
    }

    /** Brings all connected nodes up to date, and compares all rows of all tables (CL-85). */
    public void verify() {
        network.touch();
        SimulatedNode leader = current().node;
        if (!isLeading()) {
            return;
        }
        for (SimulatedNode node : nodes) {
            if (node == leader || replication.replicate(leader, node)) {
                node.commit = Math.max(node.commit, Math.min(leader.commit, node.log.last()));
                replication.apply(node);
                if (node.applied() == agreed.last()) {
                    agreed.requireEqual(node);
                }
            }
        }
    }

    // --- used by leaderships ---

    CompletionStage<StoreReplica.Result> append(Leadership from, List<byte[]> entries) {
        return proposals.append(from, entries);
    }

    void opened(Leadership by, int store) {
        watcher.opened(by, store);
    }

    void requireLease(Leadership from) throws TermEndedException {
        if (!holdsLease(from)) {
            proposals.fail(from);
            throw new TermEndedException("The node has lost its lease.");
        }
    }

    boolean acceptsGrowth(Leadership from) {
        boolean accepts = network.isMajority(
                Network.members(from.node),
                node -> node == from.node
                        || Network.reaches(from.node, node) && !node.replica(0).isFull());
        if (!accepts) {
            watcher.fault(from);
        }
        return accepts;
    }
}
