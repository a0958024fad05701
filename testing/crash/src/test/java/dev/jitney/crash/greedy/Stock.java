package dev.jitney.crash.greedy;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The messages stored in the server before an attack, sent and deferred by a well-behaved client. */
final class Stock {
    static final int LARGE_BYTES = 250_000;
    private static final int UNANSWERED_MAX = 8;
    private static final long PATIENCE_SECONDS = 60;

    private Stock() {}

    /** Sends messages of a size. */
    static void send(Endpoint endpoint, String queue, int count, int sizeBytes) throws Exception {
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(endpoint);
            byte[] message = Messages.encode("stock", new byte[sizeBytes]);
            int ahead = sizeBytes > 10_000 ? UNANSWERED_MAX : 200;
            CompletableFuture<Void> over = new CompletableFuture<>();
            SenderLink.Listener listener = new SenderLink.Listener() {
                private int sent;
                private int answered;

                @Override
                public void ready(SenderLink link) {
                    while (sent < count && sent - answered < ahead && link.canSend()) {
                        sent++;
                        link.send(message, "stock");
                    }
                }

                @Override
                public void answered(Object context, Outcome outcome) {
                    if (!outcome.accepted()) {
                        over.completeExceptionally(
                                new IllegalStateException("Expected the send to be accepted, but got " + outcome));
                    } else if (++answered == count) {
                        over.complete(null);
                    }
                }

                @Override
                public void closed(AmqpException reason) {
                    over.completeExceptionally(reason);
                }
            };
            connection.closed().thenAccept(over::completeExceptionally);
            SenderLink link = AmqpClient.await(connection.sender(queue, listener));
            connection.execute(() -> listener.ready(link));
            over.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Defers messages and returns their sequence numbers. */
    static List<Long> defer(Endpoint endpoint, String queue, int count) throws Exception {
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(endpoint);
            List<Long> numbers = new ArrayList<>();
            CompletableFuture<Void> over = new CompletableFuture<>();
            connection.closed().thenAccept(over::completeExceptionally);
            ReceiverLink.Listener listener = new ReceiverLink.Listener() {
                private int settled;

                @Override
                public void received(ReceiverLink link, Incoming message) {
                    if (numbers.size() == count) {
                        message.release();
                        return;
                    }
                    numbers.add(message.message().sequenceNumber());
                    message.defer();
                    if (numbers.size() == count) {
                        link.pause();
                    }
                }

                @Override
                public void settled(Incoming message, Outcome outcome) {
                    if (++settled == count) {
                        over.complete(null);
                    }
                }

                @Override
                public void closed(AmqpException reason) {
                    over.completeExceptionally(reason);
                }
            };
            AmqpClient.await(connection.receiver(queue, 10, true, listener));
            over.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return numbers;
        }
    }
}
