package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.message.SubQueueOptions;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Table;
import dev.jitney.cli.value.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code jitney message show}. */
@Command(
        name = "show",
        description = "Shows one message as a whole, without locking or changing it.",
        footer = {
            "  jitney message show orders 17",
            "  jitney message show orders/dlq 17",
            "  jitney message show orders 17 --output json | jq .applicationProperties",
            "",
            "A body that is JSON is shown with one value on each line. With --output json the",
            "body is exactly that of the message."
        })
final class ShowMessage extends MessageCommand {
    private static final String PROPERTIES = "applicationProperties";
    private static final String BODY = "body";

    @Parameters(index = "1", paramLabel = "N", description = "Sequence number of the message.")
    private long number;

    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    ShowMessage(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    protected void check(EntityAddress address) {
        Choice.checkNumber(number);
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        Map<String, @Nullable Object> message = new OperatorApi(clients, address).message(number);
        if (format == OutputFormat.JSON) {
            Report.single(console().out(), format, message);
        } else {
            print(message);
        }
    }

    private void print(Map<String, @Nullable Object> message) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(message);
        Object properties = members.remove(PROPERTIES);
        Object body = members.remove(BODY);
        Report.single(console().out(), OutputFormat.TABLE, members);
        if (properties instanceof Map<?, ?> map && !map.isEmpty()) {
            console().out().println("\n" + PROPERTIES);
            Map<String, @Nullable Object> indented = new LinkedHashMap<>();
            map.forEach((name, value) -> indented.put("  " + Table.harmless(String.valueOf(name)), property(value)));
            Report.single(console().out(), OutputFormat.TABLE, indented);
        }
        String text = body instanceof Map<?, ?> ? Json.line(Map.of(BODY, body)) : String.valueOf(body);
        if (body != null && !text.isEmpty()) {
            String pretty = Json.pretty(text);
            console().out().println("\n" + BODY);
            (pretty == null ? text : pretty)
                    .lines()
                    .forEach(line -> console().out().println(harmless(line)));
        }
        console().out().flush();
    }

    /** Returns a value with its type, in the form of {@code send --property}. */
    private static @Nullable Object property(@Nullable Object value) {
        return value instanceof Map<?, ?> typed
                        && typed.get("type") instanceof String type
                        && (typed.get("value") instanceof String || typed.get("value") instanceof Number)
                ? typed.get("value") + " (" + type + ")"
                : value;
    }

    /** Returns a line of a body, which may contain tabs. */
    private static String harmless(String line) {
        return Arrays.stream(line.split("\t", -1)).map(Table::harmless).collect(Collectors.joining("\t"));
    }
}
