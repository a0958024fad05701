package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.RequestLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Binary;

/** A reader of all messages in an entity by peek, which does not change them (PEEK-1). */
public final class Browse {
    private static final int PAGE = 250;

    private Browse() {}

    public static List<ReceivedMessage> all(Endpoint endpoint, String entity)
            throws AmqpException, InterruptedException {
        try (AmqpClient client = new AmqpClient(1)) {
            return all(client.open(endpoint), entity);
        }
    }

    public static List<ReceivedMessage> all(ClientConnection connection, String entity)
            throws AmqpException, InterruptedException {
        List<ReceivedMessage> found = new ArrayList<>();
        RequestLink management = AmqpClient.await(connection.management(entity));
        long from = 1;
        while (true) {
            RequestLink.Response page = AmqpClient.await(management.request(
                    "com.microsoft:peek-message", Map.of("from-sequence-number", from, "message-count", PAGE)));
            if (page.status() == 204) {
                return found;
            }
            if (page.status() != 200) {
                throw new IllegalStateException("Expected a page of peeked messages, but got status " + page.status()
                        + " " + page.description());
            }
            for (Object item : (List<?>) page.body().get("messages")) {
                ReceivedMessage message = Messages.decode(((Binary) ((Map<?, ?>) item).get("message")).asByteArray());
                found.add(message);
                from = Math.max(from, message.sequenceNumber() + 1);
            }
        }
    }
}
