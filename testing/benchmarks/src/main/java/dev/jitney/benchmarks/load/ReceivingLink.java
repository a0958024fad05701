package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.client.Settling;

/**
 * A link that completes each delivery with its own disposition, unless the broker has settled it already. Runs on the event
 * loop of its connection. A message counts as completed when the broker has confirmed the completion, if the link requests
 * confirmations.
 */
final class ReceivingLink implements ReceiverLink.Listener {
    private final Tally tally;
    private final boolean stamped;
    private final Settling settling;

    /**
     * @param stamped whether this process sent the messages, so that their stamps are valid
     * @param settling how the link was opened
     */
    ReceivingLink(Tally tally, boolean stamped, Settling settling) {
        this.tally = tally;
        this.stamped = stamped;
        this.settling = settling;
    }

    @Override
    public void received(ReceiverLink link, Incoming message) {
        if (stamped) {
            tally.receivedAfter(System.nanoTime() - message.longFromEnd(SendingLink.STAMP_BYTES));
        } else {
            tally.received.increment();
        }
        switch (settling) {
            case CONFIRMED -> message.complete();
            case BY_RECEIVER -> {
                message.completeUnanswered();
                tally.completed.increment();
            }
            case BEFORE_ARRIVAL -> tally.completed.increment();
        }
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
