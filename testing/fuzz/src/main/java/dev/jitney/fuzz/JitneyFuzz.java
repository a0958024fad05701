package dev.jitney.fuzz;

import dev.jitney.server.BuildInfo;
import java.io.PrintWriter;
import picocli.CommandLine;

/** The entry point of {@code ./jitney fuzz}. */
public final class JitneyFuzz {
    private static final int BAD_OPTION = 2;

    private JitneyFuzz() {}

    /** Runs the command and ends the process: 0 nothing found, 1 a failure found, 2 invalid options. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true);
        System.exit(run(out, new PrintWriter(System.err, true), args));
    }

    /** Returns the command with all its options. */
    public static CommandLine model() {
        CommandLine fuzz = new CommandLine(new FuzzCommand());
        fuzz.getCommandSpec().version("jitney " + BuildInfo.version());
        return fuzz;
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        return model().setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((e, given) -> {
                    String line = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
                    err.println("jitney fuzz: " + line + " See jitney fuzz --help.");
                    return BAD_OPTION;
                })
                .execute(args);
    }
}
