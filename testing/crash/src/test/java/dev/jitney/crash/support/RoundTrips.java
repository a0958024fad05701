package dev.jitney.crash.support;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A client of one message at a time: it is sent, accepted, received, and completed. */
public final class RoundTrips implements SenderLink.Listener, ReceiverLink.Listener {
    private CompletableFuture<Void> accepted = new CompletableFuture<>();
    private CompletableFuture<Void> completed = new CompletableFuture<>();
    private long slowestNanos;

    public void one(ClientConnection connection, SenderLink link) throws Exception {
        long began = System.nanoTime();
        CompletableFuture<Void> bothDone = new CompletableFuture<>();
        connection.execute(() -> {
            accepted = new CompletableFuture<>();
            completed = new CompletableFuture<>();
            CompletableFuture.allOf(accepted, completed).thenAccept(bothDone::complete);
            link.send(Messages.encode("trip", new byte[100]), "trip");
        });
        AmqpClient.await(bothDone);
        slowestNanos = Math.max(slowestNanos, System.nanoTime() - began);
    }

    public long slowestNanos() {
        return slowestNanos;
    }

    public void forgetSlowest() {
        slowestNanos = 0;
    }

    public void tell(String phase) {
        System.out.printf("slowest round trip %s: %d ms%n", phase, TimeUnit.NANOSECONDS.toMillis(slowestNanos));
    }

    @Override
    public void ready(SenderLink link) {}

    @Override
    public void answered(Object context, Outcome outcome) {
        assertThat(outcome.accepted()).isTrue();
        accepted.complete(null);
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
    }
}
