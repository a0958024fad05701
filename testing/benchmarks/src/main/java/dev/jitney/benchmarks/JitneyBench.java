package dev.jitney.benchmarks;

import dev.jitney.benchmarks.bench.BenchCommand;
import dev.jitney.server.BuildInfo;
import java.io.PrintWriter;
import picocli.CommandLine;

/** The entry point of {@code ./jitney bench}. */
public final class JitneyBench {
    private static final int BAD_OPTION = 2;

    private JitneyBench() {}

    /**
     * Runs the command and ends the process: 0 after a measurement, 1 after a failure, 2 for options that cannot work.
     */
    public static void main(String[] args) {
        main(model(), args);
    }

    /** Runs a command of another module in the same way. */
    public static void main(CommandLine command, String[] args) {
        // This must be set before the first logger is created, or the measurement includes what libraries log at level
        // DEBUG.
        System.setProperty("logback.configurationFile", "dev/jitney/benchmarks/logback.xml");
        tellVersion(command);
        PrintWriter out = new PrintWriter(System.out, true);
        System.exit(run(command, out, new PrintWriter(System.err, true), args));
    }

    /** Returns the commands with all their options. */
    public static CommandLine model() {
        CommandLine bench = new CommandLine(new BenchCommand());
        tellVersion(bench);
        return bench;
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        return run(model(), out, err, args);
    }

    private static int run(CommandLine command, PrintWriter out, PrintWriter err, String... args) {
        return command.setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((e, given) -> {
                    String line = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
                    err.println("jitney bench: " + line + " See jitney bench --help.");
                    return BAD_OPTION;
                })
                .execute(args);
    }

    private static void tellVersion(CommandLine of) {
        of.getCommandSpec().version("jitney " + BuildInfo.version());
        of.getSubcommands().values().forEach(JitneyBench::tellVersion);
    }
}
