package dev.jitney.cli.namespace;

import com.azure.core.exception.HttpResponseException;
import dev.jitney.cli.connection.NamespaceAddress;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerApi;
import dev.jitney.cli.connection.ServerCommand;
import dev.jitney.cli.output.Confirmation;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code jitney namespace create|list|delete}. */
public final class NamespaceCommands {
    private static final String PATH = "/$namespaces";
    private static final List<Column> COLUMNS = List.of(
            new Column("NAMESPACE", "name"),
            new Column("TIER", "tier"),
            new Column("ENTITIES", "entities"),
            new Column("ORIGIN", "origin"),
            new Column("STATE", "state"));

    private NamespaceCommands() {}

    public static CommandLine namespace(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("namespace")
                .addSubcommand("create", new CommandLine(new Create(console)))
                .addSubcommand("list", new CommandLine(new ListAll(console)))
                .addSubcommand("delete", new CommandLine(new Delete(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description(
                                "Creates, lists and deletes the namespaces of a Jitney server. The connection string"
                                        + " needs Manage on the first namespace.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney namespace create team-b     prints its connection string once",
                                "  jitney namespace list",
                                "  jitney namespace delete team-b --yes")));
    }

    /** The base of the commands on one namespace. */
    abstract static class OneNamespaceCommand extends ServerCommand {
        @Parameters(
                index = "0",
                paramLabel = "NAMESPACE",
                description = "Name of the namespace: 1 to 50 letters, digits or '-', with a letter or digit at"
                        + " both ends.")
        private String name = "";

        OneNamespaceCommand(Console console) {
            super(console);
        }

        final String name() {
            return name;
        }

        final String path() {
            return PATH + "/" + name;
        }

        @Override
        protected void check() {
            if (!name.matches("[A-Za-z0-9]([A-Za-z0-9-]{0,48}[A-Za-z0-9])?")) {
                throw Failure.badOption(
                        "NAMESPACE: Expected 1 to 50 letters, digits or '-', with a letter or digit at both"
                                + " ends, but got '" + name + "'.");
            }
        }
    }

    @Command(
            name = "create",
            description =
                    "Creates a namespace with its own key and prints the connection string. Keep the string: the server"
                            + " does not show it again.")
    static final class Create extends OneNamespaceCommand {
        @Option(
                names = "--tier",
                paramLabel = "TIER",
                description = "Tier: BASIC, STANDARD or PREMIUM (default: the tier of the first namespace).")
        private @Nullable String tier;

        @Option(
                names = "--key-name",
                paramLabel = "NAME",
                description =
                        "Name of the key (default: NAMESPACE-root). No other namespace may have a key of this name.")
        private @Nullable String keyName;

        Create(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            ServerApi server = clients.server();
            Map<String, @Nullable Object> asked = new LinkedHashMap<>();
            if (tier != null) {
                asked.put("tier", tier);
            }
            if (keyName != null) {
                asked.put("keyName", keyName);
            }
            Map<String, @Nullable Object> made = server.put(path(), asked);
            Map<String, @Nullable Object> told = new LinkedHashMap<>(made);
            boolean hostNames = Boolean.TRUE.equals(told.remove("hostNamesNamespaces"));
            told.put("connectionString", connectionString(server.address(), made, hostNames));
            Report.single(console().out(), format, told);
        }

        /** Returns the address of the queried server with the new key. If host names select namespaces, it has the new name. */
        private String connectionString(NamespaceAddress asked, Map<String, @Nullable Object> made, boolean hostNames) {
            int dot = asked.host().indexOf('.');
            String host = hostNames ? name() + (dot < 0 ? "" : asked.host().substring(dot)) : asked.host();
            return "Endpoint=sb://" + host + (asked.port() == null ? "" : ":" + asked.port()) + ";SharedAccessKeyName="
                    + made.get("keyName") + ";SharedAccessKey=" + made.get("primaryKey") + ";"
                    + (asked.emulator() ? "UseDevelopmentEmulator=true;" : "");
        }
    }

    @Command(name = "list", description = "Lists the namespaces from the configuration and those created at run time.")
    static final class ListAll extends ServerCommand {
        ListAll(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            ServerApi server = clients.server();
            try (Report report = Report.of(console().out(), format, COLUMNS)) {
                if (server.get(PATH).get("namespaces") instanceof List<?> all) {
                    all.forEach(one -> report.add(members(one)));
                }
            }
        }

        private static Map<String, @Nullable Object> members(@Nullable Object one) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            if (one instanceof Map<?, ?> map) {
                map.forEach((name, value) -> members.put(String.valueOf(name), value));
            }
            return members;
        }
    }

    @Command(
            name = "delete",
            description =
                    "Deletes a namespace that was created at run time, with all its queues, topics and messages. It"
                            + " cannot be restored. Its connections are closed.")
    static final class Delete extends OneNamespaceCommand {
        @Mixin
        private Confirmation confirmation = new Confirmation();

        Delete(Console console) {
            super(console);
        }

        @Override
        protected void check() {
            super.check();
            confirmation.check(console(), "delete namespace '" + name() + "'");
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            ServerApi server = clients.server();
            if (!confirmation.ask(console(), "Delete namespace '" + name() + "' permanently, with everything in it?")) {
                return;
            }
            try {
                if (!server.delete(path()).isEmpty()) {
                    console()
                            .note("Deleting namespace '" + name() + "' continues on the server. To see its progress:"
                                    + " jitney namespace list");
                }
            } catch (HttpResponseException e) {
                if (e.getResponse() != null && e.getResponse().getStatusCode() == 404) {
                    throw new Failure(
                            Failure.NOT_FOUND,
                            "There is no namespace '" + name() + "'. To see all: jitney namespace list",
                            e);
                }
                throw e;
            }
        }
    }
}
