package dev.jitney.cli.transfer;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageBatches;
import dev.jitney.cli.message.MessageDocument;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages of an import, sent in batches to one entity after another. */
final class MessageImport implements AutoCloseable {
    private final NamespaceClients clients;
    private final Destinations destinations;
    /** The lines of messages that are not accepted yet. */
    private final Deque<Long> waitingLines = new ArrayDeque<>();

    private @Nullable String destination;
    private @Nullable ServiceBusSenderClient sender;
    private @Nullable MessageBatches batches;
    private long sentBefore;
    private long settled;
    private long skipped;

    MessageImport(NamespaceClients clients, Destinations destinations) {
        this.clients = clients;
        this.destinations = destinations;
    }

    void add(Map<String, @Nullable Object> document, long line) {
        if (!(document.get("entity") instanceof String path)) {
            throw new IllegalArgumentException(
                    "Expected the member entity, the path that the message was exported from, but it is missing.");
        }
        String to = destinations.of(EntityAddress.parse(path));
        if (to == null) {
            skipped++;
            return;
        }
        ServiceBusMessage message = MessageDocument.toMessage(document);
        MessageBatches open = batchesTo(to);
        waitingLines.add(line);
        open.add(message);
        settleLines();
    }

    private MessageBatches batchesTo(String to) {
        if (batches == null || !to.equalsIgnoreCase(destination)) {
            flush();
            close();
            sender = clients.messages().sender().queueName(to).buildClient();
            batches = new MessageBatches(sender);
            destination = to;
        }
        return batches;
    }

    void flush() {
        if (batches != null) {
            batches.flush();
            settleLines();
        }
    }

    private void settleLines() {
        for (long accepted = sent(); settled < accepted; settled++) {
            waitingLines.remove();
        }
    }

    /** Returns the first line whose message is not accepted, or {@code Long.MAX_VALUE} if all are. */
    long firstWaitingLine() {
        settleLines();
        return waitingLines.isEmpty() ? Long.MAX_VALUE : waitingLines.element();
    }

    private long sent() {
        return sentBefore + (batches == null ? 0 : batches.sent());
    }

    String summary() {
        return String.format(Locale.ROOT, "Messages: %,d sent", sent())
                + (skipped == 0
                        ? "."
                        : String.format(
                                Locale.ROOT,
                                ", %,d of subscriptions or dead-letter queues skipped (see --map, --dead-letters).",
                                skipped));
    }

    /** Stops sending. Messages that were not flushed count as waiting. */
    @Override
    public void close() {
        if (sender != null && batches != null) {
            sentBefore += batches.sent();
            sender.close();
            sender = null;
            batches = null;
        }
    }
}
