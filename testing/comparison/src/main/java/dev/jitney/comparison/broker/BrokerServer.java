package dev.jitney.comparison.broker;

import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.nio.file.Path;

/** One broker with its data, running or not. Used by one thread. */
public interface BrokerServer extends AutoCloseable {

    /** Starts the process and returns at once. The broker may be launched again after its process was killed. */
    void launch() throws IOException;

    /** Waits until the address of the broker is known, and returns it. */
    Endpoint endpoint();

    /** Returns the process of the last launch. */
    WatchedProcess process();

    /** Returns the address of a subscription of {@link Entities#TOPIC} for a receiver. */
    String subscription(String name);

    /** Returns the directory of the messages. */
    Path data();

    /** Returns the last lines of output, for error texts. */
    String said();

    /** Kills the process. The data stay. */
    @Override
    void close();
}
