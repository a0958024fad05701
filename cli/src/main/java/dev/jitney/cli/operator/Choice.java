package dev.jitney.cli.operator;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The choice of messages, by a search or by the sequence numbers that a command got as its arguments. */
final class Choice {
    @Mixin
    private SearchOptions search = new SearchOptions();

    @Option(names = "--all", description = "Select all messages.")
    private boolean all;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "Maximum number of messages that a search selects (default: all).")
    private long max = Long.MAX_VALUE;

    @Option(names = "--dry-run", description = "Count the selected messages and change nothing.")
    private boolean dryRun;

    /**
     * Returns a choice of dead letters by a search.
     *
     * @param where null for all
     */
    static Choice of(@Nullable String where, long max, boolean dryRun) {
        Choice choice = new Choice();
        choice.search = SearchOptions.of(where);
        choice.all = where == null;
        choice.max = max;
        choice.dryRun = dryRun;
        return choice;
    }

    /**
     * Throws a {@link Failure} unless the arguments select messages in one way.
     *
     * @param numbers the sequence numbers; empty for a search
     */
    void check(List<Long> numbers) {
        search.check();
        boolean searched = search.where() != null || all;
        if (searched != numbers.isEmpty() || search.where() != null && all) {
            throw Failure.badOption("N: Expected sequence numbers, --where or --all, but got "
                    + (searched ? "several of them." : "none of them."));
        }
        if (!searched && (max != Long.MAX_VALUE || !search.states().isEmpty())) {
            throw Failure.badOption(
                    "N: Expected no sequence numbers with --max or --state, which belong to --where and" + " --all.");
        }
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
        numbers.forEach(Choice::checkNumber);
    }

    /** Throws a {@link Failure} if this is no sequence number. */
    static void checkNumber(long number) {
        if (number < 0) {
            throw Failure.badOption("N: Expected a sequence number from 0, but got " + number + ".");
        }
    }

    boolean dryRun() {
        return dryRun;
    }

    /** Throws a {@link Failure} unless a job can select the messages. */
    void checkForJob() {
        if (search.where() == null && !all) {
            throw Failure.badOption("--job: Expected --where or --all, because a job selects its messages itself.");
        }
        if (max != Long.MAX_VALUE) {
            throw Failure.badOption("--job: Expected it without --max. To limit a job, use --where.");
        }
    }

    /**
     * Returns the members of the order of a job.
     *
     * @param states the states of the messages unless an option selects others; empty for all
     */
    Map<String, @Nullable Object> members(List<String> states) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("filter", search.where());
        List<String> selected = search.states().isEmpty() ? states : search.states();
        members.put("state", String.join(",", selected.isEmpty() ? SearchOptions.STATES : selected));
        members.put("dryRun", dryRun ? true : null);
        members.values().removeIf(value -> value == null);
        return members;
    }

    /**
     * Returns the sequence numbers of the selected messages. A search ends before the first change, so that it does not find messages
     * that the change creates.
     *
     * @param numbers the sequence numbers; empty for a search
     * @param states the states of the messages unless an option selects others; empty for all
     */
    long[] select(OperatorApi api, Console console, List<Long> numbers, List<String> states) {
        if (!numbers.isEmpty()) {
            return numbers.stream()
                    .distinct()
                    .mapToLong(Long::longValue)
                    .filter(number -> !dryRun || exists(api, number))
                    .toArray();
        }
        LongStream.Builder found = LongStream.builder();
        Search messages =
                new Search(api, console, search.where(), search.states().isEmpty() ? states : search.states(), 0, 0);
        messages.forEach(max, message -> found.add(OperatorApi.number(message)));
        messages.noteFailures();
        return found.build().toArray();
    }

    private static boolean exists(OperatorApi api, long number) {
        Map<String, @Nullable Object> page =
                api.search(Map.of("from", String.valueOf(number), "max", "1", "body", "0"));
        for (Map<String, @Nullable Object> message : OperatorApi.documents(page, "messages")) {
            if (OperatorApi.number(message) == number) {
                return true;
            }
        }
        return false;
    }
}
