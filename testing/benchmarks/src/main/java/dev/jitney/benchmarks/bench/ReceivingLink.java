package dev.jitney.benchmarks.bench;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;

/** A link that completes what comes, each message with a disposition of its own. On the event loop of its connection. */
final class ReceivingLink implements ReceiverLink.Listener {
    private final Tally tally;
    private final boolean stamped;

    /** @param stamped whether the messages were sent by this process, so that their stamps mean something */
    ReceivingLink(Tally tally, boolean stamped) {
        this.tally = tally;
        this.stamped = stamped;
    }

    @Override
    public void received(ReceiverLink link, Incoming message) {
        if (stamped) {
            tally.receivedAfter(System.nanoTime() - message.longFromEnd(SendingLink.STAMP_BYTES));
        } else {
            tally.received.increment();
        }
        message.complete();
    }

    @Override
    public void settled(Incoming message, Outcome outcome) {
        if (outcome.failed()) {
            tally.lost.increment();
            tally.trouble("A completion was refused: " + outcome);
        } else {
            tally.completed.increment();
        }
    }

    @Override
    public void closed(AmqpException reason) {
        tally.trouble("A receiving link was closed: " + reason.getMessage());
    }
}
