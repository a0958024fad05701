package dev.jitney.cli.operator;

import dev.jitney.cli.output.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a search: a filter and states. */
final class SearchOptions {
    static final List<String> STATES = List.of("active", "locked", "deferred", "scheduled");

    @Option(
            names = "--where",
            paramLabel = "SQL",
            description =
                    "Select messages with a condition in the SQL language of rules, such as color = 'red'. It may use"
                            + " sys. properties such as sys.MessageId, and DeadLetterReason for dead letters.")
    private @Nullable String where;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Select messages in these states: active, locked, deferred, scheduled.")
    private List<String> states = new ArrayList<>();

    /** @param where null for all messages */
    static SearchOptions of(@Nullable String where) {
        SearchOptions options = new SearchOptions();
        options.where = where;
        return options;
    }

    @Nullable
    String where() {
        return where;
    }

    List<String> states() {
        return states;
    }

    /** Throws a {@link Failure} for an empty filter or an unknown state. */
    void check() {
        if (where != null && where.isBlank()) {
            throw Failure.badOption("--where: Expected a condition such as \"color = 'red'\", but got nothing.");
        }
        for (String state : states) {
            if (!STATES.contains(state)) {
                throw Failure.badOption("--state: Expected some of active, locked, deferred and scheduled with commas"
                        + " between them, but got '" + state + "'.");
            }
        }
    }
}
