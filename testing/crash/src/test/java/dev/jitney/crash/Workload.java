package dev.jitney.crash;

import dev.jitney.crash.Ledger.Entry;
import dev.jitney.crash.Ledger.Place;
import dev.jitney.crash.Ledger.Request;
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
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Everything clients do to a queue, pipelined and at once: sends now and for tomorrow; completes, abandons, defers,
 * dead-letters and holds on to; empties the dead-letter queue; fetches deferred messages; cancels scheduled ones. It goes
 * on until the server is gone.
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
        AmqpClient.await(receiving.receiver(queue, CREDIT, true, new Receiving(new Random(seed + 1))));
        AmqpClient.await(receiving.receiver(queue, CREDIT, true, new Receiving(new Random(seed + 2))));
        AmqpClient.await(
                receiving.receiver(queue + "/$DeadLetterQueue", CREDIT, true, new Burying(new Random(seed + 3))));
        for (int i = 0; i < 2; i++) {
            Sending sender = new Sending(i, new Random(seed + 4 + i));
            SenderLink link = AmqpClient.await(sending.sender(queue, sender));
            sending.execute(() -> sender.ready(link));
            Runnable wake = new Runnable() {
                @Override
                public void run() {
                    if (!stopped) {
                        sender.ready(link);
                        sending.later(this, 2, TimeUnit.MILLISECONDS);
                    }
                }
            };
            sending.later(wake, 2, TimeUnit.MILLISECONDS);
        }
    }

    /** Fetches a few deferred messages for good and cancels a scheduled one. */
    void tidy() {
        for (Entry entry : ledger.resting(Place.DEFERRED, 4)) {
            byNumber(
                    ledger.remove(entry),
                    "com.microsoft:receive-by-sequence-number",
                    number -> Map.of("sequence-numbers", new long[] {number}, "receiver-settle-mode", 0));
        }
        for (Entry entry : ledger.resting(Place.SCHEDULED, 2)) {
            byNumber(
                    ledger.remove(entry),
                    "com.microsoft:cancel-scheduled-message",
                    number -> Map.of("sequence-numbers", new long[] {number}));
        }
    }

    private void byNumber(Request request, String operation, Function<Long, Map<String, Object>> body) {
        management
                .request(operation, body.apply(Ledger.sequenceNumber(request.entry())))
                .thenAccept(response -> {
                    if (response.status() == 200) {
                        ledger.confirm(request);
                    } else {
                        ledger.refuse(request, operation + ": " + response.status() + " " + response.description());
                    }
                });
    }

    /** No more sends and settlements, while what is out is still answered. */
    void stop() {
        stopped = true;
    }

    /** Waits until both connections are known to be over, with everything that came before that. */
    void awaitEnd() throws AmqpException, InterruptedException {
        AmqpClient.await(CompletableFuture.allOf(sending.closed(), receiving.closed()));
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }

    /** Sends whenever the backlog is not too long. */
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
                String id = Ledger.messageId(request.entry());
                byte[] body = Ledger.body(request.entry().id);
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

    /** Settles in every way, or not at all. */
    private final class Receiving implements ReceiverLink.Listener {
        private final Random random;

        Receiving(Random random) {
            this.random = random;
        }

        @Override
        public void received(ReceiverLink link, Incoming message) {
            Entry entry = ledger.delivered(message.message(), Place.ACTIVE);
            if (entry == null || stopped) {
                return;
            }
            int dice = random.nextInt(100);
            if (dice < 65) {
                message.context(ledger.remove(entry));
                message.complete();
            } else if (dice < 83) {
                message.context(ledger.abandon(entry));
                message.abandon();
            } else if (dice < 89) {
                message.context(ledger.defer(entry));
                message.defer();
            } else if (dice < 95) {
                message.context(ledger.deadLetter(entry));
                message.deadLetter();
            } else if (dice < 97) {
                message.release();
            }
        }

        @Override
        public void settled(Incoming message, Outcome outcome) {
            settledBy(ledger, message, outcome);
        }
    }

    /** Takes half of what is in the dead-letter queue out of it. */
    private final class Burying implements ReceiverLink.Listener {
        private final Random random;

        Burying(Random random) {
            this.random = random;
        }

        @Override
        public void received(ReceiverLink link, Incoming message) {
            Entry entry = ledger.delivered(message.message(), Place.DEAD);
            if (entry != null && !stopped && random.nextInt(100) < 70) {
                message.context(ledger.remove(entry));
                message.complete();
            }
        }

        @Override
        public void settled(Incoming message, Outcome outcome) {
            settledBy(ledger, message, outcome);
        }
    }

    private static void settledBy(Ledger ledger, Incoming message, Outcome outcome) {
        if (message.context() instanceof Request request) {
            if (outcome.failed()) {
                ledger.refuse(request, outcome.toString());
            } else {
                ledger.confirm(request);
            }
        }
    }
}
