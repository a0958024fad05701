package dev.jitney.cli.transfer;

import dev.jitney.cli.connection.ConnectionOptions;
import dev.jitney.cli.connection.Failures;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.Lines;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.value.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney import}. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        description = "Creates the entities and sends the messages of a file from jitney export.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney import namespace.jsonl",
            "  jitney import namespace.jsonl --entities --update",
            "  jitney import messages.jsonl --map events/subscriptions/billing=billing-again",
            "",
            "Entities: the import creates missing entities. Existing ones stay, or are",
            "changed with --update. Importing a file again changes nothing. Messages: the",
            "import sends each message as a new one, so importing a file again sends them",
            "twice (unless duplicate detection drops their ids). They get new sequence",
            "numbers and times. Scheduled messages stay scheduled, deferred ones become",
            "active, and times to live start again. Sending to a subscription or a",
            "dead-letter queue is not possible: the import skips their messages unless --map",
            "or --dead-letters gives a destination."
        })
public final class ImportCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "File to import; - is standard input (default: standard input).")
    private @Nullable Path file;

    @Option(names = "--entities", description = "Import only entities, not their messages.")
    private boolean entitiesOnly;

    @Option(names = "--messages", description = "Import only messages.")
    private boolean messagesOnly;

    @Option(names = "--update", description = "Change existing entities that differ from the file.")
    private boolean update;

    @Option(
            names = "--dead-letters",
            paramLabel = "HOW",
            description = "Handling of dead-lettered messages: skip, or resubmit to send them to their original entity"
                    + " (default: ${DEFAULT-VALUE}).")
    private String deadLetters = "skip";

    @Option(
            names = "--map",
            paramLabel = "ENTITY=ENTITY",
            description = "Send the messages of one entity to another. May be repeated.")
    private Map<String, String> map = new LinkedHashMap<>();

    @Option(
            names = "--from-line",
            paramLabel = "N",
            description = "Start at this line, to continue an import (default: ${DEFAULT-VALUE}).")
    private long fromLine = 1;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    public ImportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (entitiesOnly && messagesOnly) {
            throw Failure.badOption(
                    "--entities and --messages: Expected one of them, but got both. To import both, omit the options.");
        }
        if (!deadLetters.equals("skip") && !deadLetters.equals("resubmit")) {
            throw Failure.badOption("--dead-letters: Expected skip or resubmit, but got '" + deadLetters + "'.");
        }
        Destinations destinations = new Destinations(map, deadLetters.equals("resubmit"));
        try (NamespaceClients clients = connection.open(console);
                BufferedReader lines = new BufferedReader(new InputStreamReader(input(), StandardCharsets.UTF_8));
                Progress progress = new Progress(console, "lines imported", linesLeft());
                MessageImport messages = new MessageImport(clients, destinations)) {
            EntityImport entities = new EntityImport(clients, update, console::note);
            return run(lines, entities, messages, progress);
        }
    }

    private long linesLeft() {
        long all = Lines.count(file);
        return all == Progress.UNKNOWN ? all : Math.max(0, all - Math.max(0, fromLine - 1));
    }

    private InputStream input() throws IOException {
        if (file == null || file.toString().equals("-")) {
            return console.in();
        }
        try {
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new Failure(Failure.BAD_OPTION, "FILE " + file + ": The file does not exist.", e);
        }
    }

    private int run(BufferedReader lines, EntityImport entities, MessageImport messages, Progress progress)
            throws IOException {
        long number = 0;
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (console.interruption().requested()) {
                    break;
                }
                number++;
                if (number >= fromLine && !line.isBlank()) {
                    read(Json.object(line), number, entities, messages);
                    progress.add(1);
                }
            }
            if (!console.interruption().requested()) {
                entities.finish();
            }
            messages.flush();
        } catch (IllegalArgumentException e) {
            // This line is invalid; the lines before it are done.
            progress.close();
            messages.flush();
            throw stopped(
                    new Failure(Failure.BAD_OPTION, String.valueOf(e.getMessage()), e), number, entities, messages);
        } catch (RuntimeException e) {
            progress.close();
            throw stopped(e, number, entities, messages);
        }
        boolean interrupted = console.interruption().requested();
        progress.close();
        console.note(entities.summary() + " " + messages.summary()
                + (interrupted
                        ? " Interrupted. To continue, use --from-line "
                                + Math.min(number + 1, entities.firstWaitingLine()) + "."
                        : ""));
        return interrupted ? Failure.INTERRUPTED : entities.failed() > 0 ? Failure.FAULT : 0;
    }

    private void read(
            Map<String, @Nullable Object> document, long number, EntityImport entities, MessageImport messages) {
        String kind = String.valueOf(document.get("kind"));
        if (kind.equals("message")) {
            if (!entitiesOnly) {
                // The messages may go to an entity that waits for one after it.
                entities.finish();
                messages.add(document, number);
            }
        } else if (EntityImport.knows(kind)) {
            if (!messagesOnly) {
                entities.add(document, number);
            }
        } else {
            throw new IllegalArgumentException(
                    "Expected a kind of queue, topic, subscription or message, but got '" + kind + "'.");
        }
    }

    /** Returns a failure with the line, and prints the summary so far and the line to continue with. */
    private Failure stopped(RuntimeException e, long number, EntityImport entities, MessageImport messages) {
        // No message was sent behind an entity that waits, so none is sent twice.
        long resume = Math.min(number, Math.min(messages.firstWaitingLine(), entities.firstWaitingLine()));
        Failure known = Failures.of(e);
        if (known == null) {
            throw e;
        }
        console.note(entities.summary() + " " + messages.summary());
        return new Failure(
                known.exitCode(),
                "line " + number + ": " + known.line() + " To continue, use --from-line " + resume,
                e);
    }
}
