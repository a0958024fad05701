package dev.jitney.crash.kill;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.RequestLink;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.client.SessionStates;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a queue with sessions. One client sends. Several clients accept the next session, complete its
 * messages, set its state during the hold, and close it after some time. They run until the server is killed.
 */
final class SessionWorkload implements AutoCloseable {
    private static final int BACKLOG_MAX = 500;
    private static final int UNANSWERED_MAX = 100;
    private static final int CREDIT = 10;

    private final SessionLedger ledger;
    private final int sessionCount;
    private final String queue;
    private final Random random;
    private final AmqpClient client = new AmqpClient(1); // one event loop: callbacks run one after the other
    private final ClientConnection connection;
    private final RequestLink management;
    private volatile boolean stopped;

    SessionWorkload(SessionLedger ledger, int sessionCount, Endpoint endpoint, String queue, long seed)
            throws AmqpException, InterruptedException {
        this.ledger = ledger;
        this.sessionCount = sessionCount;
        this.queue = queue;
        this.random = new Random(seed);
        this.connection = client.open(endpoint);
        this.management = AmqpClient.await(connection.management(queue));
    }

    void send() throws AmqpException, InterruptedException {
        Sending sender = new Sending();
        SenderLink link = AmqpClient.await(connection.sender(queue, sender));
        Runnable wake = new Runnable() {
            @Override
            public void run() {
                if (!stopped) {
                    sender.ready(link);
                    connection.later(this, 2, TimeUnit.MILLISECONDS);
                }
            }
        };
        connection.execute(wake);
    }

    void receive(int receivers) {
        connection.execute(
                () -> { // on the event loop, so that the hold is known before its messages
                    for (int i = 0; i < receivers; i++) {
                        next();
                    }
                });
    }

    /** Reads the states of all sessions, which no receiver may hold. */
    void compareStates() throws AmqpException, InterruptedException {
        for (int i = 0; i < sessionCount; i++) {
            String id = SessionLedger.sessionId(i);
            CompletableFuture<Void> closed = new CompletableFuture<>();
            ReceiverLink link = AmqpClient.await(connection.sessionReceiver(queue, id, 0, new ReceiverLink.Listener() {
                @Override
                public void received(ReceiverLink from, Incoming message) {
                    ledger.complain("A message was delivered without credit.");
                }

                @Override
                public void closed(AmqpException reason) {
                    closed.complete(null);
                }
            }));
            byte[] state = AmqpClient.await(SessionStates.get(management, id));
            ledger.compareState(
                    i, state.length == 0 ? 0 : ByteBuffer.wrap(state).getInt());
            connection.execute(link::close);
            AmqpClient.await(closed);
        }
    }

    private void next() {
        if (stopped) {
            return;
        }
        Receiving receiving = new Receiving(1 + random.nextInt(15), random.nextInt(3) == 0);
        connection.sessionReceiver(queue, null, CREDIT, receiving).thenAccept(receiving::opened);
    }

    void stop() {
        stopped = true;
    }

    /** Waits until the connection is closed. */
    void awaitEnd() throws AmqpException, InterruptedException {
        AmqpClient.await(connection.closed());
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }

    /** A receiver that holds one session for some time. */
    private final class Receiving implements ReceiverLink.Listener {
        private final int countMax;
        private final boolean setsState;
        private SessionLedger.@Nullable Hold hold;
        private @Nullable ReceiverLink link;
        private int unsettled;
        private boolean closing;

        Receiving(int countMax, boolean setsState) {
            this.countMax = countMax;
            this.setsState = setsState;
        }

        void opened(ReceiverLink opened) {
            link = opened;
            hold = ledger.hold(String.valueOf(opened.sessionId()));
        }

        @Override
        public void received(ReceiverLink from, Incoming message) {
            SessionLedger.Hold own = hold;
            if (own == null || closing || own.count() == countMax) {
                return; // it is delivered again
            }
            message.context(ledger.delivered(own, message.message()));
            unsettled++;
            message.complete();
            if (setsState && own.count() == (countMax + 1) / 2) {
                int wanted = ledger.changeState(own);
                byte[] state = ByteBuffer.allocate(4).putInt(wanted).array();
                SessionStates.set(management, SessionLedger.sessionId(own.session()), state)
                        .thenRun(() -> ledger.stateConfirmed(own, wanted));
            }
        }

        @Override
        public void settled(Incoming message, Outcome outcome) {
            SessionLedger.Hold own = hold;
            if (own == null || !(message.context() instanceof Integer number)) {
                return;
            }
            if (outcome.failed()) {
                ledger.complain("Expected a completion to be accepted, but got " + outcome);
            } else {
                ledger.completed(own, number);
            }
            unsettled--;
            ReceiverLink opened = link;
            if (opened != null && unsettled == 0 && !closing) {
                closing = true;
                ledger.free(own);
                opened.close();
            }
        }

        @Override
        public void closed(AmqpException reason) {
            if (closing) {
                next();
            } else {
                ledger.complain("Expected to keep a session, but lost it: " + reason.getMessage());
            }
        }
    }

    /** A sender that sends to all sessions while the backlog is small enough. */
    private final class Sending implements SenderLink.Listener {

        private record Sent(int session, int number) {}

        @Override
        public void ready(SenderLink link) {
            while (!stopped && link.unanswered() < UNANSWERED_MAX && ledger.size() < BACKLOG_MAX && link.canSend()) {
                int session = random.nextInt(sessionCount);
                int number = ledger.send(session);
                byte[] body = new byte[random.nextInt(1_000)];
                link.send(
                        Messages.encodeOf(
                                SessionLedger.sessionId(session), SessionLedger.messageId(session, number), body),
                        new Sent(session, number));
            }
        }

        @Override
        public void answered(Object context, Outcome outcome) {
            Sent sent = (Sent) context;
            if (outcome.accepted()) {
                ledger.accepted(sent.session, sent.number);
            } else {
                ledger.complain("Expected a send to be accepted, but got " + outcome);
            }
        }
    }
}
