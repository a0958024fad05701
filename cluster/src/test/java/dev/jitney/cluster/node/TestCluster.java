package dev.jitney.cluster.node;

import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.LevelRow;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Nodes of a cluster in this process, with the real Ratis, on free ports of this machine. */
final class TestCluster implements AutoCloseable {
    /** So long that no pause of a busy machine is an election: most tests keep the leader that they have found. */
    static final int ELECTION_MS = 4_000;

    /** For tests that wait for elections, and work with any leader. */
    static final int SHORT_ELECTION_MS = 1_000;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    final List<TestNode> nodes = new ArrayList<>();
    /** The names of nodes with an unreachable node port. */
    final Set<String> unreachable = ConcurrentHashMap.newKeySet();

    /** The names of nodes whose node port repeats its last introduction, also after a crash. */
    final Set<String> repeating = ConcurrentHashMap.newKeySet();

    /** The last introduction of each node. */
    private final Map<String, byte[]> introductions = new ConcurrentHashMap<>();

    /** The number of requests over node ports, by name. */
    final Map<String, Integer> requests = new ConcurrentHashMap<>();

    private final Path directory;
    private final int stores;
    private final int electionMs;
    private final List<ClusterMember> members = new ArrayList<>();

    TestCluster(Path directory, int size, int stores) throws IOException {
        this(directory, size, stores, ELECTION_MS);
    }

    TestCluster(Path directory, int size, int stores, int electionMs) throws IOException {
        this.directory = directory;
        this.stores = stores;
        this.electionMs = electionMs;
        List<Integer> ports = FreePorts.of(2 * size);
        for (int i = 0; i < size; i++) {
            members.add(new ClusterMember("" + (char) ('a' + i), "127.0.0.1", ports.get(2 * i), ports.get(2 * i + 1)));
        }
        for (int i = 0; i < size; i++) {
            nodes.add(new TestNode(members.get(i)));
        }
    }

    /** Makes one more node, which knows itself and some others. The others do not know it. */
    TestNode newNode(String name, TestNode... knows) throws IOException {
        List<Integer> ports = FreePorts.of(2);
        TestNode made = new TestNode(new ClusterMember(name, "127.0.0.1", ports.get(0), ports.get(1)));
        List<ClusterMember> known = new ArrayList<>();
        for (TestNode other : knows) {
            known.add(other.member);
        }
        known.add(made.member);
        made.configured = known;
        nodes.add(made);
        return made;
    }

    TestCluster startAll() throws Exception {
        for (TestNode node : nodes) {
            node.start();
        }
        for (TestNode node : nodes) {
            awaitTrue("the part of " + node.member.name() + " in the cluster", node::takesPart);
        }
        return this;
    }

    /** The network between node ports. */
    private byte[] ask(TestNode from, ClusterMember to, String request, byte[] body) throws IOException {
        @Nullable
        TestNode target = nodes.stream()
                .filter(node -> node.member.nodePort() == to.nodePort())
                .findFirst()
                .orElse(null);
        ClusterNode running = target == null ? null : target.node;
        if (repeating.contains(to.name()) && request.equals(NodeLink.HELLO)) {
            return Objects.requireNonNull(introductions.get(to.name()));
        }
        if (running == null || unreachable.contains(to.name()) || unreachable.contains(from.member.name())) {
            throw new IOException("Node " + to.name() + " cannot be reached.");
        }
        requests.merge(request, 1, Integer::sum);
        byte[] answer = running.answer(request, body);
        if (request.equals(NodeLink.HELLO)) {
            introductions.put(to.name(), answer);
        }
        return answer;
    }

    /** Waits for a leader, and returns it. */
    TestNode leader() throws Exception {
        return await(
                "a leader",
                () -> nodes.stream()
                        .filter(node -> node.term() != null)
                        .findFirst()
                        .orElse(null));
    }

    /** Waits for a leader of a later term than a given one, and returns it. */
    TestNode leaderAfter(long term) throws Exception {
        return await(
                "a leader after term " + term,
                () -> nodes.stream()
                        .filter(node -> {
                            LeaderTerm leads = node.term();
                            return leads != null && leads.term() > term;
                        })
                        .findFirst()
                        .orElse(null));
    }

    /**
     * Makes a node the leader. The request goes to the node that leads at the moment, because the transfer of an earlier attempt may be complete after its time
     * limit, or have made another node the leader.
     */
    void lead(TestNode node) throws Exception {
        List<String> refusals = new ArrayList<>();
        try {
            awaitTrue("the leadership of " + node.member.name(), () -> {
                TestNode leader = leader();
                if (leader != node) {
                    try {
                        Objects.requireNonNull(leader.node).transferLeadership(node.member.name());
                    } catch (IOException e) {
                        refusals.add(leader.member.name() + ": " + e.getMessage());
                    }
                }
                return node.term() != null;
            });
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + " The last refusals: "
                            + refusals.subList(Math.max(0, refusals.size() - 5), refusals.size()),
                    e);
        }
    }

    /** Returns the running nodes that do not lead. */
    List<TestNode> followersOf(TestNode leader) {
        return nodes.stream()
                .filter(node -> node != leader && node.node != null)
                .toList();
    }

    /** Commits a row on the leader, and returns the leader. Waits for another leader while the outcome is unknown. */
    TestNode commit(String key, String value) throws Exception {
        return commit(0, row(key, value));
    }

    /** Commits rows to a store like {@link #commit(String, String)}. */
    TestNode commit(int store, RowBatch rows) throws Exception {
        return await("a commit", () -> {
            TestNode leader = leader();
            try {
                leader.commit(store, rows);
                return leader;
            } catch (StoreException e) {
                return null;
            }
        });
    }

    /** Waits until all running nodes have a row. */
    void awaitEverywhere(String key, String value) throws Exception {
        for (TestNode node : nodes) {
            if (node.node != null) {
                try {
                    awaitTrue(
                            "the row " + key + " on node " + node.member.name(),
                            () -> value.equals(node.value(0, key)));
                } catch (AssertionError late) {
                    throw new AssertionError(late.getMessage() + statuses(), late);
                }
            }
        }
    }

    /** Returns the states of all running nodes, to explain a failure. */
    private String statuses() {
        return nodes.stream()
                .filter(node -> node.node != null)
                .map(node -> "\n" + node.status())
                .collect(Collectors.joining());
    }

    static void awaitTrue(String what, Callable<Boolean> condition) throws Exception {
        await(what, () -> condition.call() ? Boolean.TRUE : null);
    }

    /** Waits until a function returns something. */
    static <T> T await(String what, Callable<@Nullable T> attempt) throws Exception {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (System.nanoTime() - end < 0) {
            T found = attempt.call();
            if (found != null) {
                return found;
            }
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("Expected " + what + " within 60 s.");
    }

    static RowBatch row(String key, String value) {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, bytes(key), bytes(value));
        return batch;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Ends all nodes. In order, the last ones would offer the leadership to nodes that have just ended, for seconds. */
    @Override
    public void close() {
        nodes.forEach(TestNode::crash);
    }

    /** The disk of a node, with a given free space. */
    static final class TestDisk implements NodeDisks.Disk {
        static final long TOTAL_BYTES = 100L << 30;
        volatile long usableBytes = TOTAL_BYTES;

        @Override
        public long usableBytes() {
            return usableBytes;
        }

        @Override
        public long totalBytes() {
            return TOTAL_BYTES;
        }

        @Override
        public Path directory() {
            return Path.of("disk-of-the-test");
        }
    }

    /** A node, and the disks that outlive its process. */
    final class TestNode implements LeadershipListener, Replicas {
        final ClusterMember member;
        final List<InMemoryReplicaStore> disks = new ArrayList<>();
        final List<String> news = new ArrayList<>();
        private volatile @Nullable LeaderTerm term;
        volatile @Nullable ClusterNode node;
        volatile @Nullable ClusterMember follows;
        volatile long clockOffsetMs;
        volatile long logBytesMax = ClusterSettings.LOG_BYTES_MAX;
        final TestDisk disk = new TestDisk();
        /** True if the node uses the disk of its directory, and not {@link #disk}. */
        volatile boolean realDisks;

        /** The levels that the release of this node supports. */
        volatile FormatLevels levels = FormatLevels.OF_THIS_RELEASE;
        /** The release of this node. */
        volatile String release = "1.2.3";

        /** The nodes of the options of this node. */
        List<ClusterMember> configured = members;

        TestNode(ClusterMember member) {
            this.member = member;
            for (int i = 0; i < stores; i++) {
                disks.add(new InMemoryReplicaStore());
            }
        }

        Path directory() {
            return directory.resolve(member.name());
        }

        void start() throws IOException, StoreException {
            node = ClusterNode.start(
                    new ClusterSettings(
                            configured,
                            member.name(),
                            directory(),
                            stores,
                            electionMs,
                            logBytesMax,
                            new ClusterSettings.Facts(
                                    release, Map.of("--stores", "01ab" + member.name(), "--tier", "02cd")),
                            null,
                            levels),
                    this,
                    (to, request, body) -> ask(this, to, request, body),
                    () -> System.currentTimeMillis() + clockOffsetMs,
                    this,
                    realDisks ? NodeDisks.of(directory(), List.of()) : new NodeDisks(disk, List.of()));
        }

        /** Returns the file of the log that is written. */
        Path openLog() throws IOException {
            try (Stream<Path> files = Files.walk(directory())) {
                return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                        .findFirst()
                        .orElseThrow();
            }
        }

        @Override
        public Path workDirectory(int store) {
            return directory().resolve("work-" + store);
        }

        /** Loses the disk while the node is not running. */
        void wipe() throws IOException {
            for (int i = 0; i < stores; i++) {
                disks.set(i, new InMemoryReplicaStore());
            }
            try (Stream<Path> files = Files.walk(directory())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }

        @Override
        public ReplicaStore open(int store) throws StoreException {
            InMemoryReplicaStore found = disks.get(store).restarted();
            disks.set(store, found);
            return found;
        }

        /** Stops in order. */
        void stop() {
            ClusterNode running = node;
            if (running != null) {
                running.close();
                node = null;
                term = null;
            }
        }

        /** Stops as a crash would, as far as the others can see. */
        void crash() {
            ClusterNode running = node;
            if (running != null) {
                node = null;
                running.abandon();
                term = null;
            }
        }

        @Nullable
        LeaderTerm term() {
            return node == null ? null : term;
        }

        MessagingStore store(int store) {
            return Objects.requireNonNull(term()).stores().get(store);
        }

        /** Returns the level of the cluster as this node has applied it. */
        int level() {
            return Objects.requireNonNull(node).peers().get(0).levels().current();
        }

        /** Raises the level as the broker of a leader does. */
        void raiseLevel(int raised) throws IOException {
            try {
                RowBatch batch = new RowBatch();
                batch.put(Table.META, LevelRow.key(), LevelRow.value(raised));
                store(0).commit(batch);
            } catch (StoreException e) {
                throw new IOException("The outcome is unknown.", e);
            }
        }

        LevelChange upgrade() throws IOException {
            return Objects.requireNonNull(node).upgrade(this::raiseLevel);
        }

        void commit(String key, String value) throws StoreException {
            commit(0, row(key, value));
        }

        private void commit(int store, RowBatch rows) throws StoreException {
            LeaderTerm leads = term();
            if (leads == null) {
                throw new StoreException(StoreException.Reason.IO, "It does not lead.");
            }
            leads.stores().get(store).commit(rows);
        }

        @Nullable
        String value(int store, String key) {
            try {
                byte[] value = disks.get(store).get(Table.META, bytes(key));
                return value == null ? null : new String(value, StandardCharsets.UTF_8);
            } catch (StoreException e) {
                return null; // the node opens the store again
            }
        }

        /** Returns whether it is a member and has the first entry of a leader. */
        boolean takesPart() {
            NodeStatus status = status();
            return status.applied() >= 0
                    && (status.role() == NodeStatus.Role.LEADER || status.role() == NodeStatus.Role.FOLLOWER);
        }

        NodeStatus status() {
            return Objects.requireNonNull(node).status();
        }

        @Override
        public void leads(LeaderTerm leads) {
            try {
                writeFirstLevel(leads);
            } catch (StoreException e) {
                return; // the term is over
            }
            term = leads;
            note("leads " + leads.term());
        }

        /** Writes the level of a new cluster, as its first broker does. */
        private void writeFirstLevel(LeaderTerm leads) throws StoreException {
            MessagingStore first = leads.stores().get(0);
            if (leads.firstLevel() > Math.max(FormatLevels.FIRST, LevelRow.stored(first))) {
                RowBatch batch = new RowBatch();
                batch.put(Table.META, LevelRow.key(), LevelRow.value(leads.firstLevel()));
                first.commit(batch);
            }
        }

        @Override
        public void leadsNoMore(long over, String reason) {
            term = null;
            note("ended " + over);
        }

        @Override
        public void follows(@Nullable ClusterMember leader) {
            follows = leader;
        }

        private void note(String what) {
            synchronized (news) {
                news.add(what);
            }
        }

        List<String> news() {
            synchronized (news) {
                return List.copyOf(news);
            }
        }
    }
}
