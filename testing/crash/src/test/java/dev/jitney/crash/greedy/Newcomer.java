package dev.jitney.crash.greedy;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client that connects while an attack holds all the memory that it can get: it authenticates, sends one message, receives and
 * completes it, and reads a queue with the administration API. It repeats what a busy server refuses, as the SDKs do.
 */
final class Newcomer implements SenderLink.Listener, ReceiverLink.Listener {
    private static final byte[] MESSAGE = Messages.encode("newcomer", new byte[100]);
    private static final long RETRY_MS = 100;

    private final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final CompletableFuture<Void> completed = new CompletableFuture<>();
    private final ClientConnection connection;

    private Newcomer(ClientConnection connection) {
        this.connection = connection;
    }

    /** Returns the time in milliseconds that all of it took. */
    static long visit(AttackedServer arena) throws Exception {
        long began = System.nanoTime();
        AmqpClient client = new AmqpClient(1);
        try {
            ClientConnection connection = client.open(arena.endpoint());
            Newcomer newcomer = new Newcomer(connection);
            SenderLink sender = AmqpClient.await(connection.sender(AttackedServer.NEW, newcomer));
            connection.execute(() -> sender.send(MESSAGE, sender));
            newcomer.accepted.get(Verdict.SLOWEST_MS * 2, TimeUnit.MILLISECONDS);
            AmqpClient.await(connection.receiver(AttackedServer.NEW, 1, true, newcomer));
            newcomer.completed.get(Verdict.SLOWEST_MS * 2, TimeUnit.MILLISECONDS);
            arena.count(AttackedServer.NEW);
            connection.abort();
        } finally {
            client.close();
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    @Override
    public void ready(SenderLink link) {}

    @Override
    public void answered(Object context, Outcome outcome) {
        if (outcome.accepted()) {
            accepted.complete(null);
        } else if (WellBehavedClient.BUSY.equals(outcome.condition())) {
            connection.later(() -> ((SenderLink) context).send(MESSAGE, context), RETRY_MS, TimeUnit.MILLISECONDS);
        } else {
            accepted.completeExceptionally(
                    new IllegalStateException("Expected the send to be accepted, but got " + outcome));
        }
    }

    @Override
    public void received(ReceiverLink link, Incoming message) {
        message.complete();
    }

    @Override
    public void settled(Incoming message, Outcome outcome) {
        completed.complete(null);
    }

    @Override
    public void closed(AmqpException reason) {
        accepted.completeExceptionally(reason);
        completed.completeExceptionally(reason);
    }
}
