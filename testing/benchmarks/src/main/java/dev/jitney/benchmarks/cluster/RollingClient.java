package dev.jitney.benchmarks.cluster;

import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client that sends at a steady rate, and receives and completes, over one connection. When it loses the connection it opens
 * another one at the next node at once. It keeps account of its messages. Thread-safe.
 */
final class RollingClient implements AutoCloseable {
    private static final int CREDIT = 500;
    private static final int IN_FLIGHT_MAX = 2_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Longer than the 10 s for which a node lets a connection wait for a leader (CL-21). */
    private static final long PATIENCE_MS = 15_000;

    private static final long END_MS = 30_000;

    private final int number;
    private final List<Endpoint> nodes;
    private final String address;
    private final double nanosEach;
    private final byte[] body;
    private final Received received;
    private final AmqpClient client = new AmqpClient(1);
    private final Thread thread;
    private final BitSet accepted = new BitSet();
    private final ServiceGaps gaps;
    private final ServiceGaps all;
    private volatile boolean sending = true;
    private volatile boolean closing;
    private volatile int lost;
    private int next;
    /** Written by the event loop, or while there is no connection. */
    private volatile int unanswered;

    private double dueNanos;

    /** The messages that any of the clients has received. */
    static final class Received {
        private final BitSet[] messages;
        private long again;

        Received(int clients) {
            messages = new BitSet[clients];
            for (int i = 0; i < clients; i++) {
                messages[i] = new BitSet();
            }
        }

        private synchronized void add(String id) {
            int dash = id.indexOf('-');
            BitSet of = messages[Integer.parseInt(id.substring(0, dash))];
            int message = Integer.parseInt(id.substring(dash + 1));
            again += of.get(message) ? 1 : 0;
            of.set(message);
        }

        /** Returns the number of deliveries of messages that were received before. */
        synchronized long again() {
            return again;
        }

        /** Returns the number of these messages that were not received. */
        private synchronized int missing(int client, BitSet of) {
            BitSet missing = (BitSet) of.clone();
            missing.andNot(messages[client]);
            return missing.cardinality();
        }
    }

    /**
     * @param number its number, from 0; it begins with this node
     * @param perSecond the number of messages to send per second
     * @param gaps the service for this client
     * @param all the service for all clients together
     */
    RollingClient(
            int number,
            List<Endpoint> nodes,
            String address,
            double perSecond,
            int size,
            Received received,
            ServiceGaps gaps,
            ServiceGaps all) {
        this.number = number;
        this.nodes = List.copyOf(nodes);
        this.address = address;
        this.nanosEach = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.body = new byte[size];
        this.received = received;
        this.gaps = gaps;
        this.all = all;
        thread = new Thread(this::run, "rolling-client-" + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns its times without service. */
    ServiceGaps gaps() {
        return gaps;
    }

    /** Returns the number of connections that it has lost. */
    int lost() {
        return lost;
    }

    /** Returns the number of accepted sends. */
    int accepted() {
        synchronized (accepted) {
            return accepted.cardinality();
        }
    }

    /** Returns the number of messages whose sends were accepted and which no client has received. */
    int missing() {
        synchronized (accepted) {
            return received.missing(number, accepted);
        }
    }

    /** Returns whether no send is under way. */
    boolean isAnswered() {
        return unanswered == 0;
    }

    /** Ends sending. It still receives. */
    void halt() {
        sending = false;
    }

    private void run() {
        for (int i = number; !closing; i++) {
            try {
                serve(nodes.get(i % nodes.size()));
            } catch (ExecutionException | TimeoutException e) {
                Quiet.park(RETRY_NANOS); // the node has ended, or there is no leader
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void serve(Endpoint node) throws ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture<ClientConnection> opening = client.connect(node);
        try {
            ClientConnection connection = opening.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            unanswered = 0;
            SenderLink link = connection.sender(address, new Sends(connection)).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            connection.receiver(address, CREDIT, true, new Receives()).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            dueNanos = System.nanoTime();
            while (!closing && !connection.closed().isDone()) {
                connection.execute(() -> send(link));
                Quiet.park(TICK_NANOS);
            }
            lost += closing ? 0 : 1;
        } finally {
            opening.thenAccept(ClientConnection::abort);
        }
    }

    /** Sends what is due. Runs on the event loop. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void send(SenderLink link) {
        long now = System.nanoTime();
        while (sending && dueNanos <= now && unanswered < IN_FLIGHT_MAX && link.canSend()) {
            dueNanos += nanosEach;
            unanswered++;
            int message = next++;
            link.send(Messages.encode(number + "-" + message, body), message);
        }
    }

    /** The outcomes of sends. */
    private final class Sends implements SenderLink.Listener {
        private final ClientConnection connection;

        Sends(ClientConnection connection) {
            this.connection = connection;
        }

        @Override
        public void ready(SenderLink link) {
            // The thread of the client wakes the event loop.
        }

        @Override
        @SuppressWarnings("NonAtomicOperationOnVolatileField")
        public void answered(Object context, Outcome answer) {
            unanswered--;
            if (answer.accepted()) {
                synchronized (accepted) {
                    accepted.set((Integer) context);
                }
                long now = System.nanoTime();
                gaps.accepted(now);
                all.accepted(now);
            } else {
                connection.abort();
            }
        }

        @Override
        public void closed(AmqpException reason) {
            connection.abort();
        }
    }

    /** Completes each message. */
    private final class Receives implements ReceiverLink.Listener {
        @Override
        public void received(ReceiverLink link, Incoming message) {
            received.add(String.valueOf(message.message().messageId()));
            message.complete();
        }
    }

    @Override
    public void close() throws InterruptedException {
        closing = true;
        thread.interrupt();
        thread.join(END_MS);
        client.close();
    }
}
