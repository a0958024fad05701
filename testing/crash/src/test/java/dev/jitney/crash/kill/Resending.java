package dev.jitney.crash.kill;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A sender that does not know the effect of its sends after a crash. Over each new connection it repeats all messages,
 * including accepted ones, and then sends new ones. The link calls it on the event loop of the connection; the test
 * waits for the end of that connection.
 */
final class Resending implements SenderLink.Listener {
    private static final int UNANSWERED_MAX = 200;
    private static final long PATIENCE_SECONDS = 180;

    private final List<String> refused = new ArrayList<>();
    private @Nullable AmqpClient client;
    private @Nullable ClientConnection connection;
    private CompletableFuture<Void> allAccepted = new CompletableFuture<>();
    private int count;
    private int limit;
    private int next;
    private int acceptedHere;
    private long accepted;

    /**
     * Starts sending.
     *
     * @param newMax the maximum number of new messages
     */
    synchronized void begin(Endpoint endpoint, String queue, int newMax) throws AmqpException, InterruptedException {
        next = 0;
        acceptedHere = 0;
        limit = count + newMax;
        allAccepted = new CompletableFuture<>();
        client = new AmqpClient(1);
        ClientConnection opened = client.open(endpoint);
        connection = opened;
        SenderLink link = AmqpClient.await(opened.sender(queue, this));
        opened.execute(() -> ready(link));
    }

    /** Waits until the connection is closed and all earlier replies are processed. */
    void end() throws AmqpException, InterruptedException {
        AmqpClient.await(Objects.requireNonNull(connection).closed());
        Objects.requireNonNull(client).close();
    }

    void awaitAllAccepted() throws Exception {
        allAccepted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public synchronized void ready(SenderLink link) {
        while (next < limit && link.unanswered() < UNANSWERED_MAX && link.canSend()) {
            int number = next++;
            count = Math.max(count, next);
            link.send(Messages.encode(Ledger.messageId(number), Ledger.body(number)), number);
        }
    }

    @Override
    public synchronized void answered(Object context, Outcome outcome) {
        if (!outcome.accepted()) {
            refused.add(context + " " + outcome);
            return;
        }
        accepted++;
        if (++acceptedHere == limit) {
            allAccepted.complete(null);
        }
    }

    synchronized List<String> refused() {
        return List.copyOf(refused);
    }

    /** Returns the number of distinct messages that were sent. */
    synchronized int count() {
        return count;
    }

    /** Returns the number of accepted sends, including repeated ones. */
    synchronized long accepted() {
        return accepted;
    }

    synchronized Set<String> ids() {
        Set<String> ids = new HashSet<>();
        for (int number = 0; number < count; number++) {
            ids.add(Ledger.messageId(number));
        }
        return ids;
    }
}
