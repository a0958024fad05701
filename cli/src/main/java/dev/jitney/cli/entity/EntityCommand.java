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

/** The base of the commands on entities: the shared options and the names of the entity. */
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

    /** Throws a {@link Failure} for arguments that cannot work, before anything is sent. */
    void check() {}

    final Console console() {
        return console;
    }

    /** Returns the namespace, for questions. Available once {@link #run} is called. */
    final String namespace() {
        return namespace;
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec;
    }

    /** Returns the names on the command line. Picocli has checked their number. */
    final List<String> names() {
        List<String> names = new ArrayList<>();
        spec().commandLine()
                .getParseResult()
                .matchedPositionals()
                .forEach(positional -> names.add(positional.getValue()));
        return names;
    }

    /** Returns the value of an option, or null. */
    final @Nullable String option(String name) {
        // Matched options of the parser do not include options that parse their value themselves.
        OptionSpec option = spec().findOption(name);
        return option == null ? null : option.getValue();
    }

    /** Calls the SDK and reports clearly if the entity is missing or already exists. */
    static <T> T on(String called, String word, Supplier<T> call) {
        try {
            return call.get();
        } catch (ResourceNotFoundException e) {
            throw missing(called, word, e);
        } catch (ResourceExistsException e) {
            throw new Failure(
                    Failure.CONFLICT,
                    "There is a " + called + " already, or another entity has this name. To change an entity see:"
                            + " jitney "
                            + word + " update --help",
                    e);
        } catch (HttpResponseException e) {
            // Lists throw the base class for 404.
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
