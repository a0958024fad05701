package dev.jitney.simulation.model.answer;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.ShardTurns;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The settlements that are decided in one turn and committed in a later one, because their clients do not wait for the
 * replies (docs/adr/0019).
 *
 * <p>The time and the locks of its own turn decide about such a settlement. It becomes durable with the next batch, and
 * at the latest in the first turn that begins two milliseconds later. All other settlements get their reply in their
 * own turn.
 */
public final class DelayedCommits {
    private static final long PAUSE_NANOS_MAX = 2_000_000;

    private final ModelState model;

    public DelayedCommits(ModelState model) {
        this.model = model;
    }

    /**
     * Called when a turn has ended without a fault.
     *
     * @return whether some settlements are decided and not committed
     */
    public boolean turnEnds(int store) {
        ShardTurns shard = model.timeline().shard(store);
        boolean delays = false;
        Set<Lock> taken = new HashSet<>();
        for (Request request : model.pending()) {
            if (request instanceof Request.Settle settle
                    && settle.transaction == null
                    && isOf(settle, store)
                    && shard.hasBegunAfter(settle.born)) {
                requireMayWait(settle, shard);
                delays = true;
                if (settle.decided == null) {
                    decide(settle, taken, shard);
                } else if (settle.decided.wins()) {
                    taken.addAll(settle.locks);
                }
            }
        }
        return delays;
    }

    private boolean isOf(Request.Settle request, int store) {
        StoredEntity locked = request.locks.get(0).copy.entity;
        if (locked.isFragment()) {
            return !locked.gone && locked.store == store;
        }
        List<StoredEntity> entities = model.entities().of(request.path);
        return !entities.isEmpty() && entities.get(0).store == store;
    }

    private void requireMayWait(Request.Settle settle, ShardTurns shard) {
        Request.Settle.Decided decided = settle.decided;
        boolean late = decided != null && shard.pauseNanos() - decided.pauseNanos() >= PAUSE_NANOS_MAX;
        if (!settle.allowsDelay() || shard.hasWritten() || late) {
            throw new Violation("Expected a reply to " + settle + " by the end of the turn"
                    + (late ? " after two milliseconds." : shard.hasWritten() ? " with a commit." : "."));
        }
    }

    /** Decides settlements in their order: each succeeds or fails as a whole. */
    private void decide(Request.Settle settle, Set<Lock> taken, ShardTurns shard) {
        boolean wins = true;
        for (Lock lock : settle.locks) {
            wins &= settle.mayWin(lock, shard.nowMs()) && !taken.contains(lock);
        }
        if (wins) {
            taken.addAll(settle.locks);
        }
        settle.decided = new Request.Settle.Decided(wins, shard.upMs(), shard.pauseNanos());
        model.count(Step.COMMIT_DELAYED);
    }
}
