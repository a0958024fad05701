package dev.jitney.crash.split;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of one node, without the repetitions of an SDK. Over one connection after another it sends numbered messages to two
 * queues, completes the messages of one, and receives and deletes those of the other. Thread-safe.
 */
final class SplitClient implements AutoCloseable {
    static final String LOCKED = "locked";
    static final String TAKEN = "taken";
    static final List<String> QUEUES = List.of(LOCKED, TAKEN);

    private static final int CREDIT = 10;
    private static final int BODY_BYTES = 500;
    private static final long PAUSE_MS = 20;
    private static final long RETRY_MS = 50;
    /** A node lets a connection wait for a leader for 10 s (CL-21). */
    private static final long PATIENCE_MS = 11_000;

    private static final long END_MS = 30_000;

    private final int node;
    private final Endpoint endpoint;
    private final SplitLedger ledger;
    private final AmqpClient client = new AmqpClient(1);
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean sending = true;
    /** The time at which the current connection was opened, or 0 if there is none. */
    private volatile long openedNanos;

    /** @param node the number of the node */
    SplitClient(int node, Endpoint endpoint, SplitLedger ledger) {
        this.node = node;
        this.endpoint = endpoint;
        this.ledger = ledger;
        thread = new Thread(this::run, "client-" + SplitLedger.name(node));
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns whether the connection is open that was open at a time. */
    boolean hasConnectionOf(long nanos) {
        long opened = openedNanos;
        return opened != 0 && opened < nanos;
    }

    /** Ends sending. It still receives. */
    void halt() {
        sending = false;
    }

    private void run() {
        while (ended.getCount() > 0) {
            try {
                serve();
            } catch (ExecutionException | TimeoutException e) {
                // There is no leader, or the node cannot be reached.
            } catch (InterruptedException e) {
                return;
            }
            try {
                pause(RETRY_MS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean pause(long ms) throws InterruptedException {
        return ended.await(ms, TimeUnit.MILLISECONDS);
    }

    private static <T> T get(CompletableFuture<T> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    private void serve() throws ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture<ClientConnection> opening = client.connect(endpoint);
        try {
            ClientConnection connection = get(opening);
            long opened = System.nanoTime();
            openedNanos = opened;
            connection.closed().thenRun(() -> openedNanos = 0);
            Sends sends = new Sends();
            SenderLink locked = get(connection.sender(LOCKED, sends));
            SenderLink taken = get(connection.sender(TAKEN, sends));
            get(connection.receiver(LOCKED, CREDIT, true, new Completer(opened)));
            get(connection.receiver(TAKEN, CREDIT, false, new Taker()));
            while (ended.getCount() > 0 && !connection.closed().isDone()) {
                if (!sending) {
                    pause(RETRY_MS);
                } else if (!send(connection, locked, taken) || pause(PAUSE_MS)) {
                    return;
                }
            }
        } finally {
            opening.thenAccept(ClientConnection::abort);
            openedNanos = 0;
        }
    }

    /** Sends a message to both queues. Returns whether both were accepted. */
    private boolean send(ClientConnection connection, SenderLink locked, SenderLink taken)
            throws InterruptedException, TimeoutException {
        int number = ledger.begin(QUEUES);
        CompletableFuture<Outcome> first = send(connection, locked, LOCKED, number);
        CompletableFuture<Outcome> second = send(connection, taken, TAKEN, number);
        try {
            return get(first).accepted() && get(second).accepted();
        } catch (ExecutionException e) {
            return false;
        }
    }

    private CompletableFuture<Outcome> send(ClientConnection connection, SenderLink link, String queue, int number) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        connection.closed().thenAccept(outcome::completeExceptionally);
        long requestedNanos = System.nanoTime();
        connection.execute(() -> {
            if (link.canSend()) {
                link.send(Messages.encode(String.valueOf(number), new byte[BODY_BYTES]), outcome);
            } else {
                outcome.completeExceptionally(new IllegalStateException("Expected room for a message."));
            }
        });
        return outcome.thenApply(answer -> {
            if (answer.accepted()) {
                ledger.accepted(node, queue, number, requestedNanos);
            }
            return answer;
        });
    }

    /** The outcomes of sends. */
    private static final class Sends implements SenderLink.Listener {
        @Override
        public void ready(SenderLink link) {
            // Only the thread of the client sends.
        }

        @Override
        @SuppressWarnings("unchecked")
        public void answered(Object context, Outcome answer) {
            ((CompletableFuture<Outcome>) context).complete(answer);
        }
    }

    private static int number(Incoming incoming) {
        return Integer.parseInt(String.valueOf(incoming.message().messageId()));
    }

    /** A completion that is on its way. */
    private record Completion(int number, long requestedNanos) {}

    /** Completes each message. */
    private final class Completer implements ReceiverLink.Listener {
        private final long opened;

        Completer(long opened) {
            this.opened = opened;
        }

        @Override
        public void received(ReceiverLink link, Incoming incoming) {
            int number = number(incoming);
            ledger.delivered(node, LOCKED, number, incoming.message().sequenceNumber(), opened);
            ledger.completing(LOCKED, number);
            incoming.context(new Completion(number, System.nanoTime()));
            incoming.complete();
        }

        @Override
        public void settled(Incoming incoming, Outcome outcome) {
            Completion completion = (Completion) incoming.context();
            if (completion == null) {
                throw new IllegalStateException("Expected the context of the completion.");
            }
            if (outcome.failed()) {
                ledger.refused(node, LOCKED, completion.number, outcome.condition());
            } else {
                ledger.completed(node, LOCKED, completion.number, completion.requestedNanos);
            }
        }
    }

    /** Receives and deletes each message. */
    private final class Taker implements ReceiverLink.Listener {
        @Override
        public void received(ReceiverLink link, Incoming incoming) {
            ledger.taken(node, TAKEN, number(incoming), incoming.message().sequenceNumber());
        }
    }

    @Override
    public void close() throws InterruptedException {
        ended.countDown();
        thread.interrupt();
        thread.join(END_MS);
        client.close();
    }
}
