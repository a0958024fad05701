package dev.jitney.benchmarks.cluster;

import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Restarts of all nodes, one after the other, while clients send and receive at a steady rate (CL-63). Used by one thread. */
public final class RollingRestart implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final JitneyCluster cluster;
    private final List<RollingClient> clients = new ArrayList<>();
    private final RollingClient.Received received;
    private final ServiceGaps all;

    /**
     * Starts the clients.
     *
     * @param clientCount the number of clients, which connect to the nodes in turn
     * @param perSecond the messages per second of all clients together
     * @param pauseMs the longest pause between two accepted sends in milliseconds that is no time without service
     */
    public RollingRestart(
            JitneyCluster cluster, String queue, int clientCount, double perSecond, int size, long pauseMs) {
        this.cluster = cluster;
        all = new ServiceGaps(pauseMs);
        received = new RollingClient.Received(clientCount);
        List<Endpoint> nodes =
                cluster.nodes().stream().map(BrokerNode::endpoint).toList();
        for (int i = 0; i < clientCount; i++) {
            RollingClient client = new RollingClient(
                    i, nodes, queue, perSecond / clientCount, size, received, new ServiceGaps(pauseMs), all);
            clients.add(client);
            client.start();
        }
    }

    /**
     * The restart of all nodes. Times are in milliseconds.
     *
     * @param order the names of the nodes in the order of their restarts
     * @param leader the name of the node that led before
     * @param leaderChanges the number of elections
     * @param connectionsLost the number of connections that clients have lost
     * @param worstMs the sum of times without service of the client for which it is the largest
     * @param longestMs the longest time without service of any client
     * @param allMs the sum of the times in which no client was served
     * @param seconds the time from the first stop until all nodes are in sync
     * @param perSecond the accepted sends per second meanwhile
     */
    public record Round(
            String order,
            String leader,
            long leaderChanges,
            int connectionsLost,
            double worstMs,
            double longestMs,
            double allMs,
            double seconds,
            double perSecond) {}

    /** Returns the names of the nodes with the leader last. */
    public List<String> followersFirst() throws IOException {
        String leader = cluster.awaitLeader(PATIENCE).name();
        List<String> order = new ArrayList<>(cluster.nodes().stream()
                .map(BrokerNode::name)
                .filter(name -> !name.equals(leader))
                .toList());
        order.add(leader);
        return order;
    }

    /** Lets the load run without a measurement. */
    public void warmUp(long seconds) {
        Quiet.park(TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Restarts the nodes in an order. The next one is stopped when the one before is in sync. */
    public Round restart(List<String> order) throws IOException, InterruptedException {
        awaitWhole();
        String leader = cluster.awaitLeader(PATIENCE).name();
        long term = cluster.term();
        int lost = lost();
        long accepted = accepted();
        long beganNanos = System.nanoTime();
        all.start(beganNanos);
        clients.forEach(client -> client.gaps().start(beganNanos));
        for (String name : order) {
            int status = cluster.terminate(name);
            if (status != 0) {
                throw new IOException("Expected node " + name + " to end with status 0, but got " + status + ".");
            }
            cluster.launch(name);
            awaitWhole();
        }
        long endNanos = System.nanoTime();
        all.stop(endNanos);
        clients.forEach(client -> client.gaps().stop(endNanos));
        double seconds = (endNanos - beganNanos) / 1e9;
        return new Round(
                String.join(" ", order),
                leader,
                cluster.term() - term,
                lost() - lost,
                clients.stream()
                        .mapToDouble(client -> client.gaps().sumMs())
                        .max()
                        .orElse(0),
                clients.stream()
                        .mapToDouble(client -> client.gaps().longestMs())
                        .max()
                        .orElse(0),
                all.sumMs(),
                seconds,
                (accepted() - accepted) / seconds);
    }

    private int lost() {
        return clients.stream().mapToInt(RollingClient::lost).sum();
    }

    private long accepted() {
        return clients.stream().mapToLong(RollingClient::accepted).sum();
    }

    /** Waits with long pauses, because every look costs processor time that the load lacks. */
    private void awaitWhole() throws IOException {
        await("all nodes to be in sync", cluster::isWhole);
    }

    /** A condition. */
    private interface Condition {
        boolean holds();
    }

    private void await(String what, Condition condition) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("Expected " + what + ", but got: " + cluster.errors());
            }
            Quiet.park(POLL_NANOS);
        }
    }

    /**
     * The account of all messages.
     *
     * @param accepted the number of accepted sends
     * @param lost the number of them that were not received
     * @param again the number of deliveries of messages that were received before
     */
    public record Account(long accepted, long lost, long again) {}

    /** Ends sending, and receives the rest. */
    public Account end() throws IOException {
        clients.forEach(RollingClient::halt);
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        // A send that is under way when the others end may be accepted after its client has looked complete.
        for (int complete = 0; complete < 2 && System.nanoTime() - deadline < 0; ) {
            complete = clients.stream().allMatch(RollingClient::isAnswered) && missing() == 0 ? complete + 1 : 0;
            Quiet.park(POLL_NANOS);
        }
        return new Account(accepted(), missing(), received.again());
    }

    private long missing() {
        return clients.stream().mapToLong(RollingClient::missing).sum();
    }

    @Override
    public void close() throws InterruptedException {
        for (RollingClient client : clients) {
            client.close();
        }
    }
}
