package dev.jitney.cluster.change;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.NodeAwayException;
import dev.jitney.cluster.node.ClusterNode;
import dev.jitney.cluster.node.LeaderTerm;
import dev.jitney.cluster.node.LeadershipListener;
import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import dev.jitney.store.rocksdb.StoreKind;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Three nodes with two stores on RocksDB each, whose directories are changed while they do not run. */
final class ChangedNodes implements AutoCloseable {
    private static final int STORES = 2;
    private static final int ELECTION_MS = 500;
    private static final RocksDbOptions OPTIONS =
            RocksDbOptions.DEFAULTS.withMemtables(1 << 20, 3).withBlockCacheBytes(8 << 20);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final List<ClusterMember> members = new ArrayList<>();
    private final Map<String, ChangedNode> nodes = new LinkedHashMap<>();

    /** The time for a node that runs to give its introduction. */
    long patienceNanos = TIMEOUT_NANOS;

    /** The names of nodes whose port is open, although they do not run yet. */
    final Set<String> starting = new HashSet<>();

    ChangedNodes(Path directory) throws IOException {
        this.directory = directory;
        List<Integer> ports = FreePorts.of(6);
        for (int i = 0; i < 3; i++) {
            members.add(new ClusterMember("" + (char) ('a' + i), "127.0.0.1", ports.get(2 * i), ports.get(2 * i + 1)));
        }
        members.forEach(member -> nodes.put(member.name(), new ChangedNode(member)));
    }

    ChangedNode node(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }

    List<ChangedNode> all() {
        return List.copyOf(nodes.values());
    }

    /** Returns a running node that does not lead. */
    ChangedNode follower() {
        return all().stream()
                .filter(node -> node.running != null && node.term == null)
                .findFirst()
                .orElseThrow();
    }

    /** Commits a row on the leader, whichever it is. */
    void commit(String key, String value) throws Exception {
        await("a commit of " + key, () -> {
            for (ChangedNode node : all()) {
                if (node.running != null && node.term != null) {
                    try {
                        node.commit(key, value);
                        return true;
                    } catch (StoreException e) {
                        return false;
                    }
                }
            }
            return false;
        });
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (System.nanoTime() - end < 0) {
            if (condition.call()) {
                return;
            }
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("Expected " + what + " within 60 s.");
    }

    private byte[] ask(ClusterMember to, String request, byte[] body) throws IOException {
        ClusterNode target = node(to.name()).running;
        if (target == null && starting.contains(to.name())) {
            throw new IOException("The node starts. Try again later.");
        }
        if (target == null) {
            throw new NodeAwayException("Node " + to.name() + " cannot be reached.");
        }
        return target.answer(request, body);
    }

    private static RowBatch row(String key, String value) {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, bytes(key), bytes(value));
        return batch;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String text(byte @Nullable [] value) {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        all().forEach(ChangedNode::stop);
    }

    /** A node and its data directory. */
    final class ChangedNode implements Replicas, StoreKinds, LeadershipListener {
        private final ClusterMember member;
        private final ReplicaStore[] replicas = new ReplicaStore[STORES];
        private volatile @Nullable ClusterNode running;
        private volatile @Nullable LeaderTerm term;
        private int failsAt = -1;
        private boolean failsToOpen;

        /** The nodes of the options of this node. */
        private List<ClusterMember> configured;

        ChangedNode(ClusterMember member) {
            this.member = member;
            configured = members;
        }

        Path directory() {
            return directory.resolve(member.name());
        }

        private Path store(int store) {
            return directory().resolve("store-" + store);
        }

        private ClusterSettings settings() {
            return new ClusterSettings(
                    configured, member.name(), directory(), STORES, ELECTION_MS, ClusterSettings.LOG_BYTES_MAX);
        }

        /** Leaves all other nodes out of the options of this one, as if they had been added to the cluster later. */
        void configureAlone() {
            configured = List.of(member);
        }

        // As a single node

        void commitAlone(String key, String value) throws StoreException {
            for (int i = 0; i < STORES; i++) {
                try (RocksDbMessagingStore store = RocksDbMessagingStore.open(store(i), OPTIONS)) {
                    store.commit(row(key, value));
                }
            }
        }

        @Nullable
        String valueAlone(String key) throws StoreException {
            String value = null;
            for (int i = 0; i < STORES; i++) {
                try (RocksDbMessagingStore store = RocksDbMessagingStore.openExisting(store(i), OPTIONS)) {
                    value = text(store.get(Table.META, bytes(key)));
                }
            }
            return value;
        }

        // Changes

        private DirectoryChange change() {
            return new DirectoryChange(directory(), this, System::currentTimeMillis, patienceNanos);
        }

        boolean found() throws IOException, StoreException {
            return change().found(settings(), ChangedNodes.this::ask);
        }

        boolean leave() throws IOException, StoreException {
            return change().leave();
        }

        boolean abandonOthers(UUID confirm) throws IOException, StoreException {
            return change().abandonOthers(settings(), confirm, ChangedNodes.this::ask);
        }

        /** Lets the next change fail before a store. */
        void failAt(int store) {
            failsAt = store;
        }

        /** Lets the next change fail when it opens the first store, to apply the log to it. */
        void failToOpen() {
            failsToOpen = true;
        }

        private void fail(int store) throws StoreException {
            if (store == failsAt) {
                failsAt = -1;
                throw new StoreException(StoreException.Reason.IO, "The process was killed.");
            }
        }

        @Override
        public int count() {
            return Files.exists(store(0)) ? STORES : 0;
        }

        @Override
        public void toReplica(int store, long timeMs) throws StoreException {
            fail(store);
            StoreKind.toReplica(store(store), OPTIONS, timeMs);
        }

        @Override
        public void restart(int store, long timeMs) throws StoreException {
            fail(store);
            StoreKind.restart(store(store), OPTIONS, timeMs);
        }

        @Override
        public void toSingleNode(int store) throws StoreException {
            fail(store);
            StoreKind.toSingleNode(store(store), OPTIONS);
        }

        // As a member

        void start() throws IOException, StoreException {
            running = ClusterNode.start(settings(), this, ChangedNodes.this::ask, System::currentTimeMillis, this);
        }

        void startUnchecked() {
            try {
                start();
            } catch (IOException | StoreException e) {
                throw new AssertionError(e);
            }
        }

        void stop() {
            ClusterNode stopping = running;
            running = null;
            if (stopping != null) {
                stopping.close();
            }
            term = null;
        }

        /** Ends at once: no other node gets the leadership, and the files are as a kill leaves them. */
        void kill() {
            try {
                Path copy = directory().resolveSibling("killed-" + member.name());
                copy(directory(), copy);
                stop();
                wipe();
                copy(copy, directory());
                delete(copy);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        void wipe() throws IOException {
            delete(directory());
        }

        private void copy(Path from, Path to) throws IOException {
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Path target = to.resolve(from.relativize(file).toString());
                    if (Files.isDirectory(file)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(file, target);
                    }
                }
            }
        }

        private void delete(Path tree) throws IOException {
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }

        String clusterId() {
            return Objects.requireNonNull(running).clusterId();
        }

        void awaitLeads() throws Exception {
            await("the leadership of " + member.name(), () -> term != null);
        }

        void awaitMember() throws Exception {
            await("the part of " + member.name() + " in the cluster", () -> {
                NodeStatus status = Objects.requireNonNull(running).status();
                return status.applied() >= 0
                        && (status.role() == NodeStatus.Role.LEADER || status.role() == NodeStatus.Role.FOLLOWER);
            });
        }

        void awaitRemark(String... parts) throws Exception {
            await("a remark of " + member.name(), () -> {
                String remark =
                        String.valueOf(Objects.requireNonNull(running).status().remark());
                return Stream.of(parts).allMatch(remark::contains);
            });
        }

        void awaitValue(String key, String value) throws Exception {
            await(key + " on " + member.name(), () -> value.equals(value(key)));
        }

        void commit(String key, String value) throws StoreException {
            for (int i = 0; i < STORES; i++) {
                Objects.requireNonNull(term).stores().get(i).commit(row(key, value));
            }
        }

        @Nullable
        String value(String key) throws StoreException {
            return text(replicas[STORES - 1].get(Table.META, bytes(key)));
        }

        @Override
        public ReplicaStore open(int store) throws StoreException {
            if (failsToOpen) {
                failsToOpen = false;
                fail(failsAt = store);
            }
            replicas[store] = RocksDbReplica.open(store(store), OPTIONS);
            return replicas[store];
        }

        @Override
        public Path workDirectory(int store) {
            return directory().resolve("checkpoints-" + store);
        }

        @Override
        public void leads(LeaderTerm leads) {
            term = leads;
        }

        @Override
        public void leadsNoMore(long over, String reason) {
            term = null;
        }

        @Override
        public void follows(@Nullable ClusterMember leader) {}
    }
}
