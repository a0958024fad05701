package dev.jitney.crash.mixed;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A sender that uses every way of the SDK: one message, several messages, a batch, and scheduled messages, some of
 * which it cancels. One thread sends; another thread may compare the ledgers while it is halted.
 */
final class MixedTraffic {
    private static final int BACKLOG_MAX = 300;
    private static final int TOGETHER_MAX = 8;
    private static final int LATEST_MS = 1_500;

    private final ServiceBusSenderClient sender;
    private final MixedMessages messages;
    private final Ways ways;
    private final List<Outlet> outlets;
    private final Kills kills;
    private final SdkErrors errors;
    private final Random random;
    /** The calls whose messages may be stored several times or not at all. */
    private final List<Call> doubtful = new ArrayList<>();

    private int next;
    private volatile int sent;

    /** A place where messages arrive, with a filter of their numbers. */
    record Outlet(MixedLedger ledger, IntPredicate takes) {}

    /** The features that a sender uses and its entity has. */
    record Ways(boolean schedules, boolean detectsDuplicates) {}

    private record Call(int first, int count) {}

    private interface Sending {
        void send(List<ServiceBusMessage> messages);
    }

    MixedTraffic(
            ServiceBusSenderClient sender,
            MixedMessages messages,
            Ways ways,
            List<Outlet> outlets,
            Kills kills,
            SdkErrors errors,
            long seed) {
        this.errors = errors;
        this.sender = sender;
        this.messages = messages;
        this.ways = ways;
        this.outlets = outlets;
        this.kills = kills;
        this.random = new Random(seed);
    }

    /** Makes one call. Returns false if there are enough messages already. */
    boolean step() {
        if (outlets.stream().anyMatch(outlet -> outlet.ledger.size() > BACKLOG_MAX)) {
            return false;
        }
        int dice = random.nextInt(100);
        int together = 2 + random.nextInt(TOGETHER_MAX - 1);
        if (ways.schedules && dice < 10) {
            schedule();
        } else if (dice < 60) {
            send(1, all -> repeated(() -> sender.sendMessage(all.get(0))));
        } else if (dice < 80) {
            send(together, all -> repeated(() -> sender.sendMessages(all)));
        } else {
            send(together, this::sendBatch);
        }
        return true;
    }

    private void send(int count, Sending sending) {
        int first = next;
        next += count;
        List<ServiceBusMessage> all = IntStream.range(first, next)
                .mapToObj(number -> messages.create(number, first))
                .toList();
        Call call = new Call(first, count);
        begin(call);
        Kills.Moment before = kills.now();
        boolean isDone = false;
        try {
            sending.send(all);
            isDone = true;
        } finally {
            end(call, isDone, kills.since(before));
        }
    }

    private void sendBatch(List<ServiceBusMessage> all) {
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        for (ServiceBusMessage message : all) {
            if (!batch.tryAddMessage(message)) {
                throw new IllegalStateException("Expected the messages to fit into a batch, but they do not.");
            }
        }
        repeated(() -> sender.sendMessages(batch));
    }

    /** Makes a call that the SDK repeats until it succeeds. */
    private void repeated(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            errors.addOfSend(e);
            throw e;
        }
    }

    private void schedule() {
        boolean cancels = random.nextInt(3) == 0;
        int number = next;
        long timeMs = System.currentTimeMillis() + (cancels ? LATEST_MS : random.nextInt(LATEST_MS));
        OffsetDateTime time = Instant.ofEpochMilli(timeMs).atOffset(ZoneOffset.UTC);
        long[] sequenceNumber = {0};
        send(1, all -> sequenceNumber[0] = sender.scheduleMessage(all.get(0), time));
        if (cancels) {
            into(number).forEach(ledger -> ledger.cancelling(number));
            sender.cancelScheduledMessage(sequenceNumber[0]);
            // The SDK also returns success if there is nothing to cancel. Before that time the scheduled message
            // existed.
            if (System.currentTimeMillis() < timeMs) {
                into(number).forEach(ledger -> ledger.cancelled(number));
            }
        }
    }

    private void begin(Call call) {
        for (int number = call.first; number < call.first + call.count; number++) {
            for (MixedLedger ledger : into(number)) {
                ledger.sending(number);
            }
        }
    }

    /**
     * Records the end of a call.
     *
     * @param killsMet the number of overlapping kills, after each of which the messages may have been stored again
     */
    private void end(Call call, boolean isDone, int killsMet) {
        int max = ways.detectsDuplicates ? 1 : killsMet + 1;
        for (int number = call.first; number < call.first + call.count; number++) {
            for (MixedLedger ledger : into(number)) {
                ledger.sent(number, isDone ? 1 : 0, max);
            }
        }
        if (isDone) {
            sent += call.count;
        }
        if (!isDone || max > 1) {
            doubtful.add(call);
        }
    }

    private List<MixedLedger> into(int number) {
        return outlets.stream()
                .filter(outlet -> outlet.takes.test(number))
                .map(Outlet::ledger)
                .toList();
    }

    /**
     * Checks that the messages of a call are stored equally often in each destination (MSG-1, TOP-1). Called before the
     * ledgers are compared.
     */
    void closeBooks() {
        for (Call call : doubtful) {
            Set<Integer> copies = new HashSet<>();
            for (int number = call.first; number < call.first + call.count; number++) {
                for (MixedLedger ledger : into(number)) {
                    copies.add(ledger.copies(number));
                }
            }
            if (copies.size() > 1) {
                outlets.get(0)
                        .ledger
                        .complain(
                                call.first,
                                "was sent in " + call
                                        + ", whose messages must have the same number of copies, but have " + copies);
            }
        }
        doubtful.clear();
    }

    /** Returns the number of messages whose sends succeeded. */
    int sent() {
        return sent;
    }
}
