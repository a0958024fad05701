package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.ReceiverLink;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A receiver that uses its initial credit and settles no message. It keeps the first messages. */
public final class Holder implements ReceiverLink.Listener {
    private static final int KEPT = 10;

    private final AtomicInteger count = new AtomicInteger();
    private final Queue<Incoming> first = new ConcurrentLinkedQueue<>();
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private volatile @Nullable ReceivedMessage last;
    private volatile @Nullable AmqpException closed;

    @Override
    public void received(ReceiverLink link, Incoming message) {
        link.pause();
        if (first.size() < KEPT) {
            first.add(message);
        }
        last = message.message();
        count.incrementAndGet();
    }

    @Override
    public void settled(Incoming message, Outcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void closed(AmqpException reason) {
        closed = reason;
    }

    public int count() {
        return count.get();
    }

    /** Returns the first messages. Settle them on the event loop. */
    public Queue<Incoming> first() {
        return first;
    }

    /** Returns the outcomes of settlements. */
    public Queue<Outcome> outcomes() {
        return outcomes;
    }

    @Nullable
    public ReceivedMessage last() {
        return last;
    }

    @Nullable
    AmqpException closed() {
        return closed;
    }
}
