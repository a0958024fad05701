package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.DeadLetterCommands;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney dlq resubmit}. A Jitney server does it if an option needs that. */
public final class DeadLetterResubmission extends DeadLetterCommands.Resubmit {
    @Option(
            names = "--where",
            paramLabel = "SQL",
            description = "Select messages on a Jitney server with a condition in the SQL language of rules, such as"
                    + " DeadLetterReason = 'Timeout'.")
    private @Nullable String where;

    @Option(names = "--dry-run", description = "Count the selected messages on a Jitney server and change nothing.")
    private boolean dryRun;

    @Mixin
    private JobOptions jobs = new JobOptions();

    public DeadLetterResubmission(Console console) {
        super(console);
    }

    private boolean isOnServer() {
        return where != null || dryRun || jobs.job();
    }

    @Override
    protected void check(EntityAddress address) {
        jobs.check();
        if (!isOnServer()) {
            super.check(address);
            return;
        }
        if (hasOptionsOfCopies()) {
            throw Failure.badOption("--to and --keep-ids: Expected neither of them with --where, --dry-run and --job,"
                    + " because the messages return to their entity. To send them elsewhere: jitney message move");
        }
        act().check(source(address));
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        if (isOnServer()) {
            act().run(clients, source(address), format);
        } else {
            super.run(clients, address, format);
        }
    }

    private MessageActs.Resubmit act() {
        return new MessageActs.Resubmit(console(), Choice.of(where, max(), dryRun), jobs, newIds());
    }
}
