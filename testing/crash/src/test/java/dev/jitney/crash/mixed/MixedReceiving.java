package dev.jitney.crash.mixed;

import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusProcessorClientBuilder;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessageContext;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.crash.kill.Settling;
import dev.jitney.crash.mixed.MixedLedger.Arrival;
import dev.jitney.crash.mixed.MixedLedger.Delivery;
import dev.jitney.crash.mixed.MixedLedger.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of one queue or subscription, of its dead-letter queue, and of its deferred messages. They are
 * processors and receivers of the SDK and settle in every way until {@link #drain}. Thread-safe, because processors
 * have many threads.
 */
final class MixedReceiving {
    /** The lock duration, which is long enough that no lock ends while a server runs. */
    static final Duration LOCK_DURATION = Duration.ofMinutes(5);

    private static final long PULL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final MixedLedger ledger;
    private final MixedMessages messages;
    private final Ways ways;
    private final Kills kills;
    private final Random random;
    private final SdkErrors errors;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger givenBack = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> lastFailure = new AtomicReference<>();
    private volatile boolean isDraining;

    /**
     * The percentages of outcomes; the remaining messages are completed.
     *
     * @param holds the percentage of messages that are not settled, so that a kill ends the lock
     * @param isOrdered whether messages are stored in the order of their numbers
     */
    record Ways(int abandons, int defers, int deadLetters, int holds, boolean isOrdered) {}

    /** The settling of a message by a processor's context or a receiver. */
    private interface Settling {
        void complete();

        void abandon();

        void defer();

        void deadLetter();
    }

    MixedReceiving(MixedLedger ledger, MixedMessages messages, Ways ways, Kills kills, SdkErrors errors, long seed) {
        this.errors = errors;
        this.ledger = ledger;
        this.messages = messages;
        this.ways = ways;
        this.kills = kills;
        this.random = new Random(seed);
    }

    /** Makes the receivers complete all messages from now on. */
    void drain() {
        isDraining = true;
    }

    /** Returns a processor that calls this object. It is not started. */
    ServiceBusProcessorClient processor(ServiceBusProcessorClientBuilder builder, Place place) {
        return builder.disableAutoComplete()
                .maxConcurrentCalls(2)
                .maxAutoLockRenewDuration(Duration.ZERO)
                .processMessage(context -> handle(place, context.getMessage(), settling(context)))
                .processError(context -> failed(context.getException()))
                .buildProcessorClient();
    }

    /** Receives some messages with a pull receiver. Returns false if there were none. */
    boolean pull(ServiceBusReceiverClient receiver) {
        boolean any = false;
        long begunNanos = System.nanoTime();
        for (ServiceBusReceivedMessage message : receiver.receiveMessages(10, Duration.ofMillis(300))) {
            if (System.nanoTime() - begunNanos > PULL_NANOS) {
                break; // the SDK has lost a settlement, and would lose the next ones of this link too, each for a
                // minute
            }
            any = true;
            handle(Place.ACTIVE, message, settling(receiver, message));
        }
        return any;
    }

    /** Receives deferred messages by number. Returns false if there were none. */
    boolean fetchDeferred(ServiceBusReceiverClient receiver) {
        boolean any = false;
        for (long sequenceNumber : ledger.deferred()) {
            try {
                ServiceBusReceivedMessage message = receiver.receiveDeferredMessage(sequenceNumber);
                handle(Place.DEFERRED, message, settling(receiver, message));
                any = true;
            } catch (RuntimeException e) {
                failed(e); // also if the message moved in a settlement without a reply
            }
        }
        return any;
    }

    private void handle(Place place, ServiceBusReceivedMessage message, Settling settling) {
        int number = messages.number(message);
        long lockedMs =
                message.getLockedUntil().minus(LOCK_DURATION).toInstant().toEpochMilli();
        if (lockedMs < kills.lastMs()) {
            settleInVain(number, settling);
            return;
        }
        if (lockedMs < kills.doubtfulMs()) {
            giveBack(settling);
            return;
        }
        if (number < 0) {
            ledger.complain(
                    number,
                    "was delivered as " + message.getMessageId() + ", which was sent before the last comparison");
            return;
        }
        messages.differences(message).forEach(difference -> ledger.complain(number, difference));
        Delivery delivery = ledger.delivered(
                place,
                new Arrival(
                        number,
                        message.getSequenceNumber(),
                        call(message),
                        message.getDeadLetterReason(),
                        Instant.ofEpochMilli(lockedMs)));
        if (delivery == null) {
            return;
        }
        try {
            settle(place, delivery, settling);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Returns the number of the first message in the same send call, if the order is kept. */
    private int call(ServiceBusReceivedMessage message) {
        return ways.isOrdered && message.getScheduledEnqueueTime() == null ? MixedMessages.together(message) : -1;
    }

    /** Checks that a lock of a killed server does not settle its message (STATE-4). */
    private void settleInVain(int number, Settling settling) {
        try {
            settling.complete();
        } catch (RuntimeException e) {
            return;
        }
        ledger.complain(number, "was completed with a lock from before a kill");
    }

    /** Abandons a message whose lock may be void, so that the ledger need not know. */
    private void giveBack(Settling settling) {
        givenBack.incrementAndGet();
        try {
            settling.abandon();
        } catch (RuntimeException e) {
            failed(e); // the lock was void
        }
    }

    private void settle(Place place, Delivery delivery, Settling settling) {
        int dice = isDraining || place != Place.ACTIVE ? 100 : random.nextInt(100);
        if ((dice -= ways.abandons) < 0) {
            ledger.ask(delivery, Place.ACTIVE);
            settling.abandon();
        } else if ((dice -= ways.defers) < 0) {
            ledger.ask(delivery, Place.DEFERRED);
            settling.defer();
        } else if ((dice -= ways.deadLetters) < 0) {
            ledger.ask(delivery, Place.DEAD);
            settling.deadLetter();
        } else if (dice - ways.holds < 0) {
            return;
        } else {
            ledger.ask(delivery, Place.GONE);
            settling.complete();
        }
        ledger.confirm(delivery);
    }

    private static Settling settling(ServiceBusReceivedMessageContext context) {
        return new Settling() {
            @Override
            public void complete() {
                SettlementLimit.within(() -> context.complete());
            }

            @Override
            public void abandon() {
                SettlementLimit.within(() -> context.abandon());
            }

            @Override
            public void defer() {
                SettlementLimit.within(() -> context.defer());
            }

            @Override
            public void deadLetter() {
                SettlementLimit.within(() -> context.deadLetter(reason()));
            }
        };
    }

    private static Settling settling(ServiceBusReceiverClient receiver, ServiceBusReceivedMessage message) {
        return new Settling() {
            @Override
            public void complete() {
                SettlementLimit.within(() -> receiver.complete(message));
            }

            @Override
            public void abandon() {
                SettlementLimit.within(() -> receiver.abandon(message));
            }

            @Override
            public void defer() {
                SettlementLimit.within(() -> receiver.defer(message));
            }

            @Override
            public void deadLetter() {
                SettlementLimit.within(() -> receiver.deadLetter(message, reason()));
            }
        };
    }

    private static DeadLetterOptions reason() {
        return new DeadLetterOptions().setDeadLetterReason("refused").setDeadLetterErrorDescription("by dice");
    }

    private void failed(Throwable e) {
        failures.incrementAndGet();
        lastFailure.set(e);
        errors.add(e);
    }

    String name() {
        return ledger.name();
    }

    /** Returns the number of failed settlements and receives. */
    int failures() {
        return failures.get();
    }

    /** Returns the number of messages that were abandoned because their locks may have been void. */
    int givenBack() {
        return givenBack.get();
    }

    @Nullable
    Throwable lastFailure() {
        return lastFailure.get();
    }
}
