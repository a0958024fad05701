package dev.jitney.crash.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search for an order of concurrent calls that respects their times and that a sequential specification allows (J. M. Wing and
 * C. Gong, Testing and Verifying Concurrent Objects, 1993). It keeps each set of calls with the state after them, and does not
 * try the same pair again (G. Lowe, Testing for Linearizability, 2017).
 *
 * @param <S> the state of the object, immutable and with an equality by value
 */
final class Linearization<S> {
    /**
     * A call.
     *
     * @param invoked the time of its begin
     * @param returned the time of its end, {@link Operation#NEVER} for none
     * @param type whether it must happen, and whether it changes the state
     * @param step returns the state after the call, or null if the call is impossible in a state
     */
    record Call<S>(long invoked, long returned, Type type, Step<S> step) {
        boolean isOptional() {
            return type == Type.OPTIONAL;
        }
    }

    /** The type of a call. */
    enum Type {
        /** It happens, and may change the state. */
        CHANGE,
        /** It happens, and changes no state. */
        OBSERVATION,
        /** It may happen, and may change the state. It has no end. */
        OPTIONAL
    }

    /** The effect of a call. */
    interface Step<S> {
        @Nullable
        S after(S state);
    }

    private final List<Call<S>> calls;
    private final Set<Position<S>> tried = new HashSet<>();

    /** The calls that have happened, and the state after them. */
    private record Position<S>(BitSet done, S state) {}

    Linearization(List<Call<S>> calls) {
        this.calls =
                calls.stream().sorted(Comparator.comparingLong(Call::invoked)).toList();
    }

    /** Returns whether there is such an order of all calls that are not optional, and of any of the others. */
    boolean exists(S initial) {
        Deque<Position<S>> open = new ArrayDeque<>();
        open.push(settle(new Position<>(new BitSet(), initial)));
        while (!open.isEmpty()) {
            Position<S> position = open.pop();
            long end = firstEnd(position.done);
            if (end == Operation.NEVER && isComplete(position.done)) {
                return true;
            }
            for (Position<S> next : after(position, end)) {
                if (tried.add(next)) {
                    open.push(next);
                }
            }
        }
        return false;
    }

    /** Lets all observations happen that are possible. If they can happen later, they can happen now. */
    private Position<S> settle(Position<S> position) {
        BitSet done = position.done;
        boolean changed = true;
        while (changed) {
            changed = false;
            long end = firstEnd(done);
            for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
                Call<S> call = calls.get(i);
                if (call.invoked > end) {
                    break;
                }
                if (call.type == Type.OBSERVATION && call.step.after(position.state) != null) {
                    done.set(i);
                    changed = true;
                }
            }
        }
        return position;
    }

    private List<Position<S>> after(Position<S> position, long end) {
        List<Position<S>> next = new ArrayList<>();
        for (int i = position.done.nextClearBit(0); i < calls.size(); i = position.done.nextClearBit(i + 1)) {
            Call<S> call = calls.get(i);
            if (call.invoked > end) {
                break;
            }
            S state = call.type == Type.OBSERVATION ? null : call.step.after(position.state);
            if (state != null) {
                BitSet done = (BitSet) position.done.clone();
                done.set(i);
                next.add(settle(new Position<>(done, state)));
            }
        }
        return next;
    }

    /** Returns the first end of the calls that have not happened yet. No call that begins later can be the next one. */
    private long firstEnd(BitSet done) {
        long end = Operation.NEVER;
        for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
            Call<S> call = calls.get(i);
            end = call.isOptional() ? end : Math.min(end, call.returned);
        }
        return end;
    }

    private boolean isComplete(BitSet done) {
        for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
            if (!calls.get(i).isOptional()) {
                return false;
            }
        }
        return true;
    }
}
