package dev.jitney.cluster.verify;

import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the tables of all members at one place in the log (CL-85), on the leader, one comparison at a time.
 *
 * <p>A member that does not answer, or has made no progress for some minutes, is left out; the result names it. If the nodes
 * differ, those that are equal to most others are right; if there is no majority, those that are equal to the leader.
 *
 * <p>Any thread may call the methods.
 */
public final class ClusterVerification implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterVerification.class);
    private static final long ASK_MS = 200;
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Cluster cluster;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Run last;

    /** The members, as the leader reaches them. */
    public interface Cluster {
        /** Returns the names of all members, the leader first. */
        List<String> members();

        /**
         * Lets a member wait for a mark.
         *
         * @throws IOException if it does not answer or refuses
         */
        CheckReport begin(String member, UUID id) throws IOException;

        /**
         * Returns the state of a member.
         *
         * @param index the index of the mark, or 0
         * @throws IOException if it does not answer or does not know the mark
         */
        CheckReport report(String member, UUID id, long index) throws IOException;

        /**
         * Puts a mark in the log, and waits until it is agreed on.
         *
         * @throws IOException if that fails
         */
        void mark(UUID id) throws IOException;
    }

    /** @param cluster the members */
    public ClusterVerification(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Begins a comparison, or returns the state of the one that runs. */
    public synchronized Verification begin() {
        Run running = last;
        if (running == null || running.isOver()) {
            running = new Run(cluster.members());
            last = running;
            Thread thread = new Thread(running, "cluster-verification");
            thread.setDaemon(true);
            thread.start();
        }
        return running.state();
    }

    /** Returns the state of the last comparison, or null if there was none. */
    public synchronized @Nullable Verification state() {
        Run running = last;
        return running == null ? null : running.state();
    }

    /** Ends a comparison under way. */
    @Override
    public void close() {
        closed.countDown();
    }

    /** One comparison. */
    private final class Run implements Runnable {
        private final UUID id = UUID.randomUUID();
        private final long beganNanos = System.nanoTime();
        private final Map<String, Member> members = new LinkedHashMap<>();

        // Guarded by this object.
        private Verification.State state = Verification.State.RUNNING;
        private String reason = "";
        private long index;
        private long endedNanos;
        private List<Verification.Difference> differences = List.of();

        Run(List<String> names) {
            names.forEach(name -> members.put(name, new Member(name)));
        }

        synchronized boolean isOver() {
            return state != Verification.State.RUNNING;
        }

        synchronized Verification state() {
            long until = isOver() ? endedNanos : System.nanoTime();
            return new Verification(
                    id,
                    state,
                    index,
                    reason,
                    (until - beganNanos) / 1e9,
                    members.values().stream().map(Member::node).toList(),
                    differences);
        }

        @Override
        public void run() {
            try {
                members.values().forEach(member -> member.ask(() -> cluster.begin(member.name, id)));
                cluster.mark(id);
                while (members.values().stream().anyMatch(Member::isPending)) {
                    if (closed.await(ASK_MS, TimeUnit.MILLISECONDS)) {
                        end(Verification.State.FAILED, "The node stops.", List.of());
                        return;
                    }
                    look();
                }
                end(
                        Verification.State.DONE,
                        "",
                        compare(members.values().stream().toList()));
            } catch (IOException e) {
                end(Verification.State.FAILED, "The nodes did not agree on a mark: " + e.getMessage(), List.of());
            } catch (InterruptedException | RuntimeException e) {
                LOG.error("The comparison of the nodes failed.", e);
                end(Verification.State.FAILED, "An internal error: " + e.getMessage(), List.of());
            }
        }

        private void look() {
            long known = index;
            for (Member member : members.values()) {
                if (member.isPending()) {
                    member.ask(() -> cluster.report(member.name, id, known));
                }
            }
            synchronized (this) {
                for (Member member : members.values()) {
                    index = Math.max(index, member.index());
                }
            }
        }

        private synchronized void end(Verification.State with, String why, List<Verification.Difference> found) {
            state = with;
            reason = why;
            differences = found;
            endedNanos = System.nanoTime();
            if (!found.isEmpty()) {
                LOG.error(
                        "The tables of the nodes differ at entry {}: {}. Empty the data directory of a node that differs,"
                                + " and it gets a checkpoint.",
                        index,
                        found);
            }
        }
    }

    /** A request to a member. */
    @FunctionalInterface
    private interface Request {
        CheckReport send() throws IOException;
    }

    /** A member in one comparison. One thread sends requests, others read the state. */
    private static final class Member {
        private final String name;
        private final long beganNanos = System.nanoTime();
        private volatile @Nullable CheckReport report;
        private volatile String failure = "";
        private volatile boolean away;
        private long answeredNanos = beganNanos;
        private long progressNanos = beganNanos;

        Member(String name) {
            this.name = name;
        }

        void ask(Request request) {
            long now = System.nanoTime();
            try {
                CheckReport before = report;
                CheckReport answer = request.send();
                answeredNanos = now;
                if (before == null || before.rows() != answer.rows() || before.state() != answer.state()) {
                    progressNanos = now;
                } else if (now - progressNanos >= STUCK_NANOS) {
                    failure = "It has made no progress for ten minutes.";
                }
                report = answer;
            } catch (IOException e) {
                // A member that has answered once may be busy for a moment.
                if (report == null || now - answeredNanos >= SILENT_NANOS) {
                    failure = String.valueOf(e.getMessage());
                    away = true;
                }
            }
        }

        boolean isPending() {
            CheckReport known = report;
            return failure.isEmpty() && known != null && !known.state().isFinal();
        }

        long index() {
            CheckReport known = report;
            return known == null ? 0 : known.index();
        }

        Map<String, TableChecksum> tables() {
            CheckReport known = report;
            Map<String, TableChecksum> all = new TreeMap<>();
            if (known != null && known.state() == CheckReport.State.DONE) {
                known.tables().forEach(table -> all.put(table.store() + " " + table.table(), table));
            }
            return all;
        }

        Verification.Node node() {
            CheckReport known = report;
            String why = failure.isEmpty() && known != null ? known.reason() : failure;
            return new Verification.Node(
                    name, nodeState(known), why, known == null ? 0 : known.rows(), known == null ? 0 : known.bytes());
        }

        private Verification.NodeState nodeState(@Nullable CheckReport known) {
            if (!failure.isEmpty()) {
                return away ? Verification.NodeState.AWAY : Verification.NodeState.FAILED;
            }
            if (known == null) {
                return Verification.NodeState.WAITING;
            }
            return switch (known.state()) {
                case WAITING -> Verification.NodeState.WAITING;
                case READING -> Verification.NodeState.READING;
                case DONE -> Verification.NodeState.COMPARED;
                case FAILED -> Verification.NodeState.FAILED;
            };
        }
    }

    private static List<Verification.Difference> compare(List<Member> members) {
        List<Member> complete = members.stream()
                .filter(member -> member.node().state() == Verification.NodeState.COMPARED)
                .toList();
        Map<String, TableChecksum> all = new TreeMap<>(Comparator.comparing(ClusterVerification::order));
        complete.forEach(member -> member.tables().forEach(all::putIfAbsent));
        List<Verification.Difference> found = new ArrayList<>();
        for (Map.Entry<String, TableChecksum> each : all.entrySet()) {
            TableChecksum some = each.getValue();
            Map<TableChecksum, List<Member>> groups = complete.stream()
                    .collect(Collectors.groupingBy(
                            member -> member.tables().getOrDefault(each.getKey(), none(some)),
                            LinkedHashMap::new,
                            Collectors.toList()));
            // The first of the largest groups; members are in order, the leader first.
            TableChecksum right = some;
            int most = 0;
            for (Map.Entry<TableChecksum, List<Member>> group : groups.entrySet()) {
                if (group.getValue().size() > most) {
                    most = group.getValue().size();
                    right = group.getKey();
                }
            }
            for (Map.Entry<TableChecksum, List<Member>> group : groups.entrySet()) {
                if (!group.getKey().equals(right)) {
                    long expected = right.rows();
                    group.getValue()
                            .forEach(member -> found.add(new Verification.Difference(
                                    member.name,
                                    some.store(),
                                    name(some.table()),
                                    group.getKey().rows(),
                                    expected)));
                }
            }
        }
        return found;
    }

    /** Returns what a member without a table has. */
    private static TableChecksum none(TableChecksum other) {
        return new TableChecksum(other.store(), other.table(), -1, -1, 0);
    }

    private static String order(String key) {
        int space = key.indexOf(' ');
        return String.format("%8s %8s", key.substring(0, space), key.substring(space + 1));
    }

    private static String name(int table) {
        Table known = Table.of(table);
        return known == null ? "table " + table : known.name();
    }
}
