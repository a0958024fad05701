package dev.jitney.cli;

import java.io.Console;
import java.util.Locale;

/** Reports which standard streams are terminals. The launcher checks each stream, because Java cannot check them separately. */
final class Terminals {
    private Terminals() {}

    /**
     * @param property of the Java machine, which the launcher sets. Without it, this method uses Java's own check on Windows,
     *     where the batch file cannot check either
     */
    static boolean has(String property) {
        String said = System.getProperty(property);
        if (said != null) {
            return Boolean.parseBoolean(said);
        }
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows") && all();
    }

    /** Returns whether standard input and standard output are both terminals. */
    private static boolean all() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // Java 22 and later return a console even without a terminal.
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
