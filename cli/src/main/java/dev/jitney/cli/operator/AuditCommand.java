package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerCommand;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import dev.jitney.cli.value.Moments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code jitney audit}. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        description =
                "Lists the administrative actions in a namespace of a Jitney server, the newest first. The connection"
                        + " string needs Manage.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney audit",
            "  jitney audit --entity orders --since 2d",
            "  jitney audit --action delete --result done,refused --max 100",
            "  jitney audit --all --output json > audit.jsonl",
            "",
            "The server keeps the newest 10,000 actions. A row with the result leftOut counts",
            "actions that are missing. With --output json no text is shortened."
        })
public final class AuditCommand extends ServerCommand {
    private static final int PAGE_MAX = 250;
    private static final List<String> RESULTS = List.of("done", "refused", "leftOut");

    private static final List<Column> COLUMNS = List.of(
            new Column("TIME", "time"),
            new Column("ACTION", "action"),
            new Column("RESULT", "result"),
            new Column("OBJECT", "object"),
            new Column("KEY", "key"),
            new Column("CLIENT", "client"),
            new Column("DETAILS", "details"));

    @Option(
            names = "--entity",
            paramLabel = "ENTITY",
            description = "Only actions on this entity, and on its sub-queues, subscriptions and rules.")
    private @Nullable String entity;

    @Option(
            names = "--action",
            paramLabel = "TEXT",
            description = "Only actions whose name contains this text, such as delete or 'create queue'.")
    private @Nullable String action;

    @Option(names = "--key", paramLabel = "NAME", description = "Only actions of clients with the key of this name.")
    private @Nullable String key;

    @Option(
            names = "--result",
            paramLabel = "RESULT",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Only these results: done, refused, leftOut (default: all).")
    private List<String> results = List.of();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only actions from this time on: a duration before now such as 2d, or a time such as"
                    + " 2026-01-31T12:00:00Z.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only actions before this time.")
    private @Nullable String until;

    @Option(names = "--before", paramLabel = "ID", description = "Start behind the action with this id.")
    private @Nullable Long before;

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of actions (default: ${DEFAULT-VALUE}).")
    private long max = 20;

    @Option(names = "--all", description = "List all actions.")
    private boolean all;

    public AuditCommand(Console console) {
        super(console);
    }

    @Override
    protected void check() {
        parameters();
    }

    @Override
    protected void run(NamespaceClients clients, OutputFormat format) {
        list(clients, parameters(), format);
    }

    /** Returns the parameters of the first request. Throws a {@link Failure} for options that cannot work. */
    private Map<String, String> parameters() {
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
        if (before != null && before < 1) {
            throw Failure.badOption("--before: Expected a number from 1, but got " + before + ".");
        }
        for (String result : results) {
            if (!RESULTS.contains(result)) {
                throw Failure.badOption("--result: Expected some of done, refused and leftOut with commas between them,"
                        + " but got '" + result + "'.");
            }
        }
        Map<String, @Nullable String> given = new LinkedHashMap<>();
        given.put("entity", entity);
        given.put("action", action);
        given.put("key", key);
        given.put("result", results.isEmpty() ? null : String.join(",", results));
        given.put("since", time("--since", since));
        given.put("until", time("--until", until));
        given.put("before", before == null ? null : before.toString());
        Map<String, String> parameters = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            if (value != null) {
                parameters.put(name, value);
            }
        });
        return parameters;
    }

    private @Nullable String time(String option, @Nullable String text) {
        try {
            return text == null
                    ? null
                    : Moments.past(text, console().clock()).toInstant().toString();
        } catch (IllegalArgumentException e) {
            throw Failure.badOption(option + ": " + e.getMessage());
        }
    }

    private void list(NamespaceClients clients, Map<String, String> parameters, OutputFormat format) {
        long wanted = all ? Long.MAX_VALUE : max;
        Object next = "";
        OperatorServer server = new OperatorServer(clients);
        long listed = 0;
        try (Report report = Report.of(console().out(), format, COLUMNS)) {
            while (next != null && listed < wanted && !console().interruption().requested()) {
                parameters.put("max", String.valueOf(Math.min(PAGE_MAX, wanted - listed)));
                Map<String, @Nullable Object> page = server.get(OperatorServer.PREFIX + "/audit", parameters);
                for (Map<String, @Nullable Object> entry : OperatorApi.documents(page, "entries")) {
                    report.add(format == OutputFormat.JSON ? entry : row(entry));
                    listed++;
                }
                next = page.get("next");
                parameters.put("before", String.valueOf(next));
            }
        }
        console()
                .note(String.format(Locale.ROOT, "%,d action%s", listed, listed == 1 ? "" : "s")
                        + (next == null ? "." : "; --before " + next + " continues, --all lists the rest."));
    }

    /** Returns an entry with its object: the entity, or the namespace, and the rule. */
    private static Map<String, @Nullable Object> row(Map<String, @Nullable Object> entry) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>(entry);
        boolean ofNamespace = "".equals(entry.get("entity"));
        row.put("object", (entry.get(ofNamespace ? "namespace" : "entity") + " " + entry.get("rule")).strip());
        return row;
    }
}
