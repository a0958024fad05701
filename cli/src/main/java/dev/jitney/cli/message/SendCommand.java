package dev.jitney.cli.message;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.Lines;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney send}. */
@Command(
        name = "send",
        description = "Sends a message whose body is an argument, a file or standard input, or one message for"
                + " each line.",
        footer = {
            "  jitney send orders \"one coffee\" --property cups:int=1 --subject new",
            "  jitney send orders --file order.json --content-type application/json",
            "  jitney send orders \"wake up\" --schedule 10m",
            "  some-program | jitney send events --lines"
        })
public final class SendCommand extends MessageCommand {
    /** The maximum size of a message in any tier (PREMIUM). */
    private static final int BODY_BYTES_MAX = 100 << 20;

    @Parameters(index = "1", arity = "0..1", paramLabel = "BODY", description = "Body of the message, as text.")
    private @Nullable String body;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Read the body from this file; - is standard input (default: standard input).")
    private @Nullable Path file;

    @Option(names = "--lines", description = "Send a message for each line of the file or of standard input.")
    private boolean lines;

    @Option(names = "--value", description = "Send the body as an AMQP value of type string (default: as AMQP data).")
    private boolean value;

    @Option(names = "--count", paramLabel = "N", description = "Send the message this many times (default: 1).")
    private long count = 1;

    @Option(
            names = "--message-id",
            paramLabel = "ID",
            description = "Message id (default: a generated id). With --count or --lines, the suffixes -1, -2, …"
                    + " are added.")
    private @Nullable String messageId;

    @Mixin
    private MessageProperties properties = new MessageProperties();

    @Option(
            names = "--schedule",
            paramLabel = "WHEN",
            description = "Schedule the message: a duration from now, or a time such as 2026-01-31T12:00:00Z. Prints"
                    + " the sequence number, which jitney cancel needs.")
    private @Nullable String schedule;

    public SendCommand(Console console) {
        super(console);
    }

    @Override
    protected void check(EntityAddress address) {
        if (!address.sendable()) {
            throw Failure.badOption("Expected a queue or topic to send to, but got '" + address + "'.");
        }
        if (body != null && (file != null || lines)) {
            throw Failure.badOption(
                    "BODY: Expected one body, but got several. Use the argument, or --file and --lines.");
        }
        if (count < 1) {
            throw Failure.badOption("--count: Expected a number from 1, but got " + count + ".");
        }
        if (count > 1 && lines) {
            throw Failure.badOption(
                    "--count: Expected a single body, but --lines sends one for each line. Use one of them.");
        }
        properties.timeToLive();
        if (file != null && !file.toString().equals("-") && !Files.isReadable(file)) {
            throw Failure.badOption("--file " + file + ": "
                    + (Files.exists(file) ? "The file cannot be read." : "The file does not exist."));
        }
        scheduledTime();
        if (body == null && file == null && console().questions()) {
            console()
                    .note("Reading " + (lines ? "messages, one a line," : "the body") + " from standard input"
                            + " (end with Ctrl-D).");
        }
    }

    private @Nullable OffsetDateTime scheduledTime() {
        return schedule == null ? null : moment("--schedule", schedule);
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) throws IOException {
        try (ServiceBusSenderClient sender =
                        clients.messages().sender().queueName(address.entity()).buildClient();
                Progress progress = new Progress(console(), "messages sent", lines ? Lines.count(file) : count)) {
            Outlet outlet = schedule == null ? new Sending(sender) : new Scheduling(sender, format);
            long taken = 0;
            try {
                if (lines) {
                    try (BufferedReader reader =
                            new BufferedReader(new InputStreamReader(input(), StandardCharsets.UTF_8))) {
                        for (String line = reader.readLine();
                                line != null && !console().interruption().requested();
                                line = reader.readLine()) {
                            outlet.add(message(line.getBytes(StandardCharsets.UTF_8), ++taken, true));
                            progress.add(1);
                        }
                    }
                } else {
                    byte[] bytes = bytes();
                    while (taken < count && !console().interruption().requested()) {
                        outlet.add(message(bytes, ++taken, count > 1));
                        progress.add(1);
                    }
                }
                outlet.flush();
            } catch (RuntimeException e) {
                if (outlet.accepted() > 0) {
                    progress.close();
                    console().note("Sent " + messages(outlet.accepted()) + " before the failure.");
                }
                throw e;
            }
            progress.close();
            report(address, outlet.accepted(), format);
        }
    }

    private void report(EntityAddress address, long accepted, OutputFormat format) {
        if (format == OutputFormat.JSON && schedule == null) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("entity", address.toString());
            summary.put("sent", accepted);
            Report.single(console().out(), format, summary);
        }
        console()
                .note((schedule == null ? "Sent " : "Scheduled ") + messages(accepted) + " to '" + address + "'."
                        + (console().interruption().requested() ? " Interrupted." : ""));
    }

    private InputStream input() throws IOException {
        return file == null || file.toString().equals("-") ? console().in() : Files.newInputStream(file);
    }

    private byte[] bytes() throws IOException {
        if (body != null) {
            return body.getBytes(StandardCharsets.UTF_8);
        }
        try (InputStream in = input()) {
            byte[] bytes = in.readNBytes(BODY_BYTES_MAX + 1);
            if (bytes.length > BODY_BYTES_MAX) {
                throw Failure.badOption("Expected a body of at most " + BODY_BYTES_MAX
                        + " bytes, the maximum of any tier, but got more. To send one message for each line, use"
                        + " --lines.");
            }
            return bytes;
        }
    }

    private ServiceBusMessage message(byte[] bytes, long number, boolean oneOfMany) {
        ServiceBusMessage message = new ServiceBusMessage(
                value
                        ? AmqpMessageBody.fromValue(new String(bytes, StandardCharsets.UTF_8))
                        : AmqpMessageBody.fromData(bytes));
        if (messageId != null) {
            message.setMessageId(oneOfMany ? messageId + "-" + number : messageId);
        }
        properties.applyTo(message);
        return message;
    }

    /** The destination of messages: a queue or topic, now or scheduled. */
    private interface Outlet {
        void add(ServiceBusMessage message);

        void flush();

        long accepted();
    }

    /** Sends messages now. */
    private record Sending(MessageBatches batches) implements Outlet {
        Sending(ServiceBusSenderClient sender) {
            this(new MessageBatches(sender));
        }

        @Override
        public void add(ServiceBusMessage message) {
            batches.add(message);
        }

        @Override
        public void flush() {
            batches.flush();
        }

        @Override
        public long accepted() {
            return batches.sent();
        }
    }

    /** Schedules messages. Their sequence numbers are printed as data, for {@code jitney cancel}. */
    private final class Scheduling implements Outlet {
        private static final int BATCH = 100;

        private final ServiceBusSenderClient sender;
        private final OutputFormat format;
        private final OffsetDateTime time = java.util.Objects.requireNonNull(scheduledTime());
        private final List<ServiceBusMessage> waiting = new ArrayList<>();
        private long accepted;

        Scheduling(ServiceBusSenderClient sender, OutputFormat format) {
            this.sender = sender;
            this.format = format;
        }

        @Override
        public void add(ServiceBusMessage message) {
            waiting.add(message);
            if (waiting.size() == BATCH) {
                flush();
            }
        }

        @Override
        public void flush() {
            if (waiting.isEmpty()) {
                return;
            }
            for (long number : sender.scheduleMessages(waiting, time)) {
                accepted++;
                if (format == OutputFormat.JSON) {
                    Map<String, Object> one = new LinkedHashMap<>();
                    one.put("sequenceNumber", number);
                    one.put("scheduledEnqueueTime", time.toInstant().toString());
                    Report.single(console().out(), format, one);
                } else {
                    console().out().println(number);
                }
            }
            waiting.clear();
        }

        @Override
        public long accepted() {
            return accepted;
        }
    }
}
