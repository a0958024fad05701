package dev.jitney.cli.operator;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A search for messages, page by page. It shows its progress if it takes long. Not thread-safe. */
final class Search {
    private final OperatorApi api;
    private final Console console;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final long from;
    private final boolean selective;
    private long found;
    private long scanned;
    private long total;
    private long failed;
    private @Nullable Object failure;
    private @Nullable Object next;

    /**
     * @param where an SQL filter, or null for all messages
     * @param states the states of the messages; empty for all
     * @param from the smallest sequence number
     * @param bodyBytes the number of bytes of each body that the documents have
     */
    Search(OperatorApi api, Console console, @Nullable String where, List<String> states, long from, int bodyBytes) {
        this.api = api;
        this.console = console;
        this.from = from;
        this.next = String.valueOf(from);
        selective = where != null || !states.isEmpty();
        parameters.put("body", String.valueOf(bodyBytes));
        if (where != null) {
            parameters.put("filter", where);
        }
        if (!states.isEmpty()) {
            parameters.put("state", String.join(",", states));
        }
    }

    /** Passes the messages to the consumer, until the end, until the maximum is reached, or until Ctrl-C. */
    void forEach(long max, Consumer<Map<String, @Nullable Object>> consumer) {
        try (Progress progress = new Progress(console, "messages searched", done -> Math.max(0, total - done))) {
            while (next != null && found < max && !console.interruption().requested()) {
                parameters.put("from", String.valueOf(next));
                parameters.put("max", String.valueOf(Math.min(OperatorApi.MESSAGES_MAX, max - found)));
                Map<String, @Nullable Object> page = api.search(parameters);
                List<Map<String, @Nullable Object>> messages = OperatorApi.documents(page, "messages");
                if (!messages.isEmpty()) {
                    progress.close(); // the consumer may print to the same terminal
                }
                messages.forEach(consumer);
                found += messages.size();
                scanned += count(page, "scanned");
                failed += count(page, "failed");
                failure = page.getOrDefault("failure", failure);
                total = count(page, "total");
                next = page.get("next");
                progress.add(count(page, "scanned"));
            }
        }
        if (!selective && from == 0 && found >= total) {
            next = null; // a full page says where to continue, although nothing may be there
        }
    }

    private static long count(Map<String, @Nullable Object> page, String member) {
        return page.get(member) instanceof Long count ? count : 0;
    }

    /** Returns the number of messages that were found. */
    long found() {
        return found;
    }

    /** Prints the result of the search: how many messages were found, and how many of the queue were searched. */
    void note() {
        if (selective) {
            console.note(
                    next == null
                            ? String.format(
                                    Locale.ROOT, "%,d found, %,d of %,d messages searched.", found, scanned, total)
                            : String.format(
                                    Locale.ROOT,
                                    "%,d found so far, %,d of %,d messages searched. --from %s continues; --all searches the rest.",
                                    found,
                                    scanned,
                                    total,
                                    next));
        } else {
            console.note(
                    next == null && from == 0
                            ? String.format(Locale.ROOT, "%,d message%s.", found, found == 1 ? "" : "s")
                            : String.format(
                                    Locale.ROOT,
                                    "%,d of %,d messages%s",
                                    found,
                                    total,
                                    next == null ? "." : "; --from " + next + " continues, --all shows the rest."));
        }
        noteFailures();
    }

    /** Prints the number of messages for which the filter failed, if there are any. */
    void noteFailures() {
        if (failed > 0) {
            console.note(String.format(
                    Locale.ROOT,
                    "The filter failed for %,d message%s, which %s not included. The reason for the last one: %s",
                    failed,
                    failed == 1 ? "" : "s",
                    failed == 1 ? "is" : "are",
                    failure));
        }
    }
}
