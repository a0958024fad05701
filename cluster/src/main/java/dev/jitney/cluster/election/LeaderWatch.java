package dev.jitney.cluster.election;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts an election at once when the process of the leader has ended, instead of after the election timeout (CL-90).
 *
 * <p>A follower keeps a connection to the leader that carries nothing. When a process ends, its operating system closes its
 * connections and refuses new ones, so both together are certain knowledge. A connection that breaks in any other way proves nothing:
 * then the election timeout decides, as always.
 *
 * <p>A leader holds its lease while the others wait for the timeout (CL-9). So no node skips the timeout on a suspicion. The rules:
 *
 * <ol>
 * <li>This node knows that the process of the leader has ended.
 * <li>So many others know the same that they are a majority with this node. A majority is needed for the election anyway, and
 *     one node with a broken view of the network cannot disturb the others.
 * <li>Of these, the one with most of the log becomes the candidate, because the others would refuse their votes to any other. If
 *     several have equally much, the first by identity does.
 * </ol>
 *
 * <p>A leadership that has ended never begins again, because a leader does not survive the end of its process. If the election
 * fails, the timeouts of the consensus decide.
 *
 * <p>The watch has one thread. Any thread may call {@link #opinion}.
 */
public final class LeaderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);

    /** The pause until the leader is looked up again, milliseconds. */
    private static final long LOOK_AGAIN_MS = 50;

    /** The pause after a connection that broke or was not made, milliseconds. */
    private static final long CONNECT_AGAIN_MS = 500;

    /** The pause until the next requests to the others, milliseconds: they notice the end soon. */
    private static final long ASK_AGAIN_MS = 15;

    private final Candidacy candidacy;
    private final OtherMembers others;
    private final long patienceMs;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private volatile @Nullable Leadership ended;

    private record Leadership(String leader, long term) {}

    /**
     * @param name       the name of this node
     * @param patienceMs how long to wait for others to know the same, milliseconds: the shortest election timeout, after which the
     *     consensus decides
     */
    public LeaderWatch(String name, Candidacy candidacy, OtherMembers others, long patienceMs) {
        this.candidacy = candidacy;
        this.others = others;
        this.patienceMs = patienceMs;
        thread = new Thread(this::watch, "cluster-leader-" + name);
        thread.setDaemon(true);
    }

    /** Starts to watch. Called once. */
    public void start() {
        thread.start();
    }

    /**
     * Returns the opinion of this node about a leadership, for another member.
     *
     * @param leader the identity of the leader
     * @param term   the term of the leadership
     */
    public Opinion opinion(String leader, long term) {
        return candidacy.opinion(new Leadership(leader, term).equals(ended));
    }

    private void watch() {
        while (!isClosedAfter(0)) {
            try {
                Leadership followed = followed();
                if (followed == null) {
                    isClosedAfter(LOOK_AGAIN_MS);
                } else if (others.awaitEnd(followed.leader, () -> followed.equals(followed()) && !isClosedAfter(0))) {
                    ended = followed;
                    replace(followed);
                    while (followed.equals(followed()) && !isClosedAfter(LOOK_AGAIN_MS)) {
                        // The election timeout decides.
                    }
                }
            } catch (IOException e) {
                LOG.debug("The connection to the leader gives no knowledge about its process.", e);
                isClosedAfter(CONNECT_AGAIN_MS);
            } catch (RuntimeException e) {
                LOG.warn("The watch over the leader failed and begins again.", e);
                isClosedAfter(CONNECT_AGAIN_MS);
            }
        }
    }

    /** Returns the leadership that this node follows as a member, or null. */
    private @Nullable Leadership followed() {
        Candidacy.View view = candidacy.view();
        return view == null
                        || view.leader() == null
                        || view.leader().equals(view.self())
                        || !view.members().contains(view.self())
                ? null
                : new Leadership(view.leader(), view.term());
    }

    private void replace(Leadership over) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(patienceMs)) {
            Candidacy.View view = candidacy.view();
            if (view == null || !over.equals(followed())) {
                return; // the election has begun
            }
            if (isDecided(view, over) || isClosedAfter(ASK_AGAIN_MS)) {
                return;
            }
        }
    }

    /** Returns whether a majority knows that the leadership is over. This node becomes the candidate if it should. */
    private boolean isDecided(Candidacy.View view, Leadership over) {
        Opinion own = candidacy.opinion(true);
        boolean first = true;
        int agreed = 1;
        for (String other : unasked(view, over)) {
            try {
                Opinion opinion = others.opinion(other, over.leader, over.term);
                if (opinion.ended()) {
                    agreed++;
                    first &= !opinion.hasMoreThan(own)
                            && !(opinion.hasAsMuchAs(own) && other.compareTo(view.self()) < 0);
                }
            } catch (IOException e) {
                LOG.debug("{} has no opinion about the end of the leader.", other, e);
            }
            if (2 * agreed > view.members().size()) {
                break; // others would only delay the election
            }
        }
        if (2 * agreed <= view.members().size()) {
            return false;
        }
        if (first) {
            become(over);
        }
        return true;
    }

    private static List<String> unasked(Candidacy.View view, Leadership over) {
        List<String> found = new ArrayList<>(view.members());
        found.remove(view.self());
        found.remove(over.leader);
        return found;
    }

    private void become(Leadership over) {
        try {
            if (candidacy.replace(over.leader)) {
                LOG.info(
                        "The process of the leader {} has ended. This node is a candidate for the next term.",
                        over.leader);
            }
        } catch (IOException e) {
            LOG.warn("This node could not become a candidate at once: {}", e.getMessage());
        }
    }

    private boolean isClosedAfter(long pauseMs) {
        try {
            return closed.await(pauseMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Ends the watch, and does not wait for its thread. */
    @Override
    public void close() {
        closed.countDown();
    }
}
