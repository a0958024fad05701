package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code jitney session list}. */
@Command(
        name = "list",
        description = "Lists the sessions that have messages or a state, in the order of their ids.",
        footer = {
            "  jitney session list trips",
            "  jitney session list trips --contains eu- --max 5",
            "  jitney session list trips --all --output json | jq -r 'select(.locked) | .sessionId'",
            "",
            "HOLDER is the link of the receiver that has locked the session. The sessions of a",
            "partitioned entity are listed one partition after the other."
        })
final class ListSessions extends MessageCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("SESSION", "sessionId"),
            new Column("MESSAGES", "messageCount"),
            new Column("DEFERRED", "deferredMessageCount"),
            new Column("OLDEST", "oldestEnqueuedTime"),
            new Column("STATE BYTES", "stateSizeInBytes"),
            new Column("LOCKED UNTIL", "lockedUntil"),
            new Column("HOLDER", "holder"));

    @Option(names = "--contains", paramLabel = "TEXT", description = "List sessions whose ids contain this text.")
    private @Nullable String contains;

    @Option(
            names = "--after",
            paramLabel = "SESSION",
            description = "Start after this session id (default: the first).")
    private @Nullable String after;

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of sessions (default: ${DEFAULT-VALUE}).")
    private long max = 20;

    @Option(names = "--all", description = "List all sessions.")
    private boolean all;

    ListSessions(Console console) {
        super(console);
    }

    @Override
    protected void check(EntityAddress address) {
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        OperatorApi api = new OperatorApi(clients, address);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (contains != null) {
            parameters.put("contains", contains);
        }
        if (after != null) {
            parameters.put("after", after);
        }
        long wanted = all ? Long.MAX_VALUE : max;
        long found = 0;
        Object next = null;
        long unavailable = 0;
        try (Report report = Report.of(console().out(), format, COLUMNS)) {
            do {
                parameters.put("max", String.valueOf(Math.min(OperatorApi.MESSAGES_MAX, wanted - found)));
                Map<String, @Nullable Object> page = api.sessions(parameters);
                List<Map<String, @Nullable Object>> sessions = OperatorApi.documents(page, "sessions");
                sessions.forEach(report::add);
                found += sessions.size();
                next = page.get("next");
                unavailable += page.get("unavailablePartitions") instanceof Long count ? count : 0;
                parameters.put("after", String.valueOf(next));
            } while (next != null && found < wanted && !console().interruption().requested());
        }
        String sessions = String.format(Locale.ROOT, "%,d session%s", found, found == 1 ? "" : "s");
        console()
                .note(
                        next == null
                                ? sessions + "."
                                : sessions + " so far; --after '" + next + "' continues, --all shows the rest.");
        if (unavailable > 0) {
            console().note("Partitions that are not available, and whose sessions are missing: " + unavailable + ".");
        }
    }
}
