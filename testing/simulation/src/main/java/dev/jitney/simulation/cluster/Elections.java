package dev.jitney.simulation.cluster;

import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import java.util.List;
import java.util.function.LongConsumer;

/** The elections of leaders. A leader is ready when its node has applied all entries of earlier terms (CL-11). */
final class Elections {
    /** The number of checkpoints after which one certainly arrives. */
    private static final int INSTALLS_MAX = 100;

    private static final long SPREAD_MS = 600;

    private final Network network;
    private final Replication replication;
    private final SeededRandom random;
    private final AgreedLog agreed;
    private final LongConsumer pass;
    private long terms;

    /** @param pass lets this number of milliseconds pass */
    Elections(Network network, Replication replication, SeededRandom random, AgreedLog agreed, LongConsumer pass) {
        this.network = network;
        this.replication = replication;
        this.random = random;
        this.agreed = agreed;
        this.pass = pass;
    }

    /**
     * Elects a leader, and others if it fails before it is ready.
     *
     * @param orderly whether the former leader hands over (CL-15), so that no time passes without one
     * @return the node that leads and is ready
     */
    SimulatedNode electReady(boolean orderly) {
        while (true) {
            SimulatedNode candidate = candidate();
            if (!orderly || random.perMille(100)) {
                pass.accept(quietMs(candidate) + random.between(0, SPREAD_MS));
                network.touch();
            }
            elect(candidate);
            if (random.perMille(300)) {
                failBeforeReady(candidate);
            } else {
                makeReady(candidate);
                return candidate;
            }
        }
    }

    /** Returns a node that a majority can vote for. Repairs nodes until there is one. */
    private SimulatedNode candidate() {
        while (true) {
            List<SimulatedNode> able =
                    network.nodes().stream().filter(this::mayWin).toList();
            if (!able.isEmpty()) {
                return able.get(random.below(able.size()));
            }
            Network.repair(network.nodes().get(random.below(network.nodes().size())));
        }
    }

    private boolean mayWin(SimulatedNode candidate) {
        Members members = Network.members(candidate);
        return candidate.isRunning()
                && members.identities().contains(candidate.identity)
                && network.isMajority(members, node -> mayVote(node, candidate));
    }

    private static boolean mayVote(SimulatedNode node, SimulatedNode candidate) {
        long term = node.log.lastTerm();
        long candidateTerm = candidate.log.lastTerm();
        return Network.reaches(candidate, node)
                && (term < candidateTerm || term == candidateTerm && node.log.last() <= candidate.log.last());
    }

    /** Returns the time until nodes vote because no leader has sent them anything for long enough. */
    private long quietMs(SimulatedNode candidate) {
        long heardMs = 0;
        for (SimulatedNode node : network.nodes()) {
            heardMs = Network.reaches(candidate, node) ? Math.max(heardMs, node.heardMs) : heardMs;
        }
        return Math.max(0, heardMs + Network.ELECTION_MS - network.nowMs());
    }

    /** Lets a majority vote for a node. */
    void elect(SimulatedNode candidate) {
        terms += 1 + random.below(2);
        for (SimulatedNode node : network.nodes()) {
            if (mayVote(node, candidate)) {
                node.term = terms;
                node.leads = 0;
            }
        }
        candidate.leads = terms;
        candidate.matches.clear();
    }

    /** Kills a new leader before or while the others get its first entry. */
    private void failBeforeReady(SimulatedNode leader) {
        Replication.append(leader, first(leader));
        long before = leader.log.last() - 1;
        for (SimulatedNode node : network.nodes()) {
            if (random.perMille(400)) {
                replication.replicate(leader, node, random.perMille(500) ? before : leader.log.last());
                replication.advance(leader);
            }
        }
        leader.kill(random);
        if (random.perMille(500)) {
            leader.restart();
        }
    }

    /** Returns the first entry of a leader. The very first one names the members. */
    static Logged first(SimulatedNode leader) {
        return leader.log.last() == 0
                ? Logged.members(leader.leads, leader.log.members(0))
                : Logged.first(leader.leads);
    }

    /** Lets a leader agree on its first entry and apply all before it. The nodes that voted for it suffice. */
    private void makeReady(SimulatedNode leader) {
        agreed.requireAll(leader);
        Replication.append(leader, first(leader));
        for (int i = 0; i < INSTALLS_MAX && leader.commit < leader.log.last(); i++) {
            network.nodes().forEach(node -> replication.replicate(leader, node));
            replication.advance(leader);
        }
        leader.heal();
        replication.apply(leader);
        if (leader.applied() != leader.log.last()) {
            throw new Violation("Expected the new leader " + leader + " to apply all entries, but it has applied "
                    + leader.applied() + " of " + leader.log.last() + ".");
        }
        agreed.requireEqual(leader);
        network.touch();
    }
}
