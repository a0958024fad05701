package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A waiting sender without the pauses of an SDK between attempts. So it measures the time until the broker serves again (CL-90).
 */
final class RawSender extends WaitingSender {
    /** Longer than the 10 s for which a node lets a connection wait for a leader (CL-21). */
    private static final long PATIENCE_MS = 15_000;

    private static final int BODY_BYTES = 100;

    private final AmqpClient client = new AmqpClient(1);
    private final Endpoint endpoint;
    private final String address;
    private volatile @Nullable Link open;
    private long number;

    /**
     * @param endpoint a node that stays alive
     * @param address the address of a queue there
     */
    RawSender(Endpoint endpoint, String address) {
        super("raw-sender");
        this.endpoint = endpoint;
        this.address = address;
    }

    /** An open link on a connection of its own. */
    private record Link(ClientConnection connection, SenderLink sender) {}

    @Override
    void send() throws Exception {
        Link link = open;
        if (link == null) {
            ClientConnection connection = client.connect(endpoint).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            try {
                link = new Link(
                        connection, connection.sender(address, new Answers()).get(PATIENCE_MS, TimeUnit.MILLISECONDS));
            } catch (Exception e) {
                connection.close();
                throw e;
            }
            open = link;
        }
        send(link);
    }

    private void send(Link link) throws Exception {
        byte[] message = Messages.encodeDurable(String.valueOf(number++), new byte[BODY_BYTES], Map.of());
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        link.connection.closed().thenAccept(outcome::completeExceptionally);
        link.connection.execute(() -> {
            if (link.sender.canSend()) {
                link.sender.send(message, outcome);
            } else {
                outcome.completeExceptionally(new IOException("Expected credit, but there is none."));
            }
        });
        Outcome answer = outcome.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        if (!answer.accepted()) {
            throw new IOException("Expected the message to be accepted, but got " + answer + ".");
        }
    }

    @Override
    void recover() {
        Link link = open;
        if (link != null) {
            link.connection.close();
            open = null;
        }
    }

    @Override
    public void close() throws InterruptedException {
        super.close();
        client.close();
    }

    /** Passes outcomes on to the futures of the sends. */
    private final class Answers implements SenderLink.Listener {
        @Override
        public void ready(SenderLink link) {
            // The thread of this sender sends.
        }

        @Override
        @SuppressWarnings("unchecked")
        public void answered(Object context, Outcome outcome) {
            ((CompletableFuture<Outcome>) context).complete(outcome);
        }

        @Override
        public void closed(AmqpException reason) {
            Link link = open;
            if (link != null) {
                link.connection.close();
            }
        }
    }
}
