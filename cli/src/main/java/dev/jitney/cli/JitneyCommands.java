package dev.jitney.cli;

import dev.jitney.cli.access.AccessCommands;
import dev.jitney.cli.connection.Failures;
import dev.jitney.cli.entity.EntityCommands;
import dev.jitney.cli.entity.ListCommand;
import dev.jitney.cli.entity.RuleCommands;
import dev.jitney.cli.message.CancelCommand;
import dev.jitney.cli.message.DeadLetterCommands;
import dev.jitney.cli.message.PeekCommand;
import dev.jitney.cli.message.PurgeCommand;
import dev.jitney.cli.message.ReceiveCommand;
import dev.jitney.cli.message.SendCommand;
import dev.jitney.cli.namespace.NamespaceCommands;
import dev.jitney.cli.operator.AuditCommand;
import dev.jitney.cli.operator.DeadLetterGroups;
import dev.jitney.cli.operator.DeadLetterNote;
import dev.jitney.cli.operator.DeadLetterResubmission;
import dev.jitney.cli.operator.ExplainCommand;
import dev.jitney.cli.operator.JobCommands;
import dev.jitney.cli.operator.OperatorCommands;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.Interruption;
import dev.jitney.cli.output.Screen;
import dev.jitney.cli.store.StoreCommands;
import dev.jitney.cli.syphon.SyphonCommand;
import dev.jitney.cli.tls.TlsCommands;
import dev.jitney.cli.top.TopCommand;
import dev.jitney.cli.transfer.ExportCommand;
import dev.jitney.cli.transfer.ImportCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The main class of the process for all commands except {@code server}, {@code health}, {@code doctor}, {@code cluster}, {@code backup} and
 * {@code bench}.
 */
@Command(
        name = "jitney",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "The service bus you run yourself, with a command line for Jitney and for Azure Service Bus.",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nFirst steps:%n",
        footer = {
            "  jitney server                                  start a broker on this machine",
            "  jitney queue create orders                     create a queue",
            "  jitney send orders \"one coffee\"                send a message",
            "  jitney receive orders                          receive it",
            "",
            "Commands use the namespace in JITNEY_CONNECTION_STRING. Default: a server on",
            "this machine.",
            "",
            "Exit status: 0 success; 1 the server is unreachable or refused the command; 2",
            "invalid options; 3 no such entity or message; 4 the entity already exists; 130",
            "stopped by Ctrl-C. Data goes to standard output, everything else to standard",
            "error."
        })
public final class JitneyCommands implements Runnable {
    private final Console console;
    private final CommandLine commandLine;

    @CommandLine.Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            order = 920,
            description = "Print the log of the SDK and the stack traces of errors.")
    private boolean verbose;

    /**
     * Creates the command named in the arguments, or all commands for help and suggestions. Creating all commands takes
     * longer than most commands run.
     */
    JitneyCommands(Console console, String... args) {
        this.console = console;
        this.commandLine = new CommandLine(this);
        Map<String, Supplier<Object>> commands = commands(console);
        Supplier<Object> named = args.length == 0 ? null : commands.get(asCommand(args)[0]);
        (named == null ? commands.values() : List.of(named))
                .forEach(command -> commandLine.addSubcommand(command.get()));
        tellVersion(commandLine);
        commandLine
                .setDefaultValueProvider(new EnvironmentDefaults(console.environment()))
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, given) -> refuse(e))
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        console.screen() && Screen.wantsColors(console.environment())
                                ? CommandLine.Help.Ansi.AUTO
                                : CommandLine.Help.Ansi.OFF))
                .setExecutionExceptionHandler((e, command, result) -> fail(e));
    }

    /** Sets the same version on every command. */
    private static void tellVersion(CommandLine of) {
        of.getCommandSpec().versionProvider(new VersionProvider());
        of.getSubcommands().values().forEach(JitneyCommands::tellVersion);
    }

    private static Map<String, Supplier<Object>> commands(Console console) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("server", ForeignCommand.Server::new);
        commands.put("health", ForeignCommand.Health::new);
        commands.put("doctor", ForeignCommand.Doctor::new);
        commands.put("cluster", ForeignCommand.Cluster::new);
        commands.put("backup", ForeignCommand.Backup::new);
        commands.put("bench", ForeignCommand.Bench::new);
        commands.put("queue", () -> EntityCommands.queue(console));
        commands.put("topic", () -> EntityCommands.topic(console));
        commands.put("subscription", () -> EntityCommands.subscription(console));
        commands.put("rule", () -> RuleCommands.rule(console));
        commands.put("list", () -> new ListCommand(console));
        commands.put("top", () -> new TopCommand(console));
        commands.put("send", () -> new SendCommand(console));
        commands.put("receive", () -> new ReceiveCommand(console));
        commands.put("peek", () -> new PeekCommand(console));
        commands.put(
                "dlq",
                () -> DeadLetterCommands.dlq(console)
                        .addSubcommand("resubmit", new CommandLine(new DeadLetterResubmission(console)))
                        .addSubcommand("groups", new CommandLine(new DeadLetterGroups(console)))
                        .addSubcommand("note", new CommandLine(new DeadLetterNote(console))));
        commands.put("message", () -> OperatorCommands.message(console));
        commands.put("job", () -> JobCommands.job(console));
        commands.put("access", () -> AccessCommands.access(console));
        commands.put("audit", () -> new AuditCommand(console));
        commands.put("session", () -> OperatorCommands.session(console));
        commands.put("explain", () -> new ExplainCommand(console));
        commands.put("cancel", () -> new CancelCommand(console));
        commands.put("purge", () -> new PurgeCommand(console));
        commands.put("export", () -> new ExportCommand(console));
        commands.put("import", () -> new ImportCommand(console));
        commands.put("syphon", () -> new SyphonCommand(console));
        commands.put("store", () -> StoreCommands.store(console));
        commands.put("namespace", () -> NamespaceCommands.namespace(console));
        commands.put("tls", () -> TlsCommands.tls(console));
        commands.put("version", () -> new VersionCommand(console));
        return commands;
    }

    /** Returns all commands with all their options, for inspection only. To run a command, start a process ({@link #main}). */
    public static CommandLine model() {
        Console nowhere = new Console(
                InputStream.nullInputStream(),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false,
                false,
                Clock.systemUTC(),
                new Interruption());
        return new JitneyCommands(nowhere).commandLine;
    }

    /** Runs the command in the arguments and ends the process with its exit status. */
    public static void main(String[] args) {
        LogSetup.use(Arrays.asList(args).contains("--verbose"), args.length > 0 && args[0].equals("syphon"));
        Interruption interruption = new Interruption();
        interruption.onSignal();
        // UTF-8 on every platform. Buffered, because data may be long; reports flush.
        PrintStream out = new PrintStream(
                new java.io.BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                false,
                StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Console console = new Console(
                System.in,
                out,
                err,
                System.getenv(),
                Terminals.has("jitney.terminal"),
                Terminals.has("jitney.screen"),
                Terminals.has("jitney.questions"),
                Clock.systemUTC(),
                interruption);
        int status = new JitneyCommands(console, args).execute(args);
        out.flush();
        if (interruption.requested()) {
            // The shutdown hook waits for this method; System.exit would wait for the hook and never return.
            interruption.finished();
            return;
        }
        interruption.finished();
        System.exit(status);
    }

    int execute(String... args) {
        return commandLine.execute(asCommand(args));
    }

    /** Replaces {@code --version} followed by more options with the command {@code version}, which also queries a server. */
    private static String[] asCommand(String... args) {
        if (args.length < 2 || !(args[0].equals("--version") || args[0].equals("-V")) || !args[1].startsWith("-")) {
            return args;
        }
        String[] command = args.clone();
        command[0] = "version";
        return command;
    }

    /** Prints the help when no command is given. */
    @Override
    public void run() {
        commandLine.usage(commandLine.getOut());
    }

    private int refuse(ParameterException e) {
        console.note("jitney: " + ParserWords.of(e));
        return Failure.BAD_OPTION;
    }

    private int fail(Exception e) {
        console.out().flush();
        Failure failure = Failures.of(e);
        if (failure == null) {
            // A bug: the stack trace is needed to fix it.
            console.note("jitney: An unexpected error ended the command.");
            e.printStackTrace(console.err());
            return Failure.FAULT;
        }
        console.note("jitney: " + failure.line());
        if (verbose) {
            e.printStackTrace(console.err());
        }
        return failure.exitCode();
    }
}
