package dev.jitney.cluster.node;

import dev.jitney.cluster.ratis.ConsensusState;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of this node into its cluster, and out of it: it founds or joins one (CL-51), notes that it is a member, and notices
 * that it was taken out (CL-52).
 *
 * <p>One thread calls the methods; any thread may read {@link #membership} and {@link #waiting}.
 */
final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ClusterSettings settings;
    private final NodeLink link;
    private final Supplier<NodeHello> self;
    private final Founding founding;
    private volatile Membership membership;

    /** The condition that the node waits for before it takes part. */
    private volatile String waiting = "It has not reached the other nodes yet.";

    private long askedNanos = System.nanoTime() - ASK_NANOS;

    /**
     * @param membership the part of this node as its directory has it
     * @param self       returns the introduction of this node
     */
    Joining(ClusterSettings settings, Membership membership, NodeLink link, Supplier<NodeHello> self) {
        this.settings = settings;
        this.membership = membership;
        this.link = link;
        this.self = self;
        founding = new Founding(settings, link, self);
    }

    Membership membership() {
        return membership;
    }

    /** Returns a sentence about the condition that the node waits for before it is a member. */
    String waiting() {
        return waiting;
    }

    /**
     * Tries to find a cluster for a node that belongs to none.
     *
     * @return whether the node belongs to one now; its directory has it
     */
    boolean find() throws IOException {
        if (!isTimeToAsk()) {
            return false;
        }
        Founding.Outcome outcome = founding.attempt(membership);
        Membership found = outcome.membership();
        if (found == null) {
            if (!outcome.waiting().equals(waiting)) {
                LOG.info("Node {} takes no part in a cluster yet. {}", settings.name(), outcome.waiting());
            }
            waiting = outcome.waiting();
            return false;
        }
        found.write(settings.directory());
        membership = found;
        return true;
    }

    private boolean isTimeToAsk() {
        long now = System.nanoTime();
        if (now - askedNanos < ASK_NANOS) {
            return false;
        }
        askedNanos = now;
        return true;
    }

    /** Sends requests to join to the leader, until this identity is a member. */
    void join(ConsensusState state) {
        Membership own = membership;
        boolean member = state.hasMember(own.identity());
        if (member && !own.joined()) {
            try {
                own.asMember().write(settings.directory());
                membership = own.asMember();
                LOG.info("Node {} is a member of cluster {} as {}.", settings.name(), own.cluster(), own.identity());
            } catch (IOException e) {
                LOG.warn("Could not write {}; the next attempt follows: {}", Membership.FILE, e.getMessage());
            }
        }
        if (member || own.joined() || !isTimeToAsk()) {
            return;
        }
        for (ClusterMember other : settings.members()) {
            if (!other.name().equals(settings.name())) {
                try {
                    link.ask(other, NodeAnswers.JOIN, self.get().bytes());
                    waiting = "It gets everything that it lacks from " + other.name() + ".";
                    return;
                } catch (IOException e) {
                    waiting = "It waits for a leader: " + e.getMessage();
                }
            }
        }
    }

    /** Returns whether a leader answers that it has taken this identity out, and records it (CL-52). */
    boolean isTakenOut() {
        if (!leaderSaysTakenOut()) {
            return false;
        }
        Membership out = membership.asRemoved();
        try {
            out.write(settings.directory());
        } catch (IOException e) {
            LOG.warn("Could not write {}: {}", Membership.FILE, e.getMessage());
        }
        membership = out;
        return true;
    }

    private boolean leaderSaysTakenOut() {
        Membership own = membership;
        if (!own.joined()) {
            return false;
        }
        for (ClusterMember other : settings.members()) {
            if (!other.name().equals(settings.name())) {
                try {
                    NodeHello answer = NodeHello.parse(
                            link.ask(other, NodeAnswers.HELLO, self.get().bytes()));
                    if (answer.leads()
                            && Objects.equals(answer.cluster(), own.cluster())
                            && !answer.hasMember(own.identity())) {
                        return true;
                    }
                } catch (IOException e) {
                    LOG.debug("{} does not answer.", other.name(), e);
                }
            }
        }
        return false;
    }
}
