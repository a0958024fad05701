package dev.jitney.cli.message;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney purge}, and for dead letters {@code jitney dlq purge}. */
@Command(
        name = "purge",
        description = "Deletes all active, deferred and scheduled messages of a queue or subscription. Of a topic it"
                + " deletes the scheduled messages.",
        footer = {
            "  jitney purge orders --yes",
            "  jitney purge events/subscriptions/billing --yes",
            "  jitney dlq purge orders --yes",
            "",
            "Messages that a receiver has locked stay, and so do deferred messages of",
            "sessions. While other programs keep sending, the command continues. Ctrl-C",
            "stops it."
        })
public class PurgeCommand extends MessageCommand {
    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    @Mixin
    private Confirmation confirmation = new Confirmation();

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of messages (default: all).")
    private long max = Long.MAX_VALUE;

    public PurgeCommand(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    /** Returns the sub-queue to purge. */
    EntityAddress target(EntityAddress address) {
        return address;
    }

    @Override
    protected void check(EntityAddress address) {
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
        confirmation.check(console(), "delete the messages of '" + target(address) + "'");
    }

    /** Returns the current number of messages, at most as many as --max still allows. */
    private long remaining(NamespaceClients clients, EntityAddress target, long done) {
        long there = EntityCounts.of(clients, target);
        return there == Progress.UNKNOWN ? there : Math.min(there, max - done);
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) throws IOException {
        EntityAddress target = target(address);
        String what = max == Long.MAX_VALUE ? "all messages" : "up to " + messages(max);
        if (!confirmation.ask(console(), "Delete " + what + " of '" + target + "' in " + clients.namespace() + "?")) {
            return;
        }
        long purged;
        long left;
        Progress progress = new Progress(console(), "messages deleted", done -> remaining(clients, target, done));
        try (progress) {
            left = new Purge(clients, target, progress, max).run();
        } finally {
            purged = progress.done();
        }
        if (format == OutputFormat.JSON) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("entity", target.toString());
            summary.put("deleted", purged);
            summary.put("left", left);
            Report.single(console().out(), format, summary);
        }
        console()
                .note("Deleted " + messages(purged) + " of '" + target + "'."
                        + (left > 0
                                ? " " + messages(left) + (left == 1 ? " remains" : " remain")
                                        + ", locked by receivers or sent during the purge."
                                : "")
                        + interrupted());
    }
}
