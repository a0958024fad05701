package dev.jitney.benchmarks;

import dev.jitney.benchmarks.bench.BenchCommand;
import dev.jitney.server.BuildInfo;
import java.io.PrintWriter;
import picocli.CommandLine;

/** The entry of {@code ./jitney bench}. */
public final class JitneyBench {
    private static final int BAD_OPTION = 2;

    private JitneyBench() {}

    /** Ends the process: 0 measured, 1 a fault, 2 options that cannot work. */
    public static void main(String[] args) {
        main(model(), args);
    }

    /** The same with a command of another module. */
    public static void main(CommandLine command, String[] args) {
        // Before the first logger is made: what libraries tell at level DEBUG would be measured too.
        System.setProperty("logback.configurationFile", "dev/jitney/benchmarks/logback.xml");
        tellVersion(command);
        PrintWriter out = new PrintWriter(System.out, true);
        System.exit(run(command, out, new PrintWriter(System.err, true), args));
    }

    /** The commands with all their options. */
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
                    err.println("jitney bench: " + line + " See: jitney bench --help");
                    return BAD_OPTION;
                })
                .execute(args);
    }

    private static void tellVersion(CommandLine of) {
        of.getCommandSpec().version("jitney " + BuildInfo.version());
        of.getSubcommands().values().forEach(JitneyBench::tellVersion);
    }
}
