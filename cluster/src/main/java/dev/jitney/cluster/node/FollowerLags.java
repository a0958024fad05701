package dev.jitney.cluster.node;

import dev.jitney.cluster.ratis.ConsensusState;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures for how long each follower has been behind its leader (CL-81), and on a follower, for how long this node itself has been. The number of entries that a follower lacks does not show a
 * follower that stands still while few messages are sent.
 *
 * <p>For each follower it notes an entry that was agreed on, and replaces it when the follower has it. One thread calls
 * {@link #note}; any thread may call the other methods.
 */
final class FollowerLags {
    private volatile Map<String, Mark> marks = Map.of();
    /** The entry that this node should have while it follows a leader, or null. */
    private volatile @Nullable Mark own;

    /**
     * An entry that a follower should have.
     *
     * @param index        its index
     * @param nanos        a time at which it was the last one that was agreed on
     * @param reachedNanos the last known time of which the follower has all entries
     */
    private record Mark(long index, long nanos, long reachedNanos) {
        Mark next(long match, long committed, long nowNanos) {
            if (match >= committed) {
                return new Mark(committed, nowNanos, nowNanos);
            }
            return match >= index ? new Mark(committed, nowNanos, nanos) : this;
        }
    }

    /**
     * Notes a state. A follower that this leader sees for the first time counts as behind from then on.
     *
     * @param nowNanos the time of the state, in {@link System#nanoTime}
     */
    void note(ConsensusState state, long nowNanos) {
        noteOwn(state, nowNanos);
        if (!state.leaderReady()) {
            marks = Map.of();
            return;
        }
        Map<String, Mark> next = new HashMap<>();
        state.followers().forEach((identity, follower) -> {
            Mark mark = marks.get(identity);
            next.put(
                    identity,
                    mark == null
                            ? new Mark(state.committed(), nowNanos, nowNanos)
                            : mark.next(follower.match(), state.committed(), nowNanos));
        });
        marks = Map.copyOf(next);
    }

    private void noteOwn(ConsensusState state, long nowNanos) {
        Mark mark = own;
        if (state.leaderCommitted() < 0) {
            own = null;
        } else {
            own = mark == null
                    ? new Mark(state.leaderCommitted(), nowNanos, nowNanos)
                    : mark.next(state.applied(), state.leaderCommitted(), nowNanos);
        }
    }

    /**
     * Returns for how many milliseconds this node has had to apply entries that its leader has: 0 if it has applied all of them. After a
     * restart, a node has entries in its log that it has not applied again yet, and could not serve clients at once.
     */
    long ownBehindMs(ConsensusState state, long nowNanos) {
        @Nullable Mark mark = own;
        if (mark == null || state.applied() >= state.leaderCommitted()) {
            return 0;
        }
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - mark.reachedNanos()));
    }

    /**
     * Returns for how many milliseconds a follower has lacked entries: 0 if it has all of them. The result is exact within the time
     * between two calls of {@link #note}, or twice as large as the delay of a follower that constantly makes progress.
     */
    long behindMs(String identity, ConsensusState.Follower follower, long committed, long nowNanos) {
        @Nullable Mark mark = marks.get(identity);
        if (mark == null || follower.match() >= committed) {
            return 0;
        }
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - mark.reachedNanos()));
    }
}
