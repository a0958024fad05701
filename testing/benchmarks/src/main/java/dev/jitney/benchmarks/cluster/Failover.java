package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Kills of the leader of a broker while senders wait at another node (CL-90). Each round ends when all nodes are in sync again. Used
 * by one thread.
 */
public final class Failover {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int SENDS_BEFORE = 20;

    private final ReplicatedBroker broker;
    private final String queue;
    private final boolean sdk;

    /**
     * @param queue the name of the queue to send to
     * @param sdk whether a sender of the official Java SDK waits, too
     */
    public Failover(ReplicatedBroker broker, String queue, boolean sdk) {
        this.broker = broker;
        this.queue = queue;
        this.sdk = sdk;
    }

    /**
     * One round. All times are in milliseconds and begin with the kill; -1 is not measured.
     *
     * @param killed the name of the node that was killed
     * @param readyMs a new leader reports that it serves clients
     * @param rawMs the first send of a client without pauses is accepted
     * @param sdkMs the first send of the Java SDK is accepted
     * @param wholeMs all nodes are in sync, counted from the restart of the killed node
     */
    public record Round(String killed, double readyMs, double rawMs, double sdkMs, double wholeMs) {}

    /** Runs one round. */
    public Round run() throws IOException, InterruptedException {
        broker.awaitWhole(PATIENCE);
        BrokerNode leader = broker.awaitLeader(PATIENCE);
        Endpoint waitingAt = broker.otherThan(leader).endpoint();
        List<WaitingSender> senders = new ArrayList<>();
        try {
            senders.add(new RawSender(waitingAt, broker.address(queue)));
            if (sdk) {
                senders.add(new SdkSender(waitingAt, queue));
            }
            for (WaitingSender sender : senders) {
                sender.start();
                sender.awaitSends(SENDS_BEFORE, PATIENCE);
            }
            return kill(leader, senders);
        } finally {
            for (WaitingSender sender : senders) {
                sender.close();
            }
        }
    }

    private Round kill(BrokerNode leader, List<WaitingSender> senders) throws IOException, InterruptedException {
        long start = System.nanoTime();
        leader.kill();
        long ended = System.nanoTime();
        senders.forEach(sender -> sender.expectAfter(ended));
        double ready = -1;
        if (broker.reportsLeader()) {
            broker.awaitLeader(PATIENCE);
            ready = millisSince(start, System.nanoTime());
        }
        double raw = millisSince(start, senders.get(0).awaitAccepted(PATIENCE));
        double viaSdk = sdk ? millisSince(start, senders.get(1).awaitAccepted(PATIENCE)) : -1;
        long restarted = System.nanoTime();
        leader.launch();
        broker.awaitWhole(PATIENCE);
        return new Round(leader.name(), ready, raw, viaSdk, millisSince(restarted, System.nanoTime()));
    }

    private static double millisSince(long start, long nanos) {
        return (nanos - start) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
