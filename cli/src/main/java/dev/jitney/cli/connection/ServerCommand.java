package dev.jitney.cli.connection;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.OutputOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The base of the commands to a server that concern no single entity, with the shared options. */
@Command(mixinStandardHelpOptions = true, usageHelpAutoWidth = true, abbreviateSynopsis = true, sortOptions = false)
public abstract class ServerCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    protected ServerCommand(Console console) {
        this.console = console;
    }

    protected abstract void run(NamespaceClients clients, OutputFormat format);

    /** Throws a {@link Failure} for arguments that cannot work, before anything is sent. */
    protected void check() {}

    protected final Console console() {
        return console;
    }

    @Override
    public final Integer call() {
        OutputFormat format = output.format();
        check();
        try (NamespaceClients clients = connection.open(console)) {
            run(clients, format);
        }
        return console.interruption().requested() ? Failure.INTERRUPTED : 0;
    }
}
