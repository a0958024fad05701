package dev.jitney.crash.split;

import dev.jitney.crash.cluster.EqualReplicas;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Interposed;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterProcesses.Place;
import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The process of {@link ClusterSplitTest}, which is alone in a network namespace. It ends with status 0 if all rules held. The
 * arguments are a directory for the nodes, the number of splits and the seed.
 */
final class SplitRun implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STORES = 2;

    /** Each split lasts at least this long, so that an election and the end of a leader without a majority fit in. */
    private static final long SPLIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5_000);

    /** The time in which the majority must serve. CL-90 measures it on a machine that is not busy. */
    private static final Duration FAILOVER = Duration.ofSeconds(20);

    /** The time in which a node must break connections that lead nowhere (CL-12, CL-22): an election and 1 s, and a busy machine. */
    private static final Duration BREAK = Duration.ofSeconds(10);

    /** The time for which an acknowledgment may stay in a busy client before it is recorded. */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    /** The longest pause between two acknowledgments while one follower is slow or cut off in one direction. */
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private static final String QUEUE =
            "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
                    + "<LockDuration>PT5S</LockDuration><MaxDeliveryCount>2000</MaxDeliveryCount></QueueDescription>";

    private final Random random;
    private final Network network = new Network();
    /** The clocks of the nodes, or an empty list if this machine cannot set them. */
    private final List<Interposed> systems;

    private final ClusterProcesses cluster;
    private final SplitLedger ledger = new SplitLedger();
    private final List<SplitClient> clients = new ArrayList<>();
    private final List<Long> failovers = new ArrayList<>();

    private SplitRun(Path directory, long seed) throws IOException, InterruptedException {
        random = new Random(seed);
        systems = Interposed.compileFor(directory.resolve("interposed"), Network.OUTSIDE);
        List<Place> places =
                IntStream.range(0, Network.OUTSIDE).mapToObj(this::place).toList();
        cluster = new ClusterProcesses(
                directory,
                places,
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "--stores",
                        String.valueOf(STORES),
                        "--host",
                        "0.0.0.0",
                        "--allow-public-key",
                        "--cluster-plain"));
    }

    public static void main(String[] arguments) throws Exception {
        int splits = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        try (SplitRun run = new SplitRun(Path.of(arguments[0]), seed)) {
            try {
                run.start();
                run.endure(splits);
            } catch (Exception | AssertionError e) {
                System.out.printf("Seed %d%n%s%n%s%n", seed, run.ledger.complaints(), run.cluster.report());
                throw e;
            }
        }
        System.exit(0); // threads of libraries may still run
    }

    private Place place(int node) {
        Place place = network.place(node);
        List<String> prefix = new ArrayList<>(place.prefix());
        if (!systems.isEmpty()) {
            prefix.addAll(systems.get(node).prefix());
        }
        return new Place(place.host(), prefix);
    }

    /** Returns the kinds that this machine does not allow, and prints the reasons. */
    private Set<Split> impossible() throws InterruptedException {
        Set<Split> without = EnumSet.noneOf(Split.class);
        if (systems.isEmpty()) {
            without.add(Split.CLOCKS_APART);
        }
        if (!network.canDelay()) {
            System.out.println("Expected the queueing discipline netem in this kernel, but it is missing.");
            without.add(Split.DELAYED_LINKS);
        }
        if (!without.isEmpty()) {
            System.out.println("Without " + without);
        }
        return without;
    }

    private void start() throws Exception {
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        for (String queue : SplitClient.QUEUES) {
            Eventually.until(
                    "queue " + queue + " is there",
                    PATIENCE,
                    () -> AmqpClient.await(administration().create(queue, QUEUE))
                                            .statusCode()
                                    / 100
                            == 2);
        }
        for (int i = 0; i < Network.OUTSIDE; i++) {
            clients.add(new SplitClient(i, endpoint(i), ledger));
        }
    }

    private Endpoint endpoint(int node) {
        NodeProcess process = cluster.nodes().get(node);
        return Endpoint.parse(process.host() + ":" + process.clientPort());
    }

    private Administration administration() throws IOException {
        int leader = cluster.nodes().indexOf(cluster.awaitLeader(PATIENCE));
        return new Administration(endpoint(leader), endpoint(leader).port());
    }

    private void endure(int splits) throws Exception {
        int round = 0;
        long begunNanos = System.nanoTime();
        for (Split split : Split.sequence(splits, impossible(), random)) {
            round++;
            perform(round, split);
            check("split " + round + ", " + split);
        }
        clients.forEach(SplitClient::halt);
        for (String queue : SplitClient.QUEUES) {
            Eventually.until("queue " + queue + " is empty", PATIENCE, () -> count(queue) == 0);
        }
        for (SplitClient client : clients) {
            client.close();
        }
        ledger.checkEmpty();
        check("the last split");
        stopAll();
        List<String> differences = EqualReplicas.differences(
                cluster.nodes().stream().map(NodeProcess::data).toList(), STORES);
        if (!differences.isEmpty()) {
            throw new AssertionError("Differences between the rows of the nodes: " + differences);
        }
        List<Long> sorted = failovers.stream().sorted().toList();
        System.out.printf(
                "%d splits, %s, 0 lost, 0 back again, no two nodes acknowledged at once, no difference between the nodes, %.0f s%n",
                splits, ledger.report(), (System.nanoTime() - begunNanos) / 1e9);
        if (!sorted.isEmpty()) {
            System.out.printf(
                    "  time until the other side acknowledged: median %.1f s, maximum %.1f s (%d times)%n",
                    sorted.get(sorted.size() / 2) / 1e9, sorted.get(sorted.size() - 1) / 1e9, sorted.size());
        }
    }

    private long count(String queue) throws Exception {
        return Administration.number(AmqpClient.await(administration().get(queue)), "MessageCount");
    }

    private void check(String when) {
        List<String> complaints = ledger.complaints();
        if (!complaints.isEmpty()) {
            throw new AssertionError("After " + when + ": " + complaints);
        }
    }

    private void perform(int round, Split split) throws Exception {
        int leader = cluster.nodes().indexOf(cluster.awaitLeader(PATIENCE));
        int first = (leader + 1 + random.nextInt(2)) % Network.OUTSIDE;
        int second = Network.OUTSIDE - leader - first;
        awaitService(List.of(0, 1, 2), System.nanoTime());
        if (split == Split.CLOCKS_APART) {
            setClocksApart(leader, first);
        }
        ledger.split();
        long beganNanos = System.nanoTime();
        split.begin(network, leader, first, second);
        long cutNanos = System.nanoTime();
        Integer minority = switch (split.minority()) {
            case LEADER -> leader;
            case SECOND -> second;
            case NONE -> null;
        };
        String result;
        if (split == Split.FLAPPING_LINKS) {
            flap();
            result = "";
        } else {
            result = watch(split, leader, first, second, minority, beganNanos, cutNanos);
        }
        switch (split) {
            case LEADER_KILLED_IN_SPLIT -> killInSplit(leader, first, second);
            case MAJORITY_MOVES -> result += moveMajority(leader, first, second);
            case CLOCKS_APART -> systems.forEach(system -> system.clockAhead(Duration.ZERO));
            default -> {
                // It is over.
            }
        }
        long healingNanos = System.nanoTime();
        split.end(network, leader, first, second);
        network.heal();
        cluster.awaitWhole(PATIENCE);
        awaitService(List.of(0, 1, 2), System.nanoTime());
        System.out.printf(
                "%3d. %s of %s: lasted %.1f s%s; all nodes serve again and are in sync after %.1f s%n",
                round,
                split,
                SplitLedger.name(leader),
                (healingNanos - beganNanos) / 1e9,
                result,
                (System.nanoTime() - healingNanos) / 1e9);
    }

    private void setClocksApart(int ahead, int behind) {
        systems.get(ahead).clockAhead(Duration.ofSeconds(60L + random.nextInt(300)));
        systems.get(behind).clockAhead(Duration.ofSeconds(-60L - random.nextInt(300)));
    }

    /**
     * Kills the leader while its follower is cut off from the other one. No node may acknowledge until the followers reach each
     * other. Then the one that was with the leader must lead, because the other one lacks acknowledged entries.
     */
    private void killInSplit(int leader, int first, int second) throws Exception {
        cluster.nodes().get(leader).kill();
        long killedNanos = System.nanoTime();
        while (System.nanoTime() - killedNanos < SPLIT_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        ledger.checkSilent(first, killedNanos, killedNanos, TOLERANCE_NANOS);
        ledger.checkSilent(second, killedNanos, killedNanos, TOLERANCE_NANOS);
        network.heal();
        awaitService(List.of(first, second), System.nanoTime());
        NodeProcess now = cluster.awaitLeader(PATIENCE);
        if (cluster.nodes().indexOf(now) != first) {
            ledger.complain("Node " + now.name() + " leads, although it lacks entries that node "
                    + SplitLedger.name(first) + " has acknowledged together with a leader that was killed.");
        }
        cluster.launch(cluster.nodes().get(leader));
    }

    /** Cuts the new leader off, and connects the former one again with the node that was on the side of both. */
    private String moveMajority(int former, int first, int second) throws Exception {
        int leader = cluster.nodes().indexOf(cluster.awaitLeader(PATIENCE));
        if (leader == former) {
            ledger.complain("Node " + SplitLedger.name(former) + " leads, although it is cut off.");
            return "";
        }
        int common = leader == first ? second : first;
        ledger.split();
        long beganNanos = System.nanoTime();
        network.cut(leader, common);
        long cutNanos = System.nanoTime();
        network.pass(former, common);
        network.pass(common, former);
        return watch(Split.MAJORITY_MOVES, leader, former, common, leader, beganNanos, cutNanos);
    }

    /** Lets a split last, and checks who serves. Returns a text with times. */
    private String watch(
            Split split, int leader, int first, int second, @Nullable Integer minority, long beganNanos, long cutNanos)
            throws Exception {
        List<Integer> majority = new ArrayList<>(List.of(leader, first, second));
        if (split == Split.FOLLOWER_INPUT_LOST) {
            majority.remove(Integer.valueOf(second)); // the answers of the leader do not reach its clients
        } else {
            majority.remove(minority);
        }
        if (split == Split.SILENT_LEADER) {
            Eventually.until(
                    "the followers close the connections to the silent leader (CL-22, CL-28)",
                    BREAK,
                    () -> !clients.get(first).hasConnectionOf(beganNanos)
                            && !clients.get(second).hasConnectionOf(beganNanos));
            System.out.printf(
                    "     the followers closed the connections to the silent leader within %.1f s%n",
                    (System.nanoTime() - beganNanos) / 1e9);
        }
        long servedNanos = awaitService(majority.subList(majority.size() - 1, majority.size()), cutNanos);
        String text = ", one of the majority acknowledged after %.1f s".formatted((servedNanos - beganNanos) / 1e9);
        if (split.minority() == Split.Minority.LEADER) {
            failovers.add(servedNanos - beganNanos);
        }
        if (minority != null && split != Split.SILENT_LEADER && split != Split.LEADER_ALONE) {
            SplitClient cut = clients.get(minority);
            Eventually.until(
                    "the node that is cut off closes the connection of its client (CL-12)",
                    BREAK,
                    () -> !cut.hasConnectionOf(cutNanos));
            text += ", the node that is cut off closed its connections after %.1f s"
                    .formatted((System.nanoTime() - beganNanos) / 1e9);
        }
        while (System.nanoTime() - cutNanos < SPLIT_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        if (minority == null) {
            checkSteady(split, List.of(leader, first, second).subList(0, split.steady()), beganNanos);
        } else {
            ledger.checkSilent(minority, cutNanos, servedNanos, TOLERANCE_NANOS);
        }
        return text;
    }

    /** Waits until each of some nodes has acknowledged a request that was made after a time. Returns the first time. */
    private long awaitService(List<Integer> nodes, long afterNanos) throws Exception {
        for (int node : nodes) {
            Eventually.until(
                    "node " + SplitLedger.name(node) + " acknowledges",
                    FAILOVER,
                    () -> !ledger.acknowledgments(List.of(node), afterNanos).isEmpty());
        }
        return ledger.acknowledgments(nodes, afterNanos).get(0).receivedNanos();
    }

    /** Checks that nodes did not cease to acknowledge. */
    private void checkSteady(Split split, List<Integer> nodes, long beganNanos) {
        for (int node : nodes) {
            long lastNanos = beganNanos;
            long longestNanos = 0;
            for (SplitLedger.Acknowledgment one : ledger.acknowledgments(List.of(node), beganNanos)) {
                longestNanos = Math.max(longestNanos, one.receivedNanos() - lastNanos);
                lastNanos = one.receivedNanos();
            }
            longestNanos = Math.max(longestNanos, System.nanoTime() - lastNanos);
            if (longestNanos > PAUSE_NANOS_MAX) {
                ledger.complain("Node " + SplitLedger.name(node) + " acknowledged nothing for "
                        + longestNanos / 1_000_000 + " ms during " + split + ".");
            }
        }
    }

    /** Loses and passes the packets of one link after another, in one direction each. */
    private void flap() throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + SPLIT_NANOS;
        while (System.nanoTime() < endNanos) {
            int from = random.nextInt(Network.OUTSIDE);
            int to = (from + 1 + random.nextInt(2)) % Network.OUTSIDE;
            if (random.nextBoolean()) {
                network.lose(from, to);
            } else {
                network.pass(from, to);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100L + random.nextInt(400)));
        }
    }

    /** Stops the nodes, the leader last, when all are at the same position. */
    private void stopAll() throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        cluster.awaitLevel(PATIENCE);
        List<NodeProcess> order = new ArrayList<>(cluster.nodes());
        order.remove(leader);
        order.add(leader);
        for (NodeProcess node : order) {
            int status = node.terminate();
            if (status != 0) {
                throw new AssertionError("Expected node " + node.name() + " to end with 0, but got " + status + ".");
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (SplitClient client : clients) {
            client.close();
        }
        cluster.close();
        network.close();
    }
}
