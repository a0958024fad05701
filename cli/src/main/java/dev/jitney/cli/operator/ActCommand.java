package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.message.SubQueueOptions;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The base of the commands that change chosen messages. It selects all messages before it changes the first one, because a change may
 * create messages that the search would find.
 */
abstract class ActCommand extends MessageCommand {
    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "N",
            split = ",",
            description = "Sequence numbers of the messages. To select messages with a search, use --where or --all.")
    private List<String> words = new ArrayList<>();

    @Mixin
    private Choice choice = new Choice();

    @Mixin
    private JobOptions jobs = new JobOptions();

    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    ActCommand(Console console) {
        super(console);
    }

    /** Creates the act of a command that has the options. */
    ActCommand(Console console, Choice choice, JobOptions jobs) {
        super(console);
        this.choice = choice;
        this.jobs = jobs;
    }

    /** Returns the name of the operation in the API. */
    abstract String act();

    /** Returns a word for changed messages: {@code resubmitted}. */
    abstract String participle();

    /** Returns the states in which a search selects messages, or nothing for all states. */
    List<String> states() {
        return List.of();
    }

    /** Returns the further members of the request. Throws a {@link Failure} for options that cannot work. */
    Map<String, @Nullable Object> members() {
        return Map.of();
    }

    /** Throws a {@link Failure} if the change needs a confirmation that cannot be requested. */
    void checkConfirmation(EntityAddress address) {}

    /** Returns whether the user confirms the change. */
    boolean confirmed(NamespaceClients clients, EntityAddress address, long count) {
        return true;
    }

    private List<Long> numbers() {
        List<Long> numbers = new ArrayList<>();
        for (String word : words) {
            try {
                numbers.add(Long.valueOf(word));
            } catch (NumberFormatException e) {
                throw Failure.badOption("N: Expected a whole number, but got '" + word + "'.");
            }
        }
        return numbers;
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    protected final void check(EntityAddress address) {
        choice.check(numbers());
        jobs.check();
        if (jobs.job()) {
            choice.checkForJob();
        }
        members();
        if (words.isEmpty() && !choice.dryRun()) {
            checkConfirmation(address);
        }
    }

    @Override
    protected final void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        OperatorApi api = new OperatorApi(clients, address);
        if (jobs.job()) {
            order(clients, api, address, format);
            return;
        }
        long[] selected = choice.select(api, console(), numbers(), states());
        if (console().interruption().requested()) {
            console().note("Interrupted during the search. Nothing was changed.");
        } else if (choice.dryRun()) {
            announce(address, selected.length, format);
        } else if (selected.length == 0 || !words.isEmpty() || confirmed(clients, address, selected.length)) {
            perform(api, address, selected, format);
        }
    }

    private void order(NamespaceClients clients, OperatorApi api, EntityAddress address, OutputFormat format) {
        if (!choice.dryRun() && !confirmed(clients, address, OperatorApi.UNKNOWN)) {
            return;
        }
        Map<String, @Nullable Object> order = new LinkedHashMap<>();
        order.put("operation", act());
        order.putAll(choice.members(states()));
        order.putAll(members());
        order.putAll(jobs.members());
        Job job = new Job(api.order(order));
        if (jobs.detach()) {
            if (format == OutputFormat.JSON) {
                Report.single(console().out(), format, job.document());
            }
            console().note("Started job " + job.id() + ". To see it: jitney job show " + job.id());
        } else {
            new JobWatch(new JobApi(clients), console(), format).follow(job);
        }
    }

    private void announce(EntityAddress address, long count, OutputFormat format) {
        if (format == OutputFormat.JSON) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("entity", address.toString());
            summary.put("selected", count);
            Report.single(console().out(), format, summary);
        }
        console()
                .note("Dry run: " + messages(count) + " of '" + address + "' would be " + participle()
                        + ". Nothing was changed.");
    }

    private void perform(OperatorApi api, EntityAddress address, long[] selected, OutputFormat format) {
        Results results = new Results();
        try (Progress progress = new Progress(console(), "messages " + participle(), selected.length)) {
            for (int begin = 0;
                    begin < selected.length && !console().interruption().requested(); ) {
                int end = Math.min(selected.length, begin + OperatorApi.MESSAGES_MAX);
                List<Long> some = Arrays.stream(selected, begin, end).boxed().toList();
                for (Map<String, @Nullable Object> result :
                        OperatorApi.documents(api.act(act(), some, members()), "results")) {
                    results.add(result);
                    if (format == OutputFormat.JSON) {
                        Report.single(console().out(), format, result);
                    }
                }
                progress.add(end - begin);
                begin = end;
            }
        } catch (RuntimeException e) {
            if (results.done() + results.refused() > 0) {
                results.noteRefusals(console());
                console()
                        .note(summary(address, results) + " Then a request failed, so some of the next "
                                + OperatorApi.MESSAGES_MAX + " messages may have been changed.");
            }
            throw e;
        }
        results.noteRefusals(console());
        if (results.refused() > 0) {
            throw new Failure(Failure.FAULT, summary(address, results) + interrupted());
        }
        console().note(summary(address, results) + interrupted());
    }

    /** Returns a sentence such as {@code 'orders': 1,000 resubmitted, 2 refused.} */
    private String summary(EntityAddress address, Results results) {
        return String.format(Locale.ROOT, "'%s': %,d %s", address, results.done(), participle())
                + (results.refused() > 0 ? String.format(Locale.ROOT, ", %,d refused.", results.refused()) : ".");
    }

    /** Returns members without those whose value is null. */
    static Map<String, @Nullable Object> given(
            String name, @Nullable Object value, String other, @Nullable Object another) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put(name, value);
        members.put(other, another);
        members.values().removeIf(Objects::isNull);
        return members;
    }
}
