package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney dlq groups}. */
@Command(
        name = "groups",
        description = "Counts dead-lettered messages of the same reason, description and subject on a Jitney server.",
        footer = {
            "  jitney dlq groups orders",
            "  jitney dlq groups orders --where \"region = 'eu'\" --output json",
            "",
            "Numbers and ids in a description become #. SAMPLE is the sequence number of one",
            "message: jitney message show orders/dlq SAMPLE",
            "GROUP is the id for a note: jitney dlq note orders GROUP \"BUG-123, on hold\""
        })
public final class DeadLetterGroups extends MessageCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("COUNT", "count"),
            new Column("REASON", "reason"),
            new Column("DESCRIPTION", "description"),
            new Column("SUBJECT", "subject"),
            new Column("FIRST", "first"),
            new Column("LAST", "last"),
            new Column("SAMPLE", "sample"),
            new Column("NOTE", "noteText"),
            new Column("GROUP", "id"));

    @Mixin
    private SearchOptions search = new SearchOptions();

    @Option(names = "--from-transfer", description = "Use messages that could not be forwarded.")
    private boolean transfer;

    public DeadLetterGroups(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return deadLetters(typed, transfer);
    }

    @Override
    protected void check(EntityAddress address) {
        search.check();
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        OperatorApi api = new OperatorApi(clients, address);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (search.where() != null) {
            parameters.put("filter", search.where());
        }
        if (!search.states().isEmpty()) {
            parameters.put("state", String.join(",", search.states()));
        }
        Map<List<@Nullable Object>, Map<String, @Nullable Object>> groups = new LinkedHashMap<>();
        long scanned = 0;
        long total = 0;
        Object next = "0";
        try (Progress progress = new Progress(console(), "messages searched", Progress.UNKNOWN)) {
            while (next != null && !console().interruption().requested()) {
                parameters.put("from", String.valueOf(next));
                Map<String, @Nullable Object> page = api.groups(parameters);
                for (Map<String, @Nullable Object> group : OperatorApi.documents(page, "groups")) {
                    groups.merge(key(group), group, DeadLetterGroups::joined);
                }
                scanned += number(page, "scanned");
                total = number(page, "total");
                progress.add(number(page, "scanned"));
                next = page.get("next");
            }
        }
        List<Map<String, @Nullable Object>> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparingLong(DeadLetterGroups::count).reversed());
        try (Report report = Report.of(console().out(), format, COLUMNS)) {
            for (Map<String, @Nullable Object> group : sorted) {
                report.add(format == OutputFormat.JSON ? group : withNoteText(group));
            }
        }
        console()
                .note(String.format(
                        Locale.ROOT,
                        "%,d group%s, %,d of %,d messages searched.",
                        groups.size(),
                        groups.size() == 1 ? "" : "s",
                        scanned,
                        total));
    }

    private static Map<String, @Nullable Object> withNoteText(Map<String, @Nullable Object> group) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>(group);
        row.put("noteText", group.get("note") instanceof Map<?, ?> note ? note.get("text") : null);
        return row;
    }

    private static List<@Nullable Object> key(Map<String, @Nullable Object> group) {
        List<@Nullable Object> key = new ArrayList<>();
        key.add(group.get("reason"));
        key.add(group.get("description"));
        key.add(group.get("subject"));
        return key;
    }

    private static long count(Map<String, @Nullable Object> group) {
        return number(group, "count");
    }

    private static long number(Map<String, @Nullable Object> document, String member) {
        return document.get(member) instanceof Number number ? number.longValue() : 0;
    }

    private static Instant time(Map<String, @Nullable Object> group, String member) {
        return Instant.parse(String.valueOf(group.get(member)));
    }

    /** Returns a group of two answers as one. */
    private static Map<String, @Nullable Object> joined(
            Map<String, @Nullable Object> one, Map<String, @Nullable Object> other) {
        Map<String, @Nullable Object> joined = new LinkedHashMap<>(one);
        for (String sum : List.of("count", "lastHour", "hourBefore")) {
            joined.put(sum, number(one, sum) + number(other, sum));
        }
        if (time(other, "first").isBefore(time(one, "first"))) {
            joined.put("first", other.get("first"));
        }
        if (time(other, "last").isAfter(time(one, "last"))) {
            joined.put("last", other.get("last"));
        }
        return joined;
    }
}
