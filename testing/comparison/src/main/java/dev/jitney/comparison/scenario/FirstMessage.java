package dev.jitney.comparison.scenario;

import dev.jitney.comparison.broker.BrokerServer;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.client.Settling;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client that waits until a launched broker accepts a message. Used by one thread. */
final class FirstMessage implements AutoCloseable {
    private static final int PAUSE_MS = 5;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(15);
    private static final int BODY_BYTES = 64;

    private final AmqpClient client = new AmqpClient(1);
    private final BrokerServer server;

    FirstMessage(BrokerServer server) {
        this.server = server;
    }

    /**
     * Connects repeatedly until the broker accepts a message.
     *
     * @throws IOException if the broker ends, or accepts no message within a quarter of an hour
     */
    void awaitAccepted(String queue) throws IOException, InterruptedException {
        until(() -> accepted(queue));
    }

    /** Connects repeatedly until the broker delivers a message, and completes it. */
    void awaitReceived(String queue) throws IOException, InterruptedException {
        until(() -> received(queue));
    }

    private interface Attempt {
        /** Makes one attempt; returns whether it succeeded. */
        boolean make() throws AmqpException, InterruptedException;
    }

    private void until(Attempt attempt) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        String said;
        while (true) {
            try {
                if (attempt.make()) {
                    return;
                }
                said = "it refused the message";
            } catch (AmqpException notYet) {
                said = notYet.getMessage();
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "Expected the broker to start, but the last attempt failed: " + said + "\n" + server.said());
            }
            if (server.process().awaitExit(PAUSE_MS)) {
                throw new IOException("Expected the broker to start, but it ended with status "
                        + server.process().awaitExit() + ":\n" + server.said());
            }
        }
    }

    private boolean accepted(String queue) throws AmqpException, InterruptedException {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        try (ClientConnection connection = client.open(server.endpoint())) {
            connection.closed().thenAccept(answer::completeExceptionally);
            SenderLink link = AmqpClient.await(connection.sender(queue, new SenderLink.Listener() {
                @Override
                public void ready(SenderLink ready) {
                    // Only one message is sent, below.
                }

                @Override
                public void answered(Object context, Outcome outcome) {
                    answer.complete(outcome);
                }

                @Override
                public void closed(AmqpException reason) {
                    answer.completeExceptionally(reason);
                }
            }));
            connection.execute(() -> link.send(Messages.encodeDurable("first", new byte[BODY_BYTES], Map.of()), link));
            return AmqpClient.await(answer).accepted();
        }
    }

    private boolean received(String queue) throws AmqpException, InterruptedException {
        CompletableFuture<Boolean> arrived = new CompletableFuture<>();
        try (ClientConnection connection = client.open(server.endpoint())) {
            connection.closed().thenAccept(arrived::completeExceptionally);
            ReceiverLink link =
                    AmqpClient.await(connection.receiver(queue, 1, Settling.BY_RECEIVER, new ReceiverLink.Listener() {
                        @Override
                        public void received(ReceiverLink receiver, Incoming message) {
                            receiver.pause();
                            message.completeUnanswered();
                            arrived.complete(true);
                        }

                        @Override
                        public void closed(AmqpException reason) {
                            arrived.completeExceptionally(reason);
                        }
                    }));
            boolean came = AmqpClient.await(arrived);
            connection.execute(link::close);
            return came;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
