package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.nio.file.Path;

/** One node of a {@link ReplicatedBroker}. Used by one thread, except for the endpoint. */
public interface BrokerNode {
    /** Returns its name. */
    String name();

    /** Returns the address for AMQP without TLS, which stays the same over restarts. */
    Endpoint endpoint();

    /** Returns the process id of the last start. */
    long pid();

    /** Returns the directory of its data. */
    Path data();

    /** Starts the process without waiting until it is ready. */
    void launch() throws IOException;

    /** Kills the process with SIGKILL, and returns when it has ended. */
    void kill() throws InterruptedException;
}
