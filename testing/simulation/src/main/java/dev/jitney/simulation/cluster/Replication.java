package dev.jitney.simulation.cluster;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The way of entries from the log of a leader to the logs of the other nodes, and into the copies of the stores. */
final class Replication {
    private final Network network;
    private final SeededRandom random;
    private final AgreedLog agreed;
    private final Consumer<SimulatedNode> onOpenAgain;

    /** @param onOpenAgain is called before a node opens its copies again, so that no broker reads them any more */
    Replication(Network network, SeededRandom random, AgreedLog agreed, Consumer<SimulatedNode> onOpenAgain) {
        this.network = network;
        this.random = random;
        this.agreed = agreed;
        this.onOpenAgain = onOpenAgain;
    }

    /** Adds an entry to the log of a leader. */
    static void append(SimulatedNode leader, Logged entry) {
        leader.log.append(entry);
        sync(leader);
    }

    /** Syncs the log of a leader. */
    static void sync(SimulatedNode leader) {
        leader.log.sync();
        leader.matches.put(leader.identity, leader.log.last());
    }

    /** Sends a node all entries of a leader that it lacks, or a checkpoint. Returns whether the node has them all now. */
    boolean replicate(SimulatedNode leader, SimulatedNode node) {
        return replicate(leader, node, leader.log.last());
    }

    /** Sends a node the entries of a leader up to an index. */
    boolean replicate(SimulatedNode leader, SimulatedNode node, long upTo) {
        if (node == leader || !Network.reaches(leader, node) || leader.leads == 0) {
            return node == leader;
        }
        if (node.term > leader.leads) {
            leader.leads = 0;
            return false;
        }
        node.term = leader.leads;
        node.leads = 0;
        node.heardMs = network.nowMs();
        long same = Math.min(leader.log.last(), node.log.last());
        long start = Math.max(leader.log.start(), node.log.start());
        while (same > start && leader.log.term(same) != node.log.term(same)) {
            same--;
        }
        if (same < leader.log.start() || leader.log.term(same) != node.log.term(same)) {
            if (!install(leader, node)) {
                return false;
            }
            same = node.log.last();
        }
        // Entries behind the last one that is sent may differ.
        if (same < Math.min(node.log.last(), upTo)) {
            if (same < node.commit) {
                throw new Violation("CL-1: Expected " + node + " to keep its agreed entries up to " + node.commit
                        + ", but the leader " + leader + " has others from " + (same + 1) + ".");
            }
            node.log.truncate(same);
        }
        for (long index = node.log.last() + 1; index <= upTo; index++) {
            node.log.append(leader.log.get(index));
        }
        node.log.sync();
        leader.matches.merge(node.identity, Math.max(same, upTo), Math::max);
        return true;
    }

    /** Sends a checkpoint. Sometimes the node is killed when it has replaced some stores. */
    private boolean install(SimulatedNode leader, SimulatedNode node) {
        int count = random.perMille(200) ? random.below(node.stores()) : node.stores();
        node.install(leader, count);
        if (count == node.stores()) {
            return true;
        }
        node.kill(random);
        node.restart();
        return false;
    }

    /** Lets a leader count which entries a majority has, and agrees on them. Only entries of its own term count. */
    void advance(SimulatedNode leader) {
        for (long index = leader.log.last(); index > leader.commit && leader.log.term(index) == leader.leads; index--) {
            long at = index;
            Predicate<SimulatedNode> has = node -> leader.matches.getOrDefault(node.identity, 0L) >= at;
            if (network.isMajority(Network.members(leader), has)) {
                while (leader.commit < index) {
                    leader.commit++;
                    agreed.agree(leader.commit, leader.log.get(leader.commit), leader);
                }
                leader.contactMs = network.nowMs();
                return;
            }
        }
    }

    /** Sends a follower the news that entries are agreed on. */
    void learn(SimulatedNode leader, SimulatedNode node) {
        if (random.perMille(500)) {
            node.commit = Math.max(node.commit, Math.min(leader.commit, node.log.last()));
            apply(node);
        }
    }

    /** Applies the entries that a node knows to be agreed on. */
    void apply(SimulatedNode node) {
        try {
            node.apply(node.commit, agreed);
        } catch (StoreException e) {
            openAgain(node);
        }
    }

    /** Returns the result of an entry, or null if the copies of the leader fail. */
    StoreReplica.@Nullable Result applyAsLeader(SimulatedNode leader, long index) {
        try {
            boolean applied = index <= leader.applied();
            StoreReplica.Result result = leader.apply(index, agreed);
            return applied ? agreed.effect(index) : result;
        } catch (StoreException e) {
            openAgain(leader);
            return null;
        }
    }

    /** Opens the log and the copies of a node again after a fault (CL-42). Nothing of an earlier term may read them. */
    private void openAgain(SimulatedNode node) {
        node.log.sync();
        onOpenAgain.accept(node);
        node.kill(random);
        node.restart();
    }

    /** Brings the first entries of a batch to a majority. */
    void spread(SimulatedNode leader, long upTo) {
        sync(leader);
        for (SimulatedNode node : network.nodes()) {
            if (replicate(leader, node, upTo)) {
                advance(leader);
                learn(leader, node);
            }
        }
        applyAsLeader(leader, leader.commit);
    }

    /** Sends the entries up to an index to some nodes. */
    void sendToSome(SimulatedNode leader, long some) {
        if (random.perMille(500)) {
            leader.log.sync();
        }
        for (SimulatedNode node : network.nodes()) {
            if (random.perMille(400)) {
                replicate(leader, node, Math.max(some, leader.commit));
            }
        }
    }
}
