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

/** How a command shows what can be asked of it, refuses what cannot work, and tells what it has found. Mixed into each. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true)
public final class Terminal {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /** What a command does once its options are known to be good; gives the exit status. */
    @FunctionalInterface
    public interface Work {
        int run() throws AmqpException, IOException, InterruptedException;
    }

    /** Does it; returns the exit status: 1 if it failed, for which there is a line then. */
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

    /** Where to tell things. */
    public PrintWriter out() {
        return command().commandLine().getOut();
    }

    /** Tells a line at once. */
    public void say(String format, @Nullable Object... values) {
        out().println(String.format(Locale.ROOT, format, values));
        out().flush();
    }

    /** Refuses an option that is too small. */
    public void check(String option, long value, long min) {
        if (value < min) {
            throw bad(option + ": Expected " + min + " or more, but got " + value + ".");
        }
    }

    /** Refuses an option that is too small or too large. */
    public void check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw bad(option + ": Expected " + min + " to " + max + ", but got " + value + ".");
        }
    }

    /** What to throw for an option that cannot work. */
    public ParameterException bad(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    private CommandSpec command() {
        if (command == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return command;
    }
}
