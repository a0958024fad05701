package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A receiver that completes all messages of one link and checks that each arrives once and in order. */
public final class Drain implements ReceiverLink.Listener {
    private final boolean ordered;
    private final BitSet received = new BitSet();
    private long lastNumber;
    private volatile int completed;
    private volatile @Nullable String complaint;

    public Drain() {
        this(true);
    }

    private Drain(boolean ordered) {
        this.ordered = ordered;
    }

    /** Returns a drain that accepts any order, as messages arrive after their locks have ended. */
    public static Drain inAnyOrder() {
        return new Drain(false);
    }

    @Override
    public void received(ReceiverLink link, Incoming incoming) {
        ReceivedMessage message = incoming.message();
        int id = Integer.parseInt(String.valueOf(message.messageId()));
        if (received.get(id)) {
            complaint = "Message " + id + " was delivered twice.";
        }
        if (ordered && message.sequenceNumber() <= lastNumber) {
            complaint = "Message " + id + " was delivered with sequence number " + message.sequenceNumber() + " after "
                    + lastNumber + ".";
        }
        received.set(id);
        lastNumber = message.sequenceNumber();
        incoming.complete();
    }

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written on the event loop only
    public void settled(Incoming message, Outcome outcome) {
        if (outcome.failed()) {
            complaint = "Expected a completion to be accepted, but got " + outcome;
        } else {
            completed++;
        }
    }

    @Override
    public void closed(AmqpException reason) {
        complaint = "Expected the link to remain open, but it was closed: " + reason.getMessage();
    }

    /** Returns the number of completions that the broker has confirmed. */
    public int completed() {
        return completed;
    }

    /** Returns the received messages. Read the result only when no more messages arrive. */
    public BitSet received() {
        return received;
    }

    @Nullable
    public String complaint() {
        return complaint;
    }
}
