package dev.jitney.benchmarks.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A broker of several nodes on this machine that keeps a copy of each message on every node. Used by one thread. Closing it kills
 * all nodes; their data stay.
 */
public interface ReplicatedBroker extends AutoCloseable {
    /** Returns the name of the program, with its version if it is not Jitney. */
    String name();

    /** Returns all nodes, running or not. */
    List<BrokerNode> nodes();

    /** Returns the AMQP address of a queue. */
    String address(String queue);

    /** Returns whether the nodes are Java processes, so that their heaps can be read. */
    boolean isJava();

    /** Returns whether {@link #awaitLeader} is quick and cheap enough to measure with it. */
    boolean reportsLeader();

    /** Waits until a running node leads and serves clients, and returns it. */
    BrokerNode awaitLeader(Duration patience) throws IOException, InterruptedException;

    /** Waits until all nodes run and have all messages. */
    void awaitWhole(Duration patience) throws IOException, InterruptedException;

    /** Returns the last lines of the error output of all nodes, or an empty string. */
    String errors();

    @Override
    void close() throws IOException, InterruptedException;

    /** Returns a node other than this one. */
    default BrokerNode otherThan(BrokerNode node) {
        return nodes().stream()
                .filter(other -> !other.name().equals(node.name()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Expected at least two nodes, but there is one."));
    }
}
