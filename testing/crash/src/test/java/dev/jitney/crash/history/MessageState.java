package dev.jitney.crash.history;

import dev.jitney.crash.history.Linearization.Step;

/**
 * The state of one message in a queue, which is the sequential specification of a queue with competing consumers: each message is
 * an object of its own. It is absent, then present, perhaps locked, and then gone for good.
 *
 * @param lock the number of the operation that holds the lock, or {@link #FREE}
 */
record MessageState(Phase phase, int lock) {
    static final MessageState ABSENT = new MessageState(Phase.ABSENT, MessageState.FREE);
    private static final MessageState PRESENT = new MessageState(Phase.PRESENT, MessageState.FREE);
    private static final MessageState GONE = new MessageState(Phase.GONE, MessageState.FREE);

    private static final int FREE = -1;

    /** The life of a message. */
    private enum Phase {
        ABSENT,
        PRESENT,
        GONE
    }

    static Step<MessageState> send() {
        return state -> state.equals(ABSENT) ? PRESENT : null;
    }

    static Step<MessageState> take() {
        return state -> state.equals(PRESENT) ? GONE : null;
    }

    static Step<MessageState> lock(int lock) {
        return state -> state.equals(PRESENT) ? new MessageState(Phase.PRESENT, lock) : null;
    }

    static Step<MessageState> complete(int lock) {
        return state -> state.holds(lock) ? GONE : null;
    }

    /** The end of a lock, by the client or by the broker. The message is available again (LOCK-7). */
    static Step<MessageState> unlock(int lock) {
        return state -> state.holds(lock) ? PRESENT : null;
    }

    /** A settlement that is refused because the lock is void. */
    static Step<MessageState> refuse(int lock) {
        return state -> state.holds(lock) ? null : state;
    }

    static Step<MessageState> observePresent() {
        return state -> state.phase == Phase.PRESENT ? state : null;
    }

    static Step<MessageState> observeAbsent() {
        return state -> state.phase == Phase.PRESENT ? null : state;
    }

    private boolean holds(int number) {
        return phase == Phase.PRESENT && lock == number;
    }
}
