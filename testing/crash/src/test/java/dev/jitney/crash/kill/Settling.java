package dev.jitney.crash.kill;

import dev.jitney.crash.kill.Ledger.Entry;
import dev.jitney.crash.kill.Ledger.Place;
import dev.jitney.crash.kill.Ledger.Request;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** A receiver that settles messages as chosen and records the results in a ledger. */
public final class Settling implements ReceiverLink.Listener {
    private final Ledger ledger;
    private final Place place;
    private final Choice choice;
    private final BooleanSupplier stopped;

    /** A choice of the outcome of a message. */
    @FunctionalInterface
    interface Choice {
        void settle(Ledger ledger, Entry entry, Incoming message);
    }

    /**
     * Creates a receiver.
     *
     * @param place the place of the link's messages: {@link Place#ACTIVE} or {@link Place#DEAD}
     * @param stopped returns true when no more messages are to be settled
     */
    Settling(Ledger ledger, Place place, Choice choice, BooleanSupplier stopped) {
        this.ledger = ledger;
        this.place = place;
        this.choice = choice;
        this.stopped = stopped;
    }

    /** Returns a choice that settles in every way, or not at all. */
    static Choice inEveryWay(Random random) {
        return (ledger, entry, message) -> {
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
        };
    }

    /** Returns a choice that completes a percentage of messages and does not settle the others. */
    static Choice completing(int percent, Random random) {
        return (ledger, entry, message) -> {
            if (random.nextInt(100) < percent) {
                message.context(ledger.remove(entry));
                message.complete();
            }
        };
    }

    @Override
    public void received(ReceiverLink link, Incoming message) {
        Entry entry = ledger.delivered(message.message(), place);
        if (entry != null && !stopped.getAsBoolean()) {
            choice.settle(ledger, entry, message);
        }
    }

    @Override
    public void settled(Incoming message, Outcome outcome) {
        if (message.context() instanceof Request request) {
            if (outcome.failed()) {
                ledger.refuse(request, outcome.toString());
            } else {
                ledger.confirm(request);
            }
        }
    }
}
