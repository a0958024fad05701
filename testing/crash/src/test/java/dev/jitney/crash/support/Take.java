package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A receiver that receives and deletes an expected number of messages. */
public final class Take {
    private static final int CREDIT = 500;

    private Take() {}

    public static List<ReceivedMessage> from(Endpoint endpoint, String entity, int count)
            throws AmqpException, InterruptedException {
        try (AmqpClient client = new AmqpClient(1)) {
            return count == 0 ? List.of() : from(client.open(endpoint), entity, count);
        }
    }

    public static List<ReceivedMessage> from(ClientConnection connection, String entity, int count)
            throws AmqpException, InterruptedException {
        List<ReceivedMessage> taken = new ArrayList<>();
        if (count == 0) {
            return taken;
        }
        CompletableFuture<Void> all = new CompletableFuture<>();
        ReceiverLink link = AmqpClient.await(connection.receiver(entity, CREDIT, false, new ReceiverLink.Listener() {
            @Override
            public void received(ReceiverLink link, Incoming message) {
                taken.add(message.message());
                if (taken.size() == count) {
                    all.complete(null);
                }
            }
        }));
        AmqpClient.await(all);
        connection.execute(link::close);
        return List.copyOf(taken);
    }
}
