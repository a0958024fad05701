package dev.jitney.cli.store;

import com.azure.core.exception.HttpResponseException;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerApi;
import dev.jitney.cli.connection.ServerCommand;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** The commands {@code jitney store list|stop|start}. */
public final class StoreCommands {
    private static final String PATH = "/$stores";
    private static final List<Column> COLUMNS = List.of(
            new Column("STORE", "store"),
            new Column("STATE", "state"),
            new Column("FAILURES", "failures"),
            new Column("TROUBLE", "trouble"));

    private StoreCommands() {}

    public static CommandLine store(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("store")
                .addSubcommand("list", new CommandLine(new ListAll(console)))
                .addSubcommand("stop", new CommandLine(new Stop(console)))
                .addSubcommand("start", new CommandLine(new Start(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Lists, stops and starts the messaging stores of a Jitney server.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney store list",
                                "  jitney store stop 1        closes its files; its entities are unavailable",
                                "  jitney store start 1       opens it again with all accepted messages")));
    }

    /** The base of the commands on one store. */
    abstract static class OneStoreCommand extends ServerCommand {
        @Parameters(index = "0", paramLabel = "STORE", description = "Number of the store, from 0.")
        private int store;

        OneStoreCommand(Console console) {
            super(console);
        }

        final Map<String, @Nullable Object> operate(ServerApi server, String action) {
            if (store < 0) {
                throw Failure.badOption("STORE: Expected a number from 0, but got " + store + ".");
            }
            try {
                return server.post(PATH + "/" + store + "/" + action);
            } catch (HttpResponseException e) {
                if (e.getResponse() != null && e.getResponse().getStatusCode() == 404) {
                    throw new Failure(
                            Failure.NOT_FOUND,
                            "There is no store " + store + ". To see all stores: jitney store list",
                            e);
                }
                throw e;
            }
        }

        final void report(OutputFormat format, Map<String, @Nullable Object> answer, String wanted) {
            Report.single(console().out(), format, answer);
            if (!wanted.equals(answer.get("state"))) {
                throw new Failure(
                        Failure.FAULT,
                        "Store " + store + " is not " + wanted + " yet: "
                                + (answer.get("trouble") == null ? "its disk is slow." : answer.get("trouble"))
                                + " To see its state: jitney store list");
            }
        }
    }

    @Command(name = "list", description = "Lists the stores with their state.")
    static final class ListAll extends ServerCommand {
        ListAll(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            ServerApi server = clients.server();
            try (Report report = Report.of(console().out(), format, COLUMNS)) {
                if (server.get(PATH).get("stores") instanceof List<?> stores) {
                    stores.forEach(store -> report.add(members(store)));
                }
            }
        }

        private static Map<String, @Nullable Object> members(@Nullable Object store) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            if (store instanceof Map<?, ?> map) {
                map.forEach((name, value) -> members.put(String.valueOf(name), value));
            }
            return members;
        }
    }

    @Command(
            name = "stop",
            description = "Stops a store as if its disk had failed, and closes its files. Its entities refuse requests"
                    + " with a retryable error until the store or the server is started.")
    static final class Stop extends OneStoreCommand {
        Stop(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            ServerApi server = clients.server();
            report(format, operate(server, "stop"), "stopped");
        }
    }

    @Command(name = "start", description = "Starts a stopped store.")
    static final class Start extends OneStoreCommand {
        Start(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            ServerApi server = clients.server();
            report(format, operate(server, "start"), "serving");
        }
    }
}
