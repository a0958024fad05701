package dev.jitney.cli.entity;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.cli.connection.ConnectionOptions;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.OutputOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** What the commands on entities have in common: where, how, and which entity. */
@Command(mixinStandardHelpOptions = true, usageHelpAutoWidth = true, abbreviateSynopsis = true, sortOptions = false)
abstract class EntityCommand implements Callable<Integer> {
    private final Console console;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    private String namespace = "";

    EntityCommand(Console console) {
        this.console = console;
    }

    abstract void run(ServiceBusAdministrationClient client, OutputFormat format);

    @Override
    public final Integer call() {
        OutputFormat format = output.format();
        check();
        try (NamespaceClients clients = connection.open(console)) {
            namespace = clients.namespace();
            run(clients.admin(), format);
            return 0;
        }
    }

    /** Refuses what cannot work before anything is sent. */
    void check() {}

    final Console console() {
        return console;
    }

    /** Where it works, for questions; known from {@link #run} on. */
    final String namespace() {
        return namespace;
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec;
    }

    /** The names on the command line, which picocli has counted. */
    final List<String> names() {
        List<String> names = new ArrayList<>();
        spec().commandLine()
                .getParseResult()
                .matchedPositionals()
                .forEach(positional -> names.add(positional.getValue()));
        return names;
    }

    /** What an option says, or null. */
    final @Nullable String option(String name) {
        // Not what the parser says was matched, since it does not count options that read their value themselves.
        OptionSpec option = spec().findOption(name);
        return option == null ? null : option.getValue();
    }

    /** Calls the SDK and says plainly which entity is missing, or in the way. */
    static <T> T on(String called, String word, Supplier<T> call) {
        try {
            return call.get();
        } catch (ResourceNotFoundException e) {
            throw missing(called, word, e);
        } catch (ResourceExistsException e) {
            throw new Failure(
                    Failure.CONFLICT,
                    "There is a " + called + " already, or another entity of that name. To change it see: jitney "
                            + word + " update --help",
                    e);
        } catch (HttpResponseException e) {
            // Lists say it without a class of their own.
            if (e.getResponse() != null && e.getResponse().getStatusCode() == 404) {
                throw missing(called, word, e);
            }
            throw e;
        }
    }

    private static Failure missing(String called, String word, RuntimeException cause) {
        return new Failure(
                Failure.NOT_FOUND, "There is no " + called + ". To see all: jitney " + word + " list", cause);
    }
}
