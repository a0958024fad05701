package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.change.DirectoryChange;
import dev.jitney.cluster.checkpoint.CheckpointSource;
import dev.jitney.cluster.election.LeaderWatch;
import dev.jitney.cluster.election.Opinion;
import dev.jitney.cluster.election.OtherMembers;
import dev.jitney.cluster.election.RatisCandidacy;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Joining;
import dev.jitney.cluster.member.MemberChanges;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeCondition;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.member.NodeText;
import dev.jitney.cluster.ratis.AgreementFigures;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.cluster.ratis.WrongOptionException;
import dev.jitney.cluster.verify.Verification;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of a cluster: its copies of the stores, its Ratis server, and the terms in which it leads.
 *
 * <p>Any thread may call the public methods.
 */
public final class ClusterNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

    private final ClusterSettings settings;
    private final ClusterLevel level;
    private final LevelUpgrade upgrade;
    private final Members members;
    private final Announcer announcer;
    private final List<StoreReplica> replicas;
    private final Clock clock;
    private final NodeDisks disks;
    private final CheckpointSource checkpoints;
    private final NodeAnswers answers;
    private final Joining joining;
    private final Peers peers;
    private final MemberChanges changes;
    private final CheckpointInstaller installer;
    private final NodeVerification verification;
    private final LeaderTerms terms;
    private final Succession succession;
    private final Following following;
    private final Upkeep upkeep;
    private final FollowerLags lags = new FollowerLags();
    private final LeaderWatch leaderWatch;

    private final ServerRun run;
    private final NodeWatch watch;
    private volatile boolean closing;

    private ClusterNode(
            ClusterSettings settings,
            Membership membership,
            List<StoreReplica> replicas,
            Replicas places,
            NodeLink link,
            Clock clock,
            LeadershipListener listener,
            NodeDisks disks) {
        this.settings = settings;
        this.replicas = replicas;
        this.clock = clock;
        this.disks = disks;
        checkpoints = new CheckpointSource(
                replicas.stream().map(StoreReplica::store).toList(),
                places::workDirectory,
                this::safePoint,
                System::nanoTime);
        Semaphore signal = new Semaphore(0);
        members = new Members(settings, membership.known());
        changes = new MemberChanges(settings, members, link, this::hello);
        joining = new Joining(settings, membership, members, link, this::hello);
        level = new ClusterLevel(
                settings, replicas.get(0), () -> joining.membership().level());
        installer = new CheckpointInstaller(
                settings, members, replicas, places::workDirectory, link, leader -> requireLevel(link, leader));
        verification = new NodeVerification(
                settings,
                members,
                replicas,
                link,
                clock,
                () -> joining.membership().cluster(),
                this::server);
        leaderWatch = new LeaderWatch(
                settings.name(),
                new RatisCandidacy(() -> joining.membership().identity(), this::server, () -> disks.full() == null),
                new Others(link),
                settings.electionMs());
        answers = new NodeAnswers(
                this::hello,
                hello -> changes.join(hello, server()),
                checkpoints,
                verification,
                leaderWatch::opinion,
                level::requireSupportedBy);
        peers = new Peers(settings, members, link, clock, this::hello);
        announcer = new Announcer(settings.name(), listener);
        upkeep = new Upkeep(settings, replicas, checkpoints, disks, peers, this::removeFetched);
        terms = new LeaderTerms(
                settings.name(), replicas, clock, announcer, upkeep::majorityHasRoom, level::current, signal::release);
        succession = new Succession(settings, terms::leading, peers::isWell, lags);
        following = new Following(settings, members, announcer);
        run = new ServerRun(
                settings, replicas, disks, terms, joining::membership, this::install, verification, signal::release);
        watch = new NodeWatch(
                settings,
                replicas,
                disks,
                joining,
                peers,
                level,
                run,
                terms,
                succession,
                following,
                upkeep,
                lags,
                signal);
        upgrade = new LevelUpgrade(settings, level, member -> introduction(link, member), run::state, lags);
    }

    private NodeHello introduction(NodeLink link, RaftMember member) throws IOException {
        return introduction(link, members.identified(member.identity()));
    }

    private NodeHello introduction(NodeLink link, ClusterMember member) throws IOException {
        return NodeHello.parse(link.ask(member, NodeLink.HELLO, hello().bytes()));
    }

    /** Checks that this node may fetch a checkpoint of the leader (CL-61). */
    private void requireLevel(NodeLink link, ClusterMember leader) throws IOException {
        level.requireSupported(introduction(link, leader));
    }

    private CompletableFuture<LogPoint> install(RatisServer server, UUID cluster, String leader) {
        return installer.install(server, cluster, leader).whenComplete((point, failure) -> {
            if (failure == null) {
                succession.mended(); // other rows take the place of those that were damaged
            }
        });
    }

    /** A checkpoint that was fetched in part is needed until this node is in sync (CL-45). */
    private void removeFetched() {
        if (outOfSync() == null) {
            installer.removeLeftovers();
        }
    }

    private @Nullable RatisServer server() {
        return run.server();
    }

    /**
     * Opens the stores of this node and takes part in the cluster. A node with an empty directory first sends requests to the others (CL-51);
     * until it takes part, {@link #status} says what it waits for. A node with a damaged log takes no part, says so, and tries again
     * (CL-42).
     *
     * @param settings the settings
     * @param replicas opens the copies of the stores; the node closes them
     * @param link     sends requests to other nodes
     * @param clock    the clock of the machine
     * @param listener receives changes of leadership
     * @throws IOException    if the port is in use, the directory or the number of stores is not that of this node, the node was
     *     taken out (CL-52), or its release does not support the level of the cluster (CL-61)
     * @throws StoreException if a store cannot be opened
     */
    public static ClusterNode start(
            ClusterSettings settings, Replicas replicas, NodeLink link, Clock clock, LeadershipListener listener)
            throws IOException, StoreException {
        List<Path> stores = new ArrayList<>();
        for (int i = 0; i < settings.stores(); i++) {
            stores.add(replicas.workDirectory(i));
        }
        return start(settings, replicas, link, clock, listener, NodeDisks.of(settings.directory(), stores));
    }

    /** Starts a node on given disks. */
    static ClusterNode start(
            ClusterSettings settings,
            Replicas replicas,
            NodeLink link,
            Clock clock,
            LeadershipListener listener,
            NodeDisks disks)
            throws IOException, StoreException {
        Membership membership = Membership.open(settings.directory(), settings.name());
        if (membership.removed()) {
            throw new IOException(Membership.REMOVED);
        }
        if (membership.change() != Membership.Change.NONE) {
            throw new IOException(DirectoryChange.remedy(membership.change()));
        }
        List<StoreReplica> opened = new ArrayList<>();
        try {
            for (int i = 0; i < settings.stores(); i++) {
                opened.add(new StoreReplica(replicas.open(i)));
            }
            requireNew(membership, opened);
            ClusterNode node = new ClusterNode(settings, membership, opened, replicas, link, clock, listener, disks);
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
                    && !replica.store().position().equals(ReplicaPosition.START)) {
                throw new IOException(
                        "Expected empty stores, because the data directory has no " + Membership.FILE
                                + ", but a store has entries. Empty the data directory, and the node joins the cluster as a new member.");
            }
        }
    }

    private void begin() throws IOException {
        checkpoints.removeLeftovers();
        String refusal = joining.refusal();
        NodeHello leader = null;
        if (refusal == null && joining.membership().cluster() != null) {
            leader = joining.leader();
            if (joining.isTakenOut(leader)) {
                closeParts();
                throw new IOException(Membership.REMOVED);
            }
        }
        String unsupported = level.refusal(leader);
        if (unsupported != null) {
            closeParts();
            throw new IOException(unsupported);
        }
        try {
            if (refusal != null) {
                run.noteFault(refusal);
                LOG.error("Node {} takes no part in the cluster. {}", settings.name(), refusal);
            } else if (joining.membership().cluster() != null) {
                run.start(leader);
            }
        } catch (ServerRun.LostEntriesException e) {
            watch.refuse(e);
        } catch (WrongOptionException | RuntimeException e) {
            run.close();
            closeParts();
            throw e;
        } catch (IOException e) {
            watch.cannotStart(e);
        }
        watch.start();
        peers.start();
        leaderWatch.start();
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
        RatisServer current = run.server();
        ConsensusState state = current == null ? null : current.state();
        Membership own = joining.membership();
        boolean started = state != null && !state.members().isEmpty();
        String remark = remark(own, state);
        String wrong =
                current == null && own.cluster() != null ? "It takes no part in the cluster." : succession.trouble();
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
                state == null ? 0 : state.term(),
                state == null ? Map.of() : matches(state),
                new NodeCondition(
                        upkeep.hasRoom(),
                        disks.freeBytes(),
                        wrong,
                        settings.facts(),
                        clock.nowMs(),
                        remark == null ? "" : remark,
                        level.levels()));
    }

    private static Map<String, Long> matches(ConsensusState state) {
        Map<String, Long> matches = new HashMap<>();
        state.followers().forEach((identity, follower) -> matches.put(identity, follower.match()));
        return matches;
    }

    private LogPoint safePoint() {
        RatisServer current = run.server();
        if (current == null) {
            throw new IllegalStateException("Node " + settings.name() + " takes no part in the cluster.");
        }
        return current.safePoint();
    }

    /** The other members, for the watch over the leader. */
    private final class Others implements OtherMembers {
        private final NodeLink link;

        Others(NodeLink link) {
            this.link = link;
        }

        @Override
        public boolean awaitEnd(String identity, BooleanSupplier wanted) throws IOException {
            return link.awaitEnd(members.identified(identity), wanted);
        }

        @Override
        public Opinion opinion(String identity, String leader, long term) throws IOException {
            NodeText question = new NodeText()
                    .put("cluster", clusterId())
                    .put("leader", leader)
                    .put("term", Long.toString(term));
            return Opinion.parse(link.ask(members.identified(identity), NodeAnswers.LEADER, question.bytes()));
        }
    }

    // Members

    /**
     * Begins to add a node to the cluster (CL-55). {@link #status} shows when it is a member.
     *
     * @param added the node; it runs already, and has found this cluster
     * @return false if it is a member already
     * @throws IOException if this node does not lead, or the node cannot be added; the message has the reason and the remedy
     */
    public boolean add(ClusterMember added) throws IOException {
        return changes.add(added, run.server());
    }

    /**
     * Removes a member from the cluster (CL-52, CL-55). Returns when the others have agreed on it.
     *
     * @param name the name of the member
     * @throws IOException if this node does not lead or would remove itself, if there is no such member, or if the others could
     *     not agree on anything without it
     */
    public void remove(String name) throws IOException {
        changes.remove(name, run.server());
    }

    /**
     * Raises the level of the cluster to the highest one that all members support (CL-61). Returns when the nodes have agreed on it.
     *
     * @param writer writes the level through the broker of this node
     * @throws IOException if this node does not lead, a member does not answer, is not in sync or supports the current level only, or a
     *     change of the members is in progress; the message names the members and the remedy
     */
    public LevelChange upgrade(LevelWriter writer) throws IOException {
        return changes.withoutOthers(() -> upgrade.run(writer));
    }

    /** Returns the members with their addresses, and on a leader the node that is being added. */
    public List<ClusterMember> members() {
        List<ClusterMember> all = new ArrayList<>(members.all());
        members.others().stream().filter(other -> !all.contains(other)).forEach(all::add);
        return all;
    }

    // Leadership by order

    /**
     * Passes leadership on to the follower that has most of the log and has answered recently (CL-15). Returns when it leads.
     *
     * @return whether another node leads; false if this node does not lead or no follower is in sync
     */
    public boolean passLeadershipOn() {
        return succession.passOn(run.server(), false, 2);
    }

    /**
     * Passes leadership on because this node leads and does not work as a whole (CL-16). The others receive the cause, and none
     * of them passes leadership to it from then on until its stores were opened again or replaced. So a fault that all nodes have
     * moves leadership at most once to each of them.
     *
     * @param term  the term in which the fault was found
     * @param cause a sentence about the fault
     * @return whether another node leads; false if this node does not lead in that term, or no follower is in sync and works as a
     *     whole
     */
    public boolean yieldLeadership(long term, String cause) {
        return terms.leads(term) && succession.isYieldedFor(run.server(), cause);
    }

    /**
     * Passes leadership on to a member (CL-17).
     *
     * @param name the name of the member
     * @throws IOException if this node does not lead, the member is not in sync, or it has not become leader within two elections
     */
    public void transferLeadership(String name) throws IOException {
        succession.passTo(run.server(), name);
    }

    /**
     * Ends the leadership of this node. The nodes elect a leader, which may be this one, in a new term.
     *
     * @throws IOException if this node does not lead
     */
    public void stepDown() throws IOException {
        RatisServer current = run.server();
        if (current == null || terms.leading() == null) {
            throw new IOException("Expected the leader, but node " + settings.name() + " does not lead.");
        }
        current.stepDown();
    }

    /** Returns whether a member has answered lately and nothing is known that keeps it from leading. For tests. */
    boolean knowsAsWell(String name) {
        ConsensusState state = run.state();
        return state != null
                && state.members().stream()
                        .map(RaftMember::identity)
                        .anyMatch(identity -> Membership.nameOf(identity).equals(name) && peers.isWell(identity));
    }

    /**
     * Begins to compare the tables of all members, or returns the state of the comparison that runs (CL-85).
     *
     * @throws IOException if this node does not lead
     */
    public Verification verify() throws IOException {
        return verification.verify();
    }

    /** Returns the state of the last comparison that this node has begun, or null if there was none. */
    public @Nullable Verification verification() {
        return verification.state();
    }

    // State

    /** Returns the state of this node and what it knows about the others. */
    public NodeStatus status() {
        RatisServer current = run.server();
        ConsensusState state = current == null ? null : current.state();
        StatusReport report = report(state);
        return current == null || state == null ? report.withoutServer() : report.of(current, state);
    }

    private StatusReport report(@Nullable ConsensusState state) {
        Membership own = joining.membership();
        return new StatusReport(
                settings.name(), own, remark(own, state), following.leaderChanges(), watch.restarts(), lags);
    }

    /**
     * Returns a sentence that says why this node is not a voting member in sync, or null if it is one (CL-51, CL-63). While it is one, another
     * node may be stopped, and this one can take part in the majority.
     */
    public @Nullable String outOfSync() {
        if (installer.isBusy()) {
            return "Node " + settings.name() + " is catching up: it receives a checkpoint, " + installer.percent()
                    + " % of it.";
        }
        RatisServer current = run.server();
        ConsensusState state = current == null ? null : current.state();
        return report(state).outOfSync(state);
    }

    /**
     * Returns when this node had its last contact with the leader before the current one, in {@link System#nanoTime}; without
     * such a leader, the start of this node (CL-83).
     */
    public long leaderlessSinceNanos() {
        return following.leaderlessSinceNanos();
    }

    /** Returns the id of the cluster, or an empty text if this node belongs to none yet (CL-53). */
    public String clusterId() {
        UUID id = joining.membership().cluster();
        return id == null ? "" : id.toString();
    }

    /** Returns this node and the other nodes that have answered lately, as they describe themselves (CL-81). */
    public List<NodeStatus.Peer> peers() {
        return peers.all();
    }

    /**
     * Returns the last entry in the log of this node, agreed on or not, or {@link LogPoint#START} if it takes no part. Without a leader,
     * only this shows which node has most: the entry that was applied last is the one of the last start then (CL-56).
     */
    public LogPoint lastEntry() {
        RatisServer current = run.server();
        return current == null ? LogPoint.START : current.lastEntry();
    }

    /** Returns the figures of this node besides its status (CL-82). */
    public NodeStatus.Figures figures() {
        RatisServer current = run.server();
        AgreementFigures commits = current == null ? new AgreementFigures() : current.figures();
        return new NodeStatus.Figures(commits.snapshot(), checkpoints.made(), installer.installed());
    }

    private @Nullable String remark(Membership own, @Nullable ConsensusState state) {
        if (state == null) {
            return own.cluster() == null ? joining.waiting() : run.whyStopped();
        }
        if (installer.isBusy()) {
            return "It receives a checkpoint, " + installer.percent() + " % of it.";
        }
        if (!state.hasMember(own.identity())) {
            return joining.waiting();
        }
        String refusal = state.leader() == null ? peers.refusalOfAnotherCluster() : null;
        if (refusal != null) {
            return refusal;
        }
        return run.fault() != null || succession.trouble().isEmpty()
                ? run.fault()
                : "It should not lead: " + succession.trouble();
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
        terms.close();
        watch.close();
        terms.end("Node " + settings.name() + " stops.");
        closeParts();
        run.close();
        checkpoints.close();
        replicas.forEach(replica -> replica.store().close());
    }

    private void closeParts() {
        leaderWatch.close();
        peers.close();
        announcer.close();
        changes.close();
        installer.close();
        verification.close();
        upkeep.close();
    }
}
