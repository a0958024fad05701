package dev.jitney.crash.history;

import dev.jitney.crash.history.Operation.Kind;
import dev.jitney.crash.history.Operation.Outcome;
import dev.jitney.crash.history.Operation.Seen;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.RequestLink;
import dev.jitney.testing.client.SenderLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.types.Binary;

/**
 * A client of one node that records its operations. Over one connection after another it sends to all queues and peeks, one
 * operation after the other, and has one receive under way for each queue and mode. Thread-safe.
 */
final class HistoryClient implements AutoCloseable {
    private static final String LOCK_LOST = "com.microsoft:message-lock-lost";
    private static final int PEEK_COUNT = 100;
    private static final int SENDS_FOR_PEEK = 4;
    private static final int HOLD_ONE_OF = 25;
    private static final int ABANDON_ONE_OF = 8;
    private static final long PAUSE_MS = 15;
    private static final long RETRY_MS = 50;
    /** A node lets a connection wait for a leader for 10 s (CL-21). */
    private static final long PATIENCE_MS = 11_000;
    /** The time around the end of a connection in which the leader may have changed. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long END_MS = 30_000;

    private final int client;
    private final Endpoint endpoint;
    private final Map<String, History> queues;
    private final Set<String> taken;
    private final AtomicInteger messages;
    private final Random random;
    private final AmqpClient amqp = new AmqpClient(1);
    private final Thread thread = new Thread(this::run);
    private final CountDownLatch ended = new CountDownLatch(1);
    /** The receives that are under way on the current connection, by number and queue. */
    private final Map<Integer, String> waiting = new ConcurrentHashMap<>();

    private volatile boolean receiving = true;
    private volatile long progress;

    /**
     * @param client its number
     * @param queues the histories by queue
     * @param taken the queues from which it receives and deletes, in addition to receiving under locks
     * @param messages the number of the next message
     */
    HistoryClient(
            int client,
            Endpoint endpoint,
            Map<String, History> queues,
            Set<String> taken,
            AtomicInteger messages,
            long seed) {
        this.client = client;
        this.endpoint = endpoint;
        this.queues = Map.copyOf(queues);
        this.taken = Set.copyOf(taken);
        this.messages = messages;
        random = new Random(seed);
        thread.setName("history-client-" + client);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns a number that grows with each send that is accepted. */
    long progress() {
        return progress;
    }

    /** Begins no other receive. Those that are under way end with the next messages. */
    void endReceiving() {
        receiving = false;
    }

    /** Returns whether no receive is under way. */
    boolean isIdle() {
        return waiting.isEmpty();
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
        CompletableFuture<ClientConnection> opening = amqp.connect(endpoint);
        try {
            ClientConnection connection = get(opening);
            Map<String, SenderLink> senders = new HashMap<>();
            Map<String, RequestLink> management = new HashMap<>();
            for (String queue : queues.keySet()) {
                senders.put(queue, get(connection.sender(queue, new Sends(connection))));
                management.put(queue, get(connection.management(queue)));
                receive(connection, queue, Kind.LOCK);
                if (taken.contains(queue)) {
                    receive(connection, queue, Kind.TAKE);
                }
            }
            for (int i = 1; ended.getCount() > 0 && !connection.closed().isDone(); i++) {
                for (String queue : queues.keySet()) {
                    if (!send(connection, senders.get(queue), queue)) {
                        return;
                    }
                    if (i % SENDS_FOR_PEEK == 0) {
                        peek(management.get(queue), queue);
                    }
                }
                if (pause(random.nextInt((int) (2 * PAUSE_MS)))) {
                    return;
                }
            }
        } finally {
            opening.thenAccept(ClientConnection::abort);
            lost();
        }
    }

    /** Records the end of a connection: the outcomes of its receives are unknown. */
    private void lost() {
        long now = System.nanoTime();
        for (History history : queues.values()) {
            history.disturbed(now - DOUBT_NANOS, now + DOUBT_NANOS);
        }
        waiting.forEach((number, queue) -> {
            if (waiting.remove(number) != null) {
                history(queue).end(number, Outcome.UNKNOWN, now);
            }
        });
    }

    private History history(String queue) {
        History history = queues.get(queue);
        if (history == null) {
            throw new IllegalArgumentException("Expected a known queue, but got " + queue + ".");
        }
        return history;
    }

    /** Sends a message. Returns whether it was accepted. */
    private boolean send(ClientConnection connection, SenderLink link, String queue)
            throws InterruptedException, TimeoutException {
        int message = messages.getAndIncrement();
        CompletableFuture<dev.jitney.testing.client.Outcome> outcome = new CompletableFuture<>();
        connection.closed().thenAccept(outcome::completeExceptionally);
        int number = history(queue).begin(Kind.SEND, client, message, System.nanoTime());
        connection.execute(() -> {
            if (link.canSend()) {
                link.send(Messages.encode(String.valueOf(message), new byte[100]), outcome);
            } else {
                outcome.completeExceptionally(new IllegalStateException("Expected room for a message."));
            }
        });
        try {
            if (!get(outcome.thenApply(answer -> {
                        if (answer.accepted()) {
                            history(queue).end(number, Outcome.DONE, System.nanoTime());
                        }
                        return answer;
                    }))
                    .accepted()) {
                return false;
            }
            progress++;
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** The outcomes of sends. */
    private record Sends(ClientConnection connection) implements SenderLink.Listener {
        @Override
        public void ready(SenderLink link) {
            // Only the thread of the client sends.
        }

        @Override
        @SuppressWarnings("unchecked")
        public void answered(Object context, dev.jitney.testing.client.Outcome answer) {
            ((CompletableFuture<dev.jitney.testing.client.Outcome>) context).complete(answer);
        }

        @Override
        public void closed(AmqpException reason) {
            connection.abort();
        }
    }

    private void peek(RequestLink management, String queue)
            throws ExecutionException, InterruptedException, TimeoutException {
        int number = history(queue).begin(Kind.PEEK, client, System.nanoTime());
        RequestLink.Response page = get(peek(management, PEEK_COUNT));
        record(history(queue), number, page, PEEK_COUNT);
    }

    static CompletableFuture<RequestLink.Response> peek(RequestLink management, int count) {
        return management.request(
                "com.microsoft:peek-message", Map.of("from-sequence-number", 1L, "message-count", count));
    }

    /** Records the reply to a peek. Returns the number of messages, or -1 for an error, which is no reply. */
    static int record(History history, int number, RequestLink.Response page, int count) {
        long now = System.nanoTime();
        List<Seen> all = new ArrayList<>();
        if (page.status() == 200) {
            for (Object item : (List<?>) page.body().get("messages")) {
                Binary message = (Binary) ((Map<?, ?>) item).get("message");
                all.add(seen(Messages.decode(message.asByteArray())));
            }
        } else if (page.status() != 204) {
            return -1;
        }
        history.end(number, all, all.size() < count, now);
        return all.size();
    }

    static Seen seen(ReceivedMessage message) {
        return new Seen(
                Integer.parseInt(String.valueOf(message.messageId())), message.sequenceNumber(), message.enqueuedMs());
    }

    private void receive(ClientConnection connection, String queue, Kind kind)
            throws ExecutionException, InterruptedException, TimeoutException {
        if (receiving) {
            Receiver receiver = new Receiver(connection, queue, kind);
            receiver.begin();
            get(connection.receiver(queue, 1, kind == Kind.LOCK, receiver));
        }
    }

    /** Receives one message after the other, with a credit of one. */
    private final class Receiver implements ReceiverLink.Listener {
        private final ClientConnection connection;
        private final String queue;
        private final Kind kind;
        private int number;

        Receiver(ClientConnection connection, String queue, Kind kind) {
            this.connection = connection;
            this.queue = queue;
            this.kind = kind;
        }

        void begin() {
            number = history(queue).begin(kind, client, System.nanoTime());
            waiting.put(number, queue);
        }

        @Override
        public void received(ReceiverLink link, Incoming incoming) {
            link.pause();
            int received = number;
            boolean known = waiting.remove(received) != null;
            Seen seen = seen(incoming.message());
            history(queue).end(received, seen, System.nanoTime());
            if (!known) {
                return; // the client has given up this connection
            }
            if (kind == Kind.TAKE || random.nextInt(HOLD_ONE_OF) == 0) {
                next(link);
                return;
            }
            Kind settling = random.nextInt(ABANDON_ONE_OF) == 0 ? Kind.ABANDON : Kind.COMPLETE;
            int settlement = history(queue).begin(settling, client, received, System.nanoTime());
            incoming.context((Settled) outcome -> {
                long now = System.nanoTime();
                if (!outcome.failed()) {
                    history(queue).end(settlement, Outcome.DONE, now);
                } else if (LOCK_LOST.equals(outcome.condition())) {
                    history(queue).end(settlement, Outcome.REFUSED, now);
                }
                next(link);
            });
            if (settling == Kind.ABANDON) {
                incoming.abandon();
            } else {
                incoming.complete();
            }
        }

        private void next(ReceiverLink link) {
            if (receiving && !connection.closed().isDone()) {
                begin();
                link.resume();
            }
        }

        @Override
        public void settled(Incoming incoming, dev.jitney.testing.client.Outcome outcome) {
            if (incoming.context() instanceof Settled settled) {
                settled.with(outcome);
            }
        }

        @Override
        public void closed(AmqpException reason) {
            connection.abort();
        }
    }

    /** The end of a settlement. */
    private interface Settled {
        void with(dev.jitney.testing.client.Outcome outcome);
    }

    @Override
    public void close() throws InterruptedException {
        ended.countDown();
        thread.interrupt();
        thread.join(END_MS);
        amqp.close();
        lost();
    }
}
