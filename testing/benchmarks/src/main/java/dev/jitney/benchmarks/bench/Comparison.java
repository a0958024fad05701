package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.SendingCosts;
import dev.jitney.testing.client.AmqpException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Servers that are measured in turns, so that other load on the machine affects all of them alike. Closing the
 * comparison closes the servers. Used by one thread.
 */
final class Comparison implements AutoCloseable {
    private final Terminal terminal;
    private final List<Kind> kinds = new ArrayList<>();

    private record Kind(
            OwnServer server, SendingCosts costs, @Nullable BenchPlan warmUp, BenchPlan run) {}

    Comparison(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Adds a server with its kind of run.
     *
     * @param server closed with the comparison
     * @param warmUp plan to run before the first measured run, or null for none
     */
    void add(OwnServer server, @Nullable BenchPlan warmUp, BenchPlan run) {
        kinds.add(new Kind(server, new SendingCosts(server.process()), warmUp, run));
    }

    /**
     * Warms up all servers, runs each of them {@code rounds} times in turns, and returns the runs of each kind, in
     * their order.
     */
    List<List<Sending>> measure(int rounds) throws AmqpException, IOException, InterruptedException {
        List<List<Sending>> runs = new ArrayList<>();
        for (Kind kind : kinds) {
            runs.add(new ArrayList<>());
            if (kind.warmUp != null) {
                kind.costs.measure(kind.warmUp);
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < kinds.size(); i++) {
                Kind kind = kinds.get(i);
                runs.get(i).add(kind.costs.measure(kind.run));
            }
        }
        return runs;
    }

    @Override
    public void close() throws IOException {
        for (Kind kind : kinds) {
            kind.server.tellErrors(terminal);
        }
        IOException failed = null;
        for (Kind kind : kinds) {
            try {
                kind.server.close();
            } catch (IOException e) {
                failed = e; // close the other servers too
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
