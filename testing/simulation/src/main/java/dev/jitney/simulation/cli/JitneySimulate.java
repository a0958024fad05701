package dev.jitney.simulation.cli;

import java.io.PrintWriter;
import picocli.CommandLine;

/** The main class of {@code ./jitney simulate}. */
public final class JitneySimulate {
    private static final int BAD_OPTION = 2;

    private JitneySimulate() {}

    /** Exits with 0 if all histories pass, 1 if one fails, and 2 for invalid options. */
    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "dev/jitney/simulation/logback.xml");
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /** Returns the command with all its options. */
    public static CommandLine model() {
        return new CommandLine(new SimulateCommand());
    }

    /** Runs the command and returns the exit code of the process. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return model().setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((e, given) -> {
                    String line = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
                    err.println("jitney simulate: " + line + " See: jitney simulate --help");
                    return BAD_OPTION;
                })
                .execute(args);
    }
}
