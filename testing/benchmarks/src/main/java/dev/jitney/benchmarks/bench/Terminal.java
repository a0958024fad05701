package dev.jitney.benchmarks.bench;

import dev.jitney.testing.client.AmqpException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The output of a command: its help, its refusals of options that cannot work, and its results. Mixed into each
 * command.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true)
public final class Terminal {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /** The work of a command whose options have been checked; returns the exit status. */
    @FunctionalInterface
    public interface Work {
        int run() throws AmqpException, IOException, InterruptedException;
    }

    /** Runs the work and returns the exit status. After a failure it prints the cause and returns 1. */
    public int attempt(Work work) throws InterruptedException {
        try {
            return work.run();
        } catch (AmqpException | IOException e) {
            out().println("jitney bench: " + e.getMessage());
            return 1;
        } finally {
            out().flush();
        }
    }

    /** Returns the writer for results. */
    public PrintWriter out() {
        return command().commandLine().getOut();
    }

    /** Prints a line and flushes it. */
    public void say(String format, @Nullable Object... values) {
        out().println(String.format(Locale.ROOT, format, values));
        out().flush();
    }

    /** Throws if an option is too small. */
    public void check(String option, long value, long min) {
        if (value < min) {
            throw bad(option + ": Expected " + min + " or more, but got " + value + ".");
        }
    }

    /** Throws if an option is too small or too large. */
    public void check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw bad(option + ": Expected " + min + " to " + max + ", but got " + value + ".");
        }
    }

    /** Returns the exception to throw for an option that cannot work. */
    public ParameterException bad(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    private CommandSpec command() {
        if (command == null) {
            throw new IllegalStateException("Expected a call by the command line, but got none.");
        }
        return command;
    }
}
