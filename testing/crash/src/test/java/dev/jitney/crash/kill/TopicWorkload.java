package dev.jitney.crash.kill;

import dev.jitney.crash.kill.Ledger.Place;
import dev.jitney.crash.kill.TopicLedger.Phase;
import dev.jitney.crash.kill.TopicLedger.Publication;
import dev.jitney.crash.support.SendingLoop;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.RequestLink;
import dev.jitney.testing.client.SenderLink;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * The load of clients on a topic, pipelined and concurrent. They send messages, some of them scheduled, settle in every
 * way in most subscriptions, and create and delete one subscription. They run until the server is killed.
 */
final class TopicWorkload implements AutoCloseable {
    private static final int BACKLOG_MAX = 2_000;
    private static final int UNANSWERED_MAX = 100;
    private static final int CREDIT = 200;
    private static final int SOON_MS = 300;

    private final TopicLedger ledger;
    private final Administration administration;
    private final Random random;
    private final AmqpClient client = new AmqpClient(2);
    private final ClientConnection sending;
    private final ClientConnection receiving;
    private final Map<Subscribed, RequestLink> managements = new LinkedHashMap<>();
    private CompletableFuture<?> change = CompletableFuture.completedFuture(null);
    private volatile boolean stopped;

    /** Opens two connections with one pair of links for each subscription. No messages are sent yet. */
    TopicWorkload(TopicLedger ledger, Endpoint endpoint, Administration administration, long seed)
            throws AmqpException, InterruptedException {
        this.ledger = ledger;
        this.administration = administration;
        this.random = new Random(seed);
        this.sending = client.open(endpoint);
        this.receiving = client.open(endpoint);
        for (Subscribed subscription : ledger.subscriptions()) {
            managements.put(subscription, AmqpClient.await(receiving.management(subscription.path())));
        }
    }

    /** Receives from most subscriptions. The messages in the others keep bodies shared for a long time. */
    void receive() throws AmqpException, InterruptedException {
        for (Subscribed subscription : managements.keySet()) {
            if (random.nextInt(4) > 0) {
                AmqpClient.await(attach(subscription));
            }
        }
    }

    private CompletableFuture<?> attach(Subscribed subscription) {
        Random dice = new Random(random.nextLong());
        return CompletableFuture.allOf(
                receiving.receiver(
                        subscription.path(),
                        CREDIT,
                        true,
                        settling(subscription, Place.ACTIVE, Settling.inEveryWay(dice))),
                receiving.receiver(
                        subscription.deadLetters(),
                        CREDIT,
                        true,
                        settling(subscription, Place.DEAD, Settling.completing(70, dice))));
    }

    private Settling settling(Subscribed subscription, Place place, Settling.Choice choice) {
        return new Settling(subscription.ledger(), place, choice, () -> stopped);
    }

    /** Sends over two links. */
    void send() throws AmqpException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            Sending sender = new Sending(i, new Random(random.nextLong()));
            SendingLoop.start(sending, Palette.TOPIC, sender, () -> stopped);
        }
    }

    /** Receives and deletes a few deferred messages of each subscription. */
    void tidy() {
        managements.forEach((subscription, management) -> {
            if (ledger.subscriptions().contains(subscription)) {
                ByNumber.fetchDeferred(management, subscription.ledger(), 4);
            }
        });
    }

    /**
     * Creates or deletes one subscription, unless the last reply about it is pending.
     *
     * @return the number of requested changes: 1 or 0
     */
    int comeOrGo() {
        if (ledger.phase() == Phase.ABSENT) {
            Subscribed created = ledger.creating();
            boolean receives = random.nextInt(3) > 0;
            change = administration
                    .createSubscription(
                            Palette.TOPIC, Palette.FLEETING, Palette.MAX_DELIVERY_COUNT, Palette.FLEETING_FILTER)
                    .thenAccept(answer -> {
                        answered(answer);
                        if (receives) {
                            attach(created); // fails if it is deleted before, which is allowed
                        }
                    });
            return 1;
        }
        if (ledger.phase() == Phase.PRESENT) {
            ledger.deleting();
            change = administration
                    .delete(Palette.TOPIC + "/Subscriptions/" + Palette.FLEETING)
                    .thenAccept(this::answered);
            return 1;
        }
        return 0;
    }

    private void answered(HttpResponse<String> answer) {
        ledger.changed(answer.statusCode());
    }

    /** Receives and completes all messages of all subscriptions. */
    void drain() throws AmqpException, InterruptedException {
        Settling.Choice complete = Settling.completing(100, random);
        for (Subscribed subscription : ledger.subscriptions()) {
            AmqpClient.await(receiving.receiver(
                    subscription.path(), CREDIT, true, settling(subscription, Place.ACTIVE, complete)));
            AmqpClient.await(receiving.receiver(
                    subscription.deadLetters(), CREDIT, true, settling(subscription, Place.DEAD, complete)));
        }
    }

    /** Waits until both connections are closed and all earlier replies are processed. */
    void awaitEnd() throws AmqpException, InterruptedException {
        AmqpClient.await(CompletableFuture.allOf(
                sending.closed(), receiving.closed(), change.handle((answer, noAnswer) -> answer)));
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }

    /** A sender that sends while no subscription has too many messages. */
    private final class Sending implements SenderLink.Listener {
        private final int number;
        private final Random random;

        Sending(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        @Override
        public void ready(SenderLink link) {
            while (!stopped && link.unanswered() < UNANSWERED_MAX && ledger.fullest() < BACKLOG_MAX && link.canSend()) {
                boolean later = random.nextInt(100) < 5;
                Publication publication = ledger.publish(number, later);
                int message = publication.number();
                String id = Ledger.messageId(message);
                byte[] body = Ledger.body(message);
                Map<String, Object> properties = Palette.properties(message);
                link.send(
                        later
                                ? Messages.encodeScheduled(
                                        id, body, properties, System.currentTimeMillis() + random.nextInt(SOON_MS))
                                : Messages.encode(id, body, properties),
                        publication);
            }
        }

        @Override
        public void answered(Object context, Outcome outcome) {
            if (outcome.accepted()) {
                ledger.accepted((Publication) context);
            } else {
                ledger.refused((Publication) context, outcome.toString());
            }
        }
    }
}
