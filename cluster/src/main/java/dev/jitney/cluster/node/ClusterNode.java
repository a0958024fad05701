package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.checkpoint.CheckpointSource;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisAgreement;
import dev.jitney.cluster.ratis.RatisEvents;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.cluster.ratis.RatisSettings;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of a cluster: its copies of the stores, its Ratis server, and the terms in which it leads.
 *
 * <p>One thread watches over the server: it announces terms, ends them, and after a fault opens everything again with pauses
 * (CL-42). It decides by the state and not by events, which only wake it, so no order of events can mislead it. The end of a
 * term takes effect at once, on the thread that receives the news.
 *
 * <p>Any thread may call the public methods.
 */
public final class ClusterNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

    private static final long LOOK_AGAIN_MS = 100;
    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long CLOSE_TIMEOUT_MS = 30_000;
    private static final String REMOVED =
            "The cluster has taken this node's identity out. Empty its data directory, and it joins as a new member.";

    private final ClusterSettings settings;
    private final NodeLink link;
    private final Clock clock;
    private final Announcer announcer;
    private final List<StoreReplica> replicas;
    private final CheckpointSource checkpoints;
    private final NodeAnswers answers;
    private final Founding founding;
    private final MemberChanges changes;
    private final CheckpointInstaller installer;

    private final Semaphore signal = new Semaphore(0);
    private final Thread thread;
    private final RestartPause pause;

    /** Serializes starts and ends of the server and of terms. */
    private final Object lock = new Object();

    private volatile @Nullable RatisServer server;
    private volatile @Nullable Events events;
    private volatile @Nullable LeaderTerm leading;
    private volatile @Nullable String fault;
    private volatile Membership membership;

    /** The condition that the node waits for before it takes part. */
    private volatile String waiting = "It has not reached the other nodes yet.";

    private volatile boolean closing;
    private volatile long readyTerm;
    private volatile long unknownOutcomeTerm;
    private volatile long restarts;
    private volatile long leaderChanges;

    private long announcedTerm;
    private @Nullable String followed;
    private boolean followedOnce;
    private long tidiedNanos;
    private @Nullable String refreshedFor;
    private long refreshedNanos = System.nanoTime();
    private long askedNanos = System.nanoTime() - ASK_NANOS;

    private ClusterNode(
            ClusterSettings settings,
            Membership membership,
            List<StoreReplica> replicas,
            Replicas places,
            NodeLink link,
            Clock clock,
            LeadershipListener listener) {
        this.settings = settings;
        this.membership = membership;
        this.replicas = replicas;
        this.link = link;
        this.clock = clock;
        checkpoints = new CheckpointSource(
                replicas.stream().map(StoreReplica::store).toList(),
                places::workDirectory,
                this::safePoint,
                System::nanoTime);
        changes = new MemberChanges(settings);
        installer = new CheckpointInstaller(settings, replicas, places::workDirectory, link);
        answers = new NodeAnswers(this::hello, hello -> changes.join(hello, server), checkpoints);
        founding = new Founding(settings, link, this::hello);
        announcer = new Announcer(settings.name(), listener);
        pause = new RestartPause(nowMs());
        thread = new Thread(this::watch, "cluster-node-" + settings.name());
        thread.setDaemon(true);
    }

    /**
     * Opens the stores of this node and takes part in the cluster. A node with an empty directory first sends requests to the others (CL-51);
     * until it takes part, {@link #status} says what it waits for.
     *
     * @param settings the settings
     * @param replicas opens the copies of the stores; the node closes them
     * @param link     sends requests to other nodes
     * @param clock    the clock of the machine
     * @param listener receives changes of leadership
     * @throws IOException    if the log cannot be opened, the port is in use, or the node was taken out (CL-52)
     * @throws StoreException if a store cannot be opened
     */
    public static ClusterNode start(
            ClusterSettings settings, Replicas replicas, NodeLink link, Clock clock, LeadershipListener listener)
            throws IOException, StoreException {
        Membership membership = Membership.open(settings.directory(), settings.name());
        if (membership.removed()) {
            throw new IOException(REMOVED);
        }
        List<StoreReplica> opened = new ArrayList<>();
        try {
            for (int i = 0; i < settings.stores(); i++) {
                opened.add(new StoreReplica(replicas.open(i)));
            }
            requireNew(membership, opened);
            ClusterNode node = new ClusterNode(settings, membership, opened, replicas, link, clock, listener);
            node.begin();
            return node;
        } catch (IOException | StoreException | RuntimeException e) {
            opened.forEach(replica -> replica.store().close());
            throw e;
        }
    }

    /** A new identity with old stores could hide that entries are missing. */
    private static void requireNew(Membership membership, List<StoreReplica> opened) throws IOException {
        for (StoreReplica replica : opened) {
            if (!membership.joined()
                    && membership.cluster() == null
                    && replica.store().position().index() > 0) {
                throw new IOException(
                        "Expected empty stores, because the data directory has no " + Membership.FILE
                                + ", but a store has entries. Empty the data directory, and the node joins the cluster as a new member.");
            }
        }
    }

    private void begin() throws IOException {
        checkpoints.removeLeftovers();
        try {
            if (membership.cluster() != null) {
                startServer();
            }
        } catch (IOException | RuntimeException e) {
            closeServer();
            announcer.close();
            installer.close();
            changes.close();
            throw e;
        }
        thread.start();
    }

    private void startServer() throws IOException {
        Membership own = membership;
        UUID cluster = own.cluster();
        if (cluster == null) {
            throw new IOException("Expected a member of a cluster.");
        }
        Events news = new Events();
        events = news;
        RatisServer made = new RatisServer(ratisSettings(), cluster, own.identity(), own.founders(), replicas, news);
        server = made;
        fault = null;
        made.start();
    }

    private RatisSettings ratisSettings() {
        ClusterMember self = settings.self();
        return new RatisSettings(
                settings.directory().resolve("raft"),
                bindHost(self.host()),
                self.raftPort(),
                settings.electionMs(),
                settings.logBytesMax());
    }

    /** Returns a loopback address to listen on that address only, or null to listen on all. */
    private static @Nullable String bindHost(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress() ? host : null;
        } catch (UnknownHostException e) {
            return null; // names may appear later than nodes
        }
    }

    // The watch

    private void watch() {
        while (!closing) {
            try {
                step();
                if (signal.tryAcquire(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)) {
                    signal.drainPermits();
                }
            } catch (InterruptedException e) {
                return; // closing
            } catch (RuntimeException e) {
                stopTakingPart("An internal error.", e);
            }
        }
    }

    private void step() {
        RatisServer current = server;
        if (membership.removed()) {
            return;
        }
        if (current == null) {
            if (membership.cluster() == null) {
                found();
            } else if (pause.isOver(nowMs())) {
                restart();
            }
            return;
        }
        ConsensusState state = current.state();
        String broken = fault;
        if (broken != null || state == null) {
            stopTakingPart(broken == null ? "The Ratis server has ended." : broken, null);
            return;
        }
        LeaderTerm term = leading;
        if (term != null && !(state.leaderReady() && state.term() == term.term())) {
            endTerm(term, "Node " + settings.name() + " does not lead any more.");
        } else if (term != null && unknownOutcomeTerm == term.term()) {
            stepDown(current, term);
        }
        join(state);
        begin(current, state);
        follow(state);
        refresh(current, state);
        tidy(current);
    }

    private void found() {
        if (!isTimeToAsk()) {
            return;
        }
        Founding.Outcome outcome = founding.attempt(membership);
        Membership found = outcome.membership();
        if (found == null) {
            if (!outcome.waiting().equals(waiting)) {
                LOG.info("Node {} takes no part in a cluster yet. {}", settings.name(), outcome.waiting());
            }
            waiting = outcome.waiting();
            return;
        }
        try {
            found.write(settings.directory());
            membership = found;
            startServer();
            LOG.info(
                    "Node {} {} cluster {} as {}.",
                    settings.name(),
                    found.founders().isEmpty() ? "joins" : "founds",
                    found.cluster(),
                    found.identity());
        } catch (IOException | RuntimeException e) {
            stopTakingPart("It cannot start to take part.", e);
        }
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
    private void join(ConsensusState state) {
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
                    link.ask(other, NodeAnswers.JOIN, hello().bytes());
                    waiting = "It gets everything that it lacks from " + other.name() + ".";
                    return;
                } catch (IOException e) {
                    waiting = "It waits for a leader: " + e.getMessage();
                }
            }
        }
    }

    /** Returns whether a leader says that this identity was taken out (CL-52). */
    private boolean isTakenOut() {
        Membership own = membership;
        if (!own.joined()) {
            return false;
        }
        for (ClusterMember other : settings.members()) {
            if (!other.name().equals(settings.name())) {
                try {
                    NodeHello answer = NodeHello.parse(link.ask(other, NodeAnswers.HELLO, hello().bytes()));
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

    private void begin(RatisServer current, ConsensusState state) {
        long term = readyTerm;
        if (term <= announcedTerm || !state.leaderReady() || state.term() != term) {
            return;
        }
        announcedTerm = term;
        RatisAgreement agreement = new RatisAgreement(current, term, () -> true, () -> unknownOutcome(term));
        LeaderTerm made = new LeaderTerm(agreement, replicas, clock);
        synchronized (lock) {
            leading = made;
            // A thread that ended the leadership before this line did not see the term.
            if (closing || !current.isLeaderReady(term)) {
                made.end("Node " + settings.name() + " does not lead any more.");
                leading = null;
                return;
            }
            announcer.leads(made);
        }
        LOG.info("Node {} leads term {}.", settings.name(), term);
    }

    private void follow(ConsensusState state) {
        String leader = state.leader() == null ? null : Membership.nameOf(state.leader());
        if (followedOnce && Objects.equals(leader, followed)) {
            return;
        }
        if (leader != null) {
            leaderChanges++;
        }
        followedOnce = true;
        followed = leader;
        if (!settings.name().equals(leader)) {
            announcer.follows(member(leader));
            if (leader != null) {
                LOG.info("Node {} follows {} in term {}.", settings.name(), leader, state.term());
            }
        }
    }

    /** Votes must not fail because a member was away some time ago. */
    private void refresh(RatisServer current, ConsensusState state) {
        long now = System.nanoTime();
        boolean another = state.leader() != null && !state.leader().equals(refreshedFor);
        boolean none = state.leader() == null && now - refreshedNanos >= REFRESH_NANOS;
        if (state.follower() && (another || none)) {
            refreshedFor = state.leader();
            refreshedNanos = now;
            current.refreshConnections();
        }
    }

    private @Nullable ClusterMember member(@Nullable String name) {
        return settings.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private void tidy(RatisServer current) {
        long now = System.nanoTime();
        if (now - tidiedNanos < TIDY_NANOS) {
            return;
        }
        tidiedNanos = now;
        try {
            checkpoints.removeIdle();
            current.tidy(checkpoints.keepFrom());
        } catch (IOException e) {
            LOG.warn(
                    "Could not remove log files of node {}; the next attempt follows: {}",
                    settings.name(),
                    e.getMessage());
        } catch (StoreException e) {
            stopTakingPart("A store has failed.", e);
        }
    }

    private void stepDown(RatisServer current, LeaderTerm term) {
        endTerm(term, "The outcome of a commit is unknown.");
        try {
            current.stepDown();
        } catch (IOException e) {
            LOG.warn("Node {} could not end its term {}: {}", settings.name(), term.term(), e.getMessage());
        }
    }

    private void unknownOutcome(long term) {
        unknownOutcomeTerm = term;
        signal.release();
    }

    private void endTerm(LeaderTerm term, String reason) {
        synchronized (lock) {
            term.end(reason);
            if (leading != term) {
                return;
            }
            leading = null;
            announcer.leadsNoMore(term.term(), reason);
        }
        LOG.info("Node {} ends its term {}. {}", settings.name(), term.term(), reason);
    }

    // Faults

    private void stopTakingPart(String what, @Nullable Throwable cause) {
        fault = cause == null ? what : what + " " + cause.getMessage();
        LOG.warn("Node {} stops taking part in the cluster and tries again: {}", settings.name(), fault, cause);
        LeaderTerm term = leading;
        if (term != null) {
            endTerm(term, what);
        }
        closeServer();
        pause.failed(nowMs());
        if (followed != null || !followedOnce) {
            followed = null;
            followedOnce = true;
            announcer.follows(null);
        }
    }

    private void restart() {
        restarts++;
        if (isTakenOut()) {
            try {
                membership.asRemoved().write(settings.directory());
                LOG.error("Node {} takes no part in the cluster any more. {}", settings.name(), REMOVED);
            } catch (IOException e) {
                LOG.warn("Could not write {}: {}", Membership.FILE, e.getMessage());
            }
            fault = REMOVED;
            membership = membership.asRemoved();
            return;
        }
        try {
            for (StoreReplica replica : replicas) {
                replica.dropParts();
                replica.store().reopen();
            }
            startServer();
            LOG.info("Node {} takes part in the cluster again.", settings.name());
        } catch (IOException | StoreException | RuntimeException e) {
            fault = String.valueOf(e.getMessage());
            LOG.warn("Node {} cannot take part in the cluster yet: {}", settings.name(), fault);
            closeServer();
            pause.failed(nowMs());
        }
    }

    private void closeServer() {
        RatisServer current = server;
        server = null;
        events = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("Could not close the Ratis server of node {}: {}", settings.name(), e.getMessage());
            }
        }
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** The news of one Ratis server. Late news of a server that was closed changes nothing. */
    private final class Events implements RatisEvents {
        @Override
        public void leaderReady(long term) {
            if (events != this) {
                return;
            }
            readyTerm = term;
            signal.release();
        }

        @Override
        public void notLeader() {
            LeaderTerm term = leading;
            if (term != null && events == this) {
                endTerm(term, "Another node leads, or a majority of the nodes does not answer.");
            }
            signal.release();
        }

        @Override
        public void fault(String what, Throwable cause) {
            if (events != this) {
                return;
            }
            fault = what + " " + cause.getMessage();
            signal.release();
        }

        @Override
        public void ended() {
            signal.release();
        }

        @Override
        public CompletableFuture<LogPoint> install(String leader, long firstIndex) {
            RatisServer current = server;
            UUID cluster = membership.cluster();
            if (events != this || current == null || cluster == null) {
                return CompletableFuture.failedFuture(new IOException("This server is closed."));
            }
            return installer.install(current, cluster, leader).whenComplete((point, failure) -> {
                if (failure instanceof StoreException) {
                    fault("A checkpoint cannot be put in place.", failure);
                }
            });
        }
    }

    // Other nodes

    /**
     * Answers a request of another node, which has arrived at the node port. Several threads may call it at a time.
     *
     * @param request the name of the request
     * @param body    the body, at most {@link NodeLink#REQUEST_BYTES_MAX}
     * @return the answer, at most {@link NodeLink#ANSWER_BYTES_MAX}
     * @throws IOException if the request is refused; send the message back
     */
    public byte[] answer(String request, byte[] body) throws IOException {
        if (closing) {
            throw new IOException("Node " + settings.name() + " stops.");
        }
        if (body.length > NodeLink.REQUEST_BYTES_MAX) {
            throw new IOException(
                    "Expected at most " + NodeLink.REQUEST_BYTES_MAX + " bytes, but got " + body.length + ".");
        }
        return answers.answer(request, body);
    }

    private NodeHello hello() {
        RatisServer current = server;
        ConsensusState state = current == null ? null : current.state();
        Membership own = membership;
        boolean started = state != null && !state.members().isEmpty();
        return new NodeHello(
                settings.name(),
                own.identity(),
                String.join(
                        ",",
                        settings.members().stream().map(ClusterMember::name).toList()),
                settings.stores(),
                own.cluster(),
                state != null && started ? state.members() : own.founders(),
                state != null && state.leaderReady(),
                state == null ? 0 : state.term());
    }

    private LogPoint safePoint() {
        RatisServer current = server;
        if (current == null) {
            throw new IllegalStateException("Node " + settings.name() + " takes no part in the cluster.");
        }
        return current.safePoint();
    }

    // Leadership by order

    /**
     * Passes leadership on to the follower that has most of the log and has answered recently (CL-15, CL-16). Returns when it
     * leads.
     *
     * @return whether another node leads; false if this node does not lead or no follower is in sync
     */
    public boolean passLeadershipOn() {
        RatisServer current = server;
        ConsensusState state = current == null ? null : current.state();
        if (state == null || !state.leaderReady()) {
            return false;
        }
        long recentMs = settings.electionMs();
        return state.followers().entrySet().stream()
                .filter(follower -> follower.getValue().lastContactMs() <= recentMs)
                .sorted(Comparator.comparingLong(
                        follower -> -follower.getValue().match()))
                .map(Map.Entry::getKey)
                .limit(2)
                .anyMatch(this::passedTo);
    }

    private boolean passedTo(String identity) {
        try {
            transfer(identity);
            return true;
        } catch (IOException e) {
            LOG.warn("Node {} could not pass leadership on to {}: {}", settings.name(), identity, e.getMessage());
            return false;
        }
    }

    /**
     * Passes leadership on to a member (CL-17).
     *
     * @param name the name of the member
     * @throws IOException if this node does not lead, or the member has not become leader within two elections
     */
    public void transferLeadership(String name) throws IOException {
        RatisServer current = server;
        ConsensusState state = current == null ? null : current.state();
        if (state == null || !state.leaderReady()) {
            throw new IOException("Expected the leader, but node " + settings.name() + " does not lead.");
        }
        String identity = state.members().stream()
                .map(RaftMember::identity)
                .filter(member -> Membership.nameOf(member).equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("Expected a member of the cluster, but got '" + name + "'."));
        transfer(identity);
    }

    private void transfer(String identity) throws IOException {
        RatisServer current = server;
        LeaderTerm term = leading;
        if (current == null) {
            throw new IOException("Node " + settings.name() + " takes no part in the cluster.");
        }
        if (term != null) {
            term.agreement().trustLease(false);
        }
        try {
            current.transfer(identity, 2L * settings.electionMs());
        } finally {
            if (term != null) {
                term.agreement().trustLease(true);
            }
        }
    }

    /**
     * Ends the leadership of this node. The nodes elect a leader, which may be this one, in a new term.
     *
     * @throws IOException if this node does not lead
     */
    public void stepDown() throws IOException {
        RatisServer current = server;
        if (current == null || leading == null) {
            throw new IOException("Expected the leader, but node " + settings.name() + " does not lead.");
        }
        current.stepDown();
    }

    // State

    /** Returns the state of this node and what it knows about the others. */
    public NodeStatus status() {
        RatisServer current = server;
        ConsensusState state = current == null ? null : current.state();
        if (current == null || state == null) {
            String why = membership.cluster() == null ? waiting : fault;
            return new NodeStatus(
                    settings.name(),
                    membership.cluster() == null ? NodeStatus.Role.WAITING : NodeStatus.Role.STOPPED,
                    0,
                    null,
                    -1,
                    -1,
                    List.of(),
                    why == null ? "It is closed." : why,
                    leaderChanges,
                    restarts,
                    0,
                    0,
                    0,
                    0);
        }
        String leader = state.leader() == null ? null : Membership.nameOf(state.leader());
        boolean votes = state.hasMember(membership.identity());
        return new NodeStatus(
                settings.name(),
                role(state, leader, votes),
                state.term(),
                leader,
                state.applied(),
                state.committed(),
                state.members().stream().map(member -> member(member, state)).toList(),
                installer.isBusy()
                        ? "It receives a checkpoint, " + installer.percent() + " % of it."
                        : votes ? fault : waiting,
                leaderChanges,
                restarts,
                current.applied(),
                current.appliedBytes(),
                current.skipped(),
                logBytes(current));
    }

    private NodeStatus.Role role(ConsensusState state, @Nullable String leader, boolean member) {
        if (!member) {
            return NodeStatus.Role.JOINING;
        }
        if (state.leaderReady()) {
            return NodeStatus.Role.LEADER;
        }
        return leader == null || leader.equals(settings.name()) ? NodeStatus.Role.SEEKING : NodeStatus.Role.FOLLOWER;
    }

    private NodeStatus.Member member(RaftMember member, ConsensusState state) {
        boolean leads = member.identity().equals(state.leader());
        String name = Membership.nameOf(member.identity());
        if (member.identity().equals(membership.identity())) {
            return new NodeStatus.Member(name, member.address(), leads, state.applied(), 0, 0);
        }
        ConsensusState.Follower follower = state.followers().get(member.identity());
        return follower == null
                ? new NodeStatus.Member(name, member.address(), leads, -1, -1, -1)
                : new NodeStatus.Member(
                        name,
                        member.address(),
                        leads,
                        follower.match(),
                        Math.max(0, state.committed() - follower.match()),
                        follower.lastContactMs());
    }

    private static long logBytes(RatisServer server) {
        try {
            return server.logBytes();
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Ends the part of this node in the cluster, in order: passes leadership on if it leads, ends its term, waits for the
     * listener, and closes the server and the stores (CL-15).
     */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        passLeadershipOn();
        end();
    }

    /** Ends the part of this node in the cluster without passing leadership on. The others notice by their timeouts. */
    void abandon() {
        if (!closing) {
            end();
        }
    }

    private void end() {
        closing = true;
        thread.interrupt();
        join(thread);
        LeaderTerm term = leading;
        if (term != null) {
            endTerm(term, "Node " + settings.name() + " stops.");
        }
        announcer.close();
        changes.close();
        installer.close();
        closeServer();
        checkpoints.close();
        replicas.forEach(replica -> replica.store().close());
    }

    private static void join(Thread thread) {
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
