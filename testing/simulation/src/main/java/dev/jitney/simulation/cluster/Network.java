package dev.jitney.simulation.cluster;

import dev.jitney.runtime.Clock;
import dev.jitney.simulation.SeededRandom;
import java.util.List;
import java.util.function.Predicate;

/**
 * The nodes and the network between them: who reaches whom, and when they last had contact. Leaders send heartbeats all the
 * time.
 */
final class Network {
    /** The shortest time without a leader after which nodes vote for another one. */
    static final long ELECTION_MS = 1_000;

    /** The time for which a leader may release outputs after a majority has answered (CL-9). */
    private static final long LEASE_MS = ELECTION_MS * 9 / 10;

    private final List<SimulatedNode> nodes;
    private final SeededRandom random;
    private final Clock time;

    Network(List<SimulatedNode> nodes, SeededRandom random, Clock time) {
        this.nodes = nodes;
        this.random = random;
        this.time = time;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    /** Returns the true time in milliseconds since the epoch. */
    long nowMs() {
        return time.nowMs();
    }

    /** Notes the contacts of leaders with other nodes up to now. Called before the network or a process changes. */
    void touch() {
        for (SimulatedNode leader : nodes) {
            if (leader.leads == 0 || !leader.isRunning()) {
                continue;
            }
            for (SimulatedNode node : nodes) {
                if (node != leader && reaches(leader, node)) {
                    if (node.term <= leader.leads) {
                        node.heardMs = time.nowMs();
                    } else if (random.perMille(300)) {
                        leader.leads = 0; // otherwise it gets to know later
                    }
                }
            }
            if (leader.leads != 0 && reachesMajority(leader)) {
                leader.contactMs = time.nowMs();
            }
        }
    }

    static boolean reaches(SimulatedNode from, SimulatedNode to) {
        return from.isRunning() && to.isRunning() && (from == to || !from.cutOff && !to.cutOff);
    }

    /** Returns whether a majority answers a leader. */
    boolean reachesMajority(SimulatedNode leader) {
        return isMajority(members(leader), node -> reaches(leader, node) && node.term <= leader.leads);
    }

    /** Returns whether a majority has answered a leader so recently that no other node can lead yet (CL-9). */
    boolean holdsLease(SimulatedNode node, long term) {
        touch();
        return node.leads == term && time.nowMs() - node.contactMs < LEASE_MS;
    }

    /** Returns the members by the log of a node: the last ones that it has, whether agreed on or not. */
    static Members members(SimulatedNode node) {
        return node.log.members(node.log.last());
    }

    boolean isMajority(Members members, Predicate<SimulatedNode> counts) {
        return members.isMajority(
                identity -> nodes.stream().anyMatch(node -> node.identity == identity && counts.test(node)));
    }

    /** Restarts, continues or connects a node. */
    static void repair(SimulatedNode node) {
        switch (node.state) {
            case DOWN -> node.restart();
            case FROZEN -> node.state = SimulatedNode.State.RUNNING;
            case RUNNING -> node.cutOff = false;
        }
    }
}
