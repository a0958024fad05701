package dev.jitney.comparison.broker;

import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.nio.file.Path;

/** One broker with its data, running or not. Used by one thread. */
public interface BrokerServer extends AutoCloseable {

    /** Starts its process and returns at once. It may be launched again after its process was killed. */
    void launch() throws IOException;

    /** Where it listens, or will; waits until that is known. */
    Endpoint endpoint();

    /** The process launched last. */
    WatchedProcess process();

    /** What a receiver calls a subscription of {@link Entities#TOPIC}. */
    String subscription(String name);

    /** Where its messages are. */
    Path data();

    /** What it said last, for when something goes wrong. */
    String said();

    /** Kills its process; its data stay. */
    @Override
    void close();
}
