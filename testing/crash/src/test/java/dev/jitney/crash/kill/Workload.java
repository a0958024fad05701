package dev.jitney.crash.kill;

import dev.jitney.crash.kill.Ledger.Place;
import dev.jitney.crash.kill.Ledger.Request;
import dev.jitney.crash.support.SendingLoop;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.RequestLink;
import dev.jitney.testing.client.SenderLink;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * The load of clients on a queue, pipelined and concurrent. They send messages, some of them scheduled for the next
 * day. They complete, abandon, defer and dead-letter messages or do not settle them, drain the dead-letter queue, fetch
 * deferred messages, and cancel scheduled ones. They run until the server is killed.
 */
final class Workload implements AutoCloseable {
    private static final int BACKLOG_MAX = 3_000;
    private static final int UNANSWERED_MAX = 200;
    private static final int CREDIT = 200;
    private static final long DAY_MS = 86_400_000;

    private final Ledger ledger;
    private final AmqpClient client = new AmqpClient(2);
    private final ClientConnection sending;
    private final ClientConnection receiving;
    private final RequestLink management;
    private volatile boolean stopped;

    Workload(Ledger ledger, Endpoint endpoint, String queue, long seed) throws AmqpException, InterruptedException {
        this.ledger = ledger;
        this.sending = client.open(endpoint);
        this.receiving = client.open(endpoint);
        this.management = AmqpClient.await(receiving.management(queue));
        AmqpClient.await(receiving.receiver(
                queue,
                CREDIT,
                true,
                new Settling(ledger, Place.ACTIVE, Settling.inEveryWay(new Random(seed + 1)), () -> stopped)));
        AmqpClient.await(receiving.receiver(
                queue,
                CREDIT,
                true,
                new Settling(ledger, Place.ACTIVE, Settling.inEveryWay(new Random(seed + 2)), () -> stopped)));
        AmqpClient.await(receiving.receiver(
                queue + "/$DeadLetterQueue",
                CREDIT,
                true,
                new Settling(ledger, Place.DEAD, Settling.completing(70, new Random(seed + 3)), () -> stopped)));
        for (int i = 0; i < 2; i++) {
            Sending sender = new Sending(i, new Random(seed + 4 + i));
            SendingLoop.start(sending, queue, sender, () -> stopped);
        }
    }

    /** Receives and deletes a few deferred messages and cancels a scheduled one. */
    void tidy() {
        ByNumber.fetchDeferred(management, ledger, 4);
        ByNumber.cancelScheduled(management, ledger, 2);
    }

    /** Stops sends and settlements. Replies to pending requests still arrive. */
    void stop() {
        stopped = true;
    }

    /** Waits until both connections are closed and all earlier replies are processed. */
    void awaitEnd() throws AmqpException, InterruptedException {
        AmqpClient.await(CompletableFuture.allOf(sending.closed(), receiving.closed()));
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }

    /** A sender that sends while the backlog is small enough. */
    private final class Sending implements SenderLink.Listener {
        private final int number;
        private final Random random;

        Sending(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        @Override
        public void ready(SenderLink link) {
            while (!stopped && link.unanswered() < UNANSWERED_MAX && ledger.size() < BACKLOG_MAX && link.canSend()) {
                boolean scheduled = random.nextInt(100) < 2;
                Request request = ledger.send(number, scheduled);
                int message = request.entry().id / 2;
                String id = Ledger.messageId(message);
                byte[] body = Ledger.body(message);
                link.send(
                        scheduled
                                ? Messages.encodeScheduled(id, body, System.currentTimeMillis() + DAY_MS)
                                : Messages.encode(id, body),
                        request);
            }
        }

        @Override
        public void answered(Object context, Outcome outcome) {
            if (outcome.accepted()) {
                ledger.confirm((Request) context);
            } else {
                ledger.refuse((Request) context, outcome.toString());
            }
        }
    }
}
