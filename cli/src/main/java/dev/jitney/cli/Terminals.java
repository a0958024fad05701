package dev.jitney.cli;

import java.io.Console;
import java.util.Locale;

/** Tells which standard streams are terminals: the launcher has looked, since the Java machine cannot tell one by one. */
final class Terminals {
    private Terminals() {}

    /**
     * @param property of the Java machine, which the launcher sets; without it, Java is asked on Windows, where a launcher
     *     made of a batch file cannot look either
     */
    static boolean has(String property) {
        String said = System.getProperty(property);
        if (said != null) {
            return Boolean.parseBoolean(said);
        }
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows") && all();
    }

    /** Whether standard input and output are terminals, both. */
    private static boolean all() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // Java 22 and later have a console without a terminal too.
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
