package dev.jitney.crash.forward;

import dev.jitney.crash.forward.Route.Station;
import dev.jitney.crash.forward.RouteLedger.Seen;
import dev.jitney.crash.support.SendingLoop;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.SenderLink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The load of the forwarding test until the server is killed. It sends along all routes, receives at their ends, and
 * sometimes disables, deletes or creates an entity of a route.
 */
final class ForwardWorkload implements AutoCloseable {
    private static final int BACKLOG_MAX = 1_000;
    private static final int UNANSWERED_MAX = 50;
    private static final int CREDIT = 100;

    private final Map<Route, RouteLedger> ledgers;
    private final Administration administration;
    private final AtomicLong numbers;
    private final Random random;
    private final AmqpClient client = new AmqpClient(1);
    private final ClientConnection sending;
    private final ClientConnection receiving;
    private final Map<String, CompletableFuture<?>> changes = new LinkedHashMap<>();
    private volatile boolean stopped;
    private volatile boolean fleetingIsThere;

    /**
     * Creates a workload.
     *
     * @param numbers the source of message numbers, which increase
     * @param fleetingIsThere whether the entity that is deleted and created again exists
     */
    ForwardWorkload(
            Map<Route, RouteLedger> ledgers,
            Endpoint endpoint,
            Administration administration,
            AtomicLong numbers,
            boolean fleetingIsThere,
            long seed)
            throws AmqpException, InterruptedException {
        this.ledgers = ledgers;
        this.administration = administration;
        this.numbers = numbers;
        this.fleetingIsThere = fleetingIsThere;
        this.random = new Random(seed);
        this.sending = client.open(endpoint);
        this.receiving = client.open(endpoint);
    }

    /** Starts two senders for each entry of a route. */
    void send() throws AmqpException, InterruptedException {
        Map<String, List<RouteLedger>> byEntry = new LinkedHashMap<>();
        ledgers.forEach((route, ledger) -> byEntry.computeIfAbsent(route.entry(), entry -> new ArrayList<>())
                .add(ledger));
        for (Map.Entry<String, List<RouteLedger>> entry : byEntry.entrySet()) {
            for (int i = 0; i < 2; i++) {
                Sending sender = new Sending(entry.getKey() + "/" + i, entry.getValue());
                SendingLoop.start(sending, entry.getKey(), sender, () -> stopped);
            }
        }
    }

    /** Starts receivers at most of the ends. */
    void receive() throws AmqpException, InterruptedException {
        for (Map.Entry<Route, RouteLedger> each : ledgers.entrySet()) {
            for (Route.Place place : each.getKey().places()) {
                boolean comesAndGoes = place.address().equals(ForwardPlan.FLEETING);
                if (!comesAndGoes && random.nextInt(3) > 0) {
                    Taking receiver = new Taking(each.getValue(), place.address(), new Random(random.nextLong()));
                    AmqpClient.await(receiving.receiver(place.address(), CREDIT, true, receiver));
                }
            }
        }
    }

    /**
     * Changes one entity, unless the reply to its last change is pending.
     *
     * @return the number of requested changes: 1 or 0
     */
    int change() {
        return switch (random.nextInt(5)) {
            case 0 -> status(ForwardPlan.HALTED, "Active", "Disabled", "SendDisabled", "ReceiveDisabled");
            case 1 -> status(ForwardPlan.CLOSED, "Active", "Disabled", "SendDisabled");
            case 2 -> status(ForwardPlan.TOMB, "Active", "SendDisabled");
            default -> comeOrGo();
        };
    }

    private int status(String entity, String... statuses) {
        if (!isAnswered(entity)) {
            return 0;
        }
        for (Map.Entry<Route, RouteLedger> each : ledgers.entrySet()) {
            for (Station station : each.getKey().stations()) {
                if (station.path().equals(entity)) {
                    String status = statuses[random.nextInt(statuses.length)];
                    changes.put(
                            entity,
                            administration
                                    .update(entity, station.description().element(status))
                                    .thenAccept(answer -> expect(each.getValue(), status, answer.statusCode(), 200)));
                    return 1;
                }
            }
        }
        throw new IllegalStateException("Expected a route with " + entity + ", but there is none.");
    }

    private int comeOrGo() {
        if (!isAnswered(ForwardPlan.FLEETING)) {
            return 0;
        }
        RouteLedger ledger = ledgers.entrySet().stream()
                .filter(each -> each.getKey().place(ForwardPlan.FLEETING) != null)
                .findFirst()
                .orElseThrow()
                .getValue();
        if (fleetingIsThere) {
            ledger.deleting(ForwardPlan.FLEETING);
            changes.put(
                    ForwardPlan.FLEETING,
                    administration.delete(ForwardPlan.FLEETING).thenAccept(answer -> {
                        expect(ledger, "deletion", answer.statusCode(), 200);
                        ledger.deleted();
                        fleetingIsThere = false;
                    }));
        } else {
            changes.put(
                    ForwardPlan.FLEETING,
                    administration
                            .create(ForwardPlan.FLEETING, Description.queue().element("Active"))
                            .thenAccept(answer -> {
                                expect(ledger, "creation", answer.statusCode(), 201);
                                fleetingIsThere = true;
                            }));
        }
        return 1;
    }

    private boolean isAnswered(String entity) {
        CompletableFuture<?> last = changes.get(entity);
        return last == null || last.isDone();
    }

    private static void expect(RouteLedger ledger, String what, int status, int expected) {
        if (status != expected) {
            ledger.trouble("expected " + what + " to succeed, but got status " + status);
        }
    }

    /** Waits until both connections are closed and all earlier replies are processed. */
    void awaitEnd() throws AmqpException, InterruptedException {
        List<CompletableFuture<?>> ends = new ArrayList<>(List.of(sending.closed(), receiving.closed()));
        changes.values().forEach(change -> ends.add(change.handle((answer, noAnswer) -> answer)));
        AmqpClient.await(CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)));
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }

    /** Returns the ledger's view of a peeked or received message in a place. */
    static Seen seen(ReceivedMessage message, String place) {
        return new Seen(
                String.valueOf(message.messageId()),
                place,
                message.sequenceNumber(),
                message.applicationProperties().get("DeadLetterReason"));
    }

    /** A sender that sends whenever the routes have capacity. */
    private final class Sending implements SenderLink.Listener {
        private final String name;
        private final List<RouteLedger> ledgers;

        Sending(String name, List<RouteLedger> ledgers) {
            this.name = name;
            this.ledgers = ledgers;
        }

        @Override
        public void ready(SenderLink link) {
            while (!stopped
                    && link.unanswered() < UNANSWERED_MAX
                    && ledgers.stream().allMatch(ledger -> ledger.size() < BACKLOG_MAX)
                    && link.canSend()) {
                String id = RouteLedger.messageId(name, numbers.incrementAndGet());
                ledgers.forEach(ledger -> ledger.sent(id));
                link.send(Messages.encode(id, id.getBytes(StandardCharsets.US_ASCII)), id);
            }
        }

        @Override
        public void answered(Object context, Outcome outcome) {
            for (RouteLedger ledger : ledgers) {
                if (outcome.accepted()) {
                    ledger.accepted(String.valueOf(context));
                } else {
                    ledger.trouble("expected the send of " + context + " to be accepted, but got " + outcome);
                }
            }
        }
    }

    /**
     * A receiver that completes messages. In the work queue it completes only some of them, so that the others are
     * dead-lettered.
     */
    private static final class Taking implements ReceiverLink.Listener {
        private final RouteLedger ledger;
        private final String place;
        private final Random random;

        Taking(RouteLedger ledger, String place, Random random) {
            this.ledger = ledger;
            this.place = place;
            this.random = random;
        }

        @Override
        public void received(ReceiverLink link, Incoming incoming) {
            Seen message = seen(incoming.message(), place);
            ledger.delivered(message);
            int dice = random.nextInt(100);
            if (place.equals(ForwardPlan.WORK) && dice < 60) {
                ledger.givenBack(message.messageId());
                if (dice < 30) {
                    incoming.abandon();
                } else {
                    incoming.deadLetter();
                }
            } else if (dice < 95) {
                ledger.leaving(message.messageId());
                incoming.context(message.messageId());
                incoming.complete();
            }
        }

        @Override
        public void settled(Incoming message, Outcome outcome) {
            if (outcome.failed()) {
                ledger.trouble("expected a settlement in " + place + " to be accepted, but got " + outcome);
            } else if (message.context() instanceof String taken) {
                ledger.taken(taken);
            }
        }
    }
}
