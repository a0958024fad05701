package dev.jitney.simulation.model;

import dev.jitney.simulation.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Settlements that are decided in one turn and committed in a later one, because nobody waits for their answers (docs/adr/0019).
 *
 * <p>What such a settlement comes to is decided by the time and the locks of its own turn. It becomes durable with the
 * next batch, in the first turn that begins two milliseconds later at the latest; all others are answered in their turn.
 */
final class Lingering {
    private static final long PAUSE_NANOS_MAX = 2_000_000;

    private final Ledger ledger;

    Lingering(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * What was decided before it becomes durable.
     *
     * @param wins whether all the locks held
     * @param upMs how long the shard had worked
     * @param pauseNanos since when it waits, whatever the clock says
     */
    record Decided(boolean wins, long upMs, long pauseNanos) {}

    /**
     * A turn has ended without trouble.
     *
     * @return whether something was decided that is not committed
     */
    boolean turnEnds(int store) {
        ShardTurns shard = ledger.shard(store);
        boolean lingers = false;
        Set<Lock> taken = new HashSet<>();
        for (Request request : ledger.pending()) {
            if (request instanceof Request.Settle settle
                    && settle.dealing == null
                    && isOf(settle, store)
                    && shard.hasBegunAfter(settle)) {
                requireMayWait(settle, shard);
                lingers = true;
                if (settle.decided == null) {
                    decide(settle, taken, shard);
                } else if (settle.decided.wins) {
                    taken.addAll(settle.locks);
                }
            }
        }
        return lingers;
    }

    private boolean isOf(Request.Settle request, int store) {
        Shelf locked = request.locks.get(0).copy.shelf;
        if (locked.isPart()) {
            return !locked.gone && locked.store == store;
        }
        List<Shelf> shelves = ledger.shelves().of(request.path);
        return !shelves.isEmpty() && shelves.get(0).store == store;
    }

    private void requireMayWait(Request.Settle settle, ShardTurns shard) {
        Decided decided = settle.decided;
        boolean late = decided != null && shard.pauseNanos() - decided.pauseNanos >= PAUSE_NANOS_MAX;
        if (!settle.allowsDelay() || shard.hasWritten() || late) {
            throw new Violation("Expected an answer to " + settle + " by the end of the turn"
                    + (late ? " after two milliseconds." : shard.hasWritten() ? " that has committed." : "."));
        }
    }

    /** Settlements are decided in their order, each all or none. */
    private void decide(Request.Settle settle, Set<Lock> taken, ShardTurns shard) {
        boolean wins = true;
        for (Lock lock : settle.locks) {
            wins &= settle.mayWin(lock, shard.nowMs()) && !taken.contains(lock);
        }
        if (wins) {
            taken.addAll(settle.locks);
        }
        settle.decided = new Decided(wins, shard.upMs(), shard.pauseNanos());
        ledger.judge().count(Step.LINGERED);
    }
}
