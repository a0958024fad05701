package dev.jitney.cli.transfer;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.ConnectionOptions;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.entity.EntityReader;
import dev.jitney.cli.message.Browser;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.EntityCounts;
import dev.jitney.cli.message.MessageDocument;
import dev.jitney.cli.message.Receiving;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.value.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        description = "Writes entities and messages as JSON, one per line, without changing anything.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney export --file namespace.jsonl",
            "  jitney export --entities | grep '\"kind\":\"queue\"'",
            "  jitney export --messages orders events/subscriptions/billing --file messages.jsonl",
            "",
            "The export peeks at active, deferred, scheduled and dead-lettered messages,",
            "with all their properties. Messages of a topic are in its subscriptions, except",
            "scheduled ones. Keys of access rules are not exported."
        })
public final class ExportCommand implements Callable<Integer> {
    /** The number of lines between two checks whether the reader still reads. A check flushes. */
    private static final int LINES_PER_CHECK = 100;

    private final Console console;
    private long lines;

    @Parameters(
            arity = "0..*",
            paramLabel = "ENTITY",
            description = "Queues, topics with their subscriptions, or TOPIC/subscriptions/NAME (default: all"
                    + " entities).")
    private List<String> entities = new ArrayList<>();

    @Option(names = "--entities", description = "Export only entities, not their messages.")
    private boolean entitiesOnly;

    @Option(names = "--messages", description = "Export only messages. With ENTITY this does not need Manage.")
    private boolean messagesOnly;

    @Option(names = "--no-dead-letters", description = "Do not export dead-lettered messages.")
    private boolean noDeadLetters;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "File to write, with mode 0600, when the export is complete (default: standard output).")
    private @Nullable Path file;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    public ExportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (entitiesOnly && messagesOnly) {
            throw Failure.badOption(
                    "--entities and --messages: Expected one of them, but got both. To export both, omit the options.");
        }
        for (String entity : entities) {
            if (!messagesOnly && EntityAddress.typed(entity).subQueue() != SubQueue.NONE) {
                throw Failure.badOption(
                        "ENTITY: Expected an entity, but got '" + entity + "'. Dead-letter queues need --messages.");
            }
        }
        if (file == null) {
            export(console.out());
        } else {
            try (ExportFile target = ExportFile.begin(file)) {
                export(target.out());
                if (console.interruption().requested()) {
                    String place = target.leave();
                    if (!place.isEmpty()) {
                        console.note(place);
                    }
                } else {
                    target.complete();
                }
            }
        }
        return console.interruption().requested() ? Failure.INTERRUPTED : 0;
    }

    private void export(PrintStream out) {
        try (NamespaceClients clients = connection.open(console)) {
            List<Place> places = new ArrayList<>();
            long described = 0;
            if (messagesOnly && !entities.isEmpty()) {
                entities.forEach(entity -> places.addAll(Place.named(clients, entity)));
            } else {
                described = describe(clients, out, places);
            }
            long messages = entitiesOnly ? 0 : messages(clients, out, places);
            written(out);
            console.note(String.format(
                    Locale.ROOT,
                    "Exported %,d %s and %,d %s of '%s'.%s",
                    described,
                    described == 1 ? "entity" : "entities",
                    messages,
                    messages == 1 ? "message" : "messages",
                    clients.namespace(),
                    console.interruption().requested() ? " Interrupted. The export is incomplete." : ""));
        }
    }

    private long describe(NamespaceClients clients, PrintStream out, List<Place> places) {
        long[] described = {0};
        Set<String> only = new LinkedHashSet<>(entities);
        List<String> found = new EntityReader(clients.admin()).read(only, entity -> {
            if (!messagesOnly) {
                line(out, entity.document());
                described[0]++;
            }
            // Counts include deferred messages and dead letters (CNT-1, CNT-3), so a count of 0 means there are none.
            if (entity.messages() > 0) {
                places.add(Place.found(entity));
            }
        });
        for (String name : only) {
            if (found.stream().noneMatch(name::equalsIgnoreCase)) {
                throw new Failure(
                        Failure.NOT_FOUND,
                        "There is no queue, topic or subscription '" + name
                                + "'. See: jitney queue list, jitney topic list");
            }
        }
        return described[0];
    }

    private long messages(NamespaceClients clients, PrintStream out, List<Place> places) {
        boolean known = places.stream().allMatch(place -> place.messages() > 0);
        Progress progress = known
                ? new Progress(
                        console,
                        "messages exported",
                        places.stream().mapToLong(Place::messages).sum())
                : new Progress(console, "messages exported", done -> left(clients, places, done));
        try (progress) {
            for (Place place : places) {
                EntityAddress address = place.address();
                browse(clients, out, address, progress);
                if (place.deadLetters() && !noDeadLetters) {
                    browse(clients, out, address.in(SubQueue.DEAD_LETTER_QUEUE), progress);
                    browse(clients, out, address.in(SubQueue.TRANSFER_DEAD_LETTER_QUEUE), progress);
                }
            }
        }
        return progress.done();
    }

    /** Returns how many messages are left in places that the user named, if their counts are available. */
    private long left(NamespaceClients clients, List<Place> places, long done) {
        long all = 0;
        for (Place place : places) {
            List<EntityAddress> addresses = new ArrayList<>(List.of(place.address()));
            if (place.deadLetters() && !noDeadLetters) {
                addresses.add(place.address().in(SubQueue.DEAD_LETTER_QUEUE));
                addresses.add(place.address().in(SubQueue.TRANSFER_DEAD_LETTER_QUEUE));
            }
            for (EntityAddress address : addresses) {
                long count = EntityCounts.of(clients, address);
                if (count == Progress.UNKNOWN) {
                    return Progress.UNKNOWN;
                }
                all += count;
            }
        }
        return Math.max(0, all - done);
    }

    private void browse(NamespaceClients clients, PrintStream out, EntityAddress address, Progress progress) {
        try (Browser browser = new Browser(clients, address)) {
            browser.forEach(0, Long.MAX_VALUE, message -> {
                Map<String, @Nullable Object> document = new LinkedHashMap<>();
                document.put("kind", "message");
                document.put("entity", address.toString());
                document.putAll(MessageDocument.of(message));
                line(out, document);
                progress.add(1);
            });
        } catch (RuntimeException e) {
            throw Receiving.needsSubscription(e, address) ? Receiving.needsSubscription(address, e) : e;
        }
    }

    private void line(PrintStream out, Map<String, @Nullable Object> document) {
        out.print(Json.line(document));
        out.print('\n');
        if (++lines % LINES_PER_CHECK == 0) {
            written(out);
        }
    }

    private void written(PrintStream out) {
        if (out.checkError()) {
            throw new Failure(
                    Failure.FAULT,
                    file == null
                            ? "Standard output was closed before the export was complete."
                            : "--file " + file + ": The file could not be written. Check the free space of the disk.");
        }
    }
}
