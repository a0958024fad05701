package dev.jitney.crash.history;

import dev.jitney.crash.history.Operation.Kind;
import dev.jitney.crash.history.Operation.Outcome;
import dev.jitney.crash.history.Operation.Seen;
import java.util.ArrayList;
import java.util.List;

/** The operations of all clients on one queue. Each message has a number that is sent once. Thread-safe. */
final class History {
    private final List<Operation> operations = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();

    /** A time in which a leader may have changed, so that locks may be void (CL-24). */
    record Disturbance(long fromNanos, long toNanos) {}

    /** Records the begin of a receive or of a peek. Call it before the request is made. Returns the number of the operation. */
    int begin(Kind kind, int client, long nowNanos) {
        return begin(kind, client, Operation.NONE, nowNanos);
    }

    /**
     * Records the begin of an operation. Call it before the request is made.
     *
     * @param subject the message of a send, or the operation that locked the message of a settlement
     * @return the number of the operation
     */
    synchronized int begin(Kind kind, int client, int subject, long nowNanos) {
        int number = operations.size();
        operations.add(new Operation(
                number, kind, client, subject, nowNanos, Operation.NEVER, Outcome.UNKNOWN, List.of(), false));
        return number;
    }

    /** Records the outcome of a send or of a settlement. An operation without an end has an unknown outcome. */
    void end(int number, Outcome outcome, long nowNanos) {
        end(number, outcome, List.of(), false, nowNanos);
    }

    /** Records the message of a receive. */
    void end(int number, Seen seen, long nowNanos) {
        end(number, Outcome.DONE, List.of(seen), false, nowNanos);
    }

    /**
     * Records the messages of a peek that began with the first message.
     *
     * @param whole whether the queue has no more messages
     */
    void end(int number, List<Seen> seen, boolean whole, long nowNanos) {
        end(number, Outcome.DONE, seen, whole, nowNanos);
    }

    private synchronized void end(int number, Outcome outcome, List<Seen> seen, boolean whole, long nowNanos) {
        Operation begun = operations.get(number);
        operations.set(
                number,
                new Operation(
                        number,
                        begun.kind(),
                        begun.client(),
                        begun.subject(),
                        begun.invokedNanos(),
                        nowNanos,
                        outcome,
                        List.copyOf(seen),
                        whole));
    }

    /** Records a time in which a leader may have changed. */
    synchronized void disturbed(long fromNanos, long toNanos) {
        disturbances.add(new Disturbance(fromNanos, toNanos));
    }

    synchronized List<Operation> operations() {
        return List.copyOf(operations);
    }

    synchronized List<Disturbance> disturbances() {
        return List.copyOf(disturbances);
    }

    /** Returns a line with the number of operations of each kind and outcome. */
    String report() {
        StringBuilder text = new StringBuilder();
        for (Kind kind : Kind.values()) {
            List<Operation> all =
                    operations().stream().filter(one -> one.kind() == kind).toList();
            if (!all.isEmpty()) {
                long unknown = all.stream()
                        .filter(one -> one.outcome() == Outcome.UNKNOWN)
                        .count();
                text.append(text.isEmpty() ? "" : ", ")
                        .append("%d %s (%d unknown)".formatted(all.size(), kind, unknown));
            }
        }
        return text.toString();
    }
}
