package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney dlq note}. */
@Command(
        name = "note",
        description = "Writes a note on a group of dead-lettered messages on a Jitney server.",
        footer = {
            "  jitney dlq note orders 5f2a90c1d3e4b687 \"BUG-123, on hold\"",
            "  jitney dlq note orders 5f2a90c1d3e4b687 --delete",
            "",
            "jitney dlq groups shows the ids of groups and their notes. A new note replaces the",
            "one before. The key needs the right to Send."
        })
public final class DeadLetterNote extends MessageCommand {
    @Parameters(index = "1", paramLabel = "GROUP", description = "Id of the group, as jitney dlq groups shows it.")
    private String group = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "TEXT", description = "The note.")
    private @Nullable String text;

    @Option(names = "--delete", description = "Delete the note.")
    private boolean deletes;

    @Option(names = "--from-transfer", description = "Use messages that could not be forwarded.")
    private boolean transfer;

    public DeadLetterNote(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return deadLetters(typed, transfer);
    }

    @Override
    protected void check(EntityAddress address) {
        boolean empty = text == null || text.isBlank();
        if (deletes && text != null) {
            throw Failure.badOption("--delete: Expected no TEXT with it, but got one.");
        } else if (!deletes && empty) {
            throw Failure.badOption("TEXT: Expected a note, but got none. Use --delete to delete a note.");
        }
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        OperatorApi api = new OperatorApi(clients, address);
        if (text == null) {
            api.deleteNote(group);
            if (format == OutputFormat.JSON) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("group", group);
                result.put("deleted", true);
                Report.single(console().out(), format, result);
            }
            console().note("The group " + group + " of '" + address + "' has no note now.");
            return;
        }
        Map<String, @Nullable Object> note = api.note(group, text.strip());
        if (format == OutputFormat.JSON) {
            Report.single(console().out(), format, note);
        }
        console().note("The group " + group + " of '" + address + "' has a note now.");
    }
}
