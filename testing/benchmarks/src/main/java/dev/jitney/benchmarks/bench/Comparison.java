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
 * Several servers measured in turns, so that whatever else the machine does meanwhile meets all of them alike. They go with
 * the comparison. Used by one thread.
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
     * Adds one kind of runs.
     *
     * @param server is closed with the comparison
     * @param warmUp what is done before the first run, or null for nothing
     */
    void add(OwnServer server, @Nullable BenchPlan warmUp, BenchPlan run) {
        kinds.add(new Kind(server, new SendingCosts(server.process()), warmUp, run));
    }

    /** Warms all of them up, and then runs each so often, in turns; returns the runs of each kind, in their order. */
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
                failed = e; // the others are to go nevertheless
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
