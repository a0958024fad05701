package dev.jitney.crash.split;

import dev.jitney.crash.support.CrashLedger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the broker has acknowledged and delivered, with times of one clock ({@link System#nanoTime}). Each message is
 * sent once, to one node. Thread-safe.
 */
final class SplitLedger extends CrashLedger {
    private static final String LOCK_LOST = "com.microsoft:message-lock-lost";

    /** The state of the copy of a message in a queue, as far as it is known. */
    private static final class Message {
        private boolean accepted;
        private boolean gone;
        private long goneNanos;
        /** The number of completions without an answer, so that it may be gone. */
        private int doubts;
        /** All events, for complaints. */
        private String history = "";

        private void note(int node, String what) {
            if (!gone) {
                history += " " + what + " by " + name(node) + " at " + System.nanoTime() / 1_000_000 + ";";
            }
        }

        /** Its sequence number, or 0 if it was not delivered yet. */
        private long sequenceNumber;
    }

    /** An acknowledgment through one node, of a send or of a completion; or a delivery, which has one time. */
    record Acknowledgment(int node, String what, long requestedNanos, long receivedNanos) {}

    /** The messages of each queue by number. */
    private final Map<String, Map<Integer, Message>> queues = new TreeMap<>();

    /** The messages of each queue by sequence number. */
    private final Map<String, Map<Long, Integer>> bySequenceNumber = new TreeMap<>();

    private final List<Acknowledgment> acknowledgments = new ArrayList<>();
    private final List<Acknowledgment> deliveries = new ArrayList<>();
    /** The number of refused completions by error. */
    private final Map<String, Integer> refusals = new TreeMap<>();

    private int next;
    private long sent;
    private long delivered;
    private long splitNanos;

    /** Returns the number of the next message for all queues. */
    synchronized int begin(List<String> names) {
        int number = next++;
        names.forEach(
                queue -> queues.computeIfAbsent(queue, key -> new TreeMap<>()).put(number, new Message()));
        return number;
    }

    synchronized void accepted(int node, String queue, int number, long requestedNanos) {
        sent++;
        Message message = message(queue, number);
        message.accepted = true;
        message.note(node, "accepted");
        acknowledge(node, "the send of " + number + " to " + queue, requestedNanos);
    }

    private void acknowledge(int node, String what, long requestedNanos) {
        acknowledgments.add(new Acknowledgment(node, what, requestedNanos, System.nanoTime()));
    }

    /**
     * Records a delivery under a lock.
     *
     * @param openedNanos the time at which the connection was opened
     */
    synchronized void delivered(int node, String queue, int number, long sequenceNumber, long openedNanos) {
        Message message = deliver(node, queue, number, sequenceNumber);
        if (message.gone) {
            // A broken network may hand out later what was sent over the same connection before the split.
            if (openedNanos > splitNanos || message.goneNanos < splitNanos) {
                complain("Message " + number + " of " + queue + " came back through node " + name(node)
                        + " after its completion was confirmed.");
            }
        }
    }

    /** Records a delivery of a message that is removed with it (CL-27). */
    synchronized void taken(int node, String queue, int number, long sequenceNumber) {
        Message message = deliver(node, queue, number, sequenceNumber);
        if (message.gone) {
            complain("Message " + number + " of " + queue
                    + " was received and deleted twice, the second time through node " + name(node) + ".");
        }
        gone(message);
    }

    private Message deliver(int node, String queue, int number, long sequenceNumber) {
        delivered++;
        long nowNanos = System.nanoTime();
        deliveries.add(new Acknowledgment(node, queue + " " + number, nowNanos, nowNanos));
        Message message = message(queue, number);
        if (message.sequenceNumber != 0 && message.sequenceNumber != sequenceNumber) {
            complain("Message " + number + " of " + queue + " had sequence number " + message.sequenceNumber
                    + ", but now has " + sequenceNumber + ".");
        }
        message.sequenceNumber = sequenceNumber;
        message.note(node, "delivered");
        Integer other =
                bySequenceNumber.computeIfAbsent(queue, key -> new TreeMap<>()).putIfAbsent(sequenceNumber, number);
        if (other != null && other != number) {
            complain("Messages " + other + " and " + number + " of " + queue + " have sequence number " + sequenceNumber
                    + ".");
        }
        return message;
    }

    private static void gone(Message message) {
        message.gone = true;
        message.history = "";
        message.goneNanos = System.nanoTime();
    }

    /** Records that a completion is on its way. */
    synchronized void completing(String queue, int number) {
        message(queue, number).doubts++;
    }

    /**
     * Records that a completion was refused.
     *
     * @param condition the error. Only a lock that is void is certain to have had no effect (CL-2)
     */
    synchronized void refused(int node, String queue, int number, @Nullable String condition) {
        Message message = message(queue, number);
        message.note(node, "refused with " + condition);
        refusals.merge(String.valueOf(condition), 1, Integer::sum);
        if (LOCK_LOST.equals(condition)) {
            message.doubts--;
        }
    }

    /** Records the confirmation of a completion. */
    synchronized void completed(int node, String queue, int number, long requestedNanos) {
        Message message = message(queue, number);
        if (message.gone) {
            complain("The completion of message " + number + " of " + queue + " was confirmed twice, last by node "
                    + name(node) + ".");
        }
        message.doubts--;
        gone(message);
        acknowledge(node, "the completion of " + number + " of " + queue, requestedNanos);
    }

    private Message message(String queue, int number) {
        Message message = queues.getOrDefault(queue, Map.of()).get(number);
        if (message == null) {
            throw new IllegalStateException(
                    "Expected a message that was sent, but got " + number + " from " + queue + ".");
        }
        return message;
    }

    /** Begins a split. Call it before the network changes. */
    synchronized void split() {
        splitNanos = System.nanoTime();
        acknowledgments.clear();
        deliveries.clear();
    }

    /** Returns the acknowledgments of requests that were made through some nodes after a time, the earliest first. */
    synchronized List<Acknowledgment> acknowledgments(List<Integer> nodes, long afterNanos) {
        return acknowledgments.stream()
                .filter(one -> nodes.contains(one.node) && one.requestedNanos > afterNanos)
                .sorted(Comparator.comparingLong(Acknowledgment::receivedNanos))
                .toList();
    }

    /**
     * Checks that a node which is cut off from the majority acknowledges nothing, and delivers nothing after the others have
     * begun to serve.
     *
     * @param node the node
     * @param cutNanos the time from which on it was cut off
     * @param servedNanos the time of the first acknowledgment on the other side
     */
    synchronized void checkSilent(int node, long cutNanos, long servedNanos, long toleranceNanos) {
        for (Acknowledgment one : acknowledgments) {
            if (one.node != node) {
                continue;
            }
            if (one.requestedNanos > cutNanos) {
                complain("Node " + name(node) + " acknowledged " + one.what + ", which was requested "
                        + (one.requestedNanos - cutNanos) / 1_000_000 + " ms after it was cut off from the majority.");
            } else if (one.receivedNanos > servedNanos + toleranceNanos) {
                complain("Node " + name(node) + " acknowledged " + one.what + " "
                        + (one.receivedNanos - servedNanos) / 1_000_000
                        + " ms after another node had begun to acknowledge.");
            }
        }
        for (Acknowledgment one : deliveries) {
            if (one.node == node && one.receivedNanos > servedNanos + toleranceNanos) {
                complain("Node " + name(node) + " delivered " + one.what + " "
                        + (one.receivedNanos - servedNanos) / 1_000_000
                        + " ms after another node had begun to acknowledge.");
            }
        }
    }

    /** Checks that each accepted message has arrived. Called when all queues are empty. */
    synchronized void checkEmpty() {
        queues.forEach((queue, messages) -> messages.forEach((number, message) -> {
            if (queue.equals(SplitClient.LOCKED) && message.accepted && !message.gone && message.doubts == 0) {
                complain("Message " + number + " of " + queue + " was accepted, but is lost:" + message.history);
            }
        }));
    }

    synchronized String report() {
        return sent + " sends acknowledged, " + delivered + " deliveries, completions refused: " + refusals;
    }

    static String name(int node) {
        return String.valueOf((char) ('a' + node));
    }
}
