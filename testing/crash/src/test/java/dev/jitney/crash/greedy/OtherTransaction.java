package dev.jitney.crash.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.CoordinatorLink;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.types.Binary;

/** A transaction with one message of a client that does nothing else. Its commit must succeed during an attack (QUOTA-12). */
final class OtherTransaction implements SenderLink.Listener {
    private static final long PATIENCE_SECONDS = 10;

    private final CompletableFuture<Outcome> sent = new CompletableFuture<>();

    /** Commits such a transaction. It is never refused, also not as busy. */
    static void commit(AttackedServer arena, GreedyClients crowd) throws Exception {
        AmqpClient client = new AmqpClient(1);
        try {
            new OtherTransaction().run(client.open(arena.endpoint()));
        } finally {
            client.close();
        }
    }

    private void run(ClientConnection connection) throws Exception {
        CoordinatorLink coordinator = AmqpClient.await(connection.coordinator());
        SenderLink sender = AmqpClient.await(connection.sender(AttackedServer.SINK, this));
        CompletableFuture<Binary> declared = new CompletableFuture<>();
        CompletableFuture<Outcome> committed = new CompletableFuture<>();
        connection.execute(() -> coordinator.declare(declared::complete));
        Binary transaction = declared.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        connection.execute(() -> sender.send(Messages.encode("other", new byte[1_000]), "other", transaction));
        assertThat(sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS).accepted())
                .as("the send in a transaction: " + sent.join())
                .isTrue();
        connection.execute(() -> coordinator.discharge(transaction, false, committed::complete));
        assertThat(committed.get(PATIENCE_SECONDS, TimeUnit.SECONDS).accepted())
                .as("the commit: " + committed.join())
                .isTrue();
        connection.abort();
    }

    @Override
    public void ready(SenderLink link) {}

    @Override
    public void answered(Object context, Outcome outcome) {
        sent.complete(outcome);
    }

    @Override
    public void closed(AmqpException reason) {
        sent.completeExceptionally(reason);
    }
}
