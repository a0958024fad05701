package dev.jitney.simulation.cli;

import java.io.PrintWriter;
import picocli.CommandLine;

/** The entry of {@code ./jitney simulate}. */
public final class JitneySimulate {
    private static final int BAD_OPTION = 2;

    private JitneySimulate() {}

    /** Ends the process: 0 held, 1 did not, 2 options that cannot work. */
    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "dev/jitney/simulation/logback.xml");
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /** The command with all its options. */
    public static CommandLine model() {
        return new CommandLine(new SimulateCommand());
    }

    /** Runs the command and answers what the process ends with. */
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
