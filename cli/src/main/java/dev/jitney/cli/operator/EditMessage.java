package dev.jitney.cli.operator;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.message.PropertyOption;
import dev.jitney.cli.message.SubQueueOptions;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.value.Json;
import dev.jitney.cli.value.TypedValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney message edit}. */
@Command(
        name = "edit",
        description = "Sends a changed message, and removes the original in the same commit.",
        footer = {
            "  jitney message edit orders/dlq 17 --body '{\"amount\": 12.5}'",
            "  jitney message edit orders/dlq 17 --body-file new.json --set tries:int=0",
            "  jitney message edit orders 17 --subject urgent --remove error --to by-hand",
            "  echo '{\"timeToLive\": 60000}' | jitney message edit orders 17 --changes -",
            "",
            "All other parts of the message stay as they are, except for the reason and the",
            "description of a dead letter, which are removed. --changes is a JSON object with",
            "members as 'jitney message show --output json' prints them. The options override",
            "these members. A dead letter returns to its entity without --to."
        })
final class EditMessage extends MessageCommand {
    private static final String PROPERTIES = "applicationProperties";
    private static final String STANDARD_INPUT = "-";

    @Parameters(index = "1", paramLabel = "N", description = "Sequence number of the message.")
    private long number;

    @Option(names = "--body", paramLabel = "TEXT", description = "New body, as text.")
    private @Nullable String body;

    @Option(
            names = "--body-file",
            paramLabel = "FILE",
            description = "Read the new body from this file; - is standard input.")
    private @Nullable Path bodyFile;

    @Option(
            names = "--set",
            paramLabel = "NAME[:TYPE]=VALUE",
            converter = PropertyOption.Converter.class,
            description = "Set an application property. May be repeated. TYPE is one of " + TypedValues.TYPES + ".")
    private List<PropertyOption> set = new ArrayList<>();

    @Option(names = "--remove", paramLabel = "NAME", description = "Remove an application property. May be repeated.")
    private List<String> remove = new ArrayList<>();

    @Option(names = "--subject", paramLabel = "TEXT", description = "New subject, also called label.")
    private @Nullable String subject;

    @Option(names = "--message-id", paramLabel = "ID", description = "New message id.")
    private @Nullable String messageId;

    @Option(names = "--content-type", paramLabel = "TYPE", description = "New content type.")
    private @Nullable String contentType;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "New correlation id.")
    private @Nullable String correlationId;

    @Option(names = "--session-id", paramLabel = "ID", description = "New session id.")
    private @Nullable String sessionId;

    @Option(
            names = "--changes",
            paramLabel = "FILE",
            description = "Read changes from this JSON file; - is standard input.")
    private @Nullable Path changes;

    @Option(
            names = "--to",
            paramLabel = "ENTITY",
            description = "Queue or topic to send to (default: the entity of the message).")
    private @Nullable String to;

    @Option(names = "--keep-original", description = "Leave the original where it is.")
    private boolean keepOriginal;

    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    EditMessage(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    protected void check(EntityAddress address) {
        Choice.checkNumber(number);
        if (body != null && bodyFile != null) {
            throw Failure.badOption("--body and --body-file: Expected one of them, but got both.");
        }
        if (isStandardInput(bodyFile) && isStandardInput(changes)) {
            throw Failure.badOption("--body-file and --changes: Expected - for one of them, but got it for both.");
        }
        for (PropertyOption property : set) {
            if (remove.contains(property.name())) {
                throw Failure.badOption("--remove: Expected other names than in --set, but got '" + property.name()
                        + "'" + " in both.");
            }
        }
        if (body == null
                && bodyFile == null
                && changes == null
                && set.isEmpty()
                && remove.isEmpty()
                && fields().isEmpty()) {
            throw Failure.badOption(
                    "Expected at least one change, such as --body or --set. To send a message unchanged:"
                            + " jitney message move, copy or resubmit");
        }
        if (to != null) {
            destination("--to", to);
        }
    }

    private static boolean isStandardInput(@Nullable Path file) {
        return file != null && file.toString().equals(STANDARD_INPUT);
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) throws IOException {
        EntityAddress destination = to == null ? null : destination("--to", to);
        Map<String, @Nullable Object> answer =
                new OperatorApi(clients, address).edit(number, changes(), destination, keepOriginal);
        for (Map<String, @Nullable Object> result : OperatorApi.documents(answer, "results")) {
            if (!Boolean.TRUE.equals(result.get("done"))) {
                throw new Failure(
                        Long.valueOf(404).equals(result.get("status")) ? Failure.NOT_FOUND : Failure.FAULT,
                        String.valueOf(result.get("message")));
            }
            if (format == OutputFormat.JSON) {
                Report.single(console().out(), format, result);
            }
            Object newNumber = result.get("newSequenceNumber");
            console()
                    .note("Sent the changed message to '" + (destination == null ? own(address) : destination) + "'"
                            + (newNumber == null ? "" : " with the sequence number " + newNumber) + ". The original "
                            + (keepOriginal ? "is still in '" : "was removed from '") + address + "'.");
        }
    }

    /** Returns the entity of a sub-queue. */
    private static EntityAddress own(EntityAddress address) {
        return address.in(SubQueue.NONE);
    }

    private Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("subject", subject);
        fields.put("messageId", messageId);
        fields.put("contentType", contentType);
        fields.put("correlationId", correlationId);
        fields.put("sessionId", sessionId);
        fields.values().removeIf(value -> value == null);
        return fields;
    }

    private Map<String, @Nullable Object> changes() throws IOException {
        Map<String, @Nullable Object> all = changes == null ? new LinkedHashMap<>() : object(changes);
        all.putAll(fields());
        if (!set.isEmpty() || !remove.isEmpty()) {
            Map<String, @Nullable Object> properties = new LinkedHashMap<>();
            if (all.get(PROPERTIES) instanceof Map<?, ?> given) {
                given.forEach((name, value) -> properties.put(String.valueOf(name), value));
            }
            set.forEach(property -> properties.put(property.name(), TypedValues.toJson(property.value())));
            remove.forEach(name -> properties.put(name, null));
            all.put(PROPERTIES, properties);
        }
        if (body != null) {
            all.put("body", body);
        } else if (bodyFile != null) {
            all.put("body", bodyOf(bytes("--body-file", bodyFile)));
        }
        return all;
    }

    private Map<String, @Nullable Object> object(Path file) throws IOException {
        String text = new String(bytes("--changes", file), StandardCharsets.UTF_8);
        try {
            return Json.object(text);
        } catch (IllegalArgumentException e) {
            throw Failure.badOption("--changes " + file + ": " + e.getMessage());
        }
    }

    private byte[] bytes(String option, Path file) throws IOException {
        if (isStandardInput(file)) {
            return console().in().readAllBytes();
        }
        if (!Files.isReadable(file)) {
            throw Failure.badOption(option + " " + file + ": "
                    + (Files.exists(file) ? "The file cannot be read." : "The file does not exist."));
        }
        return Files.readAllBytes(file);
    }

    /** Returns a body as text if it is UTF-8, else in base64. */
    static Object bodyOf(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("type", "data");
            data.put("base64", Base64.getEncoder().encodeToString(bytes));
            return data;
        }
    }
}
