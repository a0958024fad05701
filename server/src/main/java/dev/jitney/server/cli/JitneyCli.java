package dev.jitney.server.cli;

import dev.jitney.server.StartException;
import dev.jitney.server.cli.backup.BackupCommands;
import dev.jitney.server.cli.cluster.ClusterCommands;
import dev.jitney.server.cli.log.LogFormat;
import dev.jitney.server.cli.log.LogLevel;
import dev.jitney.server.cli.log.LogSetup;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point of the server process, {@code jitney server}, and of its checks, {@code jitney health} and {@code jitney doctor}. */
@Command(
        name = "jitney",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "(server | health | doctor | cluster | backup | bench)",
        description = "The service bus you run yourself.",
        footerHeading = "%nFirst steps:%n",
        footer = {
            "  jitney server --config config.json             starts a broker with the entities of a file",
            "  jitney server --help                           shows all options, with examples",
            "  jitney health                                  reports whether it is ready",
            "  jitney doctor                                  checks the installation"
        })
public final class JitneyCli implements Runnable {
    private static final int BAD_OPTION = 2;
    private static final int FAULT = 1;
    private static final Pattern INVALID_VALUE =
            Pattern.compile("Invalid value for option '(--[a-z-]+)'.*?: (Expected .*)");

    private final CommandLine commandLine;
    private final PrintStream err;
    private final Map<String, String> environment;

    JitneyCli(Map<String, String> environment, PrintStream out, PrintStream err, ServerRunner runner) {
        this.err = err;
        this.environment = environment;
        this.commandLine = new CommandLine(this)
                .addSubcommand(new ServerCommand(environment, runner))
                .addSubcommand(new HealthCommand(out, err))
                .addSubcommand(new DoctorCommand(out, environment))
                .addSubcommand(ClusterCommands.cluster(
                        out, err, new VersionProvider(), () -> LogSetup.use(LogLevel.OFF, LogFormat.TEXT)))
                .addSubcommand(BackupCommands.backup(out, err, new VersionProvider()))
                .addSubcommand(new BenchCommand())
                .setDefaultValueProvider(new EnvironmentDefaults(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler(this::refuse)
                .setExecutionExceptionHandler((e, command, result) -> fail(e));
    }

    /** Runs the process; the exit status is 0, 1 for a fault or 2 for invalid options. */
    public static void main(String[] args) {
        JitneyCli cli =
                new JitneyCli(System.getenv(), System.out, System.err, new ForegroundRunner(System.out, System.in));
        System.exit(cli.execute(args));
    }

    /**
     * Returns the commands with all their options, for documentation and completion. To run them, use {@link #main}.
     */
    public static CommandLine model() {
        return new JitneyCli(Map.of(), System.out, System.err, new ForegroundRunner(System.out, System.in)).commandLine;
    }

    int execute(String... args) {
        return commandLine.execute(args);
    }

    /** Without a command, prints the usage. */
    @Override
    public void run() {
        commandLine.usage(commandLine.getOut());
    }

    private int refuse(ParameterException e, String[] args) {
        StringBuilder line = new StringBuilder(words(e));
        String variable = variableBehind(e.getArgSpec(), args);
        if (variable != null) {
            line.insert(0, variable + ": ");
        }
        if (e instanceof UnmatchedArgumentException unmatched) {
            unmatched.getSuggestions().stream()
                    .findFirst()
                    .ifPresent(suggestion ->
                            line.append(" Did you mean ").append(suggestion).append('?'));
        }
        if (e instanceof UnmatchedArgumentException || e instanceof MissingParameterException) {
            line.append(" See: ")
                    .append(e.getCommandLine().getCommandSpec().qualifiedName())
                    .append(" --help");
        }
        err.println("jitney: " + line);
        return BAD_OPTION;
    }

    private int fail(Exception e) {
        if (e instanceof StartException start) {
            err.println("jitney: " + start.getMessage());
            return start.exitCode();
        }
        // A bug: the stack trace is more useful than a tidy line.
        err.println("jitney: An unexpected error ended the program.");
        e.printStackTrace(err);
        return FAULT;
    }

    /** Describes the error by the option and the fix, in place of the parser's message. */
    private static String words(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().get(0);
            // The value of an unknown option may be a key, so that it is not printed.
            return first.startsWith("-")
                    ? "There is no option '" + first.replaceFirst("=.*", "") + "'."
                    : "Expected no more arguments, but got '" + first + "'.";
        }
        String own = oneLine(String.valueOf(e.getMessage()));
        if (e instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()
                && missing.getMissing().get(0) instanceof OptionSpec option) {
            return option.longestName() + ": Expected a value (" + option.paramLabel() + "), but it is missing.";
        }
        Matcher invalid = INVALID_VALUE.matcher(own);
        return invalid.matches() ? invalid.group(1) + ": " + invalid.group(2) : own;
    }

    /** Returns the environment variable that set the option, or null if the command line sets it. */
    private @Nullable String variableBehind(@Nullable ArgSpec argument, String[] args) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        String name = option.longestName();
        String variable = EnvironmentDefaults.variable(name);
        boolean given = Arrays.stream(args).anyMatch(arg -> arg.equals(name) || arg.startsWith(name + "="));
        return given || !environment.containsKey(variable) ? null : variable;
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ");
    }
}
