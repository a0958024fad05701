package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchRun;
import java.io.IOException;

/** A broker that a command starts, measures and deletes: one server or several nodes. Used by one thread. */
public interface OwnBroker extends AutoCloseable {
    /** Returns the AMQP address of a queue of the broker. */
    String address(String queue);

    /**
     * Returns a run that measures this broker and all its processes.
     *
     * @param webSocket whether clients use WebSockets
     */
    BenchRun run(BenchPlan plan, boolean webSocket) throws IOException, InterruptedException;

    /** Prints the errors that the broker has logged, if there are any. */
    void tellErrors(Terminal terminal);

    @Override
    void close() throws IOException, InterruptedException;
}
