package dev.jitney.simulation.model.state;

import dev.jitney.runtime.Clock;

/** The turns of one shard: what time it is for it, whether its store works, and what its last batch can know. */
public final class ShardTurns {

    /** The time of the last turn; what its batch has come to is judged by it. */
    private long nowMs;

    private long begunMs;

    /** What time it was before the turn that is under way. */
    private long beforeMs;

    /** How long it has worked. */
    private long upMs;

    /** By how much processes have begun before the end of those before them, because the clock was set back. */
    private long setBackMs;

    private boolean troubled;

    /** Whether a batch was written in the turn under way. */
    private boolean hasWritten;

    private long count;

    /** How much had gone wrong when the last turn began, and when the one before it did. */
    private long disturbancesAtBegin;

    private long disturbancesBefore;

    /** Requests from this one on were made after the batch was written that is not durable yet. */
    private long horizon = Long.MAX_VALUE;

    /** The horizon of the batch whose answers and deliveries are being told. */
    private long heard = Long.MAX_VALUE;

    /** How many requests there were when the last turn began. */
    private long requestsAtBegin;

    /** How much time had passed when the last turn began, whatever the clock says; nanoseconds from anywhere. */
    private long pauseNanos;

    /** @param stopped whether an operator has stopped the store, so that nothing happens in it */
    public void begin(Clock clock, boolean stopped, long disturbances, long requests) {
        long timeMs = clock.nowMs();
        begunMs = timeMs;
        pauseNanos = clock.pauseNanos();
        requestsAtBegin = requests;
        hasWritten = false;
        if (!troubled && !stopped) { // else what the last batch has come to is judged by the time it was made
            upMs += Math.max(0, timeMs - nowMs);
            nowMs = Math.max(nowMs, timeMs);
        }
        beforeMs = nowMs;
        count++;
        disturbancesBefore = disturbancesAtBegin;
        disturbancesAtBegin = disturbances;
    }

    public void end(boolean trouble) {
        troubled = trouble;
        heard = Long.MAX_VALUE;
    }

    /** A process reads what the store has. */
    public void restart(long timeMs) {
        setBackMs += Math.max(0, nowMs - timeMs);
        nowMs = timeMs;
        beforeMs = timeMs;
        troubled = false;
        horizon = Long.MAX_VALUE;
        heard = Long.MAX_VALUE;
    }

    /** A batch is written; what is asked for until it is durable has no part in it. */
    public void written(long requests) {
        hasWritten = true;
        horizon = requests;
    }

    /** The batch has become durable; answers the horizon it is judged by. */
    long durable() {
        heard = horizon;
        horizon = Long.MAX_VALUE;
        return heard;
    }

    /** The store is open again, and what it has not shown of a batch has gone. */
    public void back() {
        horizon = Long.MAX_VALUE;
        nowMs = Math.max(nowMs, begunMs);
    }

    /** The store that was open again could not be read after all: its shard has not begun to work, and knows no later time. */
    public void notBack() {
        if (troubled && !hasWritten) {
            nowMs = beforeMs;
        }
    }

    /** The time of the last turn, milliseconds since the epoch. */
    public long nowMs() {
        return nowMs;
    }

    /** How long the shard has worked so far, milliseconds. */
    public long upMs() {
        return upMs;
    }

    /** How much of that is not certain, because processes have begun before the end of those before them. */
    public long setBackMs() {
        return setBackMs;
    }

    /** How many turns have begun. */
    public long count() {
        return count;
    }

    /** Whether a request was there when the last turn began. */
    public boolean hasBegunAfter(long request) {
        return request < requestsAtBegin;
    }

    /** Whether a batch is being written. */
    boolean isCommitting() {
        return horizon != Long.MAX_VALUE;
    }

    /** Whether a batch was written in the last turn. */
    public boolean hasWritten() {
        return hasWritten;
    }

    /** How much time had passed when the last turn began, whatever the clock says; nanoseconds from anywhere. */
    public long pauseNanos() {
        return pauseNanos;
    }

    public boolean isTroubled() {
        return troubled;
    }

    /** Whether something has gone wrong since the turn before the last one. */
    public boolean isDisturbed(long disturbances) {
        return disturbancesBefore != disturbances;
    }

    /** Requests from this one on explain nothing of what is told; without a limit if the last batch did not take long. */
    public long heard() {
        return heard;
    }
}
