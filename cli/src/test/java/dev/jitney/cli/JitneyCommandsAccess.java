package dev.jitney.cli;

import dev.jitney.cli.output.Console;

/** Lets tests of other packages run the command line. */
public final class JitneyCommandsAccess {
    private JitneyCommandsAccess() {}

    public static int execute(Console console, String[] arguments) {
        LogSetup.use(false, false);
        return new JitneyCommands(console, arguments).execute(arguments);
    }
}
