package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RatisAgreement;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.runtime.Clock;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The terms in which this node leads (CL-11). A term begins on the thread that calls {@link #begin}. Any thread may end it, and
 * the end takes effect at once, on that thread (CL-12).
 */
final class LeaderTerms {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderTerms.class);

    private final String name;
    private final List<StoreReplica> replicas;
    private final Clock clock;
    private final Announcer announcer;
    private final BooleanSupplier room;
    private final IntSupplier level;
    private final Runnable wake;

    /** Serializes beginnings and ends of terms. */
    private final Object lock = new Object();

    private volatile @Nullable LeaderTerm leading;
    private volatile boolean closing;
    private volatile long readyTerm;
    private volatile long givenUpTerm;
    private long announcedTerm;

    /**
     * @param name the name of this node
     * @param room whether so many nodes have room that they are a majority with this one (CL-43)
     * @param level returns the level of the cluster
     * @param wake wakes the thread that calls {@link #check} and {@link #begin}
     */
    LeaderTerms(
            String name,
            List<StoreReplica> replicas,
            Clock clock,
            Announcer announcer,
            BooleanSupplier room,
            IntSupplier level,
            Runnable wake) {
        this.name = name;
        this.replicas = replicas;
        this.clock = clock;
        this.announcer = announcer;
        this.room = room;
        this.level = level;
        this.wake = wake;
    }

    /** Returns the current term, or null if this node does not lead. */
    @Nullable
    LeaderTerm leading() {
        return leading;
    }

    /** Returns whether this node leads in a term, and has not given it up. */
    boolean leads(long term) {
        LeaderTerm current = leading;
        return current != null && current.term() == term && givenUpTerm != term;
    }

    /** Notes that Ratis has made this node the leader of a term. */
    void ready(long term) {
        readyTerm = term;
        wake.run();
    }

    /** Ends the current term if this node does not lead it any more, or has given it up. */
    void check(RatisServer server, ConsensusState state) {
        LeaderTerm term = leading;
        if (term == null) {
            return;
        }
        if (!(state.leaderReady() && state.term() == term.term())) {
            end(term, "Node " + name + " does not lead any more.");
        } else if (givenUpTerm == term.term()) {
            end(term, "The outcome of a commit is unknown, or leadership could not be passed on.");
            try {
                server.stepDown();
            } catch (IOException e) {
                LOG.warn("Node {} could not end its term {}: {}", name, term.term(), e.getMessage());
            }
        }
    }

    /** Begins the last term that was {@linkplain #ready ready}, once. */
    void begin(RatisServer server, ConsensusState state) {
        long term = readyTerm;
        if (term <= announcedTerm || !state.leaderReady() || state.term() != term) {
            return;
        }
        announcedTerm = term;
        RatisAgreement agreement = new RatisAgreement(server, term, room, () -> {
            givenUpTerm = term;
            wake.run();
        });
        LeaderTerm made = new LeaderTerm(agreement, replicas, clock, level);
        synchronized (lock) {
            leading = made;
            // A thread that ended the leadership before this line did not see the term.
            if (closing || !server.isLeaderReady(term)) {
                made.end("Node " + name + " does not lead any more.");
                leading = null;
                return;
            }
            announcer.leads(made);
        }
        LOG.debug("Node {} leads term {}.", name, term);
    }

    /** Ends the current term, if there is one. */
    void end(String reason) {
        LeaderTerm term = leading;
        if (term != null) {
            end(term, reason);
        }
    }

    private void end(LeaderTerm term, String reason) {
        synchronized (lock) {
            term.end(reason);
            if (leading != term) {
                return;
            }
            leading = null;
            announcer.leadsNoMore(term.term(), reason);
        }
        LOG.debug("Node {} ends its term {}. {}", name, term.term(), reason);
    }

    /** No term begins from now on. */
    void close() {
        closing = true;
    }
}
