package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney cancel}. */
@Command(
        name = "cancel",
        description = "Cancels scheduled messages of a queue or topic, so that they are never delivered.",
        footer = {
            "  jitney cancel orders --sequence-number 17,18",
            "  jitney cancel orders --all --yes",
            "",
            "'jitney peek ENTITY' and 'jitney send --schedule' print the sequence numbers.",
            "The command needs two rights: Listen to find scheduled messages, and Send to",
            "cancel them."
        })
public final class CancelCommand extends MessageCommand {
    @Option(
            names = "--sequence-number",
            paramLabel = "N",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Sequence number of a scheduled message. May be repeated, or list several with commas.")
    private List<Long> numbers = new ArrayList<>();

    @Option(names = "--all", description = "Cancel all scheduled messages.")
    private boolean all;

    @Mixin
    private Confirmation confirmation = new Confirmation();

    public CancelCommand(Console console) {
        super(console);
    }

    @Override
    protected void check(EntityAddress address) {
        if (!address.sendable()) {
            throw Failure.badOption("ENTITY: Expected a queue or topic, but got '" + address
                    + "'. Scheduled messages are in the topic, not in its subscriptions.");
        }
        if (all != numbers.isEmpty()) {
            throw Failure.badOption("--sequence-number: Expected sequence numbers or --all, but got "
                    + (all ? "both." : "neither. To see the numbers: jitney peek " + address.forShell()));
        }
        for (long number : numbers) {
            if (number < 1) {
                throw Failure.badOption("--sequence-number: Expected a number from 1, but got " + number + ".");
            }
        }
        if (all) {
            confirmation.check(console(), "cancel all scheduled messages of '" + address + "'");
        }
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        if (all
                && !confirmation.ask(
                        console(),
                        "Cancel all scheduled messages of '" + address + "' in " + clients.namespace() + "?",
                        "Nothing was canceled.")) {
            return;
        }
        Set<Long> missing = all ? Set.of() : new LinkedHashSet<>(numbers);
        Progress progress = all
                ? new Progress(console(), "messages canceled", done -> EntityCounts.scheduled(clients, address))
                : new Progress(console(), "messages canceled", missing.size());
        try (progress;
                Browser browser = new Browser(clients, address);
                ServiceBusSenderClient sender =
                        clients.messages().sender().queueName(address.entity()).buildClient()) {
            Cancellation cancellation = new Cancellation(sender, progress);
            if (all) {
                browser.forEach(0, Long.MAX_VALUE, message -> {
                    if (message.getState() == ServiceBusMessageState.SCHEDULED) {
                        cancellation.add(message.getSequenceNumber());
                    }
                });
            } else {
                for (long number : List.copyOf(missing)) {
                    browser.forEach(number, 1, message -> {
                        if (message.getSequenceNumber() == number
                                && message.getState() == ServiceBusMessageState.SCHEDULED) {
                            missing.remove(number);
                            cancellation.add(number);
                        }
                    });
                }
            }
            cancellation.flush();
        }
        if (format == OutputFormat.JSON) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("entity", address.toString());
            summary.put("canceled", progress.done());
            Report.single(console().out(), format, summary);
        }
        console().note("Canceled " + messages(progress.done()) + " of '" + address + "'." + interrupted());
        if (!missing.isEmpty() && !console().interruption().requested()) {
            throw new Failure(
                    Failure.NOT_FOUND,
                    "There is no scheduled message "
                            + String.join(
                                    ", ", missing.stream().map(String::valueOf).toList())
                            + " in '" + address + "'. To see all scheduled messages: jitney peek "
                            + address.forShell());
        }
    }
}
