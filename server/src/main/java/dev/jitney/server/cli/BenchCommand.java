package dev.jitney.server.cli;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code jitney bench}: passes its arguments to the benchmark, a separate program that may not be installed. */
@Command(name = "bench", description = "Measures throughput and latency (see: jitney bench --help).")
final class BenchCommand implements Callable<Integer> {
    private static final String BENCHMARK = "dev.jitney.benchmarks.JitneyBench";

    @Spec
    private @Nullable CommandSpec spec;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        try {
            Class.forName(BENCHMARK).getMethod("main", String[].class).invoke(null, (Object)
                    arguments.toArray(new String[0]));
            return 0;
        } catch (ClassNotFoundException e) {
            if (spec == null) {
                throw new IllegalStateException("Expected to be called by the command line.", e);
            }
            throw new ParameterException(
                    spec.commandLine(),
                    "bench: The benchmarks are not installed here. Run ./jitney bench in the source tree.");
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
