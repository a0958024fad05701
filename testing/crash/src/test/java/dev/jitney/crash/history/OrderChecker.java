package dev.jitney.crash.history;

import dev.jitney.crash.history.Operation.Kind;
import dev.jitney.crash.history.Operation.Outcome;
import dev.jitney.crash.history.Operation.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A check of the rules between messages of a queue:
 * <ul>
 * <li>A message has one sequence number, and no two have the same (CL-25).
 * <li>If a message was stored before the send of another one began, it has the smaller sequence number (SEQ-6).
 * <li>EnqueuedTime rises with sequence numbers (SEQ-6, CL-13).
 * <li>A peek shows messages in the order of their sequence numbers.
 * <li>A receive takes no message while an earlier one is available for certain.
 * </ul>
 */
final class OrderChecker {
    /** The time in which a broker notices the end of a connection for certain. */
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final List<Operation> operations;
    private final long lockNanos;
    private final List<String> found = new ArrayList<>();
    private final Map<Integer, Message> messages = new TreeMap<>();

    /** The knowledge about one message. */
    private static final class Message {
        private final int number;
        private long sequenceNumber;
        private long enqueuedMs;
        /** A time before it was stored. */
        private long sentNanos = Long.MIN_VALUE;
        /** A time after it was stored. */
        private long storedNanos = Operation.NEVER;
        /** A time until which it was available for certain once it was stored. */
        private long availableNanos = Operation.NEVER;

        private Message(int number) {
            this.number = number;
        }
    }

    private OrderChecker(List<Operation> operations, long lockNanos) {
        this.operations = operations;
        this.lockNanos = lockNanos;
    }

    static List<String> violations(List<Operation> operations, long lockNanos) {
        OrderChecker checker = new OrderChecker(operations, lockNanos);
        checker.read();
        checker.checkNumbers();
        checker.checkReceives();
        return checker.found;
    }

    private Message message(int number) {
        return messages.computeIfAbsent(number, Message::new);
    }

    private void read() {
        for (Operation one : operations) {
            if (one.kind() == Kind.SEND) {
                Message message = message(one.subject());
                message.sentNanos = one.invokedNanos();
                if (one.outcome() == Outcome.DONE) {
                    message.storedNanos = Math.min(message.storedNanos, one.returnedNanos());
                }
            }
            long before = 0;
            for (Seen seen : one.seen()) {
                see(one, seen);
                if (seen.sequenceNumber() <= before) {
                    found.add("A peek has shown sequence number " + seen.sequenceNumber() + " after " + before + ".");
                }
                before = seen.sequenceNumber();
            }
        }
    }

    private void see(Operation one, Seen seen) {
        Message message = message(seen.message());
        if (message.sequenceNumber != 0
                && (message.sequenceNumber != seen.sequenceNumber() || message.enqueuedMs != seen.enqueuedMs())) {
            found.add("Message " + message.number + " had sequence number " + message.sequenceNumber
                    + " and the enqueued time " + message.enqueuedMs + ", but now it has " + seen.sequenceNumber()
                    + " and " + seen.enqueuedMs() + ".");
        }
        message.sequenceNumber = seen.sequenceNumber();
        message.enqueuedMs = seen.enqueuedMs();
        message.storedNanos = Math.min(message.storedNanos, one.returnedNanos());
        if (one.isReceive()) {
            message.availableNanos = Math.min(message.availableNanos, one.invokedNanos());
        }
    }

    /** Returns the messages whose sequence numbers are known, in their order. */
    private List<Message> inOrder() {
        return messages.values().stream()
                .filter(message -> message.sequenceNumber != 0)
                .sorted(Comparator.comparingLong(message -> message.sequenceNumber))
                .toList();
    }

    private void checkNumbers() {
        Message before = null;
        // The message with the latest begin of its send among those with smaller sequence numbers.
        Message latest = null;
        for (Message message : inOrder()) {
            if (before != null && before.sequenceNumber == message.sequenceNumber) {
                found.add("Messages " + before.number + " and " + message.number + " have sequence number "
                        + message.sequenceNumber + ".");
            }
            if (before != null && before.enqueuedMs > message.enqueuedMs) {
                found.add("SEQ-6: message " + message.number + " with sequence number " + message.sequenceNumber
                        + " was enqueued " + (before.enqueuedMs - message.enqueuedMs)
                        + " ms earlier than the one before it.");
            }
            if (latest != null && message.storedNanos < latest.sentNanos) {
                found.add("SEQ-6: message " + message.number + " was stored before the send of message " + latest.number
                        + " began, but has the sequence number " + message.sequenceNumber + " after "
                        + latest.sequenceNumber + ".");
            }
            if (latest == null || message.sentNanos > latest.sentNanos) {
                latest = message;
            }
            before = message;
        }
    }

    private void checkReceives() {
        List<Message> order = inOrder();
        for (Operation one : operations) {
            if (!one.isReceive() || one.received() == Operation.NONE || mayBeLocked(one)) {
                continue;
            }
            long number = one.seen().get(0).sequenceNumber();
            for (Message earlier : order) {
                if (earlier.sequenceNumber >= number) {
                    break;
                }
                // A receive-and-delete without a reply may have removed a message that was never received afterwards.
                if (earlier.storedNanos < one.invokedNanos()
                        && earlier.availableNanos > one.returnedNanos()
                        && (earlier.availableNanos != Operation.NEVER || !mayBeTaken(one))) {
                    found.add("Message " + one.received() + " with sequence number " + number
                            + " was received while message " + earlier.number + " with sequence number "
                            + earlier.sequenceNumber + " was available.");
                }
            }
        }
    }

    /** Returns whether a receive without a reply may hold locks of other messages. A broker may notice later that its client is gone. */
    private boolean mayBeLocked(Operation receive) {
        return operations.stream()
                .anyMatch(other -> other.kind() == Kind.LOCK
                        && other.received() == Operation.NONE
                        && other.invokedNanos() < receive.returnedNanos()
                        && (other.returnedNanos() == Operation.NEVER
                                || receive.invokedNanos() < other.returnedNanos() + GONE_NANOS + 2 * lockNanos));
    }

    private boolean mayBeTaken(Operation receive) {
        return operations.stream()
                .anyMatch(other -> other.kind() == Kind.TAKE
                        && other.received() == Operation.NONE
                        && other.invokedNanos() < receive.returnedNanos());
    }
}
