package dev.jitney.cluster.node;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.member.NodeCondition;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.runtime.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last introductions of the other nodes. Each other node receives a request once a second, from a thread of its own,
 * so that a silent one delays no other.
 *
 * <p>Any thread may call the methods.
 */
final class Peers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final long PAUSE_MS = 1_000;

    /** The time after which an introduction is removed. */
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The time after which an introduction counts no more. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ClusterSettings settings;
    private final Members members;
    private final NodeLink link;
    private final Clock clock;
    private final Supplier<NodeHello> self;
    private final Map<String, Heard> heard = new ConcurrentHashMap<>();
    private final Set<ClusterMember> asked = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    private volatile @Nullable Refusal refused;

    private record Refusal(String reason, long nanos) {}

    private record Heard(NodeHello hello, long nanos, long clockOffsetMs) {}

    /** @param self returns the introduction of this node */
    Peers(ClusterSettings settings, Members members, NodeLink link, Clock clock, Supplier<NodeHello> self) {
        this.clock = clock;
        this.settings = settings;
        this.members = members;
        this.link = link;
        this.self = self;
    }

    /** Starts the requests. Called once. */
    void start() {
        start(this::followMembers, "cluster-hello-" + settings.name());
    }

    private static void start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Members may be added and removed, and change their addresses. */
    private void followMembers() {
        do {
            for (ClusterMember other : members.others()) {
                if (asked.add(other)) {
                    start(() -> askWhileMember(other), "cluster-hello-" + settings.name() + "-" + other.name());
                }
            }
        } while (!isClosedAfterPause());
    }

    private void askWhileMember(ClusterMember other) {
        do {
            if (!members.others().contains(other)) {
                asked.remove(other);
                return;
            }
            try {
                NodeHello own = self.get();
                if (own.cluster() != null) {
                    long askedMs = clock.nowMs();
                    NodeHello answer = NodeHello.parse(link.ask(other, NodeLink.HELLO, own.bytes()));
                    long timeMs = answer.condition().timeMs();
                    // The other node read its clock about half way between.
                    long offsetMs = timeMs == 0 ? 0 : timeMs - (askedMs + clock.nowMs()) / 2;
                    if (own.cluster().equals(answer.cluster())) {
                        heard.values().removeIf(last -> last.nanos + KEPT_NANOS - System.nanoTime() < 0);
                        heard.put(answer.identity(), new Heard(answer, System.nanoTime(), offsetMs));
                    }
                }
            } catch (IOException | RuntimeException e) {
                note(String.valueOf(e.getMessage()));
                LOG.debug("{} does not answer.", other.name(), e);
            }
        } while (!isClosedAfterPause());
    }

    private void note(String refusal) {
        if (refusal.contains(NodeAnswers.OTHER_CLUSTER)) {
            refused = new Refusal(refusal, System.nanoTime());
        }
    }

    /** Returns the refusal of a node that belongs to another cluster, or null if there was none within the last 5 seconds (CL-53). */
    @Nullable
    String refusalOfAnotherCluster() {
        Refusal last = refused;
        return last == null || System.nanoTime() - last.nanos > FRESH_NANOS ? null : last.reason;
    }

    private boolean isClosedAfterPause() {
        try {
            return closed.await(PAUSE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Returns the introduction of an identity, or null if it has not answered within the last 5 seconds. */
    @Nullable
    NodeHello heard(String identity) {
        Heard last = heard.get(identity);
        return last == null || System.nanoTime() - last.nanos > FRESH_NANOS ? null : last.hello;
    }

    /** Returns the introduction of the leader, or null if none has answered within the last 5 seconds that it leads. */
    @Nullable
    NodeHello leader() {
        NodeHello leader = null;
        for (String identity : heard.keySet()) {
            NodeHello last = heard(identity);
            if (last != null && last.leads() && (leader == null || leader.term() < last.term())) {
                leader = last;
            }
        }
        return leader;
    }

    /** Returns the leader to which a node has acknowledged entries that its server does not have, or null (CL-50). */
    @Nullable
    NodeHello knowsLoss(RatisServer server, String identity) {
        for (Heard last : heard.values()) {
            if (server.hasLost(last.hello.term(), last.hello.acknowledged(identity))) {
                return last.hello;
            }
        }
        return null;
    }

    /** Returns this node and the other nodes that have answered within the last 5 seconds (CL-81). */
    List<NodeStatus.Peer> all() {
        List<NodeStatus.Peer> found = new ArrayList<>(List.of(peer(self.get(), 0)));
        for (Heard last : heard.values()) {
            if (heard(last.hello.identity()) != null) {
                found.add(peer(last.hello, last.clockOffsetMs));
            }
        }
        return found;
    }

    private static NodeStatus.Peer peer(NodeHello hello, long offsetMs) {
        NodeCondition condition = hello.condition();
        return new NodeStatus.Peer(
                hello.name(),
                condition.facts().release(),
                offsetMs,
                condition.room(),
                condition.freeBytes(),
                described(condition),
                condition.facts().settings(),
                condition.levels());
    }

    /** Returns the fault of a node together with its cause. */
    private static String described(NodeCondition condition) {
        String trouble = condition.trouble();
        String doing = condition.doing();
        return trouble.isEmpty() || doing.contains(trouble) ? doing : doing.isEmpty() ? trouble : trouble + " " + doing;
    }

    /** Returns whether an identity has answered, and nothing keeps it from leading (CL-16). */
    boolean isWell(String identity) {
        NodeHello last = heard(identity);
        return last != null && last.condition().isWell() && last.condition().room();
    }

    /**
     * Returns whether so many nodes have room that they are a majority with the leader (CL-43). A follower whose node port does
     * not answer counts while it acknowledges entries: its own store protects it, and a defect of the node port must not stop
     * the senders.
     *
     * @param state    the state of consensus on the leader
     * @param recentMs the time within which a follower must have acknowledged something
     */
    boolean haveRoom(ConsensusState state, long recentMs) {
        String leader = state.leader();
        int own = leader != null && state.hasMember(leader) ? 1 : 0;
        return 2 * (othersWithRoom(state, recentMs) + own) > state.members().size();
    }

    /**
     * Returns whether so many other nodes have room that they are a majority without the leader. Then the cluster takes messages as
     * soon as one of them leads (CL-43).
     *
     * @param state    the state of consensus on the leader
     * @param recentMs the time within which a follower must have acknowledged something
     */
    boolean othersHaveRoom(ConsensusState state, long recentMs) {
        return 2 * othersWithRoom(state, recentMs) > state.members().size();
    }

    private long othersWithRoom(ConsensusState state, long recentMs) {
        return state.members().stream()
                .map(RaftMember::identity)
                .filter(identity -> !identity.equals(state.leader()) && hasRoom(identity, state, recentMs))
                .count();
    }

    private boolean hasRoom(String identity, ConsensusState state, long recentMs) {
        NodeHello last = heard(identity);
        if (last != null && !last.condition().room()) {
            return false;
        }
        ConsensusState.Follower follower = state.followers().get(identity);
        return follower != null && follower.lastContactMs() <= recentMs;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
