package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Noise;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** Sends messages with the ids 0, 1, 2 ... over one link until told to stop or refused. */
public final class Filler implements SenderLink.Listener {
    private final byte[] body;
    private final int inFlight;
    private final int first;
    private final int count;
    private final BitSet accepted = new BitSet();
    private final CompletableFuture<Outcome> over = new CompletableFuture<>();
    private int next;
    private volatile int acceptedCount;

    /** @param count how many to send at most */
    public Filler(int sizeBytes, int inFlight, int count) {
        this(sizeBytes, inFlight, 0, count);
    }

    /** @param first the first id */
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

    /** The first refusal, or the last acceptance when all was sent. */
    public CompletableFuture<Outcome> over() {
        return over;
    }

    public int acceptedCount() {
        return acceptedCount;
    }

    /** What was accepted; read it when nothing is out any more. */
    public BitSet accepted() {
        return accepted;
    }
}
