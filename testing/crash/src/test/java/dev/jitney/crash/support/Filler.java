package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Noise;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** A sender of messages with the ids 0, 1, 2 and so on over one link, until it is stopped or a send is rejected. */
public final class Filler implements SenderLink.Listener {
    private final byte[] body;
    private final int inFlight;
    private final int first;
    private final int count;
    private final BitSet accepted = new BitSet();
    private final CompletableFuture<Outcome> over = new CompletableFuture<>();
    private int next;
    private volatile int acceptedCount;

    /**
     * Creates a sender of messages that begin with id 0.
     *
     * @param count the maximum number of messages
     */
    public Filler(int sizeBytes, int inFlight, int count) {
        this(sizeBytes, inFlight, 0, count);
    }

    /**
     * Creates a sender of messages.
     *
     * @param first the first id
     */
    public Filler(int sizeBytes, int inFlight, int first, int count) {
        this.body = new byte[sizeBytes];
        this.inFlight = inFlight;
        this.next = first;
        this.first = first;
        this.count = first + count;
    }

    @Override
    public void ready(SenderLink link) {
        while (!over.isDone() && next < count && link.unanswered() < inFlight && link.canSend()) {
            Noise.fill(body, 0, body.length, next);
            link.send(Messages.encode(Integer.toString(next), body), next);
            next++;
        }
    }

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written on the event loop only
    public void answered(Object context, Outcome outcome) {
        if (outcome.accepted()) {
            accepted.set((Integer) context);
            acceptedCount++;
            if (acceptedCount == count - first) {
                over.complete(outcome);
            }
        } else {
            over.complete(outcome);
        }
    }

    @Override
    public void closed(AmqpException reason) {
        over.completeExceptionally(reason);
    }

    /** Returns the first rejection, or the last acceptance when all messages are sent. */
    public CompletableFuture<Outcome> over() {
        return over;
    }

    public int acceptedCount() {
        return acceptedCount;
    }

    /** Returns the accepted messages. Read the result only when no send is in flight. */
    public BitSet accepted() {
        return accepted;
    }
}
