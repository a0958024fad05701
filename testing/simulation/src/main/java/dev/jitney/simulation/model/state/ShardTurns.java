package dev.jitney.simulation.model.state;

import dev.jitney.runtime.Clock;

/** The turns of one shard: their times, the state of the store, and the requests that the last batch can contain. */
public final class ShardTurns {

    /** The time of the last turn in milliseconds since the epoch. The effects of its batch are judged by it. */
    private long nowMs;

    private long begunMs;

    /** The time before the current turn, in milliseconds since the epoch. */
    private long beforeMs;

    /** The working time of the shard in milliseconds. */
    private long upMs;

    /** The sum of backward steps of the clock between processes, in milliseconds. */
    private long setBackMs;

    private boolean troubled;

    /** True if a batch was written in the current turn. */
    private boolean hasWritten;

    private long count;

    /**
     * The number of faults at the begin of the last turn; {@link #disturbancesBefore} at the begin of the turn before
     * it.
     */
    private long disturbancesAtBegin;

    private long disturbancesBefore;

    /** The first request made after the current batch was written, which is not durable yet. */
    private long horizon = Long.MAX_VALUE;

    /** The horizon of the batch whose replies and deliveries are being reported. */
    private long heard = Long.MAX_VALUE;

    /** The number of requests at the begin of the last turn. */
    private long requestsAtBegin;

    /** The time at the begin of the last turn in nanoseconds, independent of the clock. */
    private long pauseNanos;

    /**
     * Begins a turn.
     *
     * @param stopped whether an operator has stopped the store, so that the turn does nothing
     */
    public void begin(Clock clock, boolean stopped, long disturbances, long requests) {
        long timeMs = clock.nowMs();
        begunMs = timeMs;
        pauseNanos = clock.pauseNanos();
        requestsAtBegin = requests;
        hasWritten = false;
        if (!troubled && !stopped) { // else the last batch is judged by the time of its own turn
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

    /** Called when a process starts and reads the store. */
    public void restart(long timeMs) {
        setBackMs += Math.max(0, nowMs - timeMs);
        nowMs = timeMs;
        beforeMs = timeMs;
        troubled = false;
        horizon = Long.MAX_VALUE;
        heard = Long.MAX_VALUE;
    }

    /** Called when a batch is written. Requests made before it is durable are not in it. */
    public void written(long requests) {
        hasWritten = true;
        horizon = requests;
    }

    /** Called when the batch has become durable. Returns the horizon by which it is judged. */
    long durable() {
        heard = horizon;
        horizon = Long.MAX_VALUE;
        return heard;
    }

    /** Called when the store is open again. Parts of a batch that were not reported are gone. */
    public void back() {
        horizon = Long.MAX_VALUE;
        nowMs = Math.max(nowMs, begunMs);
    }

    /**
     * Called when a store was opened again and then could not be read. Its shard did not begin a turn, and keeps its
     * earlier time.
     */
    public void notBack() {
        if (troubled && !hasWritten) {
            nowMs = beforeMs;
        }
    }

    /** Returns the time of the last turn in milliseconds since the epoch. */
    public long nowMs() {
        return nowMs;
    }

    /** Returns the working time of the shard in milliseconds. */
    public long upMs() {
        return upMs;
    }

    /**
     * Returns the uncertainty of the working time in milliseconds, which backward steps of the clock between processes
     * cause.
     */
    public long setBackMs() {
        return setBackMs;
    }

    /** Returns the number of turns that have begun. */
    public long count() {
        return count;
    }

    /** Returns whether a request existed when the last turn began. */
    public boolean hasBegunAfter(long request) {
        return request < requestsAtBegin;
    }

    /** Returns whether a batch is being written. */
    boolean isCommitting() {
        return horizon != Long.MAX_VALUE;
    }

    /** Returns whether a batch was written in the last turn. */
    public boolean hasWritten() {
        return hasWritten;
    }

    /** Returns the time at the begin of the last turn in nanoseconds, independent of the clock. */
    public long pauseNanos() {
        return pauseNanos;
    }

    public boolean isTroubled() {
        return troubled;
    }

    /** Returns whether there was a fault after the begin of the turn before the last one. */
    public boolean isDisturbed(long disturbances) {
        return disturbancesBefore != disturbances;
    }

    /**
     * Returns the first request that is too new for the reported replies; {@code Long.MAX_VALUE} unless the last batch
     * stalled.
     */
    public long heard() {
        return heard;
    }
}
