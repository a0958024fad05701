package dev.jitney.crash.archive;

import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends numbered messages to one queue, over several connections one after the other, and notes when each send began and when it was
 * acknowledged. The event loops of the connections call it, and any thread may read it.
 */
final class StampedSending implements SenderLink.Listener {
    private static final int UNANSWERED_MAX = 50;

    private final String queue;
    private final List<Long> begunMs = new ArrayList<>();
    private final List<Long> acknowledgedMs = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private int limit;

    StampedSending(String queue) {
        this.queue = queue;
    }

    String queue() {
        return queue;
    }

    /** Allows more messages. */
    synchronized void allow(int more) {
        limit = begunMs.size() + more;
    }

    @Override
    public synchronized void ready(SenderLink link) {
        while (begunMs.size() < limit && link.unanswered() < UNANSWERED_MAX && link.canSend()) {
            int number = begunMs.size();
            begunMs.add(System.currentTimeMillis());
            acknowledgedMs.add(Long.MAX_VALUE);
            link.send(Messages.encode(id(number), id(number).getBytes(StandardCharsets.UTF_8)), number);
        }
    }

    private String id(int number) {
        return queue + ":" + number;
    }

    @Override
    public synchronized void answered(Object context, Outcome outcome) {
        if (outcome.accepted()) {
            acknowledgedMs.set((Integer) context, System.currentTimeMillis());
        } else {
            refused.add(context + " " + outcome);
        }
    }

    /** Returns the ids of messages that were acknowledged before a time, in milliseconds since the epoch. */
    synchronized List<String> acknowledgedBefore(long ms) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < acknowledgedMs.size(); i++) {
            if (acknowledgedMs.get(i) < ms) {
                ids.add(id(i));
            }
        }
        return ids;
    }

    /** Returns the ids of messages whose sending began at a time or before. */
    synchronized List<String> begunUntil(long ms) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < begunMs.size(); i++) {
            if (begunMs.get(i) <= ms) {
                ids.add(id(i));
            }
        }
        return ids;
    }

    synchronized List<String> refused() {
        return List.copyOf(refused);
    }
}
