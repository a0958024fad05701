package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Completes everything that comes over one link and sees to it that it comes once and in order. */
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

    /** One that takes messages in any order, as they come after their locks have ended. */
    public static Drain inAnyOrder() {
        return new Drain(false);
    }

    @Override
    public void received(ReceiverLink link, Incoming incoming) {
        ReceivedMessage message = incoming.message();
        int id = Integer.parseInt(String.valueOf(message.messageId()));
        if (received.get(id)) {
            complaint = "Message " + id + " came twice.";
        }
        if (ordered && message.sequenceNumber() <= lastNumber) {
            complaint =
                    "Message " + id + " came with number " + message.sequenceNumber() + " after " + lastNumber + ".";
        }
        received.set(id);
        lastNumber = message.sequenceNumber();
        incoming.complete();
    }

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written on the event loop only
    public void settled(Incoming message, Outcome outcome) {
        if (outcome.failed()) {
            complaint = "A completion was refused: " + outcome;
        } else {
            completed++;
        }
    }

    @Override
    public void closed(AmqpException reason) {
        complaint = "The link was closed: " + reason.getMessage();
    }

    /** Completions the broker confirmed. */
    public int completed() {
        return completed;
    }

    /** What came; read it when nothing comes any more. */
    public BitSet received() {
        return received;
    }

    @Nullable
    public String complaint() {
        return complaint;
    }
}
