package dev.jitney.crash.history;

import dev.jitney.crash.history.Operation.Kind;
import dev.jitney.crash.history.Operation.Seen;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.RequestLink;
import java.util.concurrent.CompletableFuture;

/** A client that removes all messages of a queue, and records its operations. It waits for messages that other clients hold. */
final class HistoryDrain {
    private static final int CLIENT = 99;
    private static final int PEEK_COUNT = 100;

    private HistoryDrain() {}

    /** Removes all messages, and ends with a peek that shows none. Returns whether it came so far. */
    static boolean drain(Endpoint endpoint, String queue, History history) throws AmqpException, InterruptedException {
        try (AmqpClient client = new AmqpClient(1);
                ClientConnection connection = client.open(endpoint)) {
            RequestLink management = AmqpClient.await(connection.management(queue));
            int left = peek(management, history);
            while (left > 0) {
                for (int i = 0; i < left; i++) {
                    take(connection, queue, history);
                }
                left = peek(management, history);
            }
            return left == 0;
        }
    }

    /** Returns the number of messages, or -1 for an error. */
    private static int peek(RequestLink management, History history) throws AmqpException, InterruptedException {
        int number = history.begin(Kind.PEEK, CLIENT, System.nanoTime());
        RequestLink.Response page = AmqpClient.await(HistoryClient.peek(management, PEEK_COUNT));
        return HistoryClient.record(history, number, page, PEEK_COUNT);
    }

    private static void take(ClientConnection connection, String queue, History history)
            throws AmqpException, InterruptedException {
        CompletableFuture<Seen> arrived = new CompletableFuture<>();
        connection.closed().thenAccept(arrived::completeExceptionally);
        int number = history.begin(Kind.TAKE, CLIENT, System.nanoTime());
        ReceiverLink link = AmqpClient.await(connection.receiver(queue, 1, false, new ReceiverLink.Listener() {
            @Override
            public void received(ReceiverLink link, Incoming message) {
                link.pause();
                Seen seen = HistoryClient.seen(message.message());
                history.end(number, seen, System.nanoTime());
                arrived.complete(seen);
            }
        }));
        AmqpClient.await(arrived);
        connection.execute(link::close);
    }
}
