package dev.jitney.cli.operator;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code jitney session resubmit}. */
@Command(
        name = "resubmit",
        description = "Sends the dead letters of one session again, one after the other in their order.",
        footer = {
            "  jitney session resubmit trips trip-7",
            "  jitney session resubmit events/subscriptions/billing customer-12 --max 100",
            "",
            "ENTITY means its dead-letter queue here. The command stops at the first message",
            "that is refused, so that the order is kept. Messages that are dead-lettered during",
            "the command stay in the dead-letter queue."
        })
final class ResubmitSession extends SessionCommands.OneSession {
    @Option(
            names = "--to-source",
            description = "Send each message to the entity that dead-lettered it first, if it was forwarded here, and"
                    + " the messages of a subscription to its topic.")
    private boolean toSource;

    @Option(
            names = "--new-ids",
            description = "Give the messages new message ids, so that duplicate detection does not drop them.")
    private boolean newIds;

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of messages (default: all).")
    private long max = Long.MAX_VALUE;

    ResubmitSession(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return deadLetters(typed, typed.subQueue() == SubQueue.TRANSFER_DEAD_LETTER_QUEUE);
    }

    @Override
    protected void check(EntityAddress address) {
        super.check(address);
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        OperatorApi api = new OperatorApi(clients, address);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("target", toSource ? "source" : "entity");
        parameters.put("newMessageId", String.valueOf(newIds));
        long done = 0;
        Object next = null;
        Object stopped = null;
        try (Progress progress = new Progress(console(), "messages resubmitted", Progress.UNKNOWN)) {
            do {
                parameters.put("max", String.valueOf(Math.min(OperatorApi.MESSAGES_MAX, max - done)));
                Map<String, @Nullable Object> answer = api.resubmitSession(session(), parameters);
                if (format == OutputFormat.JSON) {
                    OperatorApi.documents(answer, "results")
                            .forEach(result -> Report.single(console().out(), format, result));
                }
                long now = answer.get("done") instanceof Long count ? count : 0;
                done += now;
                progress.add(now);
                next = answer.get("next");
                stopped = answer.get("stopped");
                parameters.put("after", String.valueOf(next));
            } while (next != null
                    && stopped == null
                    && done < max
                    && !console().interruption().requested());
        } catch (RuntimeException e) {
            if (done > 0) {
                console().note(summary(address, done) + " Then a request failed.");
            }
            throw e;
        }
        if (stopped != null) {
            throw new Failure(
                    Failure.FAULT,
                    summary(address, done) + " Stopped, and the messages behind it stay in their order: " + stopped);
        }
        console().note(summary(address, done) + interrupted());
    }

    private String summary(EntityAddress address, long done) {
        return String.format(Locale.ROOT, "'%s', session '%s': %,d resubmitted.", address, session(), done);
    }
}
