package dev.jitney.cluster.change;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.Membership.Change;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.SoleMember;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes a data directory while its node does not run. Each change has steps, and the file {@value Membership#FILE} has the
 * change that is under way. So a change that was interrupted continues when it is called again, and one that is complete does
 * nothing: an option may stay in the configuration of a service.
 *
 * <table>
 * <caption>The steps</caption>
 * <tr><th>change</th><th>steps</th></tr>
 * <tr><td>{@link #found}</td><td>note it with the id of the new cluster; change all stores; note the end</td></tr>
 * <tr><td>{@link #abandonOthers}</td><td>note its begin; apply the whole log as the only member. Note it with the new cluster and
 * identity; set all stores back to the first entry; delete the old log; note the end</td></tr>
 * <tr><td>{@link #leave}</td><td>apply the whole log; note it; change all stores; delete the log and the file</td></tr>
 * </table>
 *
 * <p>Not thread-safe; the caller holds the data directory.
 */
public final class DirectoryChange {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryChange.class);

    /** The space that a node holds in reserve. */
    private static final String SPARE = "spare";

    /** A node that starts opens its stores before it gives its introduction. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Path directory;
    private final StoreKinds kinds;
    private final Clock clock;
    private final long patienceNanos;

    /**
     * @param directory the directory of the replicated log and of {@value Membership#FILE}
     * @param kinds     the stores
     * @param clock     the clock of the machine
     */
    public DirectoryChange(Path directory, StoreKinds kinds, Clock clock) {
        this(directory, kinds, clock, PATIENCE_NANOS);
    }

    /** @param patienceNanos the time for another node that runs to give its introduction, in nanoseconds */
    DirectoryChange(Path directory, StoreKinds kinds, Clock clock, long patienceNanos) {
        this.patienceNanos = patienceNanos;
        this.directory = directory;
        this.kinds = kinds;
        this.clock = clock;
    }

    /** Returns the change that was interrupted, or {@link Change#NONE}. */
    public Change interrupted() throws IOException {
        Membership membership = Membership.read(directory);
        return membership == null ? Change.NONE : membership.change();
    }

    /**
     * Makes the directory of a single node that of the first and only member of a new cluster, with all its messages (CL-54). A
     * node with an empty directory, which has lost its disk, joins the cluster of the other nodes instead.
     *
     * @param settings the settings of the node
     * @param link     sends requests to the other nodes, none of which may belong to a cluster
     * @return false if the directory is that of a member already, or the node joins another one, so that nothing was founded
     * @throws IOException if the directory has no stores and no other node belongs to a cluster, or another node belongs to a cluster; the message is for the operator
     */
    public boolean found(ClusterSettings settings, NodeLink link) throws IOException, StoreException {
        Membership own = Membership.read(directory);
        if (own != null && own.change() != Change.NONE && own.change() != Change.FOUNDING) {
            throw new IOException(remedy(own.change()));
        }
        if (own != null && own.change() == Change.NONE && own.cluster() != null) {
            return false;
        }
        if (own == null || own.change() == Change.NONE) {
            if (kinds.count() == 0) {
                if (own == null && joins(settings, link)) {
                    return false;
                }
                throw new IOException(
                        "Expected the data directory of a single node, but it is empty. Leave --cluster-found out: if the"
                                + " directories of all nodes are empty, the node that is named first founds the cluster.");
            }
            requireNoCluster(settings, link);
            own = founder(settings, own == null ? Membership.newIdentity(settings.name()) : own.identity());
            Files.createDirectories(directory);
            own.write(directory);
        }
        for (int i = 0; i < kinds.count(); i++) {
            kinds.toReplica(i, clock.nowMs());
        }
        own.changing(Change.NONE).write(directory);
        LOG.info(
                "Node {} has founded cluster {} with all messages of the single node.", settings.name(), own.cluster());
        return true;
    }

    private static Membership founder(ClusterSettings settings, String identity) {
        ClusterMember self = settings.self();
        List<RaftMember> founders = List.of(new RaftMember(identity, self.raftAddress(), self.nodePort()));
        return Membership.none(identity)
                .in(UUID.randomUUID(), founders)
                .knowing(founders)
                .changing(Change.FOUNDING);
    }

    /**
     * Lets an empty directory belong to the cluster of another node, if one answers with a cluster. The directory has it from then on, so
     * that a later start with the same option does not found a cluster without messages.
     *
     * @return whether the node joins a cluster
     */
    private boolean joins(ClusterSettings settings, NodeLink link) throws IOException {
        OtherNodes others = new OtherNodes(settings, link, patienceNanos);
        for (ClusterMember other : settings.members()) {
            NodeHello answer = other.name().equals(settings.name()) ? null : others.ask(other);
            UUID cluster = answer == null ? null : answer.cluster();
            if (answer != null && cluster != null) {
                Files.createDirectories(directory);
                Membership.none(Membership.newIdentity(settings.name()))
                        .in(cluster, List.of())
                        .foundedAt(answer.condition().levels().current())
                        .knowing(answer.members())
                        .write(directory);
                LOG.info(
                        "The data directory of node {} is empty, and node {} belongs to cluster {}. This node joins it.",
                        settings.name(),
                        answer.name(),
                        cluster);
                return true;
            }
        }
        return false;
    }

    private void requireNoCluster(ClusterSettings settings, NodeLink link) throws IOException {
        OtherNodes others = new OtherNodes(settings, link, patienceNanos);
        for (ClusterMember other : settings.members()) {
            NodeHello answer = other.name().equals(settings.name()) ? null : others.ask(other);
            if (answer != null && answer.cluster() != null) {
                throw new IOException("Node '" + other.name() + "' belongs to cluster " + answer.cluster()
                        + " already. To join it, empty the data directory of this node and leave --cluster-found out. To"
                        + " found another cluster, stop that node first.");
            }
        }
    }

    /**
     * Makes the directory of a member that of the only member of a new cluster, because the others are gone for good (CL-56).
     * Everything in the log of this node counts; messages that only the others have are lost. A node with an empty directory, which
     * has lost its disk, joins the cluster of the other nodes instead.
     *
     * @param settings the settings of the node
     * @param confirm  the id of the cluster, as a confirmation
     * @param link     sends requests to the other members, none of which may run
     * @return false if the others of this cluster were abandoned before, or the node joins a cluster, so that nothing was abandoned
     * @throws IOException if the confirmation is wrong, another member runs, or this node has not all that it has acknowledged; the
     *     message is for the operator
     */
    public boolean abandonOthers(ClusterSettings settings, UUID confirm, NodeLink link)
            throws IOException, StoreException {
        Membership own = Membership.read(directory);
        UUID cluster = own == null ? null : own.cluster();
        if (own == null && kinds.count() == 0 && joins(settings, link)) {
            return false;
        }
        if (own == null || cluster == null) {
            throw new IOException("Expected the data directory of a member of a cluster, but this node has been none.");
        }
        if (confirm.equals(own.abandoned()) && own.change() == Change.NONE) {
            return false;
        }
        boolean begun = own.change() == Change.ABANDONING_BEGUN;
        if (own.change() != Change.NONE && !begun && own.change() != Change.ABANDONING) {
            throw new IOException(remedy(own.change()));
        }
        UUID expected = own.change() == Change.ABANDONING ? own.abandoned() : cluster;
        if (!confirm.equals(expected)) {
            throw new IOException("Expected the id of the cluster of this node as a confirmation, which is " + expected
                    + ", but got " + confirm
                    + ". Messages that only the other members have will be lost. Use this option only"
                    + " if a majority of the members is gone for good.");
        }
        if (own.change() == Change.NONE || begun) {
            requireComplete(own);
            requireGone(settings, own, link);
            SoleMember.requireReadable(directory.resolve("raft"), cluster);
            own = own.changing(Change.ABANDONING_BEGUN);
            own.write(directory); // from here on, the log is that of an only member: the node must not start with it
            new EndOfLog(directory, own, cluster).reach(kinds, true);
            own = abandoning(settings, cluster);
            own.write(directory);
        }
        for (int i = 0; i < kinds.count(); i++) {
            kinds.restart(i, clock.nowMs());
        }
        deleteLog();
        own.changing(Change.NONE).write(directory);
        LOG.warn(
                "Node {} has founded cluster {} from its copy of cluster {}. Messages that only the other members had are lost."
                        + " Empty the data directories of the others before you start them again.",
                settings.name(),
                own.cluster(),
                confirm);
        return true;
    }

    private static Membership abandoning(ClusterSettings settings, UUID abandoned) {
        Membership made = founder(settings, Membership.newIdentity(settings.name()));
        return new Membership(
                made.identity(),
                made.cluster(),
                made.founders(),
                made.known(),
                false,
                false,
                false,
                Change.ABANDONING,
                abandoned,
                made.level());
    }

    /** Requires that this node has been a member until the others were lost, with everything that it has acknowledged. */
    private static void requireComplete(Membership own) throws IOException {
        String why = !own.joined()
                ? "never became one, so it lacks messages"
                : own.removed()
                        ? "was removed from the cluster, so it lacks all messages since then"
                        : own.lost()
                                ? "has lost entries of its log that it acknowledged, and the messages in them"
                                : null;
        if (why != null) {
            throw new IOException(
                    "Expected the data directory of a member that has all messages it acknowledged, but this node "
                            + why
                            + ". Start another remaining node with --cluster-abandon-others, empty the data directory of this"
                            + " one, and it joins.");
        }
    }

    /**
     * Requires that no other member answers. Requests go to the members that this node knew, and to the nodes of its options, which may
     * lack members that were added later.
     */
    private void requireGone(ClusterSettings settings, Membership own, NodeLink link) throws IOException {
        OtherNodes others = new OtherNodes(settings, link, patienceNanos);
        for (ClusterMember other : new Members(settings, own.known()).toAsk()) {
            NodeHello answer = others.ask(other);
            if (answer != null && own.cluster() != null && own.cluster().equals(answer.cluster())) {
                throw new IOException("Expected that the other members are gone for good, but node '" + other.name()
                        + "' answers. If a majority of the members can run again, start them instead. Otherwise stop that"
                        + " node, and continue with the node whose log ends with the highest term, and of these with the highest entry:"
                        + " jitney cluster status shows both while the nodes run.");
            }
        }
    }

    /**
     * Makes the directory of the only member of a cluster that of a single node, with all its messages (CL-54).
     *
     * @return false if the directory is that of a single node already, so that nothing was done
     * @throws IOException if the cluster has other members, or this node takes no part in it any more; the message is for the
     *     operator
     */
    public boolean leave() throws IOException, StoreException {
        Membership own = Membership.read(directory);
        if (own == null) {
            return false;
        }
        UUID cluster = own.cluster();
        if (own.change() != Change.NONE && own.change() != Change.LEAVING) {
            throw new IOException(remedy(own.change()));
        }
        if (own.change() == Change.NONE) {
            if (cluster == null || !own.joined()) {
                throw new IOException(
                        "Expected the data directory of a member of a cluster, but this node has been none."
                                + " Empty the data directory to start a single node.");
            }
            if (own.removed() || own.lost()) {
                throw new IOException(
                        "Expected the only member of a cluster, but this node is no member any more, and its"
                                + " messages are not up to date. Use the data directory of a member.");
            }
            new EndOfLog(directory, own, cluster).reach(kinds, false);
            own.changing(Change.LEAVING).write(directory);
        }
        for (int i = 0; i < kinds.count(); i++) {
            kinds.toSingleNode(i);
            delete(kinds.workDirectory(i));
        }
        deleteLog();
        Files.deleteIfExists(directory.resolve(SPARE));
        Files.deleteIfExists(directory.resolve(Membership.FILE));
        LOG.info("This data directory is that of a single node now, with all messages of cluster {}.", cluster);
        return true;
    }

    /** Returns a sentence for the operator who starts a node whose change was interrupted by another option. */
    public static String remedy(Change change) {
        return switch (change) {
            case FOUNDING ->
                "The founding of a cluster was interrupted. Start this node with --cluster-found once more.";
            case LEAVING ->
                "The change to a single node was interrupted. Start this node with --cluster-leave once more,"
                        + " and without --cluster-nodes.";
            case ABANDONING_BEGUN, ABANDONING ->
                "The founding of a cluster without the other members was interrupted. Start this node with"
                        + " --cluster-abandon-others once more.";
            case NONE -> "No change is under way.";
        };
    }

    private void deleteLog() throws IOException {
        delete(directory.resolve("raft"));
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
