package dev.jitney.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Commands that are programs of their own, so that the server's class path stays small. They are only listed here. */
abstract class ForeignCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Unmatched
    @SuppressWarnings("UnusedVariable") // takes all arguments, so that the command is refused
    private List<String> arguments = new ArrayList<>();

    /** The launcher runs them before it comes to this. */
    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        throw new ParameterException(
                spec.commandLine(), spec.name() + ": Not a part of this program; run it with the launcher, ./jitney.");
    }

    @Command(name = "server", description = "Runs the broker (see: jitney server --help).")
    static final class Server extends ForeignCommand {}

    @Command(name = "health", description = "Tells whether a server is ready, for container health checks.")
    static final class Health extends ForeignCommand {}

    @Command(
            name = "bench",
            description = "Measures throughput and latency; in the source tree only (see: ./jitney bench --help).")
    static final class Bench extends ForeignCommand {}
}
