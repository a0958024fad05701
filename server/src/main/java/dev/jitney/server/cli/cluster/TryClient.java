package dev.jitney.server.cli.cluster;

import dev.jitney.model.ClientText;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A client that sends and receives at a steady rate over one AMQP connection, and connects again whenever the connection ends,
 * as the SDKs do. It always uses the same address. Its own thread connects; the event loop of the connection does the rest.
 */
final class TryClient implements AutoCloseable {
    /** Messages per second. */
    static final int RATE = 200;

    private static final int CREDIT = 200;
    private static final int BODY_BYTES = 256;
    private static final long TICK_MS = 5;
    private static final double BURST = RATE / 10.0;
    private static final long PAUSE_MS = 100;
    private static final long END_MS = 5_000;

    private final Endpoint endpoint;
    private final String queue;
    private final TryLedger ledger;
    private final AmqpClient client = new AmqpClient(1);
    private final Thread thread = new Thread(this::run, "try-client");
    private volatile boolean sends = true;
    private volatile boolean closed;

    TryClient(Endpoint endpoint, String queue, TryLedger ledger) {
        this.endpoint = endpoint;
        this.queue = queue;
        this.ledger = ledger;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends sending. The client continues to receive. */
    void stopSending() {
        sends = false;
    }

    private void run() {
        while (!closed) {
            try {
                connect();
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Works over one connection until it ends. */
    private void connect() throws InterruptedException {
        String reason;
        try (ClientConnection connection = client.open(endpoint)) {
            AmqpClient.await(connection.receiver(queue, CREDIT, true, new Receiving(connection)));
            Sending sending = new Sending(connection);
            SenderLink link = AmqpClient.await(connection.sender(queue, sending));
            connection.execute(() -> sending.tick(link));
            reason = words(connection.closed().get());
        } catch (AmqpException e) {
            reason = words(e);
        } catch (ExecutionException e) {
            reason = String.valueOf(e.getCause());
        }
        if (!closed) {
            ledger.disconnected(reason);
        }
    }

    private static String words(AmqpException e) {
        return ClientText.oneLine(e.condition() == null ? String.valueOf(e.getMessage()) : e.condition());
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join(END_MS);
        client.close();
    }

    /** The sending link of one connection, on its event loop. */
    private final class Sending implements SenderLink.Listener {
        private final ClientConnection connection;
        private double tokens;
        private long lastNanos = System.nanoTime();

        Sending(ClientConnection connection) {
            this.connection = connection;
        }

        /** Sends what is due. After a pause it does not catch up, so that the figures of a second are comparable. */
        void tick(SenderLink link) {
            if (!sends || connection.closed().isDone()) {
                return;
            }
            long now = System.nanoTime();
            tokens = Math.min(BURST, tokens + (now - lastNanos) * RATE / 1e9);
            lastNanos = now;
            while (tokens >= 1 && link.canSend()) {
                int number = ledger.take();
                link.send(Messages.encode(String.valueOf(number), new byte[BODY_BYTES]), number);
                tokens--;
            }
            connection.later(() -> tick(link), TICK_MS, TimeUnit.MILLISECONDS);
        }

        @Override
        public void ready(SenderLink link) {
            // Only the timer sends.
        }

        @Override
        public void answered(Object context, Outcome outcome) {
            int number = (Integer) context;
            if (outcome.accepted()) {
                ledger.accepted(number, System.nanoTime());
            } else {
                ledger.refused(number, ClientText.oneLine(String.valueOf(outcome.condition())));
            }
        }

        @Override
        public void closed(AmqpException reason) {
            ledger.failed(words(reason));
            connection.abort();
        }
    }

    /** The receiving link of one connection, on its event loop. */
    private final class Receiving implements ReceiverLink.Listener {
        private final ClientConnection connection;

        Receiving(ClientConnection connection) {
            this.connection = connection;
        }

        @Override
        public void received(ReceiverLink link, Incoming incoming) {
            var message = incoming.message();
            incoming.context(message.sequenceNumber());
            ledger.arrived(Integer.parseInt(String.valueOf(message.messageId())), message.sequenceNumber());
            incoming.complete();
        }

        @Override
        public void settled(Incoming incoming, Outcome outcome) {
            if (!outcome.failed() && incoming.context() instanceof Long sequenceNumber) {
                ledger.completed(sequenceNumber);
            }
        }

        @Override
        public void closed(AmqpException reason) {
            ledger.failed(words(reason));
            connection.abort();
        }
    }
}
