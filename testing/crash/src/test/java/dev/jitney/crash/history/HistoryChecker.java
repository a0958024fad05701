package dev.jitney.crash.history;

import dev.jitney.crash.history.History.Disturbance;
import dev.jitney.crash.history.Linearization.Call;
import dev.jitney.crash.history.Linearization.Type;
import dev.jitney.crash.history.Operation.Kind;
import dev.jitney.crash.history.Operation.Outcome;
import dev.jitney.crash.history.Operation.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A check that a history of a queue is linearizable. Messages are independent objects, so the history is linearizable if that of
 * each message is (M. Herlihy and J. M. Wing, Linearizability: A Correctness Condition for Concurrent Objects, 1990, theorem 1).
 * {@link OrderChecker} checks what holds between messages. ADR 32 explains the method.
 *
 * <p>A receive-and-delete without a reply may have removed one message, which is not known. Each of them explains at most one
 * message that is missing.
 */
final class HistoryChecker {
    private final List<Operation> operations;
    private final List<Disturbance> disturbances;
    private final long lockNanos;
    private final long startNanos;
    /** The operations about each message, in the order of their begin. */
    private final Map<Integer, List<Operation>> messages = new TreeMap<>();
    /** Receive-and-deletes without a reply. */
    private final List<Operation> unknownTakes;

    private final List<Operation> peeks;
    private final Map<Integer, Long> sequenceNumbers = new TreeMap<>();

    private HistoryChecker(History history, long lockNanos) {
        operations = history.operations();
        disturbances = history.disturbances();
        this.lockNanos = lockNanos;
        startNanos =
                operations.stream().mapToLong(Operation::invokedNanos).min().orElse(0);
        peeks = operations.stream()
                .filter(one -> one.kind() == Kind.PEEK && one.outcome() == Outcome.DONE)
                .toList();
        unknownTakes = operations.stream()
                .filter(one -> one.kind() == Kind.TAKE && one.received() == Operation.NONE)
                .toList();
        for (Operation one : operations) {
            for (Seen seen : one.seen()) {
                sequenceNumbers.put(seen.message(), seen.sequenceNumber());
            }
            int message = message(one);
            if (message != Operation.NONE) {
                messages.computeIfAbsent(message, key -> new ArrayList<>()).add(one);
            }
        }
    }

    private int message(Operation one) {
        return switch (one.kind()) {
            case SEND -> one.subject();
            case TAKE, LOCK -> one.received();
            case COMPLETE, ABANDON -> operations.get(one.subject()).received();
            case PEEK -> Operation.NONE;
        };
    }

    /**
     * Returns the violations, each with the operations about its message.
     *
     * @param lockNanos the time in which a lock does not end by itself, a little less than the lock duration of the queue
     */
    static List<String> violations(History history, long lockNanos) {
        HistoryChecker checker = new HistoryChecker(history, lockNanos);
        List<String> found = new ArrayList<>(OrderChecker.violations(checker.operations, lockNanos));
        found.addAll(checker.violations());
        return found;
    }

    private List<String> violations() {
        List<String> found = new ArrayList<>();
        Set<Integer> known = new HashSet<>(messages.keySet());
        known.addAll(sequenceNumbers.keySet());
        Map<Integer, List<Integer>> missing = new TreeMap<>();
        for (int message : known) {
            List<Call<MessageState>> calls = calls(message);
            if (isLinearizable(calls)) {
                continue;
            }
            List<Integer> takes = new ArrayList<>();
            for (int i = 0; i < unknownTakes.size(); i++) {
                List<Call<MessageState>> more = new ArrayList<>(calls);
                more.add(optional(unknownTakes.get(i).invokedNanos(), MessageState.take()));
                if (isLinearizable(more)) {
                    takes.add(i);
                }
            }
            missing.put(message, takes);
        }
        for (int message : Matching.unmatched(missing, unknownTakes.size())) {
            found.add("Message " + message + " has no linearizable history: " + history(message));
        }
        return found;
    }

    private static boolean isLinearizable(List<Call<MessageState>> calls) {
        return new Linearization<>(calls).exists(MessageState.ABSENT);
    }

    private static Call<MessageState> optional(long invokedNanos, Linearization.Step<MessageState> step) {
        return new Call<>(invokedNanos, Operation.NEVER, Type.OPTIONAL, step);
    }

    private List<Call<MessageState>> calls(int message) {
        List<Call<MessageState>> calls = new ArrayList<>();
        for (Operation one : messages.getOrDefault(message, List.of())) {
            int lock = one.kind() == Kind.LOCK ? one.number() : one.subject();
            boolean refused = one.outcome() == Outcome.REFUSED;
            Linearization.Step<MessageState> step = switch (one.kind()) {
                case SEND -> MessageState.send();
                case TAKE -> MessageState.take();
                case LOCK -> MessageState.lock(lock);
                case COMPLETE -> refused ? MessageState.refuse(lock) : MessageState.complete(lock);
                case ABANDON -> refused ? MessageState.refuse(lock) : MessageState.unlock(lock);
                case PEEK -> throw new IllegalStateException("A peek is about many messages.");
            };
            if (one.kind() != Kind.SEND || !refused) {
                calls.add(
                        one.outcome() == Outcome.UNKNOWN
                                ? optional(one.invokedNanos(), step)
                                : new Call<>(
                                        one.invokedNanos(),
                                        one.returnedNanos(),
                                        refused ? Type.OBSERVATION : Type.CHANGE,
                                        step));
            }
            if (one.kind() == Kind.LOCK) {
                calls.add(optional(voidNanos(one), MessageState.unlock(lock)));
            }
        }
        calls.addAll(observations(message));
        return calls;
    }

    /** Returns the first time at which the broker may have ended a lock by itself. */
    private long voidNanos(Operation lock) {
        long first = lock.invokedNanos() + lockNanos;
        for (Disturbance one : disturbances) {
            if (one.toNanos() >= lock.invokedNanos()) {
                first = Math.min(first, Math.max(lock.invokedNanos(), one.fromNanos()));
            }
        }
        return first;
    }

    /** Returns the peeks that have shown a message, or would have shown it. Those that add nothing are left out. */
    private List<Call<MessageState>> observations(int message) {
        long sentNanos = messages.getOrDefault(message, List.of()).stream()
                .filter(one -> one.kind() == Kind.SEND)
                .mapToLong(Operation::invokedNanos)
                .min()
                .orElse(Long.MIN_VALUE);
        List<Call<MessageState>> present = new ArrayList<>();
        List<Call<MessageState>> absent = new ArrayList<>();
        for (Operation peek : peeks) {
            if (peek.seen().stream().anyMatch(seen -> seen.message() == message)) {
                present.add(new Call<>(
                        peek.invokedNanos(), peek.returnedNanos(), Type.OBSERVATION, MessageState.observePresent()));
            } else if (covers(peek, message) && peek.returnedNanos() >= sentNanos) {
                absent.add(new Call<>(
                        peek.invokedNanos(), peek.returnedNanos(), Type.OBSERVATION, MessageState.observeAbsent()));
            }
        }
        long lastNanos = messages.getOrDefault(message, List.of()).stream()
                .filter(one -> one.outcome() == Outcome.DONE)
                .mapToLong(Operation::returnedNanos)
                .max()
                .orElse(sentNanos);
        lastNanos = present.stream().mapToLong(Call::returned).reduce(lastNanos, Math::max);
        // A message that is gone stays away, so of the peeks after everything else the first one says it all.
        long end = lastNanos;
        List<Call<MessageState>> all = new ArrayList<>(present);
        absent.stream().filter(one -> one.invoked() <= end).forEach(all::add);
        absent.stream()
                .filter(one -> one.invoked() > end)
                .min(Comparator.comparingLong(Call::returned))
                .ifPresent(all::add);
        return all;
    }

    /** Returns whether a peek would have shown a message that was there. */
    private boolean covers(Operation peek, int message) {
        Long number = sequenceNumbers.get(message);
        return peek.whole()
                || number != null
                        && number < peek.seen().get(peek.seen().size() - 1).sequenceNumber();
    }

    private String history(int message) {
        List<Operation> all = new ArrayList<>(messages.getOrDefault(message, List.of()));
        peeks.stream()
                .filter(peek -> peek.seen().stream().anyMatch(seen -> seen.message() == message))
                .forEach(all::add);
        peeks.stream()
                .filter(peek -> covers(peek, message))
                .filter(peek -> peek.seen().stream().noneMatch(seen -> seen.message() == message))
                .filter(peek -> all.stream().anyMatch(one -> one.invokedNanos() < peek.invokedNanos()))
                .limit(3)
                .forEach(all::add);
        return all.stream()
                .sorted(Comparator.comparingLong(Operation::invokedNanos))
                .map(one -> one.text(startNanos) + (one.kind() == Kind.PEEK ? shows(one, message) : ""))
                .collect(Collectors.joining("; "));
    }

    private static String shows(Operation peek, int message) {
        return peek.seen().stream().anyMatch(seen -> seen.message() == message) ? " with it" : " without it";
    }

    /** Returns the time in which a lock of a given duration does not end by itself, with room for the clocks of nodes. */
    static long lockNanos(int lockSeconds) {
        return TimeUnit.SECONDS.toNanos(lockSeconds) * 8 / 10;
    }
}
