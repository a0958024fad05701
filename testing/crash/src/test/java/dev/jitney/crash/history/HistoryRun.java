package dev.jitney.crash.history;

import dev.jitney.crash.cluster.EqualReplicas;
import dev.jitney.crash.split.Network;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Interposed;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterProcesses.Place;
import dev.jitney.testing.process.ClusterView;
import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The process of {@link ClusterHistoryTest}. It ends with status 0 if all histories are linearizable. The arguments are a directory
 * for the nodes, the number of histories, the seed, and whether it is alone in a network namespace, so that it can split the
 * network.
 */
final class HistoryRun implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STORES = 2;
    private static final int NODES = 3;
    private static final int CLIENTS_EACH = 2;
    private static final int INCIDENTS_EACH = 3;
    private static final int LOCK_SECONDS = 5;
    private static final int CLOCK_SECONDS_MAX = 180;
    private static final int SENDS_BEFORE = 20;

    private static final String QUEUE =
            "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
                    + "<LockDuration>PT" + LOCK_SECONDS + "S</LockDuration><MaxDeliveryCount>2000</MaxDeliveryCount>"
                    + "</QueueDescription>";

    private final Random random;
    private final @Nullable Network network;
    private final List<Interposed> systems;
    private final ClusterProcesses cluster;
    private final List<HistoryClient> clients = new ArrayList<>();
    private final AtomicInteger messages = new AtomicInteger();
    private long operations;

    private HistoryRun(Path directory, long seed, boolean alone) throws IOException, InterruptedException {
        random = new Random(seed);
        network = alone ? new Network() : null;
        systems = Interposed.compileFor(directory.resolve("interposed"), NODES);
        List<Place> places = IntStream.range(0, NODES).mapToObj(this::place).toList();
        List<String> server = new ArrayList<>(List.of("--stores", String.valueOf(STORES)));
        if (alone) {
            server.addAll(List.of("--host", "0.0.0.0", "--allow-public-key", "--cluster-plain"));
        }
        cluster = new ClusterProcesses(
                directory, places, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), server);
    }

    private Place place(int node) {
        Place place = network == null ? new Place("127.0.0.1", List.of()) : network.place(node);
        List<String> prefix = new ArrayList<>(place.prefix());
        if (!systems.isEmpty()) {
            prefix.addAll(systems.get(node).prefix());
        }
        return new Place(place.host(), prefix);
    }

    public static void main(String[] arguments) throws Exception {
        int histories = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        try (HistoryRun run = new HistoryRun(Path.of(arguments[0]), seed, Boolean.parseBoolean(arguments[3]))) {
            try {
                run.all(histories);
            } catch (Exception | AssertionError e) {
                System.out.printf("Seed %d%n%s%n", seed, run.cluster.report());
                throw e;
            }
        }
        System.exit(0); // threads of libraries may still run
    }

    private void all(int histories) throws Exception {
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        long begunNanos = System.nanoTime();
        List<Incident> incidents = Incident.sequence(histories * INCIDENTS_EACH, network != null, random);
        for (int i = 0; i < histories; i++) {
            one(i + 1, incidents.subList(i * INCIDENTS_EACH, (i + 1) * INCIDENTS_EACH));
        }
        stopAll();
        List<String> differences = EqualReplicas.differences(
                cluster.nodes().stream().map(NodeProcess::data).toList(), STORES);
        if (!differences.isEmpty()) {
            throw new AssertionError("Differences between the rows of the nodes: " + differences);
        }
        System.out.printf(
                "%d histories with %d operations and %d incidents, all linearizable, no difference between the nodes, %.0f s%n",
                2 * histories, operations, incidents.size(), (System.nanoTime() - begunNanos) / 1e9);
    }

    /** Records the histories of two queues, one of which has receive-and-delete, too. */
    private void one(int round, List<Incident> incidents) throws Exception {
        long begunNanos = System.nanoTime();
        String locked = "locked-" + round;
        String mixed = "mixed-" + round;
        Map<String, History> queues = new LinkedHashMap<>();
        for (String queue : List.of(locked, mixed)) {
            create(queue);
            queues.put(queue, new History());
        }
        for (int i = 0; i < NODES * CLIENTS_EACH; i++) {
            HistoryClient client =
                    new HistoryClient(i, endpoint(i % NODES), queues, Set.of(mixed), messages, random.nextLong());
            clients.add(client);
            client.start();
        }
        for (Incident incident : incidents) {
            awaitSends(SENDS_BEFORE);
            pause(random.nextInt(500));
            long fromNanos = System.nanoTime();
            perform(incident);
            cluster.launchAll();
            cluster.awaitWhole(PATIENCE);
            awaitSends(1);
            long toNanos = System.nanoTime();
            queues.values().forEach(history -> history.disturbed(fromNanos, toNanos));
        }
        awaitSends(SENDS_BEFORE);
        clients.forEach(HistoryClient::endReceiving);
        // Senders continue, so that each receive gets a message.
        Eventually.until(
                "all receives have ended", PATIENCE, () -> clients.stream().allMatch(HistoryClient::isIdle));
        for (HistoryClient client : clients) {
            client.close();
        }
        clients.clear();
        for (Map.Entry<String, History> queue : queues.entrySet()) {
            Eventually.until(queue.getKey() + " is empty", PATIENCE, () -> drain(queue.getKey(), queue.getValue()));
        }
        check(round, incidents, queues, begunNanos);
    }

    private void check(int round, List<Incident> incidents, Map<String, History> queues, long begunNanos) {
        System.out.printf("%3d. %s%n", round, incidents);
        List<String> violations = new ArrayList<>();
        for (Map.Entry<String, History> queue : queues.entrySet()) {
            long beganNanos = System.nanoTime();
            List<String> found = HistoryChecker.violations(queue.getValue(), HistoryChecker.lockNanos(LOCK_SECONDS));
            operations += queue.getValue().operations().size();
            System.out.printf(
                    "     %s: %s; %s, checked in %.2f s%n",
                    queue.getKey(),
                    queue.getValue().report(),
                    found.isEmpty() ? "linearizable" : found.size() + " violations",
                    (System.nanoTime() - beganNanos) / 1e9);
            found.forEach(one -> violations.add(queue.getKey() + ": " + one));
        }
        if (!violations.isEmpty()) {
            throw new AssertionError(String.join("\n", violations.subList(0, Math.min(10, violations.size()))));
        }
        System.out.printf("     %.0f s%n", (System.nanoTime() - begunNanos) / 1e9);
    }

    private static boolean drain(Endpoint endpoint, String queue, History history) throws InterruptedException {
        try {
            return HistoryDrain.drain(endpoint, queue, history);
        } catch (AmqpException e) {
            return false; // a leader was elected, or a message is locked
        }
    }

    private boolean drain(String queue, History history) throws Exception {
        return drain(cluster.awaitLeader(PATIENCE).endpoint(), queue, history);
    }

    private void create(String queue) throws Exception {
        Eventually.until("queue " + queue + " is there", PATIENCE, () -> {
            Endpoint leader = cluster.awaitLeader(PATIENCE).endpoint();
            int status = AmqpClient.await(new Administration(leader, leader.port()).create(queue, QUEUE))
                    .statusCode();
            return status / 100 == 2 || status == 409;
        });
    }

    private Endpoint endpoint(int node) {
        return cluster.nodes().get(node).endpoint();
    }

    /** Waits until each client has sent some more messages. */
    private void awaitSends(int count) throws Exception {
        long[] before = clients.stream().mapToLong(HistoryClient::progress).toArray();
        Eventually.until(
                "each client sends " + count + " messages",
                PATIENCE,
                () -> IntStream.range(0, before.length)
                        .allMatch(i -> clients.get(i).progress() - before[i] >= count));
    }

    private void perform(Incident incident) throws Exception {
        setClocks();
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        int number = cluster.nodes().indexOf(leader);
        int first = (number + 1) % NODES;
        int second = (number + 2) % NODES;
        switch (incident) {
            case KILL_LEADER -> {
                leader.kill();
                pause(random.nextInt(2_000));
            }
            case FREEZE_LEADER -> {
                leader.freeze();
                awaitOtherThan(leader);
                pause(random.nextInt(2_000));
                leader.thaw();
            }
            case KILL_ALL -> {
                for (NodeProcess node : cluster.nodes()) {
                    node.kill();
                }
            }
            case STOP_LEADER -> {
                if (leader.terminate() != 0) {
                    throw new AssertionError("Expected exit status 0 after SIGTERM.");
                }
            }
            case CUT_LEADER, LEADER_OUTPUT_LOST, LEADER_INPUT_LOST -> split(incident, leader, number, first, second);
        }
    }

    private void split(Incident incident, NodeProcess leader, int number, int first, int second) throws Exception {
        Network lines = network;
        if (lines == null) {
            throw new IllegalStateException("Expected a network to split.");
        }
        for (int other : List.of(first, second)) {
            if (incident != Incident.LEADER_INPUT_LOST) {
                lines.lose(number, other);
            }
            if (incident != Incident.LEADER_OUTPUT_LOST) {
                lines.lose(other, number);
            }
        }
        awaitOtherThan(leader);
        pause(random.nextInt(4_000));
        lines.heal();
    }

    private void awaitOtherThan(NodeProcess leader) throws Exception {
        Eventually.until("another node leads", PATIENCE, () -> {
            ClusterView view = cluster.view();
            return view != null && !leader.name().equals(view.leader());
        });
    }

    /** Sets the clock of each node minutes ahead or behind, so that a new leader finds another time than the former one (CL-13). */
    private void setClocks() {
        for (Interposed system : systems) {
            system.clockAhead(Duration.ofSeconds(random.nextInt(2 * CLOCK_SECONDS_MAX) - CLOCK_SECONDS_MAX));
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
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
        for (HistoryClient client : clients) {
            client.close();
        }
        cluster.close();
        if (network != null) {
            network.close();
        }
    }
}
