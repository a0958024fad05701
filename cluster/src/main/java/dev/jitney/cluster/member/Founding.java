package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a node with an empty directory into a cluster (CL-51). It sends a request to all other members. If one belongs to a cluster, the
 * node belongs to it, too: as a founder if it is one of its members, otherwise it joins. If all say that they are empty, the
 * node that is named first founds the cluster, and its members are the identities that have answered. If one does not answer,
 * the node waits.
 */
final class Founding {
    private final ClusterSettings settings;
    private final NodeLink link;
    private final Supplier<NodeHello> self;

    Founding(ClusterSettings settings, NodeLink link, Supplier<NodeHello> self) {
        this.settings = settings;
        this.link = link;
        this.self = self;
    }

    /**
     * The result of an attempt.
     *
     * @param membership the membership with a cluster, or null if the node has to wait
     * @param waiting    what it waits for
     */
    record Outcome(@Nullable Membership membership, String waiting) {}

    /** Sends one request to each of the others. */
    Outcome attempt(Membership own) {
        List<NodeHello> answers = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        NodeHello hello = self.get();
        for (ClusterMember member : settings.members()) {
            if (member.name().equals(settings.name())) {
                continue;
            }
            try {
                NodeHello answer = NodeHello.parse(link.ask(member, NodeLink.HELLO, hello.bytes()));
                if (!answer.name().equals(member.name())) {
                    return waiting("Expected node '" + member.name() + "' at " + member.host() + ":" + member.nodePort()
                            + ", but '" + answer.name() + "' answers there. Check --cluster-nodes.");
                }
                answers.add(answer);
            } catch (IOException e) {
                silent.add(member.name());
            }
        }
        for (NodeHello answer : answers) {
            NodeCondition condition = answer.condition();
            String refusal = answer.cluster() == null
                    ? null
                    : settings.levels()
                            .refusal(
                                    condition.levels().current(),
                                    condition.facts().release());
            if (refusal != null) {
                return waiting(refusal);
            }
            if (answer.stores() != settings.stores()) {
                return waiting("Expected " + answer.stores() + " stores as node '" + answer.name() + "' has, but got "
                        + settings.stores() + ". Start all nodes with the same number of stores.");
            }
        }
        return decide(own, answers, silent);
    }

    private Outcome decide(Membership own, List<NodeHello> answers, List<String> silent) {
        NodeHello known = null;
        for (NodeHello answer : answers) {
            if (answer.cluster() == null) {
                continue;
            }
            if (known != null && !answer.cluster().equals(known.cluster())) {
                return waiting("Nodes '" + known.name() + "' and '" + answer.name()
                        + "' belong to different clusters. Empty the data directory of the wrong one.");
            }
            // The founders' list of any member will do; where it has changed, this identity was never in it.
            if (known == null || answer.hasMember(own.identity())) {
                known = answer;
            }
        }
        if (known != null) {
            UUID cluster = known.cluster();
            return new Outcome(
                    own.in(
                                    cluster == null ? UUID.randomUUID() : cluster,
                                    known.hasMember(own.identity()) ? known.members() : List.of())
                            .foundedAt(known.condition().levels().current())
                            .knowing(known.members()),
                    "");
        }
        if (!silent.isEmpty()) {
            return waiting("It waits for " + String.join(", ", silent)
                    + ": a cluster is founded only when all nodes have said that they belong to none.");
        }
        if (!settings.members().get(0).name().equals(settings.name())) {
            return waiting("It waits for " + settings.members().get(0).name() + " to found the cluster.");
        }
        return found(own, answers);
    }

    private Outcome found(Membership own, List<NodeHello> answers) {
        String nodes = self.get().nodes();
        List<RaftMember> founders = new ArrayList<>();
        for (ClusterMember member : settings.members()) {
            String identity = member.name().equals(settings.name()) ? own.identity() : "";
            for (NodeHello answer : answers) {
                if (!answer.nodes().equals(nodes)) {
                    return waiting("Expected the members " + nodes + " on all nodes, but '" + answer.name() + "' has "
                            + answer.nodes() + ". Start all nodes with the same --cluster-nodes.");
                }
                if (answer.name().equals(member.name())) {
                    identity = answer.identity();
                }
            }
            founders.add(new RaftMember(identity, member.raftAddress(), member.nodePort()));
        }
        int level = level(answers);
        String refusal = settings.levels().refusal(level, "");
        return refusal == null
                ? new Outcome(own.in(UUID.randomUUID(), founders).foundedAt(level), "")
                : waiting(refusal);
    }

    /** Returns the highest level that all founders support (CL-60). */
    private int level(List<NodeHello> answers) {
        int highest = settings.levels().highest();
        for (NodeHello answer : answers) {
            highest = Math.min(highest, answer.condition().levels().supported().highest());
        }
        return highest;
    }

    private static Outcome waiting(String why) {
        return new Outcome(null, why);
    }
}
