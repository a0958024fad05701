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

/** Commands that run as separate programs, so that the server's class path stays small. This class only lists them in the help. */
abstract class ForeignCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Unmatched
    @SuppressWarnings("UnusedVariable") // takes all arguments, so that the command is refused
    private List<String> arguments = new ArrayList<>();

    /** Refuses the command. The launcher starts these programs itself, so this runs only without the launcher. */
    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        throw new ParameterException(
                spec.commandLine(), spec.name() + ": Expected the launcher to run this command. Use ./jitney.");
    }

    @Command(name = "server", description = "Runs the broker. See: jitney server --help.")
    static final class Server extends ForeignCommand {}

    @Command(name = "health", description = "Reports whether a server is ready, for container health checks.")
    static final class Health extends ForeignCommand {}

    @Command(name = "doctor", description = "Checks an installation, running or stopped.")
    static final class Doctor extends ForeignCommand {}

    @Command(name = "cluster", description = "Shows, controls and demonstrates a cluster of servers.")
    static final class Cluster extends ForeignCommand {}

    @Command(name = "backup", description = "Makes, verifies and restores backups of a server.")
    static final class Backup extends ForeignCommand {}

    @Command(name = "bench", description = "Measures throughput and latency. Only in the source tree.")
    static final class Bench extends ForeignCommand {}
}
